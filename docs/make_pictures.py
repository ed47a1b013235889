"""Make the pictures of the documentation: `.venv/bin/python docs/make_pictures.py`."""

import re
from pathlib import Path

from rich.console import Console

from tesuji import games, players, rng
from tesuji.cli import games as commands

IMAGES = Path(__file__).parent / "images"


def middle_game(moves: int) -> str:
    """The position after so many moves of a quick game of UCT against itself."""
    game, stream = games.load("go"), rng.seeded(3)
    sides = [players.build("uct:playouts=5000", game) for _ in range(2)]
    sitting = players.Sitting(game, sides)
    for _ in range(moves):
        sitting.play(sitting.choose(stream).move)
    return game.position_text(sitting.state)


def main() -> None:
    console = Console(record=True, width=88, force_terminal=True, highlight=False)
    commands.terminal = lambda: console  # type: ignore[assignment]
    commands.watch("go", middle_game(34), against="uct:playouts=50000", moves=2, seed=5)
    svg = console.export_svg(title="tesuji watch go")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    (IMAGES / "watch.svg").write_text(svg)


if __name__ == "__main__":
    main()
