"""Go against OpenSpiel's, a C++ implementation by other hands (open_spiel/games/go).

What its sources say, and where the rules differ:

- Repetition. Both forbid to retake a ko at once. Beyond that a stone that repeats an earlier board
  (whoever moved then) is forbidden here, by positional superko; there it is legal and ends the game
  on the spot as a draw. So the legal moves differ by exactly these, and a game of our moves never
  meets that draw. A pass repeats the board and is allowed by both.
- Length. Here a game ends after 3 moves per point. There after 2, or `max_game_length`, which the
  tests set to ours. Both score such a game as it stands.
- Komi is 7.5 by default in both; here it comes in half points, there it is any float. Handicap
  stones, for which White is compensated there, are unknown here.
- Sizes are 9, 13 and 19 here, 2 to 19 there.
- Points are numbered from A1 by rows upwards there, from the top row downwards here.

All else is the same and tested: two passes end a game; suicide is forbidden, of one stone or more;
the board is scored by Tromp and Taylor's area rules, no stone being taken for dead; a whole komi
can make a draw.
"""

import random
from collections import Counter
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pyspiel
import pytest

from tesuji import games, rng, rules
from tesuji.games import go
from tesuji.kernels import helper, kernel

FAST = not numba.config.DISABLE_JIT


@helper
def action_of(state: Any, move: Any) -> Any:
    """OpenSpiel's number for a move."""
    size = go.board_size(state)
    if move == go.PASS:
        return size * size
    row, column = move // (size + 1) - 1, move % (size + 1) - 1
    return (size - 1 - row) * size + column


@helper
def copy_board(state: Any, board: Any) -> None:
    size = go.board_size(state)
    for row in range(size):
        for column in range(size):
            board[(size - 1 - row) * size + column] = state.colour[go.cell(size, row, column)]


@kernel
def record_game(state: Any, moves: Any, generator: Any, actions: Any, legal: Any, boards: Any):
    """Play at random until the end or the end of `actions`; how many moves it took.

    actions  the moves, by OpenSpiel's numbers
    legal    for each position, the last included, the legal moves by the same numbers
    boards   for each position, the colours of the points in the same order
    """
    ply = 0
    while True:
        copy_board(state[0], boards[ply])
        count = rules.legal_moves(state[0], moves)
        for i in range(count):
            legal[ply, action_of(state[0], moves[i])] = True
        if count == 0 or ply == len(actions):
            return ply
        move = moves[rng.below(generator, count)]
        actions[ply] = action_of(state[0], move)
        rules.play(state[0], move)
        ply += 1


def load_peer(size: int, komi: float) -> Any:
    return pyspiel.load_game(
        "go", {"board_size": size, "komi": float(komi), "max_game_length": 3 * size * size}
    )


def peer_board(peer: Any, size: int) -> npt.NDArray[np.int8]:
    """The colours of the points by OpenSpiel's numbers: its planes are black, white and empty."""
    planes = np.array(peer.observation_tensor(0)).reshape(4, size * size)
    assert (planes[:3].sum(axis=0) == 1).all()
    assert (planes[3] == peer.current_player()).all() or peer.is_terminal()
    return (go.BLACK * planes[0] + go.WHITE * planes[1]).astype(np.int8)


def repeats_there(peer: Any, action: int) -> bool:
    """Whether OpenSpiel ends the game as a draw after this move. Komi must not be whole."""
    child = peer.child(action)
    return bool(child.is_terminal() and child.returns() == [0, 0])


def compare_game(size: int, seed: int, plies: int) -> Counter[str]:
    """A random game of ours, replayed there; what was special in it."""
    seen: Counter[str] = Counter()
    komi = 0.5 + seed % 15 - 7
    ours = games.load(f"go:size={size},komi={komi}")
    state = ours.new()
    points = size * size
    actions = np.zeros(plies, dtype=np.int32)
    legal = np.zeros((plies + 1, points + 1), dtype=np.bool_)
    boards = np.zeros((plies + 1, points), dtype=np.int8)
    generator = rng.seeded(seed, "openspiel", size)
    length = record_game(state, ours.moves_buffer(state), generator, actions, legal, boards)

    peer = load_peer(size, komi).new_initial_state()
    for ply in range(length + 1):
        board = peer_board(peer, size)
        assert np.array_equal(board, boards[ply]), (size, seed, ply)
        if peer.is_terminal():
            assert ply == length
            break
        theirs = np.array(peer.legal_actions_mask(), dtype=np.bool_)
        assert not (legal[ply] & ~theirs).any(), (size, seed, ply)
        repeating = set(np.flatnonzero(theirs & ~legal[ply]).tolist())
        assert all(repeats_there(peer, action) for action in repeating), (size, seed, ply)
        if ply % 40 == 39:  # the converse costs a child for each move
            there = {a for a in np.flatnonzero(theirs).tolist() if repeats_there(peer, a)}
            assert there == repeating, (size, seed, ply)
        seen["superko bans"] += len(repeating)
        seen["forbidden by both"] += int((board == go.EMPTY).sum()) - int(theirs[:-1].sum())
        if ply < length:
            peer.apply_action(int(actions[ply]))
            stones = int((boards[ply + 1] != go.EMPTY).sum())
            seen["captures"] += stones < int((board != go.EMPTY).sum()) + (actions[ply] != points)

    seen["games"] += 1
    assert ours.is_over(state) == peer.is_terminal()
    if ours.is_over(state):
        assert ours.outcome(state) == peer.returns()[0] == -peer.returns()[1]
        seen["games over"] += 1
        seen["length bound"] += length == 3 * points
        seen["black wins"] += ours.outcome(state) > 0
        seen["white wins"] += ours.outcome(state) < 0
        if seed % 10 == 0:
            compare_area(state, peer.history(), size)
            seen["exact areas"] += 1
    return seen


def compare_area(state: rules.State, history: list[int], size: int) -> None:
    """The exact area: OpenSpiel finds the game won, drawn and lost as komi passes our count."""
    count = int(go.area(state.copy()[0]))
    for komi, result in ((count - 0.5, 1), (count, 0), (count + 0.5, -1)):
        if abs(komi) > size * size:
            continue  # a board of one colour: there is no such komi
        peer = load_peer(size, komi).new_initial_state()
        for action in history:
            peer.apply_action(action)
        assert peer.is_terminal()
        assert peer.returns() == [result, -result]
        with_komi = state.copy()
        with_komi[0].double_komi = int(2 * komi)
        assert go.game.outcome(with_komi) == result


# In parts, so that they can run side by side.
@pytest.mark.parametrize("part", range(4))
def test_random_games_on_9x9(part: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part * 250, part * 250 + (250 if FAST else 1)):
        seen.update(compare_game(9, seed, plies=243))
    assert seen["games over"] == seen["games"] == (250 if FAST else 1)
    assert seen["forbidden by both"] > 10 * seen["games"]
    if FAST:
        assert seen["captures"] > 10 * seen["games"]
        assert seen["exact areas"] == 25
        assert seen["black wins"] > 50
        assert seen["white wins"] > 50


@pytest.mark.parametrize(("size", "count"), [(13, 12), (19, 5)])
def test_random_games_on_big_boards(size: int, count: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(count if FAST else 1):
        seen.update(compare_game(size, seed, plies=3 * size * size if FAST else 30))
    if FAST:
        assert seen["games over"] == count
        assert seen["captures"] > 15 * count
        assert seen["forbidden by both"] > 30 * count


def test_games_with_a_whole_komi_can_be_drawn_in_both() -> None:
    results: Counter[float] = Counter()
    for seed in range(60 if FAST else 3):
        ours = games.load("go:size=9,komi=0")
        state, peer = ours.new(), load_peer(9, 0).new_initial_state()
        dice = random.Random(seed)
        # Few stones, and then two passes: more often than not nobody owns anything.
        for _ in range(dice.choice([0, 1, 2, 6, 10])):
            play_both(state, peer, dice.choice(ours.legal_moves(state)[:-1]))
        play_both(state, peer, go.PASS)
        play_both(state, peer, go.PASS)
        assert peer.is_terminal()
        assert ours.outcome(state) == peer.returns()[0]
        results[ours.outcome(state)] += 1
    assert results[0] > 0
    assert results[1] > 0


def play_both(state: rules.State, peer: Any, move: int) -> None:
    peer.apply_action(int(action_of(state[0], move)))
    go.game.play(state, move)


# Three kos in which the sides can take turns; Black moves. As moves, since OpenSpiel starts empty.
TRIPLE_KO = "D7 E7 D5 E5 D3 E3 D1 E1 C6 F6 E6 D4 C4 F4 C2 D2 pass F2"


def test_repetition_is_forbidden_here_and_a_draw_there() -> None:
    ours = games.load("go:size=9,komi=0.5")
    state, peer = ours.new(), load_peer(9, 0.5).new_initial_state()
    for word in f"{TRIPLE_KO} E4 D6 E2 D4 E6".split():
        play_both(state, peer, ours.parse_move(state, word))
    simple, repeating = (go.parse_move(state[0], word) for word in ("D6", "D2"))
    assert not {simple, repeating} & set(ours.legal_moves(state))
    assert int(action_of(state[0], simple)) not in peer.legal_actions()
    assert int(action_of(state[0], repeating)) in peer.legal_actions()
    peer.apply_action(int(action_of(state[0], repeating)))
    assert peer.is_terminal()
    assert peer.returns() == [0, 0]


def test_superko_forbids_just_what_would_be_a_draw_there() -> None:
    ours = games.load("go:size=9,komi=0.5")
    bans = 0
    for seed in range(40 if FAST else 5):
        dice = random.Random(seed)
        state, peer = ours.new(), load_peer(9, 0.5).new_initial_state()
        for word in TRIPLE_KO.split():
            play_both(state, peer, ours.parse_move(state, word))
        for _ in range(20):
            legal = {int(action_of(state[0], move)): move for move in ours.legal_moves(state)}
            there = peer.legal_actions()
            repeating = {action for action in there if repeats_there(peer, action)}
            assert set(legal) == set(there) - repeating
            bans += len(repeating)
            taking = [move for action, move in legal.items() if takes(peer, action)]
            play_both(state, peer, dice.choice(taking or sorted(legal.values())))
            if peer.is_terminal():
                break
        assert peer.is_terminal() == ours.is_over(state)
    assert bans > (10 if FAST else 0)


def takes(peer: Any, action: int) -> bool:
    """Whether a move captures: the stones do not become more."""
    before, after = (np.count_nonzero(peer_board(p, 9)) for p in (peer, peer.child(action)))
    return action != 81 and after <= before


def test_the_settings_that_differ() -> None:
    theirs = pyspiel.load_game("go", {"board_size": 9})
    ours = games.load("go:size=9")
    assert theirs.get_parameters()["komi"] == 7.5 == ours.new()[0].double_komi / 2
    assert theirs.max_game_length() == 2 * 81
    assert ours.bounds(ours.new()).length == 3 * 81
    assert load_peer(9, 7.5).max_game_length() == 3 * 81
    assert theirs.num_distinct_actions() == ours.bounds(ours.new()).moves
