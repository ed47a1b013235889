"""Perft: count the ways to play a number of whole turns. Published counts prove rules right."""

import numpy as np

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.kernels import kernel
from tesuji.rules import legal_moves, play, turn

STEPS = 20_000_000  # moves between two looks at the keyboard


@kernel
def _count(states, moves, left, level, depth, steps):
    """Walk the lines of play for some steps, and count; `level[0]` is -1 when all are walked.

    `states`, `moves` and `left` (how many moves of a position are still to be tried) are a stack.
    """
    start = turn(states[0])
    at = level[0]
    paths = 0
    while at >= 0 and steps > 0:
        if left[at] == 0:
            at -= 1
            continue
        left[at] -= 1
        steps -= 1
        states[at + 1] = states[at]
        play(states[at + 1], moves[at, left[at]])
        if turn(states[at + 1]) - start >= depth:
            paths += 1
        else:
            at += 1
            left[at] = legal_moves(states[at], moves[at])
    level[0] = at
    return paths


def perft(state: rules.State, depth: int) -> int:
    """How many lines of `depth` whole turns there are. Lines that end earlier are not counted."""
    if depth < 0:
        raise BadInput(f"the depth must be 0 or more, not {depth}")
    if depth == 0:
        return 1
    game = rules.game_of(state)
    first = game.legal_moves(state)
    levels = min(depth * game.moves_per_turn, game.bounds(state).length) + 1
    states = np.concatenate([state] * (levels + 1)).view(np.recarray)
    moves = np.empty((levels, len(game.moves_buffer(state))), np.int32)
    moves[0, : len(first)] = first
    left, level = np.zeros(levels, np.int64), np.zeros(1, np.int64)
    left[0] = len(first)
    paths = 0
    while level[0] >= 0:
        paths += int(_count(states, moves, left, level, depth, STEPS))
    return paths
