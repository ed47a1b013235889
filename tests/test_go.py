"""Go against a naive Go, move by move, and against the rules, one by one.

Diagrams show rows from the top, X black and O white; rows above and columns to the right of what is
written are empty, so A1 is always the first character of the last row.
"""

import copy
import math
import random
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from rich.text import Text

from tests.examples import FAST, cases, examples
from tests.naive import go as naive
from tests.naive.go import NaiveGo
from tesuji import games, rng, rules
from tesuji.errors import BadInput
from tesuji.games import go
from tesuji.kernels import kernel

SEEDS = st.integers(0, 2**32 - 1)


@kernel
def area_of(state: Any) -> Any:
    return go.area(state[0])


@kernel
def draw_moves(state: Any, work: Any, moves: Any, generator: Any, draws: Any) -> None:
    """Fill `draws` with random moves, each drawn at a fresh copy of the state."""
    for i in range(len(draws)):
        work[0] = state[0]
        draws[i] = rules.random_move(work[0], moves, generator)


@kernel
def boards_after(state: Any, hashes: Any) -> None:
    """For each empty point, in the order of the list, the hash that `legal_moves` looks up."""
    for i in range(state[0].n_empty):
        hashes[i] = go.board_after(state[0], state[0].empty[i])


# --- Helpers -------------------------------------------------------------------------------------


def diagram_rows(diagram: str, size: int = 9) -> list[str]:
    lines = [line.strip() for line in diagram.strip().splitlines()]
    return ["." * size] * (size - len(lines)) + [line.ljust(size, ".") for line in lines]


def text_of(
    rows: list[str], mover: str = "X", ko: str = "-", passes: int = 0, ply: int = 0,
    komi: float = 7.5,
) -> str:  # fmt: skip
    """The position text of a board. Runs of empty points longer than 9 stay one number."""
    lines = []
    for row in rows:
        line, run = "", 0
        for symbol in row:
            run = run + 1 if symbol == "." else 0
            if symbol != ".":
                line += symbol
            elif run == 1:
                line += "1"
            else:
                line = line[: -len(str(run - 1))] + str(run)
        lines.append(line)
    return f"{'/'.join(lines)} {mover} {ko} {passes} {ply} {komi:g}"


def at(diagram: str, mover: str = "X", size: int = 9, **other: Any) -> rules.State:
    """The state that a diagram shows."""
    return go.game.parse_position(text_of(diagram_rows(diagram, size), mover, **other))


def play(state: rules.State, moves: str) -> None:
    for word in moves.split():
        go.game.play(state, go.game.parse_move(state, word))


def refuses(state: rules.State, move: str) -> None:
    """A move is neither legal nor does an attempt to make it change anything."""
    before = state.tobytes()
    assert move not in legal(state)
    with pytest.raises(BadInput, match=f"^{move} is not a legal move here$"):
        go.game.parse_move(state, move)
    with pytest.raises(BadInput, match=f"^{move} is not a legal move here$"):
        go.game.play(state, go.parse_move(state[0], move))
    assert state.tobytes() == before


@cache
def names(size: int) -> dict[int, str]:
    """Every move's text."""
    state = go.game.new(size=size)
    return {move: go.game.move_text(state, move) for move in go.game.legal_moves(state)}


def legal(state: rules.State) -> set[str]:
    moves = [names(size_of(state))[move] for move in go.game.legal_moves(state)]
    assert len(moves) == len(set(moves))
    return set(moves)


def size_of(state: rules.State) -> int:
    return math.isqrt(len(state[0].empty))


def board_rows(state: rules.State) -> list[str]:
    size = size_of(state)
    colour = state[0].colour.tolist()
    return [
        "".join(".XO#"[colour[go.cell(size, row, column)]] for column in range(size))
        for row in range(size)
    ]


def ko_point(state: rules.State) -> str | None:
    return go.game.move_text(state, int(state[0].ko)) if state[0].ko else None


def area(state: rules.State) -> int:
    return int(area_of(state.copy()))


def draws_at(state: rules.State, count: int, seed: int = 1) -> Counter[str]:
    """What `random_move` answers at a state, so many times."""
    draws = np.empty(count, dtype=np.int32)
    work = state.copy()
    draw_moves(state, work, go.game.moves_buffer(state), rng.seeded(seed), draws)
    check_invariants(work)
    return Counter(go.game.move_text(state, int(move)) for move in draws)


def check_invariants(state: rules.State) -> None:
    """Everything that the header of go.py promises between moves, from the colours alone."""
    size, record = size_of(state), state[0]
    board = "".join(board_rows(state))
    cells = [go.cell(size, row, column) for row in range(size) for column in range(size)]
    colour, chain = record.colour.tolist(), record.chain.tolist()
    following, stones = record.following.tolist(), record.stones.tolist()
    liberties, place = record.liberties.tolist(), record.place.tolist()

    border = set(range(len(colour))) - set(cells)
    assert {colour[p] for p in border} == {go.EDGE}
    assert {colour[p] for p in cells} <= {go.EMPTY, go.BLACK, go.WHITE}

    empty = record.empty[: record.n_empty].tolist()
    assert sorted(empty) == [p for p in cells if colour[p] == go.EMPTY]
    assert [place[p] for p in empty] == list(range(len(empty)))
    assert all(chain[p] == 0 for p in [*empty, *border])

    unseen = {point for point, symbol in enumerate(board) if symbol != "."}
    while unseen:
        group = naive.region(size, board, min(unseen))
        unseen -= group
        members = {cells[point] for point in group}
        (home,) = {chain[p] for p in members}
        assert home in members
        assert stones[home] == len(members)
        pairs = [n for point in group for n in naive.neighbours(size, point) if board[n] == "."]
        assert liberties[home] == len(pairs) > 0
        ring = [home]
        while (stone := following[ring[-1]]) != home:
            ring.append(stone)
            assert len(ring) <= len(members)
        assert set(ring) == members

    assert int(record.board_hash) == hash_of(size, board)


@cache
def words(size: int, symbol: str) -> list[int]:
    """The words that a board's hash is made of: one for a stone of this colour on each point."""
    cells = [go.cell(size, *divmod(point, size)) for point in range(size * size)]
    return [int(go.ZOBRIST[".XO".index(symbol), cell]) for cell in cells]


def hash_of(size: int, board: str) -> int:
    """The board's hash, from its stones alone."""
    black, white = words(size, "X"), words(size, "O")
    key = 0
    for point, symbol in enumerate(board):
        if symbol == "X":
            key ^= black[point]
        elif symbol == "O":
            key ^= white[point]
    return key


def check_history(state: rules.State, boards: list[str]) -> None:
    """The boards that may not be repeated are these, in any order."""
    record = state[0]
    hashes = record.boards[: record.n_boards].tolist()
    assert sorted(hashes) == sorted(hash_of(size_of(state), board) for board in boards)
    seen = [int(word) for word in record.seen]
    for board in hashes:
        bit = board % (64 * go.SEEN_WORDS)
        assert seen[bit // 64] >> (bit % 64) & 1


def check_boards_after(state: rules.State, model: NaiveGo) -> None:
    """The hash foreseen for each stone that could be put is that of the board it would make."""
    empty = state[0].empty[: state[0].n_empty].tolist()
    hashes = np.zeros(len(empty), dtype=np.uint64)
    boards_after(state, hashes)
    foreseen = {names(model.size)[p]: int(key) for p, key in zip(empty, hashes, strict=True)}
    for move in model.without_suicide():
        assert foreseen[move] == hash_of(model.size, model.after(move)), move


def ko_text(model: NaiveGo) -> str:
    """The third part of a position's text: simple ko, then what else superko forbids."""
    order = {naive.name(model.size, point): point for point in range(len(model.board))}
    others = sorted(model.repeating() - {model.ko}, key=order.__getitem__)
    return ",".join([model.ko or "-", *others])


def check_same(state: rules.State, model: NaiveGo, deep: bool) -> None:
    """Tesuji's state and the naive game agree; `deep` adds what is slow to ask."""
    game, record = go.game, state[0]
    assert board_rows(state) == model.rows
    assert ko_point(state) == model.ko
    assert legal(state) == model.legal_moves()
    assert game.is_over(state) == model.is_over()
    assert game.player_to_move(state) == "XO".index(model.mover)
    assert game.turn(state) == len(model.moves)
    assert record.passes == model.passes
    check_invariants(state)
    if deep or (FAST and len(model.moves) % 8 == 0):
        check_boards_after(state, model)
    if FAST or deep:
        # Not through `game.outcome`, which answers at the end only; the rule is defined anywhere.
        assert area(state) == model.area()
    if model.is_over():
        before = board_rows(state)
        assert game.outcome(state) == model.outcome()
        assert board_rows(state) == before
    if deep:
        text = game.position_text(state)
        assert text == text_of(
            model.rows, model.mover, ko_text(model), model.passes, len(model.moves), model.komi
        )
        check_parses_back(text, legal(state), game.position_hash(state))


def check_parses_back(text: str, moves: set[str], key: int) -> None:
    again = go.game.parse_position(text)
    assert go.game.position_text(again) == text
    assert go.game.position_hash(again) == key
    assert legal(again) == moves


# --- Whole games against the naive Go ------------------------------------------------------------


def any_stone(model: NaiveGo, dice: random.Random) -> str:
    """Uniform, own eyes included, so that the board is filled and emptied again."""
    stones = sorted(model.legal_moves() - {"pass"})
    return "pass" if not stones or dice.random() < 0.01 else dice.choice(stones)


def fighter(model: NaiveGo, dice: random.Random) -> str:
    """Captures when it can, more often than not, and then rather a single stone: kos."""
    stones = sorted(model.legal_moves() - {"pass"})
    taking = [move for move in stones if model.captured_by(move)]
    single = [move for move in taking if len(model.captured_by(move)) == 1]
    for choice, odds in ((single, 0.6), (taking, 0.4), (stones, 1.0)):
        if choice and dice.random() < odds:
            return dice.choice(choice)
    return "pass"


def playout(model: NaiveGo, dice: random.Random) -> str:
    """Sensible enough to end with two passes: no own eye is filled."""
    return dice.choice(sorted(model.playout_moves() & model.legal_moves() or {"pass"}))


def compare_games(
    start: NaiveGo, player: Any, seed: int, plies: int, deep_every: int
) -> Counter[str]:
    """Play a random game on both and compare after every move; what special there was in it."""
    seen: Counter[str] = Counter()
    dice, model = random.Random(seed), start
    note(f"start {model.rows}")
    state = go.game.parse_position(text_of(model.rows, model.mover, komi=model.komi))
    boards = [model.board]
    for ply in range(plies + 1):
        check_same(state, model, deep=ply % deep_every == 0 or model.is_over())
        # Forbidden by superko alone: simple ko would allow it.
        seen["superko bans"] += len(model.repeating() - {model.ko})
        if model.is_over() or ply == plies:
            break
        move = player(model, dice)
        note(f"{ply}: {move}")
        captured = len(model.captured_by(move)) if move != "pass" else 0
        empty_before = int(state[0].n_empty)
        play(state, move)
        model.play(move)
        assert int(state[0].n_empty) - empty_before == captured - (move != "pass")
        if move != "pass":
            boards.append(model.board)
        seen["passes"] += move == "pass"
        seen["captures"] += captured > 0
        seen["big captures"] += captured > 9
        seen["kos"] += model.ko is not None
    seen["games over"] += model.is_over()
    seen["length bound"] += len(model.moves) == 3 * model.size**2
    seen["games"] += 1
    check_history(state, boards)
    return seen


@pytest.mark.parametrize(
    ("size", "player", "fast", "slow", "expected"),
    cases(
        [
            (9, any_stone, 12, 2, ["captures", "big captures", "kos", "passes", "games over"]),
            (9, fighter, 12, 2, ["captures", "kos", "games over", "length bound"]),
            (9, playout, 30, 2, ["captures", "kos", "passes", "games over"]),
            (13, playout, 6, 1, ["captures", "kos", "games over"]),
            (19, fighter, 3, 0, ["captures"]),
        ],
        [(13, any_stone, 6, 0, ["captures", "kos"]), (19, any_stone, 3, 0, [])],
    ),
)  # fmt: skip
def test_random_games_agree_with_the_naive_go(
    size: int, player: Any, fast: int, slow: int, expected: list[str]
) -> None:
    seen: Counter[str] = Counter()
    # Games on big boards are cut short, those in plain Python even more.
    plies = {9: 243, 13: 300, 19: 200}[size] if FAST or slow else 40

    @examples(fast, max(slow, 1))
    @given(seed=SEEDS, komi=st.integers(-20, 20).map(lambda halves: halves / 2))
    def run(seed: int, komi: float) -> None:
        seen.update(compare_games(NaiveGo(size, komi), player, seed, plies, deep_every=30))

    run()
    assert seen["games"] >= 1
    if FAST:
        assert [what for what in expected if not seen[what]] == []
        assert seen["captures"] > 5 * seen["games"] or size == 19


def walled(dice: random.Random) -> list[str]:
    """A corner of a few points behind stones of both colours."""
    height, width = dice.choice([(1, 4), (1, 5), (2, 2), (2, 3), (3, 2), (3, 3)])
    rows = [["."] * 9 for _ in range(9)]
    for row in range(height):
        rows[8 - row][width] = dice.choice("XO")
    for column in range(width):
        rows[8 - height][column] = dice.choice("XO")
    return ["".join(row[: width + 1]).ljust(9, ".") for row in rows]


KO = """
    .XO.
    XO.O
    .XO.
"""
SENDING_TWO = """
    XXOO
    .O.O
"""
TRIPLE_KO = """
    ...XO....
    ..X.XO...
    ...XO....
    ..XO.O...
    ...XO....
    ..XO.O...
    ...XO....
"""
# Where a fight takes place: the points that are played on, all others are left alone.
FIGHTS = {
    "walled": ("A1 B1 C1 D1 E1 A2 B2 C2 A3 B3 C3", ""),
    "sending two": ("A1 B1 C1", SENDING_TWO),
    "sending two and two kos": (
        "A1 B1 C1 B4 C4 G4 H4",
        """
        .XO...XO.
        XO.O.XO.O
        .XO...XO.
        XXOO.....
        .O.O.....
        """,
    ),
    "triple ko": ("D2 E2 D4 E4 D6 E6", TRIPLE_KO),
    "quadruple ko": ("D2 E2 D4 E4 D6 E6 D8 E8", "...XO\n..X.XO\n" + TRIPLE_KO.strip()),
}


@pytest.mark.parametrize("fight", FIGHTS)
def test_fights_in_little_room_agree_with_the_naive_go(fight: str) -> None:
    """So little room that boards would repeat all the time."""
    seen: Counter[str] = Counter()
    points, diagram = FIGHTS[fight]
    room = set(points.split())

    def player(model: NaiveGo, dice: random.Random) -> str:
        stones = sorted(model.legal_moves() & room)
        taking = [move for move in stones if model.captured_by(move)]
        return dice.choice((taking if dice.random() < 0.9 else stones) or stones or ["pass"])

    @examples(40, 5)
    @given(seed=SEEDS, mover=st.sampled_from("XO"), swap=st.booleans())
    def run(seed: int, mover: str, swap: bool) -> None:
        rows = diagram_rows(diagram) if diagram else walled(random.Random(seed))
        if swap:
            rows = [row.translate(str.maketrans("XO", "OX")) for row in rows]
        start = NaiveGo(9, 0.5, rows, mover)
        seen.update(compare_games(start, player, seed, plies=30, deep_every=5))

    run()
    assert seen["captures"] > seen["games"] // 5
    if FAST and fight != "walled":  # what happens there is left to chance
        assert seen["kos"] > 0 or fight == "sending two"
        assert seen["superko bans"] > 0


# --- Playouts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mover", ["X", "O"])
@pytest.mark.parametrize("diagram", [".", KO, "O.\n.O", ".O\nO.O\n.O"])
def test_playouts_draw_every_sensible_move_alike(diagram: str, mover: str) -> None:
    check_draws(NaiveGo(9, rows=diagram_rows(diagram), mover=mover), seed=3)


def test_playouts_draw_alike_in_the_middle_of_games() -> None:
    refused: Counter[str] = Counter()

    @examples(25, 3)
    @given(seed=SEEDS, plies=st.integers(20, 140))
    def run(seed: int, plies: int) -> None:
        model, dice = NaiveGo(9), random.Random(seed)
        while len(model.moves) < plies and not model.is_over():
            model.play(playout(model, dice))
        refused.update(check_draws(model, seed))

    run()
    # The draw had to step over points of each kind.
    assert refused["own eye"] > 0
    assert refused["suicide"] > 0


def check_draws(model: NaiveGo, seed: int) -> Counter[str]:
    """`random_move` draws from exactly the naive set, uniformly; how many points it must refuse."""
    state = go.game.parse_position(text_of(model.rows, model.mover, model.ko or "-", ply=1))
    possible = model.playout_moves()
    count = len(possible) * (1000 if FAST else 60)
    drawn = draws_at(state, count, seed)
    assert set(drawn) == possible
    mean = count / len(possible)
    chi_square = sum((drawn[move] - mean) ** 2 / mean for move in possible)
    freedom = len(possible) - 1
    assert chi_square <= freedom + 6 * (2 * freedom) ** 0.5
    stones = model.without_suicide()
    return Counter(
        {
            "own eye": sum(model.is_own_eye(move) for move in stones),
            "suicide": model.board.count(".") - len(stones),
        }
    )


@pytest.mark.parametrize(
    ("point", "enemies_that_break_it"), [("E5", 2), ("A5", 1), ("E1", 1), ("J9", 1), ("A1", 1)]
)
@pytest.mark.parametrize("mover", ["X", "O"])
def test_a_playout_leaves_its_own_eyes_alone(
    point: str, enemies_that_break_it: int, mover: str
) -> None:
    here = naive.point_named(9, point)
    around, corners = naive.neighbours(9, here), naive.diagonals(9, here)
    for enemies in range(len(corners) + 1):
        for corner_of_own in (".", mover):
            board = "." * 81
            for stone in around:
                board = naive.replaced(board, stone, mover)
            for i, corner in enumerate(corners):
                symbol = naive.ENEMY[mover] if i < enemies else corner_of_own
                board = naive.replaced(board, corner, symbol)
            model = NaiveGo(9, rows=[board], mover=mover)
            state = go.game.parse_position(text_of(model.rows, mover))
            is_eye = enemies < enemies_that_break_it
            assert model.is_own_eye(point) == is_eye
            assert (point in draws_at(state, 2000)) == (not is_eye)
            # For the other side it never is one.
            other = go.game.parse_position(text_of(model.rows, naive.ENEMY[mover]))
            assert not go.is_eye(other[0], go.parse_move(other[0], point))


def test_a_playout_obeys_simple_ko() -> None:
    state = at(KO)
    play(state, "C2")
    assert ko_point(state) == "B2"
    assert "B2" not in draws_at(state, 5000)
    play(state, "J9 J1")
    assert ko_point(state) is None
    assert "B2" in draws_at(state, 5000)


def test_a_playout_passes_when_only_eyes_are_left() -> None:
    rows = ["X.XXXXXX."] + ["X" * 9] * 8
    state = go.game.parse_position(text_of(rows))
    assert draws_at(state, 50) == {"pass": 50}
    white = go.game.parse_position(text_of(rows, "O"))
    assert draws_at(white, 50) == {"pass": 50}  # everything is suicide


# --- Rule by rule --------------------------------------------------------------------------------


def test_a_new_game() -> None:
    for size in go.SIZES:
        state = games.load(f"go:size={size},komi=6.5").new()
        assert board_rows(state) == ["." * size] * size
        assert len(legal(state)) == size * size + 1
        assert go.game.player_to_move(state) == 0
        assert state[0].double_komi == 13
        check_invariants(state)
    assert go.game.position_text(go.game.new()) == "9/9/9/9/9/9/9/9/9 X - 0 0 7.5"


def test_one_stone_captures_several_chains() -> None:
    state = at("""
        ..X......
        .XOXX....
        XO.OOX...
        .XOXX....
        ..X......
    """)
    play(state, "C3")
    assert board_rows(state) == diagram_rows("""
        ..X......
        .X.XX....
        X.X..X...
        .X.XX....
        ..X......
    """)
    assert ko_point(state) is None
    check_invariants(state)


def test_a_chain_touched_from_two_sides_is_captured_once() -> None:
    # Removing its stones from the hash twice would put them back.
    diagram = """
        XX.
        OOX
        .OX
    """
    state = at(diagram)
    check_boards_after(state, NaiveGo(9, rows=diagram_rows(diagram)))
    play(state, "A1")
    assert board_rows(state) == diagram_rows("""
        XX.
        ..X
        X.X
    """)
    check_invariants(state)


def test_capture_in_the_corner_and_at_the_edge() -> None:
    state = at("""
        X
        O
    """)
    play(state, "B1")
    assert board_rows(state) == diagram_rows("""
        X
        .X
    """)
    state = at("""
        .X.
        XO.
    """)
    play(state, "C1")
    assert board_rows(state) == diagram_rows("""
        .X.
        X.X
    """)


def test_snapback() -> None:
    state = at("""
        XXX
        OOOX
        ..OX
    """)
    play(state, "A1 B1")
    # White took one stone, but with a chain: no ko, so Black may take the five at once.
    assert ko_point(state) is None
    play(state, "A1")
    assert board_rows(state) == diagram_rows("""
        XXX
        ...X
        X..X
    """)
    check_invariants(state)


def test_suicide_is_refused() -> None:
    one = """
        O.
        .O
    """
    refuses(at(one), "A1")
    assert "A1" in legal(at(one, "O"))
    several = """
        O.
        XO
        .O
    """
    refuses(at(several), "A1")
    in_the_middle = """
        .OO.
        OXXO
        O.XO
        .OO.
    """
    refuses(at(in_the_middle), "B2")
    assert "B2" in legal(at(in_the_middle, "O"))


def test_a_stone_without_liberties_that_captures_is_no_suicide() -> None:
    state = at("""
        OX.
        .OX
    """)
    play(state, "A1")
    assert board_rows(state) == diagram_rows("""
        OX.
        X.X
    """)


def test_a_stone_that_joins_a_chain_with_a_liberty_is_no_suicide() -> None:
    connected = at("""
        XO.
        .XO
    """)
    # A2 keeps A3; B1 has no liberty but A1.
    play(connected, "A1")
    assert board_rows(connected)[-2:] == ["XO.......", "XXO......"]
    check_invariants(connected)


def test_ko_is_forbidden_until_a_move_has_been_made_elsewhere() -> None:
    state = at(KO)
    play(state, "C2")
    assert ko_point(state) == "B2"
    refuses(state, "B2")
    assert go.game.position_text(state).split()[2] == "B2"
    play(state, "J9 J1")  # a threat and its answer
    assert ko_point(state) is None
    play(state, "B2")
    assert ko_point(state) == "C2"
    refuses(state, "C2")
    play(state, "H9 H1 C2")
    assert ko_point(state) == "B2"


def test_sending_two_returning_one_is_forbidden() -> None:
    state = at(SENDING_TWO, "O")
    model = NaiveGo(9, rows=diagram_rows(SENDING_TWO), mover="O")
    for move in ("A1", "C1"):  # White sends two, Black takes them
        play(state, move)
        model.play(move)
        check_same(state, model, deep=True)
    # Taking back the one makes the first board again. Two were taken, so it is no simple ko; and
    # then it was White's turn, now it would be Black's, so superko by situation would allow it.
    assert ko_point(state) is None
    assert "B1" in model.without_suicide()
    assert model.after("B1") == "".join(diagram_rows(SENDING_TWO))
    refuses(state, "B1")
    assert "B1" in draws_at(state, 5000)  # playouts know simple ko only
    assert go.game.position_text(state).split()[2] == "-,B1"
    # With other stones on the board it is a new board.
    play(state, "J9 J8")
    assert "B1" in legal(state)


def test_triple_ko_may_not_go_round() -> None:
    state = at(TRIPLE_KO)
    model = NaiveGo(9, rows=diagram_rows(TRIPLE_KO))
    for move in ("E4", "D6", "E2", "D4", "E6"):
        play(state, move)
        model.play(move)
        assert model.ko is not None
        check_same(state, model, deep=True)
    # White's D2 would complete the round; the simple ko is elsewhere.
    assert ko_point(state) == "D6"
    assert "D2" in model.without_suicide()
    assert model.after("D2") == "".join(diagram_rows(TRIPLE_KO))
    refuses(state, "D2")
    refuses(state, "D6")
    assert "D2" in draws_at(state, 5000)
    assert go.game.position_text(state).split()[2] == "D6,D2"
    play(state, "J9 J8")
    assert {"D2", "D6"} <= legal(state)


def test_a_pass_neither_makes_a_board_nor_forgets_one() -> None:
    state = at(SENDING_TWO, "X")
    boards = int(state[0].n_boards)
    play(state, "pass A1 C1")
    assert state[0].n_boards == boards + 2
    refuses(state, "B1")
    assert "pass" in legal(state)


def test_two_passes_in_a_row_end_the_game() -> None:
    state = go.game.new()
    play(state, "pass D4 pass E5 pass")
    assert not go.game.is_over(state)
    with pytest.raises(BadInput, match="the game is not over"):
        go.game.outcome(state)
    play(state, "pass")
    assert go.game.is_over(state)
    assert legal(state) == set()
    with pytest.raises(BadInput, match="pass is not a legal move here"):
        play(state, "pass")


@pytest.mark.parametrize("size", go.SIZES)
@pytest.mark.parametrize("last", ["A1", "pass"])
def test_three_moves_per_point_end_the_game(size: int, last: str) -> None:
    state = at("..X", "O", size, ply=3 * size * size - 1, komi=0)
    assert not go.game.is_over(state)
    play(state, last)
    assert go.game.is_over(state)
    assert legal(state) == set()
    assert go.game.turn(state) == go.game.bounds(state).length == 3 * size * size
    # After White's A1 the rest touches both colours: one stone each.
    assert go.game.outcome(state) == (0 if last == "A1" else 1)


def test_the_list_of_boards_has_room_for_the_longest_game() -> None:
    """No pass, so as many boards as moves. Overrunning the list would spoil what follows it."""
    model, dice = NaiveGo(9), random.Random(1)
    state = go.game.new()

    def room_after(move: str) -> int:
        after = copy.deepcopy(model)
        after.play(move)
        return len(after.legal_moves())

    while not model.is_over():
        stones = sorted(model.legal_moves() - {"pass"})
        # Both sides see to it that nobody runs out of moves.
        move = max(dice.sample(stones, min(6, len(stones))), key=room_after)
        play(state, move)
        model.play(move)
    assert len(model.moves) == 243
    assert "pass" not in model.moves
    assert state[0].n_boards == len(state[0].boards) == 244
    assert go.game.is_over(state)
    assert board_rows(state) == model.rows
    check_invariants(state)


@pytest.mark.parametrize(
    ("diagram", "komi", "result"),
    [
        (".", 0, 0), (".", 0.5, -1), (".", -0.5, 1),
        ("X", 80.5, 1), ("X", 81, 0), ("X", 81.0, 0), ("X", 7, 1),
        ("O", -80.5, -1), ("O", -81, 0),
        ("XO", 0, 0), ("XO", 1, -1), ("XO", -1, 1), ("XXO", 1, 0), ("XXO", 0.5, 1),
    ],
)  # fmt: skip
def test_komi_and_draws(diagram: str, komi: float, result: int) -> None:
    state = at(diagram, komi=komi)
    play(state, "pass pass")
    assert go.game.outcome(state) == result


AREAS = {
    "stones alone when everything else touches both": ("X.O", 0),
    "no stones, no points": (".", 0),
    "one stone owns the empty board": ("X", 81),
    "two territories and a neutral column": (
        """
        ...X.O...
        ...X.O...
        ...X.O...
        ...X.O...
        ...X.O...
        ...X.O...
        ...X.O...
        ...X.O...
        ...X.O...
        """,
        0,
    ),
    "a dead stone that was not taken spoils the territory around it": (
        """
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        .O.XO....
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        """,
        9 - (1 + 9 + 36),
    ),
    "taken off, it leaves territory": (
        """
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        ...XO....
        """,
        36 - 45,
    ),
    # Whoever plays A1 or D1 puts himself into atari, so nobody does; they are neutral.
    "seki: shared liberties belong to nobody": (
        """
        OOOOOO...
        XXXXXO...
        .OO.XO...
        """,
        6 - (2 + 8 + 63),
    ),
    "eyes of one point": (
        """
        OOOOO....
        XXXXO....
        X.X.XO...
        """,
        (7 + 2) - (7 + 65),
    ),
}


@pytest.mark.parametrize("case", AREAS)
def test_area(case: str) -> None:
    diagram, expected = AREAS[case]
    state = at(diagram)
    assert naive.area(9, "".join(diagram_rows(diagram))) == expected
    assert area(state) == expected


def test_rules_run_in_plain_python() -> None:
    """The same functions un-compiled, on a record: the file must be debuggable."""
    state = at(KO, komi=0)
    moves = go.game.moves_buffer(state)
    record = state[0]
    go.play(record, go.parse_move(record, "C2"))
    count = go.legal_moves(record, moves)
    assert {go.move_text(record, int(move)) for move in moves[:count]} == legal(state)
    assert go.random_move(record, moves, rng.seeded(1)) in moves[:count]
    go.play(record, go.PASS)
    go.play(record, go.PASS)
    assert go.is_over(record)
    assert go.turn(record) == 3
    assert go.player_to_move(record) == 1
    assert go.map_move(record, 0, 44) == 44
    assert int(go.position_hash(record)) == go.game.position_hash(state)
    assert go.area(record) == area(state) == (4 + 2) - 3
    assert go.outcome(record) == 1


# --- Text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", go.SIZES)
def test_every_point_has_a_name_of_its_own(size: int) -> None:
    state = games.load(f"go:size={size}").new()
    moves = go.game.legal_moves(state)
    names = [go.game.move_text(state, move) for move in moves]
    assert set(names) == {"pass"} | {
        f"{column}{row}" for column in "ABCDEFGHJKLMNOPQRST"[:size] for row in range(1, size + 1)
    }
    for move, name in zip(moves, names, strict=True):
        assert go.parse_move(state[0], name) == go.parse_move(state[0], name.lower()) == move
    assert go.game.parse_move(state, "  D4\n") == go.parse_move(state[0], "D4")


@pytest.mark.parametrize(
    "text",
    ["", "I5", "K1", "A0", "A10", "A", "5", "A1 B1", "AA", "A-1", "A+1", "A³", "A٣", "passe"],
)
def test_what_is_no_point_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is neither 'pass' nor a point from A1 to J9") as caught:
        go.game.parse_move(go.game.new(), text)
    assert_one_sentence(caught.value)


def test_numbers_that_are_no_points_have_no_text() -> None:
    state = go.game.new()
    points = {go.cell(9, row, column) for row in range(9) for column in range(9)}
    for number in set(range(-20, 140)) - points - {go.PASS}:
        with pytest.raises(BadInput, match=f"^{number} is not a point of a 9x9 board$"):
            go.game.move_text(state, number)
        with pytest.raises(BadInput, match=f"^move {number} is not a legal move here$"):
            go.game.play(state, number)


@pytest.mark.parametrize(
    "text",
    [
        "9/9/9/9/4X4/9/9/9/9 O - 0 1 7.5",
        "9/9/9/9/9/9/9/9/9 X - 0 0 -3",
        "9/9/9/9/9/9/9/9/9 O - 2 2 0",
        "9/9/9/9/9/9/9/9/9 O - 1 243 0.5",
        "9/9/9/9/9/9/1XO6/X1XO5/1XO6 O B2 0 9 7.5",
        "9/9/9/9/9/9/9/XXOO5/2XO5 O -,B1 0 9 6",
        "9/9/3XO4/2X1XO3/3XO4/2XO1O3/3XO4/2X1XO3/3XO4 O D6,D2 0 31 7.5",
        "/".join(["13"] * 13) + " X - 0 0 -169",
        "/".join(["19"] * 18) + "/17XO X A1,S2,T2 0 1083 361",
    ],
)
def test_positions_survive_a_round_trip(text: str) -> None:
    state = go.game.parse_position(f"  {text}\n")
    assert go.game.position_text(state) == text
    forbidden = set(text.split()[2].split(",")) - {"-"}
    assert not forbidden & legal(state)
    assert ko_point(state) == (None if text.split()[2][0] == "-" else text.split()[2].split(",")[0])
    check_parsed(state)


GOOD = "9/9/9/9/4X4/9/9/9/9 O - 0 9 7.5"
NO_ROOM_AT_A1 = "9/9/9/9/9/9/9/O8/1O7"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (GOOD, "", "a Go position has 6 parts (rows, mover, ko, passes, moves, komi), not 0"),
        (" 7.5", "", "a Go position has 6 parts (rows, mover, ko, passes, moves, komi), not 5"),
        ("7.5", "7 x", "a Go position has 6 parts (rows, mover, ko, passes, moves, komi), not 7"),
        ("9/9/9/9/", "9/9/9/", "the board has 8 rows"),
        (" O ", " W ", "mover: 'W' is neither X (black) nor O (white)"),
        (" 0 9", " 3 9", "passes: '3' is not 0, 1 or 2"),
        (" 0 9", " -1 9", "passes: '-1' is not 0, 1 or 2"),
        (" 9 7", " 244 7", "moves: '244' is not a number from 0 to 243"),
        (" 9 7", " -1 7", "moves: '-1' is not a number from 0 to 243"),
        (" 9 7", " ٣ 7", "moves: '٣' is not a number from 0 to 243"),
        ("7.5", "komi", "komi: 'komi' is not a usable number of half points"),
        ("7.5", "7.25", "komi: '7.25' is not a usable number of half points"),
        ("7.5", "81.5", "komi: '81.5' is not a usable number of half points"),
        ("7.5", "nan", "komi: 'nan' is not a usable number of half points"),
        ("7.5", "-inf", "komi: '-inf' is not a usable number of half points"),
        ("4X4", "4X5", "row 5: '4X5' has 10 "),
        ("4X4", "4X3", "row 5: '4X3' has 8 "),
        ("4X4", "", "row 5: '' has 0 "),
        ("4X4", "4x4", "row 5: 'x' is neither "),
        ("4X4", "²X4", "row 5: '²' is neither "),
        (" - ", " E5 ", "ko: 'E5' is not a point where a stone could be put"),
        (" - ", " pass ", "ko: 'pass' is not a point where a stone could be put"),
        (" - ", " A1,- ", "move '-' is neither 'pass' nor a point from A1 to J9"),
        (" - ", " -, ", "move '' is neither 'pass' nor a point from A1 to J9"),
        (" - 0 9", " A1,A2 0 1", "ko: 'A1,A2' forbids more points than moves were made"),
        (GOOD, "9/9/9/9/9/9/9/O8/XO7 X - 0 9 7.5", "rows: a chain has no liberty"),
        (GOOD, "9/9/9/9/9/9/9/X8/OX7 X - 0 9 7.5", "rows: a chain has no liberty"),
        (GOOD, "/".join(["XXXXXXXXX"] * 9) + " X - 0 9 7.5", "rows: a chain has no liberty"),
        (GOOD, f"{NO_ROOM_AT_A1} X A1 0 9 0", "ko: 'A1' is not a point where a stone could be put"),
    ],
)  # fmt: skip
def test_each_fault_of_a_position_is_named(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(BadInput) as caught:
        go.game.parse_position(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(message)
    assert_one_sentence(caught.value)


@pytest.mark.parametrize("komi", [7.25, 81.5, -100, float("nan"), float("inf"), float("-inf")])
def test_a_komi_that_cannot_be_is_refused(komi: float) -> None:
    with pytest.raises(
        BadInput, match=r"^komi must be a multiple of 0\.5 no larger than the board"
    ):
        go.game.new(komi=komi)


def test_a_size_that_cannot_be_is_refused() -> None:
    with pytest.raises(BadInput, match="size must be one of 9, 13, 19, not '10'"):
        games.load("go:size=10")


def test_the_drawing_shows_the_board() -> None:
    state = at("""
        OX.
        .OX
    """)
    marks = {go.parse_move(state[0], "A1"): "7", go.parse_move(state[0], "B1"): "hidden"}
    lines = Text.from_markup(go.game.draw(state, marks)).plain.splitlines()
    header = ["A", "B", "C", "D", "E", "F", "G", "H", "J"]
    assert lines[0].split() == lines[-1].split() == header
    cells = [line.split() for line in lines[1:-1]]
    assert [row[0] for row in cells] == [row[-1] for row in cells] == list("987654321")
    (white, black), (mark, covered) = cells[-2][1:3], cells[-1][1:3]
    assert (mark, covered) == ("7", white)  # a stone hides a mark
    assert len({white, black, cells[0][1]}) == 3  # told apart without colours, too
    assert cells[-1][3] == black
    others = {symbol for row in cells[:-2] for symbol in row[1:-1]}
    assert not others & {white, black, "7"}


# --- Hashes --------------------------------------------------------------------------------------


def test_the_hash_is_that_of_the_position_not_of_the_way_to_it() -> None:
    one, other = go.game.new(), go.game.new()
    play(one, "D4 E5 F6 G7 A1")
    play(other, "A1 G7 D4 E5 F6")
    assert go.game.position_hash(one) == go.game.position_hash(other)


@pytest.mark.parametrize(
    ("old", "new"),
    [("4X4", "4O4"), ("4X4", "3X5"), (" O ", " X "), (" - ", " A1 "), (" - ", " A2 "),
     (" 0 9", " 1 9"), (" 0 9", " 2 9"), ("7.5", "7"), ("7.5", "-7.5")],
)  # fmt: skip
def test_everything_that_the_text_tells_is_in_the_hash(old: str, new: str) -> None:
    """But for the number of moves: the contract in rules.py."""
    one = go.game.parse_position(GOOD)
    other = go.game.parse_position(GOOD.replace(old, new))
    assert go.game.position_text(one) != go.game.position_text(other)
    assert go.game.position_hash(one) != go.game.position_hash(other)
    later = go.game.parse_position(GOOD.replace(" 9 7", " 10 7"))
    assert go.game.position_hash(one) == go.game.position_hash(later)


def test_points_that_superko_forbids_are_in_the_hash() -> None:
    """They are in the text, and what may be played depends on them."""
    one, other = at(SENDING_TWO, ply=9), at(SENDING_TWO, ko="-,J9", ply=9)
    assert go.game.position_text(one) != go.game.position_text(other)
    assert legal(one) != legal(other)
    assert go.game.position_hash(one) != go.game.position_hash(other)


def test_different_positions_of_random_games_have_different_hashes() -> None:
    text_by_hash: dict[int, str] = {}
    for seed in range(20 if FAST else 3):
        state, generator = go.game.new(komi=0.5), rng.seeded(seed, "hash")
        while not go.game.is_over(state):
            simple = f"{board_rows(state)} {state[0].mover} {ko_point(state)} {state[0].passes}"
            assert text_by_hash.setdefault(go.game.position_hash(state), simple) == simple
            go.game.play(state, dice_move(state, generator))
    assert len(text_by_hash) > (1500 if FAST else 200)


def dice_move(state: rules.State, generator: Any) -> int:
    """A playout's move, or a pass where superko forbids it."""
    move = go.game.random_move(state, generator)
    return move if move in go.game.legal_moves(state) else go.PASS


# --- Symmetries ----------------------------------------------------------------------------------


def image_rows(rows: list[str], symmetry: int) -> list[str]:
    """A whole board mirrored: bit 0 left and right, bit 1 top and bottom, bit 2 transposed."""
    if symmetry & 1:
        rows = [row[::-1] for row in rows]
    if symmetry & 2:
        rows = rows[::-1]
    if symmetry & 4:
        rows = ["".join(column) for column in zip(*rows, strict=True)]
    return rows


@pytest.mark.parametrize("size", go.SIZES)
def test_symmetries_are_those_of_the_square(size: int) -> None:
    record = games.load(f"go:size={size}").new()[0]
    points = [go.cell(size, row, column) for row in range(size) for column in range(size)]
    maps = [tuple(go.map_move(record, s, p) for p in points) for s in range(go.game.symmetries)]
    assert maps[0] == tuple(points)
    assert len(set(maps)) == 8
    assert all(sorted(image) == points for image in maps)
    assert all(go.map_move(record, s, go.PASS) == go.PASS for s in range(8))
    # Closed under composition: a group.
    index = {point: i for i, point in enumerate(points)}
    for first in maps:
        for second in maps:
            assert tuple(second[index[p]] for p in first) in maps


@pytest.mark.parametrize("symmetry", range(8))
def test_the_image_of_a_game_is_the_game_of_the_images(symmetry: int) -> None:
    @examples(6, 1)
    @given(seed=SEEDS)
    def run(seed: int) -> None:
        state, image, generator = go.game.new(), go.game.new(), rng.seeded(seed)
        while not go.game.is_over(state):
            moves = go.game.legal_moves(state)
            images = {int(go.map_move(state[0], symmetry, move)) for move in moves}
            assert images == set(go.game.legal_moves(image))
            move = dice_move(state, generator)
            go.game.play(state, move)
            go.game.play(image, int(go.map_move(image[0], symmetry, move)))
            assert board_rows(image) == image_rows(board_rows(state), symmetry)
            assert image[0].ko == go.map_move(state[0], symmetry, int(state[0].ko))
        assert go.game.is_over(image)
        assert go.game.outcome(image) == go.game.outcome(state)
        assert area(image) == area(state)

    run()


# --- Any text at all -----------------------------------------------------------------------------


def assert_one_sentence(error: BadInput) -> None:
    assert len(str(error).splitlines()) == 1


def check_parsed(state: rules.State) -> None:
    """A state read from text is whole: the naive Go agrees, and its text leads back to it."""
    check_invariants(state)
    text = go.game.position_text(state)
    _, mover, ko, passes, ply, _ = text.split()
    model = NaiveGo(size_of(state), rows=board_rows(state), mover=mover)
    boards = [model.board, *(model.after(point) for point in ko.split(",") if point != "-")]
    check_history(state, boards)
    model.boards = set(boards)
    over = passes == "2" or int(ply) >= 3 * model.size**2
    assert go.game.is_over(state) == over
    assert legal(state) == (set() if over else model.legal_moves())
    again = go.game.parse_position(text)
    assert go.game.position_text(again) == text
    check_history(again, boards)
    # Only the order in which earlier boards are remembered may differ.
    for field in set(state.dtype.names) - {"boards"}:
        if field not in ("stones", "liberties", "following", "chain"):  # partly without meaning
            assert np.array_equal(again[field], state[field]), field
    check_invariants(again)


def random_position(seed: int, plies: int, size: int) -> str:
    state, generator = go.game.new(size=size, komi=0.5), rng.seeded(seed, "position")
    for _ in range(plies):
        if go.game.is_over(state):
            break
        go.game.play(state, dice_move(state, generator))
    return go.game.position_text(state)


POSITIONS = st.one_of(
    st.builds(random_position, SEEDS, st.integers(0, 120 if FAST else 12), st.just(9)),
    st.builds(random_position, SEEDS, st.integers(0, 20 if FAST else 3), st.sampled_from([13, 19])),
    st.sampled_from(
        [
            GOOD,
            "9/9/9/9/9/9/1XO6/X1XO5/1XO6 O B2 0 9 7.5",
            "9/9/3XO4/2X1XO3/3XO4/2XO1O3/3XO4/2X1XO3/3XO4 O D6,D2 0 31 7.5",
        ]
    ),
)
SYMBOLS = st.one_of(st.sampled_from("XO0123456789/ -,.ABCDHJKTadpsn+e_\n"), st.characters())


@st.composite
def mutated_positions(draw: st.DrawFn) -> str:
    """The text of a position after a few edits of symbols and of whole parts."""
    text = draw(POSITIONS)
    for _ in range(draw(st.integers(0, 3))):
        edit = draw(st.sampled_from(["change", "insert", "delete", "swap", "part"]))
        start = draw(st.integers(0, max(len(text) - 1, 0)))
        if edit == "swap":
            words = text.split(" ")
            first, second = (draw(st.integers(0, len(words) - 1)) for _ in range(2))
            words[first], words[second] = words[second], words[first]
            text = " ".join(words)
        elif edit == "part":
            words = text.split(" ")
            part = draw(
                st.sampled_from(["X", "O", "-", "A1", "-,B2,A1", "0", "1", "2", "50", "-4"])
            )
            words[draw(st.integers(0, len(words) - 1))] = part
            text = " ".join(words)
        else:
            symbol = "" if edit == "delete" else draw(SYMBOLS)
            text = text[:start] + symbol + text[start + (edit != "insert") :]
    return text


def test_any_text_is_a_whole_position_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(250, 120)
    @given(text=st.one_of(mutated_positions(), mutated_positions(), st.text()))
    def run(text: str) -> None:
        try:
            state = go.game.parse_position(text)
        except BadInput as error:
            assert_one_sentence(error)
            seen["refused"] += 1
        else:
            check_parsed(state)
            seen["accepted"] += 1

    run()
    assert seen["refused"] > 7
    assert seen["accepted"] > 2


NAMES = st.builds("{}{}".format, st.sampled_from("ABCDEFGHIJKLMNTabcdz"), st.integers(-1, 21))


def test_any_text_is_a_legal_move_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(250, 120)
    @given(position=POSITIONS, text=st.one_of(NAMES, NAMES, st.just("Pass"), st.text()))
    def run(position: str, text: str) -> None:
        state = go.game.parse_position(position)
        before = state.tobytes()
        try:
            move = go.game.parse_move(state, text)
        except BadInput as error:
            assert_one_sentence(error)
            seen["refused"] += 1
        else:
            name = go.game.move_text(state, move)
            assert name in legal(state)
            # A zero in front of the row's number does no harm.
            assert text.strip().upper() in (name.upper(), f"{name[0]}0{name[1:]}")
            seen["accepted"] += 1
        assert state.tobytes() == before

    run()
    assert seen["refused"] > 7
    assert seen["accepted"] > 3
