"""Tests keep their compiled code under the pytest cache: it is keyed by source, so never stale."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
os.environ["TESUJI_HOME"] = str(ROOT / ".pytest_cache" / "tesuji-home")

LONG = ("test_wheel.py", "test_readme.py", "test_cache.py", "test_browser.py", "test_cluster.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process runs the tests of a file (of a game, where each of its tests has one): two would
    compile the same kernels at the same time. Long files come first, so that none is left over."""
    items.sort(key=lambda item: item.path.name not in LONG)
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        group = f"{item.path.name} {parameters.get('spec', '')}"
        item.add_marker(pytest.mark.xdist_group(group.strip()))
