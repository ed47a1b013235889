"""A Go player that plays the board out, whoever thinks for it.

The board is scored as it stands, so a game that ends while dead stones are on it counts them as
alive. Against a player that takes them off by agreement, as Go engines do, both must see the same
end: this player passes only when nothing but its own eyes is left to fill.
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
    """Go: another player that passes only when nothing but its own eyes is left."""
    if game.name != "go":
        raise BadInput(f"the player played_out plays go only, not {game.name}")
    return PlayedOut(build(player, game), canonical(player))


class PlayedOut(Player):
    def __init__(self, inner: Player, text: str) -> None:
        self.inner = inner
        self.identity = f"{text} {inner.identity}".strip()

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        decision = self.inner.choose(view, rng, report)
        others = rules.game_of(view).legal_moves(view)
        for move in (decision.move, *(one.move for one in decision.candidates), *others):
            if move != go.PASS and not _is_eye(view[0], move):
                return Decision(move, decision.candidates, decision.line, decision.simulations)
        return Decision(go.PASS, simulations=decision.simulations)

    def watch(self, view: rules.State, move: int | None) -> None:
        self.inner.watch(view, move)

    def close(self) -> None:
        self.inner.close()


def _is_eye(state: Any, point: int) -> bool:
    return bool(go.is_eye(state, point))  # type: ignore[no-untyped-call]
