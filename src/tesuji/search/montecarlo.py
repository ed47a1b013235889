"""Playouts: games finished by a policy, the ground that every Monte Carlo search stands on; and the
simplest of them, flat Monte Carlo, which spends the same number of playouts on every legal move.
"""

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tesuji import rng as random_words
from tesuji import rules
from tesuji.errors import BadInput
from tesuji.kernels import helper, kernel
from tesuji.knowledge import choose, guess, rewards
from tesuji.rules import (
    CHANCE,
    is_over,
    legal_moves,
    outcome,
    play,
    player_to_move,
    random_move,
    turn,
)

NO_CUT = -1


class Candidate(NamedTuple):
    """A move at the root: how often it was tried and its mean reward for the player who moves."""

    move: int
    visits: int
    value: float


@helper
def policy_move(policy, state, moves, rng):
    """A move by the policy; lots are drawn by their odds, whatever the policy is."""
    if policy is not None and player_to_move(state) != CHANCE:
        return choose(policy, state, moves, rng)
    return random_move(state, moves, rng)


@helper
def playout(state, moves, rng, policy=None):
    """Play a game to its end, in place; return how many moves it took."""
    length = 0
    while not is_over(state):
        play(state, policy_move(policy, state, moves, rng))
        length += 1
    return length


@helper
def finish(state, moves, rng, policy, judge, cut, trace=None, length=0):
    """Play on, for `cut` whole turns at most (-1: to the end): what it is worth to each player.

    A trace remembers the moves; `length` is how many there are already. Returned is the new length.
    """
    last = turn(state) + cut
    while not is_over(state):
        if cut >= 0 and turn(state) >= last:
            first, second = rewards(judge, state)
            return first, second, length
        move = policy_move(policy, state, moves, rng)
        note(trace, length, move, player_to_move(state))
        play(state, move)
        length += 1
    first, second = final_rewards(state)
    return first, second, length


@helper
def note(trace, at, move, player):
    """Remember a move of a simulation, where somebody wants to know."""
    if trace is not None:
        trace.move[at] = move
        trace.player[at] = player


@helper
def final_rewards(state):
    """The result of a game that is over: 1 for a win, 1/2 for a draw, 0 for a loss, for each."""
    result = 0.5 + 0.5 * outcome(state)
    return result, 1.0 - result


@kernel
def playouts(root, state, moves, rng, count, policy=None):
    """Play `count` games from `root`: the mean outcome for player 0, and the moves made in all."""
    total, length = 0.0, 0
    for _ in range(count):
        state[0] = root[0]
        length += playout(state[0], moves, rng, policy)
        total += outcome(state[0])
    return total / count, length


@kernel
def _one_move(state, moves, rng, policy):
    return policy_move(policy, state[0], moves, rng)


def one_move(state: rules.State, rng: random_words.Rng, policy: Any = None) -> int:
    """The move that a policy makes in a position."""
    return int(_one_move(state, rules.game_of(state).moves_buffer(state), rng, policy))


# --- Flat Monte Carlo ----------------------------------------------------------------------------


@kernel
def _score_moves(root, state, moves, work, totals, rng, each, policy, judge, cut, belief, mover):
    """Sum up the mover's rewards of `each` playouts after each move; how many moves there are."""
    count = legal_moves(root[0], moves)
    for i in range(count):
        totals[i] = 0.0
        for _ in range(each):
            state[0] = root[0]
            guess(belief, state[0], mover, rng)
            play(state[0], moves[i])
            first, second, _ = finish(state[0], work, rng, policy, judge, cut)
            totals[i] += first if mover == 0 else second
    return count


@dataclass(frozen=True)
class Result:
    """The moves with their mean rewards, best first."""

    candidates: list[Candidate]
    simulations: int
    seconds: float

    @property
    def best(self) -> int:
        return self.candidates[0].move

    def principal_variation(self) -> list[int]:
        """Nothing is known beyond the first move."""
        return [self.best]


def check_settings(rollouts: int, cut: int | None) -> None:
    """Refuse settings that no search can have."""
    if rollouts < 1 or (cut is not None and cut < 0):
        raise BadInput("pmc needs at least one rollout for each move, and a cut of 0 or more turns")


def search(
    state: rules.State,
    *,
    rollouts: int = 100,
    policy: Any = None,
    judge: Any = None,
    cut: int | None = None,
    belief: Any = None,
    rng: random_words.Rng | int = 0,
) -> Result:
    """Flat Monte Carlo: `rollouts` playouts after each legal move.

    Where information is hidden, each playout is played in a world of its own, drawn by the belief.

    policy        chooses the moves of playouts; by default the game's own draw
    judge, cut    after so many turns a playout ends, worth what the judge says
    rng           a stream or a seed, which fixes the result
    """
    check_settings(rollouts, cut)
    game = rules.game_of(state)
    if game.is_over(state):
        raise BadInput("the game is over: there is nothing to search")
    begin = time.perf_counter()
    stream = random_words.seeded(rng) if isinstance(rng, int) else rng
    mover = game.player_to_move(state)
    root = game.view(state, mover)
    moves, work = game.moves_buffer(state), game.moves_buffer(state)
    totals = np.empty(len(moves))
    count = _score_moves(
        root, root.copy(), moves, work, totals, stream, rollouts, policy, judge,
        NO_CUT if cut is None else cut, belief, mover,
    )  # fmt: skip
    found = [Candidate(int(moves[i]), rollouts, float(totals[i] / rollouts)) for i in range(count)]
    found.sort(key=lambda candidate: -candidate.value)
    return Result(found, rollouts * count, time.perf_counter() - begin)
