"""Measure the lab: how soon a board can be played on, how soon `random` replies, and what showing
a search costs it.

    .venv/bin/python benchmarks/lab.py

Start it twice: the first run compiles. The replies and the heat are timed over a socket, as a page
would; the board in the system's Chromium, if there is one.
"""

import contextlib
import json
import multiprocessing
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tesuji import games, players, rng
from tesuji.web import workers

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SEARCH_SECONDS = 3.0
REPLIES = 60
PLAYOUTS = 100_000


@contextlib.contextmanager
def running() -> Iterator[int]:
    """`tesuji lab`, as the user starts it, and its port."""
    command = [sys.executable, "-m", "tesuji", "lab", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ}) as lab:
        assert lab.stdout is not None
        said = lab.stdout.readline()  # when it listens
        yield int(re.findall(r":(\d+)/", said)[0])
        lab.terminate()


def ask(page: ClientConnection, do: str, **fields: Any) -> Any:
    page.send(json.dumps({"id": 1, "do": do, **fields}))
    while True:
        message = json.loads(page.recv())
        if "push" not in message:
            return message["ok"]


def hear(page: ClientConnection, push: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(page.recv())
        if message.get("push") == push:
            return message


def visit(port: int) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}/ws", origin=Origin(f"http://127.0.0.1:{port}"))


def board_seconds() -> float | None:
    """From the command to a board in the browser on which the first move can be clicked."""
    if shutil.which("chromium") is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page()
        start = time.perf_counter()
        with running() as port:
            page.goto(f"http://127.0.0.1:{port}/")
            page.get_by_role("button", name="Start", exact=True).click()
            page.locator(".status.yours").wait_for()
            seconds = time.perf_counter() - start
            page.close()
        browser.close()
    return seconds


def reply_milliseconds(port: int) -> list[float]:
    """From sending a move in Go to having the position after the reply of `random`."""
    times = []
    with visit(port) as page:
        (seat,) = ask(page, "new", game="go", players=["human", "random"])
        page.send(json.dumps({"id": 2, "do": "join", "seat": seat}))
        table = hear(page, "table")
        for _ in range(REPLIES):
            start = time.perf_counter()
            move = {"id": 3, "do": "move", "ply": table["ply"], "move": table["moves"][0][0]}
            page.send(json.dumps(move))
            table = hear(page, "table")
            while not table["moves"]:
                table = hear(page, "table")
            times.append(1000 * (time.perf_counter() - start))
        ask(page, "leave")
    return times


def updates_per_second(port: int) -> float:
    """How often a page hears of a search that is running."""
    with visit(port) as page:
        (seat,) = ask(page, "new", game="go", players=["human", f"uct:seconds={SEARCH_SECONDS:g}"])
        page.send(json.dumps({"id": 2, "do": "join", "seat": seat}))
        table = hear(page, "table")
        page.send(json.dumps({"id": 3, "do": "move", "ply": 0, "move": table["moves"][40][0]}))
        updates, search = 0, hear(page, "search")
        while not search["done"]:
            updates, search = updates + 1, hear(page, "search")
        ask(page, "leave")
    return float(updates / search["seconds"])


def shown_to_unseen(unseen_first: bool = False) -> float:
    """Processor time of a worker's search that is reported, over that of the same search alone."""
    near, far = multiprocessing.Pipe()
    threading.Thread(target=lambda: all(iter(far.recv, None)), daemon=True).start()
    desk, game = workers.Desk(near), games.load("go")
    player = f"uct:playouts={PLAYOUTS}"
    desk.do(1, workers.Job("rehearse", "go", "key", player))
    seconds = {}
    for shown in (False, True) if unseen_first else (True, False):
        start = time.thread_time()
        if shown:
            desk.do(2, workers.Job("choose", "go", "key", player, seed=1))
        else:
            players.build(player, game).choose(game.new(), rng.seeded(1, "lab", 0))
        seconds[shown] = time.thread_time() - start
    near.send(None)
    return seconds[True] / seconds[False]


def main() -> None:
    seconds = board_seconds()
    if seconds is not None:
        print(f"from the command to a playable board: {seconds:.2f} s")
    with running() as port:
        times = reply_milliseconds(port)
        print(
            f"reply of random: median {statistics.median(times):.1f} ms, "
            f"slowest of {len(times)}: {max(times):.1f} ms"
        )
        rates = [updates_per_second(port) for _ in range(3)]
        print(f"updates of the heat: {min(rates):.1f} to {max(rates):.1f} a second")
    shown_to_unseen()  # loads the compiled code
    ratios = [shown_to_unseen(number % 2 == 0) for number in range(12)]
    print(
        f"a search that is shown takes {statistics.median(ratios):.3f} times the processor time "
        f"({min(ratios):.3f} to {max(ratios):.3f})"
    )


if __name__ == "__main__":
    main()
