"""Amazons against a naive Amazons, move by move, against published counts, and rule by rule."""

import random
from collections import Counter
from functools import reduce
from operator import xor
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, note
from hypothesis import strategies as st

from tests.examples import FAST, cases, examples
from tests.naive.amazons import NaiveAmazons, name, random_game
from tesuji import conformance, games, rng, rules
from tesuji.errors import BadInput
from tesuji.games import amazons
from tesuji.kernels import kernel
from tesuji.perft import perft

SEEDS = st.integers(0, 2**32 - 1)
WORDS = amazons.ZOBRIST.tolist()
game = amazons.game


@kernel
def draw_moves(state: Any, work: Any, moves: Any, generator: Any, draws: Any) -> None:
    """Fill `draws` with random moves, each drawn at a fresh copy of the state."""
    for i in range(len(draws)):
        work[0] = state[0]
        draws[i] = rules.random_move(work[0], moves, generator)


# --- Helpers -------------------------------------------------------------------------------------


def at(diagram: str, mover: str = "W") -> rules.State:
    """The state on a board of six rows, as many turns old as it has arrows."""
    model = NaiveAmazons(6, diagram.split(), mover, turns=diagram.count("x"))
    return game.parse_position(model.text)


def play(state: rules.State, moves: str) -> None:
    for word in moves.split():
        game.play(state, game.parse_move(state, word))


def legal(state: rules.State) -> set[str]:
    moves = [game.move_text(state, move) for move in game.legal_moves(state)]
    assert len(moves) == len(set(moves))
    return set(moves)


def targets(state: rules.State, origin: str) -> str:
    """Where the amazon on a cell can go, in the order of the alphabet."""
    return " ".join(sorted(m.split("-")[1] for m in legal(state) if m.startswith(f"{origin}-")))


def model_of(state: rules.State) -> NaiveAmazons:
    """A naive game from what a state shows: its cells, mover, shooter and turns."""
    record, size = state[0], len(state[0].cells)
    rows = ["".join(".WBx"[piece] for piece in row) for row in record.cells[::-1]]
    cells = {amazons.bit_of(size, y, x): name((x, y)) for x in range(size) for y in range(size)}
    shooter = cells[int(record.shooter)] if record.shooter else None
    return NaiveAmazons(size, rows, "WB"[record.mover], shooter, int(record.turns))


def check_invariants(state: rules.State) -> None:
    """Everything that the header of amazons.py promises, from the cells alone."""
    record, model = state[0], model_of(state)
    bit = {cell: int(amazons.bit_of(model.size, cell[1], cell[0])) for cell in model.board}
    blocked = int(record.blocked[0]) | int(record.blocked[1]) << 64
    assert blocked == sum(1 << b for b in bit.values()) | 1 | 1 << 127
    for player, side in enumerate("WB"):
        cells = sorted(bit[cell] for cell in model.amazons(side))
        assert sorted(record.amazons[player].tolist()) == cells
        assert len(cells) == 4
    keys = [WORDS[".WBx".index(symbol)][bit[cell]] for cell, symbol in model.board.items()]
    if model.shooter:
        assert model.board[model.shooter] == model.mover
        keys.append(WORDS[amazons.EMPTY][bit[model.shooter]])
    assert int(record.key) == reduce(xor, keys)


def check_same(state: rules.State, model: NaiveAmazons) -> None:
    assert game.position_text(state) == model.text
    assert legal(state) == model.legal_moves()
    assert game.is_over(state) == model.is_over()
    assert game.turn(state) == model.turns
    assert game.player_to_move(state) == "WB".index(model.mover)
    if model.is_over():
        assert game.outcome(state) == (1 if model.winner() == "W" else -1)
    check_invariants(state)


def check_parses_back(state: rules.State) -> None:
    again = game.parse_position(game.position_text(state))
    assert game.position_text(again) == game.position_text(state)
    assert game.position_hash(again) == game.position_hash(state)
    check_same(again, model_of(state))


GAMES = st.builds(random_game, st.sampled_from(amazons.SIZES), SEEDS, st.integers(0, 60))
POSITIONS = GAMES.map(lambda model: model.text)


# --- Whole games, and counts ---------------------------------------------------------------------


@pytest.mark.parametrize(("size", "fast", "slow"), [(6, 30, 8), (8, 12, 4), (10, 8, 3)])
def test_random_games_agree_with_the_naive_amazons(size: int, fast: int, slow: int) -> None:
    winners: Counter[str] = Counter()

    @examples(fast, slow)
    @given(seed=SEEDS)
    def run(seed: int) -> None:
        dice, model, state = random.Random(seed), NaiveAmazons(size), game.new(size=size)
        while True:
            check_same(state, model)
            if model.is_over():
                break
            move = dice.choice(sorted(model.legal_moves()))
            note(move)
            play(state, move)
            model.play(move)
        check_parses_back(state)
        winners[model.winner()] += 1

    run()
    assert set(winners) == {"W", "B"} or size > 6


@pytest.mark.parametrize(
    ("size", "one", "two"), [(6, 544, 238_532), (8, 1232, 1_331_198), (10, 2176, 4_307_152)]
)
def test_published_counts(size: int, one: int, two: int) -> None:
    state = game.new(size=size)
    assert perft(state, 1) == one
    if FAST:
        assert perft(state, 2) == two


@pytest.mark.parametrize("size", cases([6], [8]))
def test_smaller_boards_keep_the_contract(size: int) -> None:
    for check in conformance.CHECKS if FAST else conformance.CHECKS[:2]:
        check(games.load(f"amazons:size={size}"), 1, 3 if FAST else 1)


# --- The rules one by one ------------------------------------------------------------------------

CROWD = """
    W.B..W
    ......
    ..Wx.B
    .x....
    ......
    B.B..W
"""


def test_nothing_passes_over_amazons_or_arrows() -> None:
    state = at(CROWD)
    assert targets(state, "c4") == "a4 b4 b5 c2 c3 c5 d3 d5 e2 e6"
    assert targets(state, "a6") == "a2 a3 a4 a5 b5 b6"
    assert targets(state, "f1") == "d1 d3 e1 e2 f2 f3"
    for move in ("c4-d4", "c4-e4", "c4-c6", "c4-b3", "c4-a2", "c4-d2", "c4-c4", "b2-b3"):
        with pytest.raises(BadInput, match=f"^{move} is not a legal move here$"):
            game.parse_move(state, move)


def test_an_arrow_may_go_to_the_vacated_cell_and_beyond() -> None:
    state = at(CROWD)
    assert "a2" not in targets(state, "f6")
    play(state, "c4-c3")
    arrows = legal(state)
    assert {"/c4", "/c5"} <= arrows  # through the cell where the amazon stood
    assert not {"/c6", "/c3", "/b3", "/c1"} & arrows
    play(state, "/c4")
    assert game.player_to_move(state) == 1
    assert game.position_text(state).split()[1:] == ["B", "-", "3"]


@pytest.mark.parametrize(("mover", "winner"), [("W", -1), ("B", 1)])
def test_who_cannot_move_has_lost(mover: str, winner: int) -> None:
    free, stuck = ("W", "B") if mover == "B" else ("B", "W")
    diagram = "\n".join([f"{stuck}x...."] * 4 + ["xx....", f"..{free * 4}"])
    state = at(diagram, mover)
    assert game.is_over(state)
    assert game.outcome(state) == winner
    assert not game.is_over(at(diagram, free))


def test_a_last_arrow_ends_the_game() -> None:
    state = at("Wx....\nWx....\nWx....\nWx....\n.x....\nx.BBBB", "W")
    play(state, "a3-a2 /a3 c1-b1")
    assert not game.is_over(state)  # White cannot move any more, but Black has to shoot
    play(state, "/c1")
    assert game.is_over(state)
    assert game.outcome(state) == -1


# --- Playouts ------------------------------------------------------------------------------------


# Two amazons are stuck, one has a single move, in the upper word, and one is free.
STUCK = "WxW1xWx3/xxxxxxx3/10/10/10/10/10/10/BBBB6/9W W - 10"


@examples(60, 6)
@given(text=POSITIONS, seed=SEEDS)
@example(text=STUCK, seed=1)
def test_playouts_draw_an_amazon_then_a_move_then_an_arrow_alike(text: str, seed: int) -> None:
    state = game.parse_position(text)
    if game.is_over(state):
        return
    model = model_of(state)
    groups = {"": model.legal_moves()} if model.shooter else model.moves_by_amazon()
    odds = {m: 1 / len(groups) / len(moves) for moves in groups.values() for m in moves}
    draws = np.empty(20_000 if FAST else 1500, np.int32)
    work = state.copy()
    draw_moves(state, work, game.moves_buffer(state), rng.seeded(seed), draws)
    check_same(work, model)  # a draw may reorder the list of amazons, no more
    seen = {game.move_text(state, m): n for m, n in Counter(draws.tolist()).items()}
    assert set(seen) <= set(odds)
    assert set(seen) == set(odds) or not FAST
    # Chi-square: its mean is the number of degrees of freedom, here with six deviations to spare.
    expected = {move: len(draws) * p for move, p in odds.items()}
    square = sum((seen.get(move, 0) - n) ** 2 / n for move, n in expected.items())
    assert square <= len(odds) - 1 + 6 * (2 * len(odds)) ** 0.5


# --- Text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["d1-d7/g7", "d1-d7(g7)", "d1-d7-g7"])
def test_a_turn_has_three_forms(text: str) -> None:
    state = game.new()
    words = amazons.parse_turn(state[0], text)
    assert words == ["d1-d7", "/g7"]
    play(state, words[0])
    for arrow in ("/g7", "g7", "(g7)", "-g7"):
        assert game.move_text(state, game.parse_move(state, arrow)) == "/g7"
    play(state, words[1])
    assert game.position_text(state) == "3B2B3/10/10/B2W2x2B/10/10/W8W/10/10/6W3 B - 1"
    assert amazons.parse_turn(state[0], "d10-d8") == ["d10-d8"]


GOOD = "2B2B/6/6/1x4/W4W/1WBBW1 W - 1"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (" 1", "", "an Amazons position has 4 parts"),
        ("6/6/", "6/", "the board has 5 rows instead of 6, 8, 10"),
        ("1x4", "1x3", "row 3: '1x3' has 5 cells instead of 6"),
        (" W ", " X ", "mover: 'X' is neither W nor B"),
        ("1x4", "1W4", "rows: there are more than four W"),
        ("BB", "2", "rows: there are 4 W and 2 B instead of four each"),
        ("- 1", "- 0", "turns: '0' turns cannot have left 1 arrows"),
        ("-", "c1", "shooter: no amazon of W on c1 could have moved there"),
    ],
)
def test_faults_of_a_position_are_named(old: str, new: str, message: str) -> None:
    game.parse_position(GOOD)
    with pytest.raises(BadInput, match=message):
        game.parse_position(GOOD.replace(old, new, 1))


SYMBOLS = st.one_of(st.sampled_from("WBx0123456789/ -.abfj\n"), st.characters())


@st.composite
def mutated_positions(draw: st.DrawFn) -> str:
    """The text of a position after a few edits of symbols."""
    text = draw(POSITIONS)
    for _ in range(draw(st.integers(0, 3))):
        start, cut = draw(st.integers(0, len(text))), draw(st.integers(0, 2))
        text = text[:start] + draw(st.text(SYMBOLS, max_size=2)) + text[start + cut :]
    return text


def test_any_text_is_a_whole_position_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(300, 60)
    @given(text=st.one_of(mutated_positions(), mutated_positions(), st.text()))
    def run(text: str) -> None:
        try:
            state = game.parse_position(text)
        except BadInput as error:
            assert len(str(error).splitlines()) == 1
            seen["refused"] += 1
        else:
            check_parses_back(state)
            seen["accepted"] += 1

    run()
    assert min(seen["refused"], seen["accepted"]) > (8 if FAST else 4)


def test_long_numbers_and_impossible_turns_are_refused() -> None:
    game = games.load("amazons")
    state = game.new()
    for text in ("a001" + "9" * 5000 + "-a1", "a0011-a1"):
        with pytest.raises(BadInput, match="is not a cell"):
            game.parse_move(state, text)
    with pytest.raises(BadInput, match="'92' turns cannot have left 0 arrows"):
        game.parse_position(game.position_text(state).removesuffix("0") + "92")
    assert game.parse_move(state, "D1-D7") == game.parse_move(state, "d1-d7")
