"""Perft: count the ways to play a number of whole turns. Published counts prove rules right."""

import numpy as np

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.kernels import kernel
from tesuji.rules import legal_moves, play, turn


@kernel
def _count(states, moves, left, depth):
    """Walk every line of play; `states`, `moves` and `left` are a stack, one entry per move."""
    start = turn(states[0])
    level = 0
    left[0] = legal_moves(states[0], moves[0])
    paths = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        states[level + 1] = states[level]
        play(states[level + 1], moves[level, left[level]])
        if turn(states[level + 1]) - start >= depth:
            paths += 1
        else:
            level += 1
            left[level] = legal_moves(states[level], moves[level])
    return paths


def perft(state: rules.State, depth: int) -> int:
    """How many lines of `depth` whole turns there are. Lines that end earlier are not counted."""
    if depth < 0:
        raise BadInput(f"the depth must be 0 or more, not {depth}")
    if depth == 0:
        return 1
    game = rules.game_of(state)
    bounds = game.bounds(state)
    levels = min(depth * game.moves_per_turn, bounds.length) + 1
    states = np.concatenate([state] * (levels + 1)).view(np.recarray)
    moves = np.empty((levels, bounds.moves), np.int32)
    return int(_count(states, moves, np.zeros(levels, np.int64), depth))
