"""A Go player that plays the board out, whoever thinks for it.

The board is scored as it stands, so a game that ends while dead stones are on it counts them as
alive. Against a player that takes them off by agreement, as Go engines do, both must see the same
end. So this player does not pass, and does not let a pass end the game, while it can play in an
empty region that is not all its own: dead stones of the other's that are still there must be
captured, even those that surround points of their own. What is its own it does not fill in answer
to a pass.
"""

from typing import Any

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.games import go
from tesuji.players import Decision, Player, Report, build, canonical
from tesuji.players import player as registered
from tesuji.rng import Rng


@registered
def played_out(game: rules.Game, player: str = "uct") -> Player:
    """Go: another player that goes on until nothing is left to play for on the board."""
    if game.name != "go":
        raise BadInput(f"the player played_out plays go only, not {game.name}")
    return PlayedOut(build(player, game), canonical(player))


class PlayedOut(Player):
    def __init__(self, inner: Player, text: str) -> None:
        self.inner = inner
        self.identity = f"{text} {inner.identity}".strip()

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        decision = self.inner.choose(view, rng, report)
        if decision.move != go.PASS and not view[0].passes:
            return decision
        left = open_points(view[0])
        legal = rules.game_of(view).legal_moves(view)
        for move in (decision.move, *(one.move for one in decision.candidates), *legal):
            if move in left:
                return Decision(move, decision.candidates, decision.line, decision.simulations)
        return Decision(go.PASS, simulations=decision.simulations)

    def watch(self, view: rules.State, move: int | None) -> None:
        self.inner.watch(view, move)

    def close(self) -> None:
        self.inner.close()


def open_points(state: Any) -> set[int]:
    """The empty points but for those of regions that only the mover's stones surround."""
    stride = int(len(state.empty) ** 0.5) + 1
    colour = state.colour.tolist()
    left = {point for point, holds in enumerate(colour) if holds == go.EMPTY}
    found: set[int] = set()
    while left:
        region, edge, touches = set(), [left.pop()], set()
        while edge:
            point = edge.pop()
            region.add(point)
            for neighbour in (point - stride, point - 1, point + 1, point + stride):
                if neighbour in left:
                    left.remove(neighbour)
                    edge.append(neighbour)
                elif colour[neighbour] in (go.BLACK, go.WHITE):
                    touches.add(colour[neighbour])
        if touches != {state.mover}:
            found |= region
    return found
