"""The purple search against a naive negamax; certain wins; the player Naotti."""

from typing import Any

import numba
import pytest

from tests.naive.geister import LETTERS, NaiveGeister, random_game, turned
from tests.naive.purple import Board, after, value
from tests.test_geister import at
from tesuji import players, rng
from tesuji.games.geister import game
from tesuji.search import purple

FAST = not numba.config.DISABLE_JIT


def board(model: NaiveGeister, certain: int | None = None) -> Board:
    """What the mover of a naive game sees, with purple enemies or one red one."""
    mover, enemy = model.mover, 1 - model.mover
    own = model.players[mover].values()
    enemies = {}
    for number, letter in enumerate(LETTERS):
        ghost = model.players[enemy][letter]
        if ghost.place is not None:
            colour = "p" if certain is None else "r" if number == certain else "b"
            enemies[turned(ghost.place)] = colour
    return Board(
        frozenset(g.place for g in own if g.place and g.colour == "R"),
        frozenset(g.place for g in own if g.place and g.colour == "B"),
        frozenset(enemies.items()),
        4 - model.lost(enemy, "R") if certain is None else 1,
        8 if certain is None else len(enemies) - 1,
    )


def best(model: NaiveGeister, position: Board, depth: int) -> tuple[int, set[str]]:
    """The value of the best moves, and these."""
    found = {}
    for text, target in model.targets().items():
        origin = model.players[model.mover][text[0]].place
        assert origin is not None
        if target[1] < 0:
            found[text] = purple.WON + depth
        else:
            found[text] = -value(after(position, True, origin, target), False, depth - 1)
    highest = max(found.values())
    return highest, {text for text, result in found.items() if result == highest}


@pytest.mark.parametrize("seed", range(24 if FAST else 4))
@pytest.mark.parametrize("perfect", [False, True])
def test_the_search_is_negamax(seed: int, perfect: bool) -> None:
    model = random_game(seed, 6 + 5 * seed)
    if model.ending():
        return
    enemies = model.players[1 - model.mover]
    certain = next(i for i in range(8) if enemies[LETTERS[i]].place) if perfect else None
    depth = 3 if seed % 3 else 2
    expected, moves = best(model, board(model, certain), depth)
    view = game.view(game.parse_position(model.text()), model.mover)
    move, result = purple.search(view, depth, certain)
    assert result == expected
    assert game.move_text(view, move) in moves
    winning = purple.certain_win(view, depth)
    if not perfect:
        assert (winning is not None) == (expected >= purple.WON)
        assert winning is None or game.move_text(view, winning) in best_wins(model, depth)


def best_wins(model: NaiveGeister, depth: int) -> set[str]:
    position, wins = board(model), set()
    for text, target in model.targets().items():
        origin = model.players[model.mover][text[0]].place
        assert origin is not None
        after_it = None if target[1] < 0 else after(position, True, origin, target)
        if after_it is None or -value(after_it, False, depth - 1) >= purple.WON:
            wins.add(text)
    return wins


def test_known_colours_are_used() -> None:
    whole = at("A33B B55R a34B b00R")
    assert list(purple.prepared(whole).counts[0]) == [1, 1]
    move, result = purple.search(whole, 2)
    assert game.move_text(whole, move) == "A,SOUTH"
    assert result >= purple.WON
    assert purple.search(game.view(whole, 0), 2)[1] < purple.WON


def test_a_race_to_the_exit_is_a_certain_win_for_either_player() -> None:
    for player, text in ((0, "A02B B55R a50B b40R"), (1, "a53B b00R A05B B15R")):
        view = game.view(at(text, ply=2 + player), player)
        assert purple.certain_win(view, 3) is None
        move = purple.certain_win(view, 4)
        assert move is not None
        assert game.move_text(view, move) == "A,NORTH"


def redness(moves: list[str], reds: str = "ABCD") -> tuple[Any, Any]:
    """A player Naotti on the first side after these moves, and what it sees."""
    side = players.build("naotti:depth=2", game)
    sitting = players.Sitting(game, (side, None))
    for text in [reds, "ABCD", *moves]:
        sitting.play(game.parse_move(sitting.state, text))
    return side, game.view(sitting.state, 0)


def test_naotti_takes_who_does_not_leave_for_red() -> None:
    down = ["A,W", "A,N", "A,N", "A,N", "A,N"]  # the second player's A comes to (5, 5) as we see it
    ours = ["E,W", "E,E", "E,W", "E,E", "E,W"]
    moves = [text for pair in zip(ours, down, strict=True) for text in pair]
    side, view = redness(moves)
    assert view[0].label[9 + 5 + 8 * 5] == 9
    assert max(side.redness) < 1000
    side, view = redness([*moves, "E,E", "B,N"])  # it stays on its exit
    assert side.redness[0] >= 1000
    decision = side.choose(view, rng.seeded(1))
    assert decision.move == purple.search(view, 2, certain=0)[0]
    side, view = redness([*moves, "E,E", "A,S"])  # it goes away
    assert side.redness[0] >= 1000


def test_naotti_counts_who_comes_next_to_ours() -> None:
    side, _ = redness(["B,N", "B,N", "B,N", "A,W"])  # it is we who come next to it
    assert list(side.redness) == [0] * 8
    side, _ = redness(["C,N", "B,N"])
    assert list(side.redness) == [0, 5, 0, 0, 0, 0, 0, 0]
