"""What all commands share: the application, its options, and how it prints."""

import json
import secrets
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tesuji.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tesuji.rules import Game, State

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A laboratory for game-playing search and learning.",
)

GameArgument = Annotated[
    str, typer.Argument(help="A game, with options: go, go:size=13,komi=6.5, my_game.py.")
]
PositionArgument = Annotated[
    str | None, typer.Argument(help="A position in the game's notation. [default: the start]")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]


def _seed(value: int | None) -> int | None:
    if value is not None and not -(2**63) <= value < 2**63:
        raise typer.BadParameter("a seed is a number of at most 63 bits")
    return value


SAME = "The same seed gives the same result."
SeedOption = Annotated[int, typer.Option(help=SAME, callback=_seed)]
FreshSeedOption = Annotated[
    int | None, typer.Option(help=f"{SAME} [default: a new one]", callback=_seed)
]


def fresh(seed: int | None) -> int:
    """The seed, or one that nobody can foresee."""
    return secrets.randbits(63) if seed is None else seed


def fail(sentence: str) -> NoReturn:
    print(f"tesuji: {sentence}", file=sys.stderr)
    sys.exit(2)


def terminal() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def print_json(data: dict[str, Any]) -> None:
    print(json.dumps(data, indent=2))


def starting_state(game: "Game", position: str | None) -> "State":
    if position is None:
        return game.new()
    if game.chosen:
        raise BadInput(f"a position brings its own settings: leave out those of {game.spec}")
    return game.parse_position(position)
