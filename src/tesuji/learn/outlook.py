"""The chance to win a position of Geister, learned from games: logistic regression, game by game.

Start with `learn`. A player's moves are drawn from Hayazashi's policy, or, with search in the loop,
from the visits of a PUCT search: in one world that looks the same to the player, with the policy as
its prior and what has been learned so far as its judge. Both players are as ignorant as they would
be in a game, but what is learned about (`tesuji.knowledge.geister.Outlook`) is the position with
all colours known. After a game the weights of the bits that were set in each of its positions, and
in their mirror images, move towards the result, by a step that falls to 0 over all games.

The state between two chunks of games is the weights and the random stream, so a checkpoint after
any of them goes on as if nothing had been.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tesuji import arrays
from tesuji import rng as random_words
from tesuji.errors import BadInput
from tesuji.games.geister import game
from tesuji.kernels import helper, kernel
from tesuji.knowledge import choose
from tesuji.knowledge.geister import (
    ALL_BITS,
    MIRRORED,
    MOST_SET,
    Hayazashi,
    Outlook,
    describe,
    sum_of_pairs,
)
from tesuji.learn.gradient import check_step
from tesuji.rng import below
from tesuji.rules import is_over, observe, outcome, play, sample_world
from tesuji.search.tree import new_tree
from tesuji.search.uct import PUCT, Knowledge, Settings, simulate

ALPHA = 0.0005
LIMIT = 200  # moves until a game is a draw
CHUNK = 1000  # games


@kernel
def learn(start, memory, policy, pairs, rng, games, alpha, simulations):
    """Play and learn from so many games; the sum of squared errors of what the positions were given
    before anything was learned from their game, and their number."""
    state, world, work, tree, path, moves, seen, counts = memory
    error, total = 0.0, 0
    for _ in range(games):
        state[0] = start[0]
        length = 0
        while not is_over(state[0]):
            if state[0].ply < 2 or simulations == 0:
                move = choose(policy, state[0], moves, rng)
            else:
                world[0] = state[0]
                observe(world[0], state[0].ply & 1)
                sample_world(world[0], state[0].ply & 1, rng)
                move = searched(world, work, tree, path, moves, policy, pairs, rng, simulations)
            if state[0].ply >= 2:
                counts[length] = describe(state[0], seen[length])
                length += 1
            play(state[0], move)
        result = 0.5 + 0.5 * outcome(state[0])
        for i in range(length):
            target = result if i % 2 == 0 else 1.0 - result
            error += (target - chance(pairs, seen[i], counts[i])) ** 2
        for i in range(length):
            target = result if i % 2 == 0 else 1.0 - result
            approach(pairs, seen[i], counts[i], target, alpha)
            for k in range(counts[i]):
                seen[i, k] = MIRRORED[seen[i, k]]
            approach(pairs, seen[i], counts[i], target, alpha)
        total += length
    return error, total


@helper
def searched(world, work, tree, path, moves, policy, pairs, rng, simulations):
    """A move drawn by how often a search of a world visited it."""
    tree.used[0], tree.children[0], tree.visits[0] = 1, 0, 0
    knowledge = Knowledge(None, None, policy, Outlook(pairs), None)
    settings = Settings(1, 0, 1.0, 0.0)
    rule = PUCT(1.25, 19652.0, 0.0)
    simulate(world, work, tree, path, moves, rng, simulations, rule, settings, knowledge, None)
    child = tree.first[0]
    left = below(rng, simulations) - tree.visits[child]
    while left >= 0:
        child += 1
        left -= tree.visits[child]
    return tree.move[child]


@helper
def chance(pairs, bits, count):
    return 1.0 / (1.0 + math.exp(-sum_of_pairs(pairs, bits, count)))


@helper
def approach(pairs, bits, count, target, alpha):
    """Move the value of a position towards a result."""
    step = alpha * (target - chance(pairs, bits, count))
    for i in range(count):
        for j in range(i + 1):
            pairs[max(bits[i], bits[j]), min(bits[i], bits[j])] += step


# --- Training as a caller sees it ----------------------------------------------------------------


@dataclass(frozen=True)
class Training:
    """How far a training has come: all that is needed to go on, and how the last chunk went."""

    seed: int
    alpha: float
    simulations: int
    planned: int  # games in all, over which alpha falls to 0
    games: int
    outlook: Any
    rng: random_words.Rng
    error: float = 0.0

    @property
    def progress(self) -> str:
        return f"{self.games:,} games, squared error {self.error:.4f}"


def begin(
    seed: int, planned: int, simulations: int = 0, alpha: float = ALPHA, first: Any = None
) -> Training:
    """A training that has not begun yet, with weights of 0 or those of an earlier one."""
    check_step(alpha)
    pairs = np.zeros((ALL_BITS, ALL_BITS)) if first is None else first.astype(np.float64)
    stream = random_words.seeded(seed, "outlook")
    return Training(seed, alpha, simulations, planned, 0, pairs, stream)


def train(training: Training, policy: Hayazashi) -> Iterator[Training]:
    """Go on to the end; tell of each chunk."""
    start = game.new(limit=LIMIT)
    moves = game.moves_buffer(start)
    memory = (
        start.copy(), start.copy(), start.copy(),
        new_tree((training.simulations + 2) * len(moves), priors=True),
        np.empty(LIMIT + 1, np.int32), moves,
        np.zeros((LIMIT, MOST_SET), np.int64), np.zeros(LIMIT, np.int64),
    )  # fmt: skip
    while training.games < training.planned:
        count = min(CHUNK - training.games % CHUNK, training.planned - training.games)
        pairs, rng = training.outlook.copy(), training.rng.copy()
        rate = training.alpha * (1 - training.games / training.planned)
        error, total = learn(start, memory, policy, pairs, rng, count, rate, training.simulations)
        training = replace(
            training, games=training.games + count, outlook=pairs, rng=rng, error=error / total
        )
        yield training


def save(training: Training, path: Path) -> None:
    """Write a checkpoint, which is a file of weights, too."""
    arrays.write(path, vars(training))


def resume(path: Path) -> Training:
    """The training that a checkpoint holds."""
    what = "a checkpoint of an outlook's training"
    number = ("iu", ())
    stored = arrays.need(
        path, what, seed=number, alpha=("f", ()), simulations=number, planned=number, games=number,
        outlook=("f", (ALL_BITS, ALL_BITS)), rng=("u", (2,)),
    )  # fmt: skip
    if min(stored["games"], stored["planned"], stored["simulations"]) < 0:
        raise BadInput(f"{path} is not {what}: it has a number below 0")
    values: Any = {key: one if one.ndim else one.item() for key, one in stored.items()}
    return Training(**values)
