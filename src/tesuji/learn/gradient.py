"""Hayazashi's weights by policy gradient: REINFORCE in self-play, one update after every game.

Start with `learn`, the loop, and `reinforce`, the update. The learner moves first and its opponent
is the same policy; reds are placed at random; moves are drawn from the policy; after a game the
weights move by ALPHA times the result (1, -1; nothing after a draw) along the gradient of the
logarithms of the learner's choices. No baseline, no discount, weights from 0.

A policy's gradient for one choice is the features after the chosen move minus those expected. Only
the changes that moves make are added up: with `push[b]` the coefficient with which bit b comes in
(or, negative, goes out), the pair of b and any bit that is set before the move gets `push[b]`. Then
the few pairs are mended that a move changes twice, or adds.

Learning is in chunks of games, each one call of a kernel; the state between two chunks is the
weights and the random stream, so a checkpoint after any of them continues as if nothing had been.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tesuji import arrays
from tesuji import rng as random_words
from tesuji.errors import BadInput
from tesuji.games.geister import LAYOUTS, PLACEMENT, game
from tesuji.kernels import helper, kernel
from tesuji.knowledge import soften
from tesuji.knowledge.geister import (
    BITS,
    FEATURES,
    MOST_MOVES,
    MOST_SET,
    NOTHING,
    add_up,
    changes,
    difference,
    draw,
    favourite,
    hayazashi,
    matrix,
    present,
    vector,
)
from tesuji.rng import below
from tesuji.rules import is_over, legal_moves, outcome, play, random_move

ALPHA = 0.001
LIMIT = 200  # moves until a game is a draw
CHUNK = 5_000  # games


@kernel
def learn(start, state, before, steps, chosen, odds, moves, pairs, rng, games, alpha):
    """Play and learn from so many games; how many the learner won and lost, and all their moves.

    `before`, `steps`, `chosen` and `odds` hold the learner's choices of a game: the states, and for
    each the number of its moves, the one taken and all probabilities.
    """
    won, lost, length = 0, 0, 0
    bits, touched = np.empty(MOST_SET, np.int64), np.empty(BITS, np.int64)
    push, sums = np.zeros(BITS), np.empty((2, BITS))
    for _ in range(games):
        state[0] = start[0]
        play(state[0], PLACEMENT + LAYOUTS[below(rng, len(LAYOUTS))])
        play(state[0], PLACEMENT + LAYOUTS[below(rng, len(LAYOUTS))])
        for player in range(2):
            add_up(pairs, bits, present(state[0], player, bits), sums[player])
        choices = 0
        while not is_over(state[0]):
            mover = state[0].ply & 1
            count = legal_moves(state[0], moves)
            row = odds[choices]
            for i in range(count):
                out, lost_bit, into, event = changes(state[0], mover, moves[i])
                row[i] = difference(pairs, sums[mover], out, lost_bit, into, event)
            soften(row, count)
            choice = draw(row, count, rng)
            if mover == 0:
                before[choices] = state[0]
                steps[choices], chosen[choices] = count, choice
                choices += 1
            advance(state[0], moves[choice], pairs, sums, bits)
            length += 1
        result = outcome(state[0])
        won += result > 0
        lost += result < 0
        if result != 0:
            for i in range(choices):
                row = odds[i]
                for k in range(steps[i]):
                    row[k] *= -alpha * result
                row[chosen[i]] += alpha * result
                legal_moves(before[i], moves)
                reinforce(before[i], moves, steps[i], row, pairs, bits, touched, push)
    return won, lost, length


@helper
def advance(state, move, pairs, sums, bits):
    """Make a move and keep both players' sums up to date: only a capture adds up anew."""
    for player in range(2):
        out, lost, into, _ = changes(state, player, move)
        if lost == NOTHING:
            for b in range(BITS):
                sums[player, b] += pairs[into, b] - pairs[out, b]
    play(state, move)
    if lost != NOTHING:
        for player in range(2):
            add_up(pairs, bits, present(state, player, bits), sums[player])


@helper
def reinforce(state, moves, count, steps, pairs, bits, touched, push):
    """Move the weights: the features after each move by its step, the matrix staying symmetric.

    `bits` and `touched` are memory to work in; `push` is 0 everywhere, and is left so.
    """
    for i in range(count):
        out, lost, into, event = changes(state, 0, moves[i])
        push[out] -= steps[i]
        push[lost] -= steps[i]
        push[into] += steps[i]
        push[event] += steps[i]
    push[NOTHING] = 0.0
    set_before, changed = present(state, 0, bits), 0
    for b in range(NOTHING):
        if push[b] != 0.0:
            touched[changed] = b
            changed += 1
    for i in range(set_before):
        row = pairs[bits[i]]
        for k in range(changed):
            row[touched[k]] += push[touched[k]]
        row[bits[i]] -= push[bits[i]]  # the diagonal comes again below
    for k in range(changed):
        row, step = pairs[touched[k]], push[touched[k]]
        for i in range(set_before):
            row[bits[i]] += step
    for i in range(count):
        out, lost, into, event = changes(state, 0, moves[i])
        shift(pairs, into, into, steps[i])
        shift(pairs, into, out, -steps[i])
        if event != NOTHING:
            shift(pairs, event, event, steps[i])
            shift(pairs, event, into, steps[i])
            shift(pairs, event, out, -steps[i])
            shift(pairs, event, lost, -steps[i])
            shift(pairs, into, lost, -steps[i])
            shift(pairs, lost, out, steps[i])
    for k in range(changed):
        push[touched[k]] = 0.0


@helper
def shift(pairs, one, other, step):
    """Change the weight of one pair, unless one of its bits is none."""
    if one != NOTHING and other != NOTHING:
        pairs[one, other] += step
        if one != other:
            pairs[other, one] += step


@kernel
def duel(start, state, moves, rng, first, second, games):
    """Games between two policies at their best moves (None moves at random), each beginning half of
    them: how many the first wins and loses."""
    won, lost = 0, 0
    for number in range(games):
        state[0] = start[0]
        while not is_over(state[0]):
            if (state[0].ply + number) % 2 == 0:
                move = best_or_any(first, state[0], moves, rng)
            else:
                move = best_or_any(second, state[0], moves, rng)
            play(state[0], move)
        result = outcome(state[0]) * (1 - 2 * (number % 2))
        won += result > 0
        lost += result < 0
    return won, lost


@helper
def best_or_any(policy, state, moves, rng):
    if policy is None:
        return random_move(state, moves, rng)
    return favourite(policy, state, moves, rng)


# --- Training as a caller sees it ----------------------------------------------------------------


@dataclass(frozen=True)
class Training:
    """How far a training has come: all that is needed to go on, and how the last chunk went."""

    seed: int
    alpha: float
    games: int
    theta: Any
    rng: random_words.Rng
    won: float = 0.0
    lost: float = 0.0
    length: float = 0.0

    @property
    def progress(self) -> str:
        return f"{self.games:,} games, {self.length:.0f} moves each"


def check_step(alpha: float) -> None:
    """Refuse a step size that cannot teach."""
    if not 0 <= alpha <= 1:
        raise BadInput(f"the step size alpha must be from 0 to 1, not {alpha}")


def begin(seed: int, alpha: float = ALPHA) -> Training:
    check_step(alpha)
    return Training(seed, alpha, 0, np.zeros(FEATURES), random_words.seeded(seed, "hayazashi"))


def train(training: Training, games: int) -> Iterator[Training]:
    """Go on until so many games have been played in all; tell of each chunk."""
    start = game.new(limit=LIMIT)
    state, longest = start.copy(), LIMIT // 2 + 1
    before = np.zeros(longest, start.dtype).view(np.recarray)
    steps, chosen = np.zeros((2, longest), np.int64)
    odds, moves = np.zeros((longest, MOST_MOVES)), game.moves_buffer(start)
    while training.games < games:
        chunk = min(CHUNK - training.games % CHUNK, games - training.games)
        pairs, rng = matrix(training.theta), training.rng.copy()
        won, lost, length = learn(
            start, state, before, steps, chosen, odds, moves, pairs, rng, chunk, training.alpha
        )
        training = replace(
            training, games=training.games + chunk, theta=vector(pairs), rng=rng,
            won=won / chunk, lost=lost / chunk, length=length / chunk,
        )  # fmt: skip
        yield training


def wins_against(theta: Any, other: Any, games: int, seed: int = 1) -> tuple[int, int]:
    """Games of these weights at their best against others (None: random moves): won and lost."""
    start = game.new()
    first, second = (None if one is None else hayazashi(one) for one in (theta, other))
    stream, moves = random_words.seeded(seed, "duel"), game.moves_buffer(start)
    won, lost = duel(start, start.copy(), moves, stream, first, second, games)
    return int(won), int(lost)


def save(training: Training, path: Path) -> None:
    """Write a checkpoint."""
    arrays.write(path, vars(training))


def export(training: Training, path: Path) -> None:
    """Write the weights alone, small enough to ship."""
    arrays.write(path, {"theta": training.theta.astype(np.float32)})


def resume(path: Path) -> Training:
    """The training that a checkpoint holds."""
    what = "a checkpoint of Hayazashi's training"
    stored = arrays.need(
        path, what, seed=("iu", ()), alpha=("f", ()), games=("iu", ()), theta=("f", (FEATURES,)),
        rng=("u", (2,)),
    )  # fmt: skip
    if stored["games"] < 0:
        raise BadInput(f"{path} is not {what}: it has {stored['games']} games")
    return Training(
        int(stored["seed"]), float(stored["alpha"]), int(stored["games"]),
        stored["theta"], stored["rng"],
    )  # fmt: skip
