"""Counts of lines of play: published ones, and ones that a few lines of Python can make."""

from pathlib import Path

import numba
import pytest

from tesuji import games, rules
from tesuji.errors import BadInput
from tesuji.perft import perft

ROOT = Path(__file__).parent.parent
SLOW = bool(numba.config.DISABLE_JIT)


def recursive(game: rules.Game, state: rules.State, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in game.legal_moves(state):
        copy = state.copy()
        game.play(copy, move)
        total += recursive(game, copy, depth - (game.turn(copy) - game.turn(state)))
    return total


# 7 ** depth, until a column is full: the seven lines that would put a seventh stone in one column.
@pytest.mark.parametrize(("depth", "paths"), [(1, 7), (4, 7**4), (6, 7**6), (7, 7**7 - 7)])
def test_connect_four(depth: int, paths: int) -> None:
    game = games.load(str(ROOT / "examples" / "connect_four.py"))
    if depth < 5 or not SLOW:
        assert perft(game.new(), depth) == paths


def test_go_against_recursion() -> None:
    """82 first moves; 81 replies to a stone, and 82 to a pass."""
    game = games.load("go")
    assert perft(game.new(), 0) == 1
    assert perft(game.new(), 1) == 82
    if not SLOW:
        assert perft(game.new(), 2) == recursive(game, game.new(), 2) == 81 * 81 + 82


def test_turns_of_several_moves_count_once() -> None:
    game = games.load(str(ROOT / "tests" / "toys" / "windy_nim.py"))
    state = game.new(pile=9)
    for depth in (1, 2):
        assert perft(state, depth) == recursive(game, state, depth)
    assert perft(state, 1) == 8  # two moves of two kinds, then wind or not


def test_negative_depth() -> None:
    with pytest.raises(BadInput, match="0 or more"):
        perft(games.load("go").new(), -1)
