"""The shortest search: one move ahead, by the game's evaluation."""

from typing import Any

import numpy as np

from tesuji import rng as random_words
from tesuji import rules
from tesuji.kernels import kernel
from tesuji.knowledge import rewards
from tesuji.rules import CHANCE, is_over, outcome, play, player_to_move, uniform_move


@kernel
def look(root, state, evaluation, moves, buffer, rng, values):
    """Write the value, from 0 to 1, of each of the moves for the player who makes it."""
    player = player_to_move(root[0])
    for i in range(len(moves)):
        state[0] = root[0]
        play(state[0], moves[i])
        while not is_over(state[0]) and player_to_move(state[0]) == CHANCE:
            play(state[0], uniform_move(state[0], buffer, rng))
        if is_over(state[0]):
            result = 0.5 + 0.5 * outcome(state[0])
            values[i] = result if player == 0 else 1.0 - result
        else:
            values[i] = rewards(evaluation, state[0])[player]


def values_of(
    state: rules.State, evaluation: Any, rng: random_words.Rng
) -> list[tuple[int, float]]:
    """The legal moves with their values, best first; equal ones in random order."""
    game = rules.game_of(state)
    moves = np.array(game.legal_moves(state), np.int32)
    values = np.empty(len(moves))
    look(state, state.copy(), evaluation, moves, game.moves_buffer(state), rng, values)
    found = list(zip(moves.tolist(), values.tolist(), strict=True))
    lots = [random_words.uniform(rng) for _ in found]
    order = sorted(range(len(found)), key=lambda i: (-found[i][1], lots[i]))
    return [found[i] for i in order]
