"""The players of Geister."""

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.players import Decision, Player, Report, player
from tesuji.rng import Rng

WEIGHTS = "hayazashi-1"  # those that players use unless told otherwise


def _only_geister(game: rules.Game, name: str) -> None:
    if game.name != "geister":
        raise BadInput(f"{name} plays Geister, not {game.title}")


@player
def hayazashi(game: rules.Game, weights: str = WEIGHTS) -> Player:
    """Hayazashi: the policy learned by policy gradient, always its likeliest move.

    weights is the name of shipped weights or a file (.npz with theta, or .npy).
    """
    from tesuji.knowledge import geister

    _only_geister(game, "hayazashi")
    theta = geister.read_weights(weights)
    policy = geister.hayazashi(theta)

    class Hayazashi(Player):
        identity = geister.digest(theta)

        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            moves = game.moves_buffer(view)
            return Decision(int(geister.compiled_favourite(policy, view, moves, rng)))

    return Hayazashi()
