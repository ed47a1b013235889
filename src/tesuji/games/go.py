"""Go on 9x9, 13x13 and 19x19: area scoring, no suicide, positional superko.

Start with `play` and `legal_moves`. The rules are those of Tromp and Taylor with suicide forbidden:
the board is scored as it stands after two passes in a row, and a stone may not be put where the
whole board would repeat an earlier one, whoever moved then. A game that has not ended after three
moves per point is scored as it stands.

The board is one row of cells with a border of `EDGE` around it, so that a neighbour is an addition.
A move is the cell a stone goes to, or `PASS`. Invariants between moves:

- `colour[p]` is EMPTY, BLACK, WHITE or EDGE.
- Stones of a chain form a ring through `following`; `chain[p]` is the same cell for all of them,
  and there `stones` is their number and `liberties` the number of pairs (stone, empty neighbour).
  A chain has been captured when that number is 0. Elsewhere these two mean nothing; `outcome` uses
  `stones` of empty points to work in. Cells without a stone have chain 0, which nobody reads.
- `empty[: n_empty]` lists the empty points in no particular order, `place[p]` says where.
- `boards[: n_boards]` are the hashes of all boards there have been, `seen` a one-hash Bloom filter
  of them that answers most questions at once.
- `ko` is the point where the simple ko rule forbids a stone now, or 0. Playouts look at this only;
  real moves and the nodes of a tree obey superko through `legal_moves`.
"""

from typing import Any, Literal

import numpy as np

from tesuji import rng as random_words
from tesuji import rules
from tesuji.errors import BadInput
from tesuji.plain_text import pack_rows, unpack_rows
from tesuji.rng import below, mix

EMPTY, BLACK, WHITE, EDGE = 0, 1, 2, 3
PASS = 0
SIZES = (9, 13, 19)
SEEN_WORDS = 16


def fields(size: int) -> list[tuple[Any, ...]]:
    cells = (size + 2) * (size + 1) + 1
    return [
        ("colour", "i1", (cells,)),
        ("chain", "i2", (cells,)),
        ("following", "i2", (cells,)),
        ("stones", "i2", (cells,)),
        ("liberties", "i2", (cells,)),
        ("place", "i2", (cells,)),
        ("empty", "i2", (size * size,)),
        ("boards", "u8", (longest_game(size) + 1,)),
        ("seen", "u8", (SEEN_WORDS,)),
        ("board_hash", "u8"),
        ("n_empty", "i2"),
        ("n_boards", "i2"),
        ("ply", "i2"),
        ("ko", "i2"),
        ("double_komi", "i2"),
        ("passes", "i1"),
        ("mover", "i1"),
    ]


def longest_game(size: int) -> int:
    return 3 * size * size


STATES = {size: rules.state(__file__, fields(size)) for size in SIZES}
ZOBRIST = random_words.table(20190, 3, (SIZES[-1] + 2) * (SIZES[-1] + 1) + 1)
KO = ZOBRIST[EMPTY]  # an inner cell, so the words of the border are free for other things
PASSES = ZOBRIST[EMPTY, :3]
WHITE_TO_MOVE = ZOBRIST[BLACK, 0]


# --- Geometry ------------------------------------------------------------------------------------


def board_size(state):
    """The side of the board: a constant of the record type, so it costs nothing when compiled."""
    return int(np.sqrt(len(state.empty)))


def around(state):
    """The steps to the four neighbours of a cell."""
    stride = board_size(state) + 1
    return (-stride, -1, 1, stride)


def corners(state):
    """The steps to the four diagonal neighbours of a cell."""
    stride = board_size(state) + 1
    return (-stride - 1, -stride + 1, stride - 1, stride + 1)


def cell(size, row, column):
    """The cell in a row (0 is the top) and a column (0 is the left)."""
    return (row + 1) * (size + 1) + column + 1


# --- Playing -------------------------------------------------------------------------------------


def play(state, move):
    state.ko = 0
    if move == PASS:
        state.passes += 1
    else:
        state.passes = 0
        captured = put_stone(state, move)
        if captured >= 0:
            state.ko = captured
        remember(state, state.board_hash)
    state.mover = WHITE + BLACK - state.mover
    state.ply += 1


def put_stone(state, point):
    """Place a stone of the mover and take its captures. The point the ko rule forbids, or -1."""
    mine = state.mover
    theirs = WHITE + BLACK - mine

    state.n_empty -= 1
    last = state.empty[state.n_empty]
    state.empty[state.place[point]] = last
    state.place[last] = state.place[point]

    state.colour[point] = mine
    state.chain[point] = point
    state.following[point] = point
    state.stones[point] = 1
    state.board_hash ^= ZOBRIST[mine, point]
    free = 0
    for step in around(state):
        neighbour = point + step
        if state.colour[neighbour] == EMPTY:
            free += 1
        else:
            state.liberties[state.chain[neighbour]] -= 1
    state.liberties[point] = free

    captured, taken = 0, 0
    for step in around(state):
        neighbour = point + step
        if state.colour[neighbour] == mine:
            if state.chain[neighbour] != state.chain[point]:
                join(state, state.chain[neighbour], state.chain[point])
        elif state.colour[neighbour] == theirs and state.liberties[state.chain[neighbour]] == 0:
            taken = neighbour
            captured += remove_chain(state, neighbour)

    home = state.chain[point]
    if captured == 1 and state.stones[home] == 1 and state.liberties[home] == 1:
        return taken
    return -1


def join(state, one, other):
    """Make one chain of two, relabelling the smaller."""
    if state.stones[one] < state.stones[other]:
        one, other = other, one
    state.stones[one] += state.stones[other]
    state.liberties[one] += state.liberties[other]
    stone = other
    while True:
        state.chain[stone] = one
        stone = state.following[stone]
        if stone == other:
            break
    after = state.following[one]
    state.following[one] = state.following[other]
    state.following[other] = after


def remove_chain(state, first):
    """Take a chain off the board; how many stones it had."""
    theirs = state.colour[first]
    removed = 0
    stone = first
    while True:
        state.colour[stone] = EMPTY
        state.chain[stone] = 0
        state.board_hash ^= ZOBRIST[theirs, stone]
        state.place[stone] = state.n_empty
        state.empty[state.n_empty] = stone
        state.n_empty += 1
        removed += 1
        for step in around(state):
            state.liberties[state.chain[stone + step]] += 1
        stone = state.following[stone]
        if stone == first:
            return removed


def remember(state, board):
    """Add a board to those that may not be repeated."""
    state.boards[state.n_boards] = board
    state.n_boards += 1
    bit = board % np.uint64(64 * SEEN_WORDS)
    state.seen[bit // np.uint64(64)] |= np.uint64(1) << (bit % np.uint64(64))


# --- Legal moves ---------------------------------------------------------------------------------


def legal_moves(state, moves):
    if is_over(state):
        return 0
    count = 0
    for i in range(state.n_empty):
        point = state.empty[i]
        if not is_suicide(state, point) and not repeats(state, board_after(state, point)):
            moves[count] = point
            count += 1
    moves[count] = PASS
    return count + 1


def is_suicide(state, point):
    """Whether a stone there would have no liberty, even after its captures."""
    for step in around(state):
        if state.colour[point + step] == EMPTY:
            return False
    for step in around(state):
        neighbour = point + step
        if state.colour[neighbour] == EDGE:
            continue
        # Would the neighbour's chain keep a liberty other than this point?
        keeps = state.liberties[state.chain[neighbour]] > contacts(state, point, neighbour)
        if keeps == (state.colour[neighbour] == state.mover):
            return False
    return True


def contacts(state, point, stone):
    """How many neighbours of an empty point belong to the chain of a stone."""
    count = 0
    for step in around(state):
        count += state.chain[point + step] == state.chain[stone]
    return count


def board_after(state, point):
    """The hash of the board after a stone of the mover at an empty point."""
    theirs = WHITE + BLACK - state.mover
    board = state.board_hash ^ ZOBRIST[state.mover, point]
    steps = around(state)
    for i in range(4):
        neighbour = point + steps[i]
        if state.colour[neighbour] != theirs:
            continue
        chain = state.chain[neighbour]
        if state.liberties[chain] > contacts(state, point, neighbour):
            continue
        counted = False
        for j in range(i):
            counted |= state.chain[point + steps[j]] == chain
        stone = neighbour
        while not counted:
            board ^= ZOBRIST[theirs, stone]
            stone = state.following[stone]
            counted = stone == neighbour
    return board


def repeats(state, board):
    """Whether the board has been there before."""
    bit = board % np.uint64(64 * SEEN_WORDS)
    if (state.seen[bit // np.uint64(64)] >> (bit % np.uint64(64))) & np.uint64(1) == 0:
        return False
    for i in range(state.n_boards):
        if state.boards[i] == board:
            return True
    return False


def is_banned(state, point):
    """Whether superko forbids a stone there that simple ko and suicide would allow."""
    if point == state.ko or is_suicide(state, point):
        return False
    return repeats(state, board_after(state, point))


def random_move(state, moves, rng):
    """Uniform over the points that simple ko and suicide allow and that are not one's own eye."""
    count = state.n_empty
    while count > 0:
        i = below(rng, count)
        point = state.empty[i]
        if point != state.ko and not is_eye(state, point) and not is_suicide(state, point):
            return point
        # Put the refused point behind the ones still to be drawn from.
        count -= 1
        last = state.empty[count]
        state.empty[count] = point
        state.empty[i] = last
        state.place[point] = count
        state.place[last] = i
    return PASS


def is_eye(state, point):
    """The mover's own point: all neighbours own, and too few enemies at the corners to break it."""
    mine = state.mover
    for step in around(state):
        neighbour = state.colour[point + step]
        if neighbour != mine and neighbour != EDGE:
            return False
    enemies, edges = 0, 0
    for step in corners(state):
        corner = state.colour[point + step]
        enemies += corner == WHITE + BLACK - mine
        edges += corner == EDGE
    return enemies + (edges > 0) < 2


# --- The end -------------------------------------------------------------------------------------


def is_over(state):
    return state.passes >= 2 or state.ply >= longest_game_of(state)


def longest_game_of(state):
    return len(state.boards) - 1


def outcome(state):
    return np.sign(2.0 * area(state) - state.double_komi)


def area(state):
    """Black's points minus White's: stones, and empty regions that touch one colour only."""
    size = board_size(state)
    difference = 0
    for row in range(size):
        for column in range(size):
            difference += points(state.colour[cell(size, row, column)])
    # `stones` of an empty point: which colours its region touches, 1 black, 2 white, 3 both.
    connected = False
    for i in range(state.n_empty):
        point = state.empty[i]
        touches = 0
        for step in around(state):
            neighbour = state.colour[point + step]
            if neighbour == EMPTY:
                connected = True
            elif neighbour != EDGE:
                touches |= neighbour
        state.stones[point] = touches
    while connected:
        connected = False
        for i in range(state.n_empty):
            point = state.empty[i]
            for step in around(state):
                neighbour = point + step
                if state.colour[neighbour] == EMPTY:
                    both = state.stones[point] | state.stones[neighbour]
                    if both != state.stones[point]:
                        state.stones[point] = both
                        connected = True
    for i in range(state.n_empty):
        difference += points(state.stones[state.empty[i]])
    return difference


def points(owner):
    """What a point of this owner adds to Black's score."""
    if owner == BLACK:
        return 1
    return -1 if owner == WHITE else 0


def player_to_move(state):
    return state.mover - BLACK


def turn(state):
    return state.ply


def position_hash(state):
    key = state.board_hash ^ PASSES[state.passes] ^ np.uint64(state.double_komi + 1024)
    if state.mover == WHITE:
        key ^= WHITE_TO_MOVE
    if state.ko != 0:
        key ^= KO[state.ko]
    for i in range(state.n_empty):
        if is_banned(state, state.empty[i]):
            key ^= mix(KO[state.empty[i]])
    return key


def map_move(state, symmetry, move):
    """Symmetries of the square: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 turns."""
    if move == PASS:
        return PASS
    size = board_size(state)
    row, column = move // (size + 1) - 1, move % (size + 1) - 1
    if symmetry & 1:
        column = size - 1 - column
    if symmetry & 2:
        row = size - 1 - row
    if symmetry & 4:
        row, column = column, row
    return cell(size, row, column)


# --- Starting and text ---------------------------------------------------------------------------

COLUMNS = "ABCDEFGHJKLMNOPQRST"
SYMBOLS = ".XO"


def new_game(size: Literal[9, 13, 19] = 9, komi: float = 7.5) -> rules.State:
    """An empty board. Komi is what White gets for moving second, in half points."""
    doubled = 2 * komi
    if not abs(komi) <= size * size or doubled != int(doubled):
        raise BadInput(f"komi must be a multiple of 0.5 no larger than the board, not {komi}")
    game = rules.new(STATES[size])
    state = game[0]
    state.double_komi = int(doubled)
    state.mover = BLACK
    state.colour[:] = EDGE
    for row in range(size):
        for column in range(size):
            point = cell(size, row, column)
            state.colour[point] = EMPTY
            state.empty[state.n_empty] = point
            state.place[point] = state.n_empty
            state.n_empty += 1
    remember(state, state.board_hash)
    return game


def move_text(state: Any, move: int) -> str:
    if move == PASS:
        return "pass"
    size = board_size(state)
    row, column = move // (size + 1) - 1, move % (size + 1) - 1
    if not (0 <= row < size and 0 <= column < size):
        raise BadInput(f"{move} is not a point of a {size}x{size} board")
    return f"{COLUMNS[column]}{size - row}"


def parse_move(state: Any, text: str) -> int:
    """A point such as D4 (there is no column I), or pass; in capitals or not."""
    size = board_size(state)
    word = text.upper()
    if word == "PASS":
        return PASS
    column, row = COLUMNS.find(word[:1]), word[1:]
    if word and 0 <= column < size and row.isdecimal() and row.isascii() and len(row) <= 2:
        if 1 <= int(row) <= size:
            return int(cell(size, size - int(row), column))
    raise BadInput(
        f"move {text!r} is neither 'pass' nor a point from A1 to {COLUMNS[size - 1]}{size}"
    )


def position_text(state: Any) -> str:
    """Rows from the top (X black, O white, numbers for empty points), then mover, ko points,
    passes in a row, moves made, komi: `9/9/9/9/4X4/9/9/9/9 O - 0 1 7.5`.

    The ko points are what the ko rules forbid now: the simple ko's first (or -), then, after
    commas, those of superko. Earlier boards beyond these are not part of the text.
    """
    size = board_size(state)
    rows = [
        "".join(SYMBOLS[state.colour[cell(size, row, column)]] for column in range(size))
        for row in range(size)
    ]
    forbidden = [int(p) for p in sorted(state.empty[: state.n_empty]) if is_banned(state, p)]
    ko = [move_text(state, int(state.ko)) if state.ko else "-"]
    ko += [move_text(state, point) for point in forbidden]
    return (
        f"{pack_rows(rows)} {SYMBOLS[state.mover]} {','.join(ko)} {state.passes} {state.ply} "
        f"{state.double_komi / 2:g}"
    )


def parse_position(text: str) -> rules.State:
    words = text.split()
    if len(words) != 6:
        raise BadInput(
            f"a Go position has 6 parts (rows, mover, ko, passes, moves, komi), not {len(words)}"
        )
    rows, mover, ko, passes, ply, komi = words
    lines = unpack_rows(rows, "XO", SIZES)
    size = len(lines)
    if mover not in ("X", "O"):
        raise BadInput(f"mover: {mover!r} is neither X (black) nor O (white)")
    if passes not in ("0", "1", "2"):
        raise BadInput(f"passes: {passes!r} is not 0, 1 or 2")
    if not (ply.isascii() and ply.isdecimal() and len(ply) < 6 and int(ply) <= longest_game(size)):
        raise BadInput(f"moves: {ply!r} is not a number from 0 to {longest_game(size)}")
    try:
        game = new_game(size, float(komi))  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        raise BadInput(f"komi: {komi!r} is not a usable number of half points") from None
    state = game[0]
    for row, line in enumerate(lines):
        for column, symbol in enumerate(line):
            if symbol != ".":
                state.mover = SYMBOLS.index(symbol)
                put_stone(state, cell(size, row, column))
    on_board = sum(len(line) - line.count(".") for line in lines)
    if state.n_empty + on_board != size * size or _without_liberties(state):
        raise BadInput("rows: a chain has no liberty")
    state.mover = SYMBOLS.index(mover)
    state.passes = int(passes)
    state.ply = int(ply)
    state.n_boards = 0
    state.seen[:] = 0
    remember(state, state.board_hash)
    points = ko.split(",")
    if len(points) - (points[0] == "-") > state.ply:
        raise BadInput(f"ko: {ko!r} forbids more points than moves were made")
    for i, word in enumerate(points):
        if i == 0 and word == "-":
            continue
        point = parse_move(state, word)
        if point == PASS or state.colour[point] != EMPTY or is_suicide(state, point):
            raise BadInput(f"ko: {word!r} is not a point where a stone could be put")
        if not repeats(state, board_after(state, point)):
            remember(state, board_after(state, point))
        if i == 0:
            state.ko = point
    return game


def _without_liberties(state: Any) -> bool:
    size = board_size(state)
    points = [cell(size, row, column) for row in range(size) for column in range(size)]
    return any(state.colour[p] != EMPTY and state.liberties[state.chain[p]] == 0 for p in points)


STARS = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}


def draw(state: Any, marks: dict[int, str]) -> str:
    size = board_size(state)
    header = "   " + " ".join(COLUMNS[:size])
    lines = [header]
    for row in range(size):
        line = f"{size - row:2d} "
        for column in range(size):
            point = cell(size, row, column)
            colour = state.colour[point]
            star = row in STARS[size] and column in STARS[size]
            if colour == BLACK:
                text = "[#000000 on #d8a95b]●[/]"
            elif colour == WHITE:
                text = "[bold #ffffff on #d8a95b]○[/]"
            elif point in marks:
                text = f"[bold red on #d8a95b]{marks[point][:1]}[/]"
            else:
                text = f"[#8a6a35 on #d8a95b]{'+' if star else '·'}[/]"
            gap = " " if column < size - 1 else ""
            line += text + f"[on #d8a95b]{gap}[/]"
        lines.append(f"{line} {size - row}")
    return "\n".join([*lines, header])


game = rules.register(
    __name__,
    {STATES[size]: rules.Bounds(size * size + 1, longest_game(size)) for size in SIZES},
    name="go",
    title="Go",
    version=1,
    players=("Black", "White"),
    symmetries=8,
    playouts="uniform over the points that are not own eyes, under simple ko; else a pass",
)
