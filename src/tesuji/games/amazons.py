"""Amazons on 10x10, 8x8 and 6x6: queens that move and then shoot an arrow that stays.

Start with `play`. A turn has two moves of one player: an amazon moves like a chess queen, then
shoots an arrow like a queen from where it now stands. Nothing passes over amazons or arrows. Who
cannot move has lost. A queen move is the number `origin * 128 + target`, an arrow is its cell.

The board is two 64-bit words. Cell (row from the bottom, column) is bit `1 + row * (size + 1) +
column`; the column to the right of the board and the bits at both ends are never on the board. The
rays of a queen are tables; each ends in bit 0 or 127, which are always blocked, so that every ray
meets something.

Invariants: `blocked` has a bit for each amazon and each arrow and for bits 0 and 127; `cells` shows
the same board to a reader; `amazons[player]` lists the cells of a player's amazons; `shooter` is
the amazon that has moved and must shoot now, or 0.
"""

from typing import Any, Literal

import numpy as np

from tesuji import rules
from tesuji.bits import highest, lowest, nth_bit, popcount
from tesuji.errors import BadInput
from tesuji.plain_text import pack_rows, unpack_rows
from tesuji.rng import below, table

SIZES = (10, 8, 6)
STARTS = {10: ("d1 g1 a4 j4", "d10 g10 a7 j7"), 8: ("c1 f1 a3 h3", "c8 f8 a6 h6"),
          6: ("b1 e1 a2 f2", "b6 e6 a5 f5")}  # fmt: skip
EMPTY, WHITE, BLACK, ARROW = 0, 1, 2, 3
LAST = 127

STATES = {
    size: rules.state(
        __file__,
        [
            ("blocked", "u8", (2,)),
            ("key", "u8"),  # Zobrist hash of amazons and arrows
            ("cells", "i1", (size, size)),
            ("amazons", "i1", (2, 4)),
            ("turns", "i1"),
            ("mover", "i1"),
            ("shooter", "i1"),
            ("stuck", "i1"),  # whether the mover cannot move: the game is over
        ],
    )
    for size in SIZES
}
ZOBRIST = table(1988, 4, LAST + 1)  # [EMPTY] for the mover and the shooter
BLACK_TO_MOVE = ZOBRIST[EMPTY, LAST]
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1))
UPWARD = 4  # the first four directions lead to higher bits


def bit_of(size, row, column):
    return 1 + row * (size + 1) + column


def _rays(size: int) -> np.ndarray[Any, Any]:
    """[direction, cell] -> what a queen sees on an empty board, and the end bit: two words."""
    words = np.zeros((8, LAST + 1, 2), np.uint64)
    for row in range(size):
        for column in range(size):
            for direction, (up, right) in enumerate(DIRECTIONS):
                ray = 1 << LAST if direction < UPWARD else 1
                y, x = row + up, column + right
                while 0 <= y < size and 0 <= x < size:
                    ray |= 1 << bit_of(size, y, x)
                    y, x = y + up, x + right
                words[direction, bit_of(size, row, column)] = [ray & (2**64 - 1), ray >> 64]
    return words


def _neighbours(rays: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """[cell] -> the cells around it: what a queen sees with everything else blocked."""
    words = np.zeros((LAST + 1, 2), np.uint64)
    for cell in range(LAST + 1):
        for direction in range(8):
            low, high = (int(word) for word in rays[direction, cell])
            ray = low + (high << 64)
            if direction < UPWARD:
                near = ray & -ray & ~(1 << LAST)
            else:
                near = 1 << (ray.bit_length() - 1) & ~1 if ray else 0
            words[cell] |= np.array([near & (2**64 - 1), near >> 64], np.uint64)
    return words


RAYS_10, RAYS_8, RAYS_6 = (_rays(size) for size in SIZES)
NEAR_10, NEAR_8, NEAR_6 = (_neighbours(rays) for rays in (RAYS_10, RAYS_8, RAYS_6))


# --- Queens --------------------------------------------------------------------------------------


def board_size(state):
    return state.cells.shape[0]


def rays(state):
    """The tables of this board; the size is a constant, so this costs nothing when compiled."""
    if board_size(state) == 10:
        return RAYS_10
    return RAYS_8 if board_size(state) == 8 else RAYS_6


def neighbours(state):
    if board_size(state) == 10:
        return NEAR_10
    return NEAR_8 if board_size(state) == 8 else NEAR_6


def reach(state, cell):
    """Where a queen on a cell can go: two words."""
    ray = rays(state)
    blocked_low, blocked_high = state.blocked[0], state.blocked[1]
    low, high = np.uint64(0), np.uint64(0)
    for direction in range(UPWARD):
        hit_low = ray[direction, cell, 0] & blocked_low
        hit_high = ray[direction, cell, 1] & blocked_high
        stop = lowest(hit_low) if hit_low != 0 else 64 + lowest(hit_high)
        low |= ray[direction, cell, 0] ^ ray[direction, stop, 0]
        high |= ray[direction, cell, 1] ^ ray[direction, stop, 1]
    for direction in range(UPWARD, 8):
        hit_low = ray[direction, cell, 0] & blocked_low
        hit_high = ray[direction, cell, 1] & blocked_high
        stop = 64 + highest(hit_high) if hit_high != 0 else highest(hit_low)
        low |= ray[direction, cell, 0] ^ ray[direction, stop, 0]
        high |= ray[direction, cell, 1] ^ ray[direction, stop, 1]
    return low & ~blocked_low, high & ~blocked_high


def can_move(state, cell):
    """Whether an amazon has a free neighbour."""
    near = neighbours(state)
    low, high = near[cell, 0] & ~state.blocked[0], near[cell, 1] & ~state.blocked[1]
    return (low | high) != 0


# --- Playing -------------------------------------------------------------------------------------


def legal_moves(state, moves):
    count = 0
    if state.stuck:
        return 0
    if state.shooter != 0:
        return list_cells(reach(state, state.shooter), moves, 0, 0)
    for i in range(4):
        cell = np.int64(state.amazons[state.mover, i])
        count = list_cells(reach(state, cell), moves, count, 128 * cell)
    return count


def list_cells(words, moves, count, base):
    """Append `base` + the number of each set bit to the moves; how many there are now."""
    for half in range(2):
        word = words[half]
        while word != 0:
            moves[count] = base + 64 * half + lowest(word)
            word &= word - np.uint64(1)
            count += 1
    return count


def play(state, move):
    if state.shooter != 0:
        put(state, move, ARROW)
        state.key ^= ZOBRIST[EMPTY, state.shooter]
        state.shooter = 0
        state.mover = 1 - state.mover
        state.turns += 1
        state.stuck = 1
        for i in range(4):
            if can_move(state, np.int64(state.amazons[state.mover, i])):
                state.stuck = 0
    else:
        origin, target = move // 128, move % 128
        put(state, origin, WHITE + state.mover)
        put(state, target, WHITE + state.mover)
        for i in range(4):
            if state.amazons[state.mover, i] == origin:
                state.amazons[state.mover, i] = target
        state.shooter = target
        state.key ^= ZOBRIST[EMPTY, target]


def put(state, cell, piece):
    """Put a piece on an empty cell, or take it off an occupied one."""
    size = board_size(state)
    row, column = (cell - 1) // (size + 1), (cell - 1) % (size + 1)
    state.cells[row, column] = piece - state.cells[row, column]
    state.key ^= ZOBRIST[piece, cell]
    state.blocked[cell // 64] ^= np.uint64(1) << np.uint64(cell % 64)


def random_move(state, moves, rng):
    """An amazon that can move, then one of its moves; or an arrow: each uniform."""
    if state.shooter != 0:
        return random_cell(reach(state, state.shooter), rng)
    first = below(rng, 4)
    for left in range(4, 0, -1):
        # Draw among those not yet refused: swap the refused one to the end.
        cell = np.int64(state.amazons[state.mover, first])
        low, high = reach(state, cell)
        if low != 0 or high != 0:
            return 128 * cell + random_cell((low, high), rng)
        state.amazons[state.mover, first] = state.amazons[state.mover, left - 1]
        state.amazons[state.mover, left - 1] = cell
        first = below(rng, max(1, left - 1))
    return -1  # not reached: the mover is not stuck


def random_cell(words, rng):
    """The number of a random set bit."""
    in_low = popcount(words[0])
    n = below(rng, in_low + popcount(words[1]))
    return nth_bit(words[0], n) if n < in_low else 64 + nth_bit(words[1], n - in_low)


def player_to_move(state):
    return state.mover


def is_over(state):
    return state.stuck != 0


def outcome(state):
    return -1.0 if state.mover == 0 else 1.0


def turn(state):
    return state.turns


def position_hash(state):
    return state.key ^ BLACK_TO_MOVE if state.mover == 1 else state.key


def map_move(state, symmetry, move):
    """The starting position is its own mirror image, left and right."""
    if symmetry == 0:
        return move
    if state.shooter != 0:
        return mirrored(state, move)
    return 128 * mirrored(state, move // 128) + mirrored(state, move % 128)


def mirrored(state, cell):
    size = board_size(state)
    row, column = (cell - 1) // (size + 1), (cell - 1) % (size + 1)
    return bit_of(size, row, size - 1 - column)


# --- Starting and text ---------------------------------------------------------------------------

COLUMNS = "abcdefghij"
SYMBOLS = ".WBx"


def new_game(size: Literal[10, 8, 6] = 10) -> rules.State:
    game = rules.new(STATES[size])
    state = game[0]
    state.blocked[0], state.blocked[1] = 1, 1 << 63
    for player, cells in enumerate(STARTS[size]):
        for i, text in enumerate(cells.split()):
            state.amazons[player, i] = _cell(state, text)
            put(state, int(state.amazons[player, i]), WHITE + player)
    return game


def _cell_text(state: Any, cell: int) -> str:
    size = board_size(state)
    row, column = (cell - 1) // (size + 1), (cell - 1) % (size + 1)
    if not (0 <= row < size and 0 <= column < size):
        raise BadInput(f"{cell} is not a cell of a {size}x{size} board")
    return f"{COLUMNS[column]}{row + 1}"


def _cell(state: Any, text: str) -> int:
    size = board_size(state)
    column, row = COLUMNS.find(text[:1].lower()) if text else -1, text[1:]
    if 0 <= column < size and row.isascii() and row.isdecimal() and len(row) <= 2:
        if 1 <= int(row) <= size:
            return int(bit_of(size, int(row) - 1, column))
    raise BadInput(f"{text!r} is not a cell from a1 to {COLUMNS[size - 1]}{size}")


def move_text(state: Any, move: int) -> str:
    """`d1-d7` for the amazon, then `/g7` for the arrow; together the turn `d1-d7/g7`."""
    if state.shooter:
        return f"/{_cell_text(state, move)}"
    return f"{_cell_text(state, move // 128)}-{_cell_text(state, move % 128)}"


def parse_move(state: Any, text: str) -> int:
    if state.shooter:
        return _cell(state, text.removeprefix("/").removeprefix("-").strip("()"))
    origin, dash, target = text.partition("-")
    if not dash:
        raise BadInput(f"move {text!r} is not of the form d1-d7")
    return 128 * _cell(state, origin) + _cell(state, target)


def parse_turn(state: Any, text: str) -> list[str]:
    """The two moves of a turn written as `d1-d7/g7`, `d1-d7(g7)` or `d1-d7-g7`."""
    parts = text.replace("/", "-").replace("(", "-").rstrip(")").split("-")
    if state.shooter or len(parts) != 3:
        return [text]
    return [f"{parts[0]}-{parts[1]}", f"/{parts[2]}"]


def position_text(state: Any) -> str:
    """Rows from the top (W, B, x for arrows, numbers for empty cells), the mover, the amazon that
    has moved and must shoot or -, and the turns made: `.../10/3W2W3 W - 0`."""
    rows = ["".join(SYMBOLS[piece] for piece in row) for row in state.cells[::-1]]
    shooter = _cell_text(state, int(state.shooter)) if state.shooter else "-"
    return f"{pack_rows(rows)} {SYMBOLS[WHITE + state.mover]} {shooter} {state.turns}"


def parse_position(text: str) -> rules.State:
    words = text.split()
    if len(words) != 4:
        raise BadInput(
            f"an Amazons position has 4 parts (rows, mover, shooter, turns), not {len(words)}"
        )
    rows = unpack_rows(words[0], "WBx", SIZES)
    if words[1] not in ("W", "B"):
        raise BadInput(f"mover: {words[1]!r} is neither W nor B")
    game = rules.new(STATES[len(rows)])
    state = game[0]
    state.blocked[0], state.blocked[1] = 1, 1 << 63
    found = [0, 0]
    for row, line in enumerate(reversed(rows)):
        for column, symbol in enumerate(line):
            piece = SYMBOLS.index(symbol)
            cell = int(bit_of(len(rows), row, column))
            if piece in (WHITE, BLACK):
                if found[piece - WHITE] == 4:
                    raise BadInput(f"rows: there are more than four {symbol}")
                state.amazons[piece - WHITE, found[piece - WHITE]] = cell
                found[piece - WHITE] += 1
            if piece != EMPTY:
                put(state, cell, piece)
    if found != [4, 4]:
        raise BadInput(f"rows: there are {found[0]} W and {found[1]} B instead of four each")
    turns, arrows = words[3], words[0].count("x")
    if turns != str(arrows):
        raise BadInput(f"turns: {turns!r} turns cannot have left {arrows} arrows")
    state.turns, state.mover = int(turns), "WB".index(words[1])
    if words[2] != "-":
        shooter = _cell(state, words[2])
        if shooter not in state.amazons[state.mover] or not can_move(state, shooter):
            raise BadInput(f"shooter: no amazon of {words[1]} on {words[2]} could have moved there")
        state.shooter = shooter
        state.key ^= ZOBRIST[EMPTY, shooter]
    else:
        state.stuck = not any(can_move(state, int(cell)) for cell in state.amazons[state.mover])
    return game


def draw(state: Any, marks: dict[int, str]) -> str:
    size = board_size(state)
    targets = {move % 128: label for move, label in reversed(marks.items())}
    header = "   " + " ".join(COLUMNS[:size])
    lines = [header]
    for row in reversed(range(size)):
        line = f"{row + 1:2d} "
        for column in range(size):
            board = "#e8d0a9" if (row + column) % 2 else "#b58863"
            piece = state.cells[row, column]
            mark = targets.get(bit_of(size, row, column))
            if piece == WHITE:
                text = "[bold #ffffff]♕[/]"
            elif piece == BLACK:
                text = "[bold #000000]♛[/]"
            elif piece == ARROW:
                text = "[#303030]✕[/]"
            else:
                text = f"[bold #b00020]{mark[:1]}[/]" if mark else " "
            line += f"[on {board}]{text} [/]"
        lines.append(f"{line} {row + 1}")
    return "\n".join([*lines, header])


game = rules.register(
    __name__,
    {
        STATES[size]: rules.Bounds(moves=16 * (size - 1), length=2 * (size * size - 8))
        for size in SIZES
    },
    name="amazons",
    title="Amazons",
    version=1,
    players=("White", "Black"),
    moves_per_turn=2,
    symmetries=2,
    playouts="an amazon that can move, then one of its moves, then an arrow: each uniform",
)
