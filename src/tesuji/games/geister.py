"""Geister (Ghosts): 6x6, eight ghosts a side, four blue and four red, and nobody sees the other's.

Start with `play`. The first two moves place the colours in secret: a move names the four reds. Then
the players move in turn, one ghost one step, not onto an own ghost; a ghost entered is captured and
shows its colour. A player wins by capturing all four enemy blues, by having all four own reds
captured, or by leading an own blue out of one of the two corners on the far side, which takes a
move from the corner. After `limit` moves the game is a draw.

The board is the inner 6x6 of one 8x8 word: cell (x, y) is bit 9 + x + 8y, in the frame of player 0,
who sits at y = 5 and leaves at y = -1; player 1 sits at y = 0 and leaves at y = 6. Leaving a corner
sideways or straight is one and the same move, to the cell beyond the edge. A move is the number
`origin * 64 + target`, a placement `PLACEMENT + reds` with one bit for each red ghost.

Invariants: `ghosts[player]` are the cells of a player's ghosts, `blues[player]` those known to be
blue among them, `label[cell]` is 1 + 8 * player + number of the ghost there (A is number 0) or 0,
and `colour[player, number]` is UNKNOWN, BLUE or RED. What a player may not know is UNKNOWN in that
player's view.
"""

from typing import Any

import numpy as np

from tesuji import rules
from tesuji.bits import lowest, nth_bit, popcount
from tesuji.errors import BadInput
from tesuji.rng import below, next_u64, table

UNKNOWN, BLUE, RED = 0, 1, 2
PLACEMENT = 4096
ON_BOARD, CAPTURED, ESCAPED = 0, 1, 2
LONGEST = 1000

State = rules.state(
    __file__,
    [
        ("ghosts", "u8", (2,)),
        ("blues", "u8", (2,)),
        ("label", "i1", (64,)),
        ("colour", "i1", (2, 8)),
        ("fate", "i1", (2, 8)),  # ON_BOARD, CAPTURED or ESCAPED
        ("ply", "i2"),  # the two placements count
        ("limit", "i2"),
        ("result", "i1"),  # 0 not over, 1 player 0 won, 2 player 1 won, 3 draw
    ],
)
ZOBRIST = table(1982, 17, 64, 3)  # [label, cell, colour]; cell 0 for captured, 1 for escaped
MOVER = ZOBRIST[0, 0, 0]

BOARD = np.uint64(sum(0x7E << (8 * row) for row in range(1, 7)))
# Beyond the corners: player 0 leaves at the top, player 1 at the bottom.
OUTSIDE = np.array([1 << 1 | 1 << 6, 1 << 57 | 1 << 62], np.uint64)
LEAVING = np.array([8, -8])  # from the cell beyond the edge back to its corner
LAYOUTS = np.array([reds for reds in range(256) if reds.bit_count() == 4], np.int32)


# --- Playing -------------------------------------------------------------------------------------


def legal_moves(state, moves):
    if state.result != 0:
        return 0
    if state.ply < 2:
        for i in range(len(LAYOUTS)):
            moves[i] = PLACEMENT + LAYOUTS[i]
        return len(LAYOUTS)
    count = 0
    targets = reachable(state)
    while targets != 0:
        target = lowest(targets)
        targets &= targets - np.uint64(1)
        movers = neighbours(target) & state.ghosts[state.ply % 2]
        while movers != 0:
            moves[count] = lowest(movers) * 64 + target
            movers &= movers - np.uint64(1)
            count += 1
    return count


def reachable(state):
    """The cells that the mover can enter, those beyond a corner included."""
    mover = state.ply & 1
    own = state.ghosts[mover]
    return around(own) & BOARD & ~own | around(state.blues[mover]) & OUTSIDE[mover]


def around(word):
    """The cells next to those in a word."""
    one, eight = np.uint64(1), np.uint64(8)
    return word << one | word >> one | word << eight | word >> eight


def neighbours(cell):
    return around(np.uint64(1) << np.uint64(cell))


def random_move(state, moves, rng):
    """A cell that can be entered, then a ghost that can enter it: each uniform."""
    if state.ply < 2:
        return PLACEMENT + LAYOUTS[below(rng, len(LAYOUTS))]
    word = next_u64(rng)  # one for both draws
    target = drawn_bit(reachable(state), word >> np.uint64(32))
    movers = neighbours(target) & state.ghosts[state.ply & 1]
    return drawn_bit(movers, word & np.uint64(0xFFFFFFFF)) * 64 + target


def drawn_bit(word, half):
    """The number of one of the bits that are set, drawn by 32 random bits."""
    return nth_bit(word, np.int64(half) * popcount(word) >> 32)


def play(state, move):
    mover = state.ply & 1
    state.ply += 1
    if move >= PLACEMENT:
        place_colours(state, mover, move - PLACEMENT)
        return
    origin, target = move // 64, move % 64
    leaves = np.uint64(1) << np.uint64(origin)
    enters = np.uint64(1) << np.uint64(target)
    if enters & state.ghosts[1 - mover] != 0:
        capture(state, mover, target)
    ghost = state.label[origin]
    state.label[origin] = 0
    if enters & BOARD != 0:
        state.label[target] = ghost
    else:
        state.fate[mover, (ghost - 1) % 8] = ESCAPED
        state.result = 1 + mover
        enters = np.uint64(0)
    # Multiplied rather than branched upon: whether a random ghost is blue cannot be predicted.
    blue = state.blues[mover] >> np.uint64(origin) & np.uint64(1)
    state.blues[mover] ^= blue * (leaves | enters)
    state.ghosts[mover] ^= leaves | enters
    if state.result == 0 and state.ply - 2 >= state.limit:
        state.result = 3


def capture(state, mover, target):
    """Take the enemy's ghost on a cell; decides the game if it was the last of its colour."""
    enemy = 1 - mover
    ghost = (state.label[target] - 1) % 8
    state.fate[enemy, ghost] = CAPTURED
    bit = np.uint64(1) << np.uint64(target)
    state.ghosts[enemy] ^= bit
    if state.blues[enemy] & bit != 0:
        state.blues[enemy] ^= bit
        if state.blues[enemy] == 0:
            state.result = 1 + mover
    elif state.ghosts[enemy] == state.blues[enemy]:
        state.result = 1 + enemy


def place_colours(state, player, reds):
    """Colour a player's ghosts on the board: bit i of `reds` is ghost number i."""
    state.blues[player] = 0
    left = state.ghosts[player]
    while left != 0:
        cell = lowest(left)
        left &= left - np.uint64(1)
        ghost = (state.label[cell] - 1) % 8
        red = reds >> int(ghost) & 1
        state.colour[player, ghost] = RED if red else BLUE
        if not red:
            state.blues[player] |= np.uint64(1) << np.uint64(cell)


def player_to_move(state):
    return state.ply % 2


def is_over(state):
    return state.result != 0


def outcome(state):
    if state.result == 3:
        return 0.0
    return 1.0 if state.result == 1 else -1.0


def turn(state):
    return state.ply


def position_hash(state):
    key = MOVER if state.ply % 2 else np.uint64(0)
    for cell in range(64):
        ghost = state.label[cell]
        if ghost > 0:
            key ^= ZOBRIST[ghost, cell, state.colour[(ghost - 1) // 8, (ghost - 1) % 8]]
    for player in range(2):
        for ghost in range(8):
            if state.fate[player, ghost] != ON_BOARD:
                gone = state.fate[player, ghost] - CAPTURED
                key ^= ZOBRIST[1 + 8 * player + ghost, gone, state.colour[player, ghost]]
    return key ^ np.uint64(state.limit * 4 + min(state.ply, 2))


def map_move(state, symmetry, move):
    """Mirror left and right; the ghosts' letters are mirrored with them."""
    if symmetry == 0:
        return move
    if move >= PLACEMENT:
        reds = 0
        for ghost in range(8):
            reds |= ((move - PLACEMENT) >> ghost & 1) << (ghost ^ 3)
        return PLACEMENT + reds
    return mirrored(move // 64) * 64 + mirrored(move % 64)


def mirrored(cell):
    return cell // 8 * 8 + 7 - cell % 8


# --- What a player knows -------------------------------------------------------------------------


def observe(state, player):
    enemy = 1 - player
    state.blues[enemy] = 0
    for ghost in range(8):
        if state.fate[enemy, ghost] == ON_BOARD:
            state.colour[enemy, ghost] = UNKNOWN


def public_move(state, move):
    """Everybody sees which ghost moves; nobody sees the colours being placed."""
    return rules.SECRET if move >= PLACEMENT else move


def sample_world(state, player, rng):
    """Each way to colour the enemy's ghosts that leaves four of each colour in all is as likely."""
    enemy = 1 - player
    if state.ply <= enemy:
        return  # not placed yet
    reds, unknown = 4, 0
    for ghost in range(8):
        if state.colour[enemy, ghost] == UNKNOWN:
            unknown += 1
        elif state.colour[enemy, ghost] == RED:
            reds -= 1
    for cell in range(64):
        ghost = state.label[cell] - 1
        if ghost // 8 == enemy and state.colour[enemy, ghost % 8] == UNKNOWN:
            if below(rng, unknown) < reds:
                state.colour[enemy, ghost % 8] = RED
                reds -= 1
            else:
                state.colour[enemy, ghost % 8] = BLUE
                state.blues[enemy] |= np.uint64(1) << np.uint64(cell)
            unknown -= 1


# --- Starting and text ---------------------------------------------------------------------------

LETTERS = "ABCDEFGH"
STEPS = {"NORTH": -8, "EAST": 1, "WEST": -1, "SOUTH": 8}
START = "14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u"


def new_game(limit: int = 300) -> rules.State:
    """The ghosts before their colours are placed. After `limit` moves the game is a draw."""
    return parse_position(f"{START} 0 {limit}")


def _cell(x: int, y: int) -> int:
    return 9 + x + 8 * y


def move_text(state: Any, move: int) -> str:
    """`A,NORTH`: a ghost and where it goes, as its player sees the board; `ABCD`: the four reds."""
    if move >= PLACEMENT:
        return "".join(LETTERS[i] for i in range(8) if (move - PLACEMENT) >> i & 1)
    sign = 1 if state.ply % 2 == 0 else -1
    step = sign * (move % 64 - move // 64)
    names = {value: name for name, value in STEPS.items()}
    ghost = int(state.label[move // 64]) - 1
    if move < 0 or ghost < 0 or step not in names:
        raise BadInput(f"{move} is not a move of a ghost")
    return f"{LETTERS[ghost % 8]},{names[step]}"


def parse_move(state: Any, text: str) -> int:
    word = text.upper()
    if state.ply < 2:
        if len(word) != 4 or len(set(word)) != 4 or set(word) - set(LETTERS):
            raise BadInput(f"placement {text!r} is not four different letters from A to H")
        return PLACEMENT + sum(1 << LETTERS.index(letter) for letter in word)
    letter, comma, name = word.partition(",")
    directions = [step for step in STEPS if name and step.startswith(name)]
    if len(letter) != 1 or letter not in LETTERS or not comma or len(directions) != 1:
        raise BadInput(f"move {text!r} is not of the form A,NORTH with a ghost from A to H")
    mover = int(state.ply) % 2
    wanted = 1 + 8 * mover + LETTERS.index(letter)
    cells = [cell for cell, label in enumerate(state.label) if label == wanted]
    if not cells:
        raise BadInput(f"move {text!r}: ghost {letter} is not on the board any more")
    sign = 1 if mover == 0 else -1
    target = cells[0] + sign * STEPS[directions[0]]
    if cells[0] in (_corner(mover, side) for side in (0, 1)) and not _inside(target):
        target = cells[0] - int(LEAVING[mover])  # sideways out of a corner is the same move
    return cells[0] * 64 + target


def _corner(player: int, side: int) -> int:
    """A cell from which a player's blue ghosts leave."""
    return _cell(5 * side, 5 * player)


def _inside(cell: int) -> bool:
    return 1 <= cell % 8 <= 6 and 8 <= cell < 56


def position_text(state: Any) -> str:
    """Three characters for each ghost, A to H of player 0 and then of player 1: x, y and colour (R,
    B, or u for unknown) in player 0's frame; 99 with r or b for a captured ghost, 88 for one that
    has left. Then how many moves there were, placements included, and the limit."""
    parts = []
    cells = {int(label): cell for cell, label in enumerate(state.label)}
    for player in range(2):
        for ghost in range(8):
            symbol = "uBR"[state.colour[player, ghost]]
            if state.fate[player, ghost] != ON_BOARD:
                parts.append(("99", "88")[state.fate[player, ghost] - CAPTURED] + symbol.lower())
                continue
            cell = cells[1 + 8 * player + ghost]
            parts.append(f"{(cell - 9) % 8}{(cell - 9) // 8}{symbol}")
    return f"{''.join(parts)} {state.ply} {state.limit}"


def parse_position(text: str) -> rules.State:
    words = text.split()
    if len(words) != 3 or len(words[0]) != 48:
        raise BadInput("a Geister position is 48 characters, the moves made and the limit")
    for name, word, least, most in (
        ("moves", words[1], 0, LONGEST + 2),
        ("limit", words[2], 1, LONGEST),
    ):
        if not (word.isascii() and word.isdecimal() and len(word) < 6):
            raise BadInput(f"{name}: {word!r} is not a number")
        if not least <= int(word) <= most:
            raise BadInput(f"{name}: {word} is not from {least} to {most}")
    game = rules.new(State)
    state = game[0]
    state.ply, state.limit = int(words[1]), int(words[2])
    for index in range(16):
        _read_ghost(state, index // 8, index % 8, words[0][3 * index : 3 * index + 3])
    for player, name in enumerate(("A to H", "a to h")):
        colours = list(state.colour[player])
        if colours.count(RED) > 4 or colours.count(BLUE) > 4:
            raise BadInput(f"ghosts {name}: more than four have one colour")
        if state.ply <= player and any(colours):
            raise BadInput(f"ghosts {name}: they have colours before they were placed")
        if list(state.fate[player]).count(ESCAPED) > 1:
            raise BadInput(f"ghosts {name}: more than one has left")
    _judge(state)
    return game


def _read_ghost(state: Any, player: int, ghost: int, text: str) -> None:
    name = LETTERS[ghost] if player == 0 else LETTERS[ghost].lower()
    x, y, symbol = text[0], text[1], text[2]
    if text[:2] in ("99", "88"):
        if symbol not in ("r", "b") or text == "88r":
            raise BadInput(f"ghost {name}: {text!r} is neither 99r, 99b nor 88b")
        state.fate[player, ghost] = CAPTURED if text[0] == "9" else ESCAPED
        state.colour[player, ghost] = "ubr".index(symbol)
        return
    if x not in "012345" or y not in "012345" or symbol not in "uBR":
        raise BadInput(f"ghost {name}: {text!r} is not x, y (0 to 5 each) and one of R, B, u")
    cell = _cell(int(x), int(y))
    if state.label[cell]:
        raise BadInput(f"ghost {name}: there is another ghost on {x}{y}")
    state.label[cell] = 1 + 8 * player + ghost
    state.colour[player, ghost] = "uBR".index(symbol)
    state.ghosts[player] |= np.uint64(1 << cell)
    if symbol == "B":
        state.blues[player] |= np.uint64(1 << cell)


def _judge(state: Any) -> None:
    """The result of a position that was read: somebody has left, a colour is gone, time is up."""
    for player in range(2):
        gone = [int(c) for c, f in zip(state.colour[player], state.fate[player], strict=True) if f]
        if ESCAPED in state.fate[player] or gone.count(RED) == 4:
            state.result = 1 + player
        elif gone.count(BLUE) == 4:
            state.result = 2 - player
    if state.result == 0 and state.ply - 2 >= state.limit:
        state.result = 3


def draw(state: Any, marks: dict[int, str]) -> str:
    """Player 0 at the bottom in capitals; blue and red ghosts in colour, unknown ones in white."""
    targets = {move % 64: label for move, label in reversed(marks.items()) if move < PLACEMENT}
    lines = ["   0 1 2 3 4 5"]
    for y in range(6):
        line = f" {y} "
        for x in range(6):
            cell = _cell(x, y)
            ghost = int(state.label[cell]) - 1
            background = "#203040" if (x + y) % 2 else "#283848"
            if (x, y) in ((0, 0), (5, 0), (0, 5), (5, 5)):
                background = "#406040"
            text = f"[bold yellow]{targets[cell][:1]}[/]" if cell in targets else " "
            if ghost >= 0:
                letter = LETTERS[ghost % 8] if ghost < 8 else LETTERS[ghost % 8].lower()
                tint = ("#ffffff", "#60b0ff", "#ff6060")[state.colour[ghost // 8, ghost % 8]]
                text = f"[bold {tint}]{letter}[/]"
            line += f"[on {background}]{text} [/]"
        lines.append(line)
    taken = []
    for player, name in enumerate(("first", "second")):
        lost = [int(c) for c, f in zip(state.colour[player], state.fate[player], strict=True) if f]
        taken.append(f"{name} lost {lost.count(BLUE)} blue, {lost.count(RED)} red")
    return "\n".join([*lines, f"[dim]{'; '.join(taken)}[/]"])


game = rules.register(
    __name__,
    {State: rules.Bounds(moves=70, length=LONGEST + 2)},
    name="geister",
    title="Geister",
    version=1,
    hidden=True,
    symmetries=2,
    playouts="a cell that can be entered, then a ghost that can enter it: each uniform",
)
