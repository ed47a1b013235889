"""How red a ghost is, learned from games: logistic regression on what the ghosts did.

Start with `collect`: Hayazashi plays itself, drawing its moves from its policy, and before each of
its moves a player notes the traits of the enemy's ghosts (`tesuji.knowledge.geister.TRAITS`) beside
their colours, which the player does not know and the training does. `fit` is Newton's method.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import rng as random_words
from tesuji import rules
from tesuji.games.geister import RED, game
from tesuji.kernels import kernel
from tesuji.knowledge import choose
from tesuji.knowledge.geister import Hayazashi, Trails, prior_odds

RIDGE = 1.0  # keeps weights of traits that are never seen at 0


class Samples(NamedTuple):
    """One row for each ghost seen: its traits, the logarithm of its prior odds, and its colour."""

    traits: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.float64]
    red: npt.NDArray[np.bool_]


@kernel
def _draw(policy: Any, state: Any, moves: Any, rng: Any) -> Any:
    return choose(policy, state[0], moves, rng)


def collect(policy: Hayazashi, games: int, rng: random_words.Rng) -> Iterator[Samples]:
    """Play games, and give the samples of each."""
    for _ in range(games):
        state, trails = game.new(), (Trails(), Trails())
        moves, rows = game.moves_buffer(state), []
        while not game.is_over(state):
            mover = game.player_to_move(state)
            move = int(_draw(policy, state, moves, rng))
            if state[0].ply >= 2:
                rows += _rows(state, mover, trails[mover])
                trails[1 - mover].watch(game.view(state, 1 - mover), move)
            rules.compiled_play(state, move)
        traits, offsets, red = zip(*rows, strict=True)
        yield Samples(np.array(traits), np.array(offsets), np.array(red))


def _rows(state: rules.State, mover: int, trail: Trails) -> list[tuple[Any, float, bool]]:
    view, enemy = game.view(state, mover), 1 - mover
    offset = float(np.log(prior_odds(view, enemy)))
    return [
        (traits, offset, bool(state[0].colour[enemy, ghost] == RED))
        for ghost, traits in trail.traits(view, enemy).items()
    ]


def joined(parts: list[Samples]) -> Samples:
    traits, offsets, red = zip(*parts, strict=True)
    return Samples(np.concatenate(traits), np.concatenate(offsets), np.concatenate(red))


def probabilities(samples: Samples, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + np.exp(-(samples.traits @ weights + samples.offsets))))


def fit(samples: Samples, steps: int = 20) -> npt.NDArray[np.float64]:
    """The weights that make the colours likeliest."""
    weights = np.zeros(samples.traits.shape[1])
    for _ in range(steps):
        chance = probabilities(samples, weights)
        slope = samples.traits.T @ (samples.red - chance) - RIDGE * weights
        curve = (samples.traits * (chance * (1 - chance))[:, None]).T @ samples.traits
        weights = weights + np.linalg.solve(curve + RIDGE * np.eye(len(weights)), slope)
    return weights


def loss(samples: Samples, weights: npt.NDArray[np.float64]) -> float:
    """The mean of minus the logarithm of what the true colours were given, in bits."""
    chance = probabilities(samples, weights)
    return float(-np.log2(np.where(samples.red, chance, 1 - chance)).mean())
