"""Playouts: games finished at random, the ground that every Monte Carlo search stands on."""

from tesuji.kernels import helper, kernel
from tesuji.rules import is_over, outcome, play, random_move


@helper
def playout(state, moves, rng):
    """Play a game to its end at random, in place; return how many moves it took."""
    length = 0
    while not is_over(state):
        play(state, random_move(state, moves, rng))
        length += 1
    return length


@kernel
def playouts(root, state, moves, rng, count):
    """Play `count` games from `root`: the mean outcome for player 0, and the moves made in all."""
    total, length = 0.0, 0
    for _ in range(count):
        state[0] = root[0]
        length += playout(state[0], moves, rng)
        total += outcome(state[0])
    return total / count, length
