"""Make the pictures of the documentation: `.venv/bin/python docs/make_pictures.py`."""

import re
from pathlib import Path

from rich.console import Console

from tesuji import cli, games, players, rng

IMAGES = Path(__file__).parent / "images"


def middle_game(moves: int) -> str:
    """The position after so many moves of a quick game of UCT against itself."""
    game, player, stream = games.load("go"), players.build("uct:simulations=5000"), rng.seeded(3)
    state = game.new()
    for _ in range(moves):
        game.play(state, player(state, stream).move)
    return game.position_text(state)


def main() -> None:
    console = Console(record=True, width=88, force_terminal=True, highlight=False)
    cli._console = lambda: console  # type: ignore[assignment]
    cli.watch("go", middle_game(34), against="uct:simulations=50000", moves=2, seed=5)
    svg = console.export_svg(title="tesuji watch go")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    (IMAGES / "watch.svg").write_text(svg)


if __name__ == "__main__":
    main()
