"""Players: a search with its knowledge, or a rule of thumb, under a name with settings.

`build("uct:playouts=5000,c=0.5", game)` gives one side of one game: an object that is told of every
move (`watch`) and asked for its own (`choose`). It sees the game as its side may see it, and never
changes what it is shown. A player is made by a function whose keyword parameters are the player's
settings and whose docstring describes them; it refuses a game that it cannot play in a sentence.
"""

import hashlib
import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tesuji import games, rules, spec
from tesuji.errors import BadInput, nearest
from tesuji.rng import Rng, below


class Candidate(NamedTuple):
    """A move that a player considered; the value is its own, from 0 (lost) to 1 (won)."""

    move: int
    visits: int
    value: float


@dataclass(frozen=True)
class Decision:
    """The move a player makes, and why: candidates, best first, and the line it expects."""

    move: int
    candidates: tuple[Candidate, ...] = ()
    line: tuple[int, ...] = ()
    simulations: int = 0


Report = Callable[[Decision], None]


class Player:
    """One side of one game. What differs between two builds of one text goes into `identity`."""

    identity = ""  # for example a digest of the weights: part of a game's id in the arena

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        """The move to make where the mover sees `view`.

        A player that thinks for long tells `report` now and then what it would play so far.
        """
        raise NotImplementedError

    def watch(self, view: rules.State, move: int | None) -> None:
        """Hear of a move, of either side or a lot, made where this side saw `view`.

        None stands for a move that is itself hidden from this side.
        """

    def interrupt(self) -> None:
        """From another thread: answer at once, now and from now on. Not every player can."""

    def close(self) -> None:
        """The game is over, or given up: let go of whatever is held."""


class Forfeit(Exception):
    """A player cannot go on, and its side has lost; `ending` says how in a word or two."""

    def __init__(self, ending: str, sentence: str) -> None:
        super().__init__(sentence)
        self.ending = ending


class Sitting:
    """A game in progress between two players (None: a side that plays from outside).

    It owns the whole state, makes the moves, and tells each side what that side may know.
    """

    def __init__(
        self, game: rules.Game, sides: Sequence[Player | None], state: rules.State | None = None
    ) -> None:
        self.game, self.sides = game, tuple(sides)
        self.state = game.new() if state is None else state.copy()
        self.moves: list[int] = []

    def choose(self, rng: Rng, report: Report | None = None) -> Decision:
        """Ask the side to move for its decision; nothing is played yet."""
        mover = self.game.player_to_move(self.state)
        side = self.sides[mover]
        if side is None:
            raise BadInput(f"{self.game.player_name(mover)} plays from outside")
        return side.choose(self.game.view(self.state, mover), rng, report)

    def play(self, move: int) -> None:
        """Make a move, or refuse an illegal one, and tell both sides."""
        before = rules.copied(self.state)
        self.game.play(self.state, move)
        self.moves.append(move)
        for number, side in enumerate(self.sides):
            if side is None:
                continue
            if self.game.hidden:
                mine = number == self.game.player_to_move(before)
                known = mine or not self.game.is_secret(before, move)
                side.watch(self.game.view(before, number), move if known else None)
            else:
                side.watch(before, move)

    def close(self) -> None:
        for side in self.sides:
            if side is not None:
                side.close()


Maker = Callable[..., Player]
_makers: dict[str, Maker] = {}


def player(maker: Maker) -> Maker:
    """Register a function of a game (and settings, with defaults) that makes a player."""
    _makers[maker.__name__] = maker
    return maker


def names() -> list[str]:
    return sorted(_makers)


def maker(name: str) -> Maker:
    """The function that makes a player, with its settings and description."""
    if name not in _makers:
        raise BadInput(f"there is no player called {name!r}{nearest(name, _makers)}")
    return _makers[name]


def build(text: str, game: rules.Game) -> Player:
    """The player that `text` describes, for one side of one game: `random`, `uct:seconds=1`."""
    name, settings = spec.parse(text)
    make = maker(name)
    return make(game, **spec.fit(make, settings, f"player {name}"))


def canonical(text: str) -> str:
    """The same player with every setting spelled out: what a game's id is made from."""
    name, settings = spec.parse(text)
    make = maker(name)
    values = {key: default for key, (_, default) in spec.settings_of(make).items()}
    values |= spec.fit(make, settings, f"player {name}")
    return spec.text(name, {key: value for key, value in values.items() if value is not None})


def playable(name: str) -> list[str]:
    """The built-in games that a player, with the settings it has by default, can play."""

    def plays(game: str) -> bool:
        try:
            build(name, games.load(game)).close()
        except BadInput:
            return False
        return True

    return [game for game in games.names() if plays(game)]


def digest(*known: Any) -> str:
    """A few letters that differ between pieces of knowledge of different weights; for `identity`.

    Nothing for knowledge without arrays: the player's text says all of it.
    """
    weights = [field for one in known if one is not None for field in one]
    arrays = [field for field in weights if isinstance(field, np.ndarray)]
    if not arrays:
        return ""
    return hashlib.sha256(b"\0".join(array.tobytes() for array in arrays)).hexdigest()[:12]


@player
def random(game: rules.Game) -> Player:
    """Plays any legal move, each alike."""
    return Random()


class Random(Player):
    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        moves = rules.game_of(view).legal_moves(view)
        return Decision(moves[below(rng, len(moves))])


for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")  # each registers its players
