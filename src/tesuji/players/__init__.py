"""Players: a search or a rule of thumb under a name, with settings: `uct:simulations=5000,c=0.5`.

A player is a function of a state and a random stream. It looks at the state, never changes it, and
gives its decision with what it considered. The function that makes a player has the player's
settings as its keyword parameters; its docstring describes them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tesuji import rules, spec
from tesuji.errors import BadInput, nearest
from tesuji.rng import Rng


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


Player = Callable[[rules.State, Rng], Decision]


def random() -> Player:
    """Plays any legal move, each alike."""

    def choose(state: rules.State, rng: Rng) -> Decision:
        from tesuji.rng import below

        moves = rules.game_of(state).legal_moves(state)
        return Decision(moves[below(rng, len(moves))])

    return choose


def uct(
    simulations: int | None = None, seconds: float | None = None, c: float = 0.7, threshold: int = 1
) -> Player:
    """UCT with random playouts: 2000 simulations unless simulations, seconds or both are set.

    Where information is hidden it searches one world, drawn from those it may be in.
    """
    from tesuji.search import uct as search

    if simulations is None and seconds is None:
        simulations = 2000
    search.check_settings(simulations, seconds, c, threshold)

    def choose(state: rules.State, rng: Rng) -> Decision:
        result = search.search(
            state, simulations=simulations, seconds=seconds, c=c, threshold=threshold, rng=rng
        )
        candidates = tuple(Candidate(*candidate) for candidate in result.candidates)
        line = tuple(result.principal_variation())
        return Decision(result.best, candidates, line, result.simulations)

    return choose


PLAYERS: dict[str, Callable[..., Player]] = {"random": random, "uct": uct}


def build(text: str) -> Player:
    """The player that `text` describes: `random`, `uct`, `uct:seconds=1`."""
    name, settings = spec.parse(text)
    if name not in PLAYERS:
        raise BadInput(f"there is no player called {name!r}{nearest(name, PLAYERS)}")
    return PLAYERS[name](**spec.fit(PLAYERS[name], settings, f"player {name}"))
