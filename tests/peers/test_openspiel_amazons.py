"""Amazons against OpenSpiel's, a C++ implementation by other hands (open_spiel/games/amazons).

The rules are the same, and so are the starting positions on 6x6, 8x8 and 10x10. The forms differ:

- A turn is two moves here (amazon, arrow) and three actions there: from, to, shoot. So the amazons
  that can move here are the legal actions of its first stage, and the moves of the one that is
  chosen are those of its second.
- Its cells count by rows from the top left corner. X, at the bottom, moves first: White here.
- Both end a game as soon as the player to move cannot, who has lost.
"""

import random
from collections import Counter
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pyspiel
import pytest

from tesuji import games, rules
from tesuji.games import amazons

FAST = not numba.config.DISABLE_JIT


def actions_by_cell(size: int) -> npt.NDArray[np.int64]:
    """OpenSpiel's number for each of our cells, and -1 for bits that are not on the board."""
    actions = np.full(128, -1)
    for row in range(size):
        for column in range(size):
            actions[amazons.bit_of(size, row, column)] = (size - 1 - row) * size + column
    return actions


def board_text(state: rules.State) -> str:
    """The board as OpenSpiel prints it."""
    return "\n".join("".join(".XO#"[piece] for piece in row) for row in state[0].cells[::-1])


def compare_game(size: int, seed: int, seen: Counter[str]) -> None:
    """A random game, played on both: legal moves at every stage, boards, the end and the result."""
    ours, dice, action = (
        games.load(f"amazons:size={size}"),
        random.Random(seed),
        actions_by_cell(size),
    )
    state = ours.new()
    buffer = ours.moves_buffer(state)
    peer: Any = pyspiel.load_game("amazons", {"board_size": size}).new_initial_state()
    assert board_text(state) == str(peer)

    def stage(legal: npt.NDArray[np.int32]) -> None:
        where = (size, seed, len(peer.history()))
        assert sorted(set(action[legal].tolist())) == sorted(peer.legal_actions()), where

    while not ours.is_over(state):
        assert not peer.is_terminal()
        assert peer.current_player() == ours.player_to_move(state)
        legal = buffer[: rules.compiled_legal_moves(state, buffer)]
        origins, targets = legal // 128, legal % 128
        move = int(dice.choice(legal))
        seen["stuck amazons"] += 4 - len(set(origins.tolist()))
        stage(origins)
        peer.apply_action(int(action[move // 128]))
        stage(targets[origins == move // 128])
        peer.apply_action(int(action[move % 128]))
        rules.compiled_play(state, move)

        legal = buffer[: rules.compiled_legal_moves(state, buffer)]
        arrow = int(dice.choice(legal))
        seen["arrows at the vacated cell"] += arrow == move // 128
        stage(legal)
        peer.apply_action(int(action[arrow]))
        rules.compiled_play(state, arrow)
        if len(peer.history()) % 30 == 0:
            assert board_text(state) == str(peer)
    assert peer.is_terminal()
    assert board_text(state) == str(peer)
    assert peer.returns() == [ours.outcome(state), -ours.outcome(state)]
    seen["games"] += 1
    seen["white wins"] += ours.outcome(state) > 0


# In parts, so that they can run side by side.
@pytest.mark.parametrize(
    ("size", "first", "count"),
    [(10, 0, 250), (10, 250, 250), (10, 500, 250), (10, 750, 250), (8, 0, 150), (6, 0, 150)],
)
def test_random_games(size: int, first: int, count: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(first, first + (count if FAST else 3)):
        compare_game(size, seed, seen)
    if FAST:
        assert count / 5 < seen["white wins"] < count * 4 / 5
        assert seen["stuck amazons"] > count
        assert seen["arrows at the vacated cell"] > count / 2
