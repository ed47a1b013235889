"""Make screenshots of every page of the lab, at the size of a desktop and of a phone.

    .venv/bin/python docs/make_screenshots.py DIRECTORY    # all of them
    .venv/bin/python docs/make_screenshots.py              # those of the documentation

It needs Chromium, and shows games that UCT plays against itself, each at a hint for the side to
move.
"""

import asyncio
import io
import json
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from websockets.sync.client import connect
from websockets.typing import Origin

from tesuji import games, players, rng
from tesuji.web import server

IMAGES = Path(__file__).parent / "images"
KEPT = {"go-desktop-light", "tubstap-desktop-dark", "geister-phone-light", "setup-phone-dark"}
SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 820}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
MOVES = {"go": 18, "amazons": 24, "geister": 26, "tubstap:map=plains14": 21, "skirmish": 14}
ADVISER, THINKER = "uct:playouts=20000", "uct:playouts=1500"


def middle_game(spec: str, moves: int) -> dict[str, Any]:
    """The record of a game to be gone on with by a person whose turn it is."""
    game, stream = games.load(spec), rng.seeded(7)
    sides = [players.build(THINKER, game) for _ in range(2)]
    sitting = players.Sitting(game, sides)
    texts, values = [], []
    while True:
        mover, ply = game.player_to_move(sitting.state), len(texts)
        if ply >= moves and mover == 0:
            break
        move = game.random_move(sitting.state, stream)
        if mover >= 0:
            decision = sitting.choose(stream)
            move = decision.move
            values.append([ply, mover, decision.candidates[0].value])
        texts.append(game.move_text(sitting.state, move))
        sitting.play(move)
    if game.hidden:
        values = [row for row in values if row[1] == 0]
    return {
        "game": game.spec,
        "version": game.version,
        "players": ["human", THINKER],
        "moves": texts,
        "values": values,
    }


def open_record(port: int, record: dict[str, Any]) -> str:
    """Put a game into the lab; the seat to see it from."""
    with connect(f"ws://127.0.0.1:{port}/ws", origin=Origin(f"http://127.0.0.1:{port}")) as page:
        page.send(json.dumps({"id": 1, "do": "open", "record": record}))
        return str(json.loads(page.recv())["ok"][0])


def picture(page: Page, directory: Path, name: str) -> None:
    """A screenshot in 256 colours, which is enough and half the size."""
    page.wait_for_timeout(400)  # pieces glide
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(directory / f"{name}.png", optimize=True)


def show(
    browser: Browser,
    port: int,
    seats: dict[str, str],
    size: str,
    colours: str,
    directory: Path,
    wanted: set[str] | None,
) -> None:
    context = browser.new_context(color_scheme=colours, **SIZES[size])  # type: ignore[arg-type]
    page = context.new_page()
    address = f"http://127.0.0.1:{port}"
    for name in ("setup", *seats):
        full = f"{name}-{size}-{colours}"
        if wanted is not None and full not in wanted:
            continue
        if name == "setup":
            page.goto(f"{address}/#/new?game=geister")
            page.locator("form .main:enabled").wait_for()
        else:
            page.goto(f"{address}/#/game/{seats[name]}")
            page.locator(".status.yours").wait_for()
            page.wait_for_timeout(300)
            if not page.locator(".candidates").count():  # the first page to look at this game
                page.keyboard.press("h")
                page.locator(".candidates").wait_for(timeout=120_000)
            page.locator(".thoughts:not(:has-text('…'))").wait_for(timeout=120_000)
        picture(page, directory, full)
    context.close()


def main() -> None:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    wanted = None if len(sys.argv) > 1 else KEPT
    directory.mkdir(parents=True, exist_ok=True)
    server.menu.FAVOURITE = ADVISER
    with tempfile.TemporaryDirectory() as kept, server.listen() as listener:
        port, ready = listener.getsockname()[1], threading.Event()
        lab = server.Server(server.make_app(directory=Path(kept)), ready.set)
        thread = threading.Thread(target=lambda: asyncio.run(lab.serve([listener])), daemon=True)
        thread.start()
        ready.wait()
        records = {spec.partition(":")[0]: middle_game(spec, MOVES[spec]) for spec in MOVES}
        seats = {name: open_record(port, record) for name, record in records.items()}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            for size in SIZES:
                for colours in ("light", "dark"):
                    show(browser, port, seats, size, colours, directory, wanted)
            browser.close()
        lab.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
