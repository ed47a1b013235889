"""How the tests, and the screenshots of the documentation, start a browser."""

import shutil

from playwright.sync_api import Browser, Playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(playwright: Playwright) -> Browser:
    """The system's Chromium, without a window."""
    return playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
