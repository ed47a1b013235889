"""Skirmish: the turn-based strategy game of Kato, Miwa, Tsuruoka and Chikayama, on 6x7 or larger.

Start with `play`. Each side has pieces with attack, defence, intelligence (1 to 100) and one
special ability. In a turn each piece may walk once and act once, in either order, where acting is
an attack or the special ability; the player may end the turn early, and it ends by itself when no
piece can do anything more. Each of these is one move. A piece walks over free cells only; entering
a cell beside an enemy ends its walk (zone of control). The side that is left alone has won, both
gone is a draw, and after `rounds` turns of each player the larger sum of hit points wins. The only
lot is whether a confusion succeeds. What the paper leaves open is fixed by the constants below,
each with its reason; docs/games/skirmish.md has the measurements.

Hit points are kept in hundredths, so that bravery's two percent of a blow count. A cell is the
number `row * (columns + 1) + column`, row 0 at the bottom, and one bit of the words that make up a
set of cells: the column that does not exist keeps shifted bits from wrapping around. Pieces are
numbered through, the first player's before the second's. Invariants between moves:

- A piece is alive if `hp` is positive; `row` and `column` are -1 for one that is not.
- `standing[player]` are the cells of a player's pieces, `floor` all cells of the board.
- `moved` and `acted` tell of the mover's pieces in this turn and are 0 for the others; a piece that
  is `confused` sits out its owner's turn, at the end of which it is itself again.
- `ready` has a bit for each piece of the mover that can still do something.
- `caster` and `target` are the pieces of an undecided confusion, or -1; then `ready` is 0.
- `free`, `zone`, `walkers`, `reach` and `rim` are what `flood` works in; they mean nothing between.
"""

import re
from typing import Any, Literal

import numpy as np

from tesuji import rules
from tesuji.bits import lowest, nth_bit, popcount
from tesuji.errors import BadInput, nearest
from tesuji.rng import below, mix, seeded, table, uniform

DASH, FIRE, BRAVERY, CHARGE, CONFUSION = 0, 1, 2, 3, 4

# --- As published --------------------------------------------------------------------------------

MOVEMENT = 4
DASH_MOVEMENT = MOVEMENT + 1
RANGE = 2  # of fire and confusion, in steps up, down, left and right; one step will do, too
BRAVERY_PERCENT = 102
RECOIL_DIVISOR = 3  # "about a third" of the blow strikes back at the attacker

# --- Not published: chosen by measurement, then frozen (docs/games/skirmish.md) ------------------

START_HP = 100_00
"""A hundred points in hundredths, so that a damage reads as a percentage of a fresh piece."""
ATTACK_DAMAGE = 55_00
"""Two blows between equals fell a fresh piece: more rule-based games end by annihilation than with
weaker blows, few are drawn, and some last pieces fall together."""
FIRE_DAMAGE = 25_00
"""Between equals a little less than half a blow: the price of no recoil and of the longer arm."""
CONFUSION_PERCENT = 50
"""Between equals a coin's: an action of one's own for half a turn (two actions) of the enemy's."""
CHARGE_PERCENT = 100
"""A charge strikes (and recoils) like an attack, as it does in the game that the authors follow."""
CHARGE_NEEDS_ROOM = True
"""No charge without a free cell behind the target: it would be the attack again, as a second move.
If this is False, such a charge is an attack."""

BOARDS = {
    "6x7": (6, 7, 3),
    "12x14": (12, 14, 6),
    "15x16": (15, 16, 6),
}  # rows, columns, pieces of each side
MOST_ROUNDS = 50

# --- Moves ---------------------------------------------------------------------------------------

END, HIT, MISS = 0, 1, 2
ATTACK, SPECIAL, WALK = 16, 256, 512  # ATTACK + 16 * piece + target, WALK + 256 * piece + cell


def first_row(rows: int, pieces: int) -> int:
    """Where the pieces start: side by side in the middle of the outermost columns, face to face.

    On 6x7 the sides are six columns apart, so that fire reaches across in the first turn, as it
    does in the paper's sample game, and an attack only after a dash.
    """
    return (rows - pieces) // 2


def fields(rows: int, columns: int, pieces: int) -> list[tuple[Any, ...]]:
    words = -(-rows * (columns + 1) // 64)
    return [
        ("standing", "u8", (2, words)),
        ("floor", "u8", (words,)),
        ("free", "u8", (words,)),
        ("zone", "u8", (words,)),
        ("walkers", "u8", (words,)),
        ("reach", "u8", (words,)),
        ("rim", "u8", (words,)),
        ("ready", "u8"),
        ("hp", "i2", (2 * pieces,)),
        ("row", "i1", (2 * pieces,)),
        ("column", "i1", (2 * pieces,)),
        ("attack", "i1", (2 * pieces,)),
        ("defence", "i1", (2 * pieces,)),
        ("intelligence", "i1", (2 * pieces,)),
        ("ability", "i1", (2 * pieces,)),
        ("moved", "i1", (2 * pieces,)),
        ("acted", "i1", (2 * pieces,)),
        ("confused", "i1", (2 * pieces,)),
        ("caster", "i1"),
        ("target", "i1"),
        ("rows", "i1"),
        ("columns", "i1"),
        ("turns", "i2"),  # completed ones, of both players
        ("rounds", "i2"),
        ("result", "i1"),  # 0 not over, 1 player 0 won, 2 player 1 won, 3 draw
        ("blow", "i2"),  # the damage of an attack between equals
        ("fire", "i2"),
        ("odds", "i2"),  # of a confusion between equals, in percent
    ]


STATES = {name: rules.state(__file__, fields(*board)) for name, board in BOARDS.items()}
ZOBRIST = table(2013, 8, 128)  # [what, value], turned by the number of the piece


# --- Playing -------------------------------------------------------------------------------------


def play(state, move):
    if move == END:
        end_turn(state)
        return
    if move < ATTACK:
        if move == HIT:
            state.confused[state.target] = 1
        state.caster = -1
        state.target = -1
    elif move >= WALK:
        piece, cell = (move - WALK) // 256, (move - WALK) % 256
        stride = int(state.columns) + 1
        lift(state, piece)
        put(state, piece, cell // stride, cell % stride)
        state.moved[piece] = 1
    else:
        special = move >= SPECIAL
        piece, target = (move - (SPECIAL if special else ATTACK)) // 16, move % 16
        state.acted[piece] = 1
        if not special:
            strike(state, piece, target, 100)
        elif state.ability[piece] == FIRE:
            wound(state, target, fire_damage(state, piece, target))
        elif state.ability[piece] == CHARGE:
            charge(state, piece, target)
        else:
            state.caster = piece
            state.target = target
            state.ready = np.uint64(0)
            return
    settle(state)


def strike(state, piece, target, percent):
    """An attack at so many percent of its strength. The recoil is that of the whole blow, whatever
    the target had left; it may fell both, as the last two pieces of the paper's games often do."""
    damage = attack_damage(state, piece, target) * percent // 100
    wound(state, target, damage)
    wound(state, piece, damage // RECOIL_DIVISOR)


def charge(state, piece, target):
    """Strike, and push a target that survives one cell straight away, if there is room."""
    row = 2 * state.row[target] - state.row[piece]
    column = 2 * state.column[target] - state.column[piece]
    strike(state, piece, target, CHARGE_PERCENT)
    if state.hp[target] > 0 and is_free(state, row, column):
        lift(state, target)
        put(state, target, row, column)


def attack_damage(state, piece, target):
    damage = contest(int(state.blow), state.attack[piece], state.defence[target])
    if state.ability[piece] == BRAVERY:
        return damage * BRAVERY_PERCENT // 100
    return damage


def fire_damage(state, piece, target):
    return contest(int(state.fire), state.intelligence[piece], state.intelligence[target])


def contest(between_equals, own, other):
    """A damage by the parameters of both sides: never nothing, and at most nearly twice as much."""
    return 2 * between_equals * int(own) // (int(own) + int(other))


def wound(state, piece, damage):
    """Take hit points from a piece, and the piece from the board if it has none left."""
    left = int(state.hp[piece]) - damage
    if left > 0:
        state.hp[piece] = left
        return
    lift(state, piece)
    state.hp[piece] = 0
    state.row[piece] = -1
    state.column[piece] = -1
    state.moved[piece] = 0
    state.acted[piece] = 0
    state.confused[piece] = 0


def settle(state):
    """After an action: has somebody won, and can the mover's pieces do anything more?"""
    first, second = has_pieces(state, 0), has_pieces(state, 1)
    if not first or not second:
        state.result = 3 if not first and not second else (1 if first else 2)
        state.ready = np.uint64(0)
        return
    find_ready(state)
    if state.ready == 0:
        end_turn(state)


def end_turn(state):
    for piece in own_pieces(state):
        state.moved[piece] = 0
        state.acted[piece] = 0
        state.confused[piece] = 0
    state.turns += 1
    if state.turns == 2 * state.rounds:
        difference = hp_sum(state, 0) - hp_sum(state, 1)
        state.result = 3 if difference == 0 else (1 if difference > 0 else 2)
        state.ready = np.uint64(0)
        return
    find_ready(state)


def has_pieces(state, player):
    for i in range(state.standing.shape[1]):
        if state.standing[player, i] != 0:
            return True
    return False


def hp_sum(state, player):
    total = 0
    for piece in pieces_of(state, player):
        total += int(state.hp[piece])
    return total


def pieces_of(state, player):
    each = len(state.hp) // 2
    return range(player * each, (player + 1) * each)


def own_pieces(state):
    return pieces_of(state, state.turns & 1)


def owner(state, piece):
    return piece // (len(state.hp) // 2)


# --- Cells ---------------------------------------------------------------------------------------


def cell_of(state, row, column):
    return int(row) * (int(state.columns) + 1) + int(column)


def put(state, piece, row, column):
    state.row[piece] = row
    state.column[piece] = column
    cell = cell_of(state, row, column)
    state.standing[owner(state, piece), cell // 64] |= np.uint64(1) << np.uint64(cell % 64)


def lift(state, piece):
    cell = cell_of(state, state.row[piece], state.column[piece])
    state.standing[owner(state, piece), cell // 64] ^= np.uint64(1) << np.uint64(cell % 64)


def is_free(state, row, column):
    """Whether there is such a cell and nobody on it."""
    if row < 0 or row >= state.rows or column < 0 or column >= state.columns:
        return False
    cell = cell_of(state, row, column)
    taken = state.standing[0, cell // 64] | state.standing[1, cell // 64]
    return taken >> np.uint64(cell % 64) & np.uint64(1) == 0


def distance(state, one, other):
    """Steps up, down, left and right from one piece to another, whatever stands between."""
    rows = int(state.row[one]) - int(state.row[other])
    columns = int(state.column[one]) - int(state.column[other])
    return abs(rows) + abs(columns)


def beside(state, words, i):
    """Word number i of the cells next to those in a set, of the column that is none as well."""
    down = np.uint64(state.columns + 1)
    word = words[i]
    near = word << np.uint64(1) | word >> np.uint64(1) | word << down | word >> down
    if i > 0:
        near |= words[i - 1] >> (np.uint64(64) - down) | words[i - 1] >> np.uint64(63)
    if i < len(words) - 1:
        near |= words[i + 1] << (np.uint64(64) - down) | words[i + 1] << np.uint64(63)
    return near


def flood(state, piece):
    """Find the cells that a piece can walk to: `reach`. Those that take all of its movement are in
    `rim`, those beside an enemy (and cells that are none) in `zone`."""
    words = len(state.floor)
    player = owner(state, piece)
    for i in range(words):
        state.free[i] = state.floor[i] & ~(state.standing[0, i] | state.standing[1, i])
        state.zone[i] = beside(state, state.standing[1 - player], i)
        state.walkers[i] = np.uint64(0)
        state.reach[i] = np.uint64(0)
    cell = cell_of(state, state.row[piece], state.column[piece])
    state.walkers[cell // 64] = np.uint64(1) << np.uint64(cell % 64)
    for _ in range(DASH_MOVEMENT if state.ability[piece] == DASH else MOVEMENT):
        for i in range(words):
            state.rim[i] = beside(state, state.walkers, i) & state.free[i] & ~state.reach[i]
        for i in range(words):
            state.reach[i] |= state.rim[i]
            state.walkers[i] = state.rim[i] & ~state.zone[i]


# --- Legal moves ---------------------------------------------------------------------------------


def legal_moves(state, moves):
    if state.result != 0:
        return 0
    if state.caster >= 0:
        moves[0], moves[1] = HIT, MISS
        return 2
    count = 0
    ready = state.ready
    while ready != 0:
        piece = lowest(ready)
        ready &= ready - np.uint64(1)
        if not state.moved[piece]:
            flood(state, piece)
            for i in range(len(state.reach)):
                cells = state.reach[i]
                while cells != 0:
                    moves[count] = WALK + 256 * piece + 64 * i + lowest(cells)
                    cells &= cells - np.uint64(1)
                    count += 1
        count = list_deeds(state, piece, moves, count)
    moves[count] = END
    return count + 1


def list_deeds(state, piece, moves, count):
    """Add a piece's attacks and specials to a list of so many moves; how many there are then."""
    if state.acted[piece]:
        return count
    for target in pieces_of(state, 1 - owner(state, piece)):
        if state.hp[target] > 0:
            steps = distance(state, piece, target)
            if steps == 1:
                moves[count] = ATTACK + 16 * piece + target
                count += 1
            if has_special(state, piece, target, steps):
                moves[count] = SPECIAL + 16 * piece + target
                count += 1
    return count


def has_special(state, piece, target, steps):
    """Whether a piece's ability is something to use on a target so many steps away."""
    ability = state.ability[piece]
    if ability == FIRE:
        return steps <= RANGE
    if ability == CONFUSION:
        return steps <= RANGE and state.confused[target] == 0
    if ability == CHARGE and steps == 1:
        row = 2 * state.row[target] - state.row[piece]
        column = 2 * state.column[target] - state.column[piece]
        return is_free(state, row, column) or not CHARGE_NEEDS_ROOM
    return False


def find_ready(state):
    ready = np.uint64(0)
    for piece in own_pieces(state):
        if state.hp[piece] == 0 or state.confused[piece]:
            continue
        can_act = not state.acted[piece] and has_deed(state, piece)
        if can_act or (not state.moved[piece] and has_way(state, piece)):
            ready |= np.uint64(1) << np.uint64(piece)
    state.ready = ready


def has_deed(state, piece):
    for target in pieces_of(state, 1 - owner(state, piece)):
        if state.hp[target] > 0:
            steps = distance(state, piece, target)
            if steps == 1 or has_special(state, piece, target, steps):
                return True
    return False


def has_way(state, piece):
    """Whether there is a cell to walk to."""
    row, column = state.row[piece], state.column[piece]
    if is_free(state, row, column + 1) or is_free(state, row, column - 1):
        return True
    return is_free(state, row + 1, column) or is_free(state, row - 1, column)


def random_move(state, moves, rng):
    """A piece that can do something, then one of its actions or the end of the turn: each alike."""
    if state.caster >= 0:
        return HIT if uniform(rng) < chance_odds(state, HIT) else MISS
    if state.ready == 0:
        return END
    piece = nth_bit(state.ready, below(rng, popcount(state.ready)))
    deeds = list_deeds(state, piece, moves, 0)
    walks = 0
    if not state.moved[piece]:
        flood(state, piece)
        walks = count_reach(state)
    chosen = below(rng, deeds + walks + 1)
    if chosen < deeds:
        return moves[chosen]
    chosen -= deeds
    if chosen == walks:
        return END
    return nth_walk(state, piece, chosen)


def count_reach(state):
    """How many cells are marked in `reach`."""
    count = 0
    for i in range(len(state.reach)):
        count += popcount(state.reach[i])
    return count


def nth_walk(state, piece, number):
    """The walk of a piece to one of the cells that are marked in `reach`."""
    i = 0
    while number >= popcount(state.reach[i]):
        number -= popcount(state.reach[i])
        i += 1
    return WALK + 256 * piece + 64 * i + nth_bit(state.reach[i], number)


def chance_odds(state, move):
    own = int(state.intelligence[state.caster])
    odds = state.odds / 100 * 2 * own / (own + int(state.intelligence[state.target]))
    return odds if move == HIT else 1 - odds


# --- The rest of the contract --------------------------------------------------------------------


def player_to_move(state):
    return rules.CHANCE if state.caster >= 0 else state.turns & 1


def is_over(state):
    return state.result != 0


def outcome(state):
    if state.result == 3:
        return 0.0
    return 1.0 if state.result == 1 else -1.0


def turn(state):
    return state.turns


def position_hash(state):
    key = ZOBRIST[7, state.rounds] ^ ZOBRIST[6, 64 + (state.turns & 1)]
    if state.caster >= 0:
        key ^= ZOBRIST[6, 32 + state.caster] ^ ZOBRIST[6, 48 + state.target]
    for piece in range(len(state.hp)):
        hp = int(state.hp[piece])
        flags = state.moved[piece] + 2 * state.acted[piece] + 4 * state.confused[piece]
        word = ZOBRIST[0, hp % 128] ^ ZOBRIST[1, hp // 128]
        word ^= ZOBRIST[2, state.row[piece] + 1] ^ ZOBRIST[2, 64 + state.column[piece]]
        word ^= ZOBRIST[3, state.attack[piece]] ^ ZOBRIST[4, state.defence[piece]]
        word ^= ZOBRIST[5, state.intelligence[piece]] ^ ZOBRIST[6, state.ability[piece]]
        word ^= ZOBRIST[6, 16 + flags]
        turned = np.uint64(1 + 5 * piece)
        key ^= word << turned | word >> (np.uint64(64) - turned)
    if state.blow != ATTACK_DAMAGE or state.fire != FIRE_DAMAGE or state.odds != CONFUSION_PERCENT:
        constants = np.uint64(state.blow) << np.uint64(32) | np.uint64(state.fire) << np.uint64(8)
        key ^= mix(constants | np.uint64(state.odds))
    return key


# --- Starting ------------------------------------------------------------------------------------

LETTERS = "abcdefghijkl"
COLUMNS = "abcdefghijklmnop"
ABILITIES = ("dash", "fire", "bravery", "charge", "confusion")
PLAYERS = ("first", "second")


def new_game(
    board: Literal["6x7", "12x14", "15x16"] = "6x7",
    abilities: str = "confusion.fire.charge",
    parameters: str = "50",
    rounds: int = 10,
    seed: int = 0,
    blow: int = ATTACK_DAMAGE // 100,
    fire: int = FIRE_DAMAGE // 100,
    odds: int = CONFUSION_PERCENT,
) -> rules.State:
    """Pieces face to face.

    abilities   names with points between, the first player's, a dash, the second player's; or one
                list for both; a list may be shorter, to be repeated; or `random`
    parameters  likewise, each attack/defence/intelligence or one number for the three; or `random`
    seed        for what is random
    blow, fire  the damage of an attack and of fire between equals, for trying other constants
    odds        of a confusion between equals, in percent
    """
    if board not in BOARDS:
        raise BadInput(f"board must be one of {', '.join(BOARDS)}, not {board!r}")
    if not isinstance(rounds, int) or not 1 <= rounds <= MOST_ROUNDS:
        raise BadInput(f"rounds must be 1 to {MOST_ROUNDS}, not {rounds}")
    rows, columns, pieces = BOARDS[board]
    game = _empty(board)
    state = game[0]
    state.rounds = rounds
    _set_constants(state, str(blow), str(fire), str(odds))
    if abilities == "random":
        stream = seeded(seed, "skirmish", "abilities")
        state.ability[:] = [below(stream, len(ABILITIES)) for _ in state.ability]
    else:
        state.ability[:] = [_ability(name) for name in _both_sides("abilities", abilities, pieces)]
    if parameters == "random":
        stream = seeded(seed, "skirmish", "parameters")
        triples = [tuple(1 + int(below(stream, 100)) for _ in range(3)) for _ in state.hp]
    else:
        words = _both_sides("parameters", str(parameters), pieces)
        triples = [_three(word if "/" in word else "/".join([word] * 3)) for word in words]
    for piece, triple in enumerate(triples):
        state.attack[piece], state.defence[piece], state.intelligence[piece] = triple
        state.hp[piece] = START_HP
        side = 0 if piece < pieces else columns - 1
        put(state, piece, first_row(rows, pieces) + piece % pieces, side)
    find_ready(state)
    return game


def _empty(board: str) -> rules.State:
    """A board without pieces."""
    rows, columns, _ = BOARDS[board]
    game = rules.new(STATES[board])
    state = game[0]
    state.rows, state.columns = rows, columns
    state.blow, state.fire, state.odds = ATTACK_DAMAGE, FIRE_DAMAGE, CONFUSION_PERCENT
    state.caster = state.target = -1
    state.row[:] = state.column[:] = -1
    for row in range(rows):
        for column in range(columns):
            cell = cell_of(state, row, column)
            state.floor[cell // 64] |= np.uint64(1 << cell % 64)
    return game


def _set_constants(state: Any, blow: str, fire: str, odds: str) -> None:
    state.blow = 100 * _number("blow", blow, 1, 150)
    state.fire = 100 * _number("fire", fire, 1, 150)
    state.odds = _number("odds", odds, 0, 50)


def _both_sides(setting: str, text: str, pieces: int) -> list[str]:
    """A word for each piece of both sides."""
    sides = text.split("-")
    if len(sides) > 2:
        raise BadInput(f"{setting}: {text!r} is for {len(sides)} sides instead of two")
    words = []
    for side in sides if len(sides) == 2 else sides * 2:
        names = side.split(".")
        if pieces % len(names):
            raise BadInput(f"{setting}: {side!r} is for {len(names)} pieces instead of {pieces}")
        words += names * (pieces // len(names))
    return words


def _ability(name: str) -> int:
    if name not in ABILITIES:
        raise BadInput(f"abilities: there is no {name!r}{nearest(name, ABILITIES)}")
    return ABILITIES.index(name)


def _number(where: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and least <= int(text) <= most):
        raise BadInput(f"{where}: {text!r} is not a whole number from {least} to {most}")
    return int(text)


def _three(text: str, where: str = "parameters") -> tuple[int, int, int]:
    words = text.split("/")
    if len(words) != 3:
        raise BadInput(f"{where}: {text!r} is not attack/defence/intelligence")
    attack, defence, intelligence = (_number(where, word, 1, 100) for word in words)
    return attack, defence, intelligence


# --- Text ----------------------------------------------------------------------------------------


def _cell_text(row: int, column: int) -> str:
    return f"{COLUMNS[column]}{row + 1}"


def _parse_cell(state: Any, text: str) -> tuple[int, int] | None:
    column, row = COLUMNS.find(text[:1]), text[1:]
    if text and 0 <= column < state.columns and re.fullmatch("[1-9][0-9]?", row):
        if int(row) <= state.rows:
            return int(row) - 1, column
    return None


def move_text(state: Any, move: int) -> str:
    """`a:c3` walks, `a*d` attacks, `a!d` is the special; `end`; for the lot `hit` or `miss`."""
    if move in (END, HIT, MISS):
        return ("end", "hit", "miss")[move]
    pieces = len(state.hp)
    if move >= WALK:
        piece, cell = divmod(move - WALK, 256)
        row, column = divmod(cell, int(state.columns) + 1)
        if piece < pieces and row < state.rows and column < state.columns:
            return f"{LETTERS[piece]}:{_cell_text(row, column)}"
    else:
        base, sign = (SPECIAL, "!") if move >= SPECIAL else (ATTACK, "*")
        piece, target = divmod(move - base, 16)
        if 0 <= piece < pieces and target < pieces:
            return f"{LETTERS[piece]}{sign}{LETTERS[target]}"
    raise BadInput(f"{move} is not a move of a piece")


def parse_move(state: Any, text: str) -> int:
    word = text.lower()
    if word in ("end", "hit", "miss"):
        return ("end", "hit", "miss").index(word)
    pieces = len(state.hp)
    last = LETTERS[pieces - 1]
    piece, sign, rest = LETTERS.find(word[:1]), word[1:2], word[2:]
    if not word or not 0 <= piece < pieces or sign not in (":", "*", "!"):
        raise BadInput(
            f"move {text!r} is neither end, hit, miss nor of the form a:c3, a*d or a!d "
            f"with a piece from a to {last}"
        )
    if sign == ":":
        place = _parse_cell(state, rest)
        if place is None:
            corner = _cell_text(state.rows - 1, state.columns - 1)
            raise BadInput(f"move {text!r}: {rest!r} is not a cell from a1 to {corner}")
        return WALK + 256 * piece + int(cell_of(state, *place))
    target = LETTERS.find(rest)
    if len(rest) != 1 or not 0 <= target < pieces:
        raise BadInput(f"move {text!r}: {rest!r} is not a piece from a to {last}")
    return (ATTACK if sign == "*" else SPECIAL) + 16 * piece + target


def _hp_text(hp: int) -> str:
    return f"{hp // 100}.{hp % 100:02d}".rstrip("0").rstrip(".")


def position_text(state: Any) -> str:
    """Board, round and number of rounds, mover, an undecided confusion such as `a!d` or -, and each
    piece: letter, cell (- for none), hit points, attack/defence/intelligence, ability, and m for
    moved, a for acted, c for confused: `6x7 1/10 first - a:a2:100:50/50/50:fire:ma ...`. Constants
    other than the game's own follow: `blow/fire/odds:60/30/50`."""
    rows, columns = int(state.rows), int(state.columns)
    lot = f"{LETTERS[state.caster]}!{LETTERS[state.target]}" if state.caster >= 0 else "-"
    rounds, mover = divmod(int(state.turns), 2)
    words = [f"{rows}x{columns}", f"{rounds + 1}/{state.rounds}", PLAYERS[mover], lot]
    for piece in range(len(state.hp)):
        alive = state.hp[piece] > 0
        flags = [("m", state.moved), ("a", state.acted), ("c", state.confused)]
        three = (state.attack[piece], state.defence[piece], state.intelligence[piece])
        parts = [
            LETTERS[piece],
            _cell_text(state.row[piece], state.column[piece]) if alive else "-",
            _hp_text(int(state.hp[piece])),
            "/".join(str(number) for number in three),
            ABILITIES[state.ability[piece]],
            "".join(letter for letter, flag in flags if flag[piece]) or "-",
        ]
        words.append(":".join(parts))
    constants = int(state.blow), int(state.fire), int(state.odds)
    if constants != (ATTACK_DAMAGE, FIRE_DAMAGE, CONFUSION_PERCENT):
        words.append(f"{CONSTANTS}{constants[0] // 100}/{constants[1] // 100}/{constants[2]}")
    return " ".join(words)


CONSTANTS = "blow/fire/odds:"


def parse_position(text: str) -> rules.State:
    board, *words = text.split() or [""]
    constants = words.pop() if words and words[-1].startswith(CONSTANTS) else None
    if board not in BOARDS:
        raise BadInput(f"board: {board!r} is not one of {', '.join(BOARDS)}")
    pieces = 2 * BOARDS[board][2]
    if len(words) != 3 + pieces:
        raise BadInput(
            f"a position on {board} has {4 + pieces} parts (board, round, mover, undecided "
            f"confusion, {pieces} pieces), not {1 + len(words)}"
        )
    game = _empty(board)
    state = game[0]
    if constants is not None:
        three = constants.removeprefix(CONSTANTS).split("/")
        if len(three) != 3:
            raise BadInput(f"constants: {constants!r} is not of the form {CONSTANTS}60/30/50")
        _set_constants(state, *three)
    now, slash, rounds = words[0].partition("/")
    if not slash:
        raise BadInput(f"round: {words[0]!r} is not of the form 1/10")
    state.rounds = _number("rounds", rounds, 1, MOST_ROUNDS)
    if words[1] not in PLAYERS:
        raise BadInput(f"mover: {words[1]!r} is neither first nor second")
    mover = PLAYERS.index(words[1])
    most = int(state.rounds) + (mover == 0)  # after the last round it would be the first's turn
    state.turns = 2 * _number("round", now, 1, most) - 2 + mover
    for piece, word in enumerate(words[3:]):
        _read_piece(state, piece, word)
    _judge(state)
    _read_lot(state, words[2])
    if state.caster < 0 and state.result == 0:
        find_ready(state)
    return game


def _read_piece(state: Any, piece: int, text: str) -> None:
    name = LETTERS[piece]
    parts = text.split(":")
    if len(parts) != 6 or parts[0] != name:
        raise BadInput(
            f"piece {name}: {text!r} is not of the form "
            f"{name}:cell:hp:attack/defence/intelligence:ability:flags"
        )
    _, cell, hp, three, ability, flags = parts
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?", hp):
        raise BadInput(f"piece {name}: {hp!r} is not a number of hit points such as 100 or 86.4")
    whole, _, hundredths = hp.partition(".")
    points = 100 * int(whole) + int(hundredths.ljust(2, "0"))
    if points > START_HP or (points > 0) != (cell != "-"):
        most = _hp_text(START_HP)
        raise BadInput(f"piece {name}: {hp} hit points on {cell} (0 and - if dead, at most {most})")
    triple = _three(three, f"piece {name}")
    state.attack[piece], state.defence[piece], state.intelligence[piece] = triple
    if ability not in ABILITIES:
        raise BadInput(
            f"piece {name}: there is no ability {ability!r}{nearest(ability, ABILITIES)}"
        )
    state.ability[piece] = ABILITIES.index(ability)
    if flags not in ("-", "m", "a", "ma", "c") or (points == 0 and flags != "-"):
        raise BadInput(f"piece {name}: {flags!r} is not one of -, m, a, ma, c (- if dead)")
    if flags not in ("-", "c") and piece not in own_pieces(state):
        raise BadInput(f"piece {name}: {flags!r}, but it is the other player's turn")
    state.moved[piece], state.acted[piece] = "m" in flags, "a" in flags
    state.confused[piece] = "c" in flags
    state.hp[piece] = points
    if points == 0:
        return
    place = _parse_cell(state, cell)
    if place is None:
        corner = _cell_text(state.rows - 1, state.columns - 1)
        raise BadInput(f"piece {name}: {cell!r} is not a cell from a1 to {corner}")
    if not is_free(state, *place):
        raise BadInput(f"piece {name}: there is another piece on {cell}")
    put(state, piece, *place)


def _read_lot(state: Any, text: str) -> None:
    if text == "-":
        return
    caster, target = LETTERS.find(text[:1]), LETTERS.find(text[2:])
    enemies = pieces_of(state, 1 - (int(state.turns) & 1))
    if len(text) != 3 or text[1] != "!" or caster not in own_pieces(state) or target not in enemies:
        raise BadInput(f"confusion: {text!r} is not - or a piece of the mover, !, and an enemy")
    if state.result != 0 or not state.acted[caster] or state.ability[caster] != CONFUSION:
        raise BadInput(f"confusion: {text!r}, but {text[0]} has not just used that ability")
    steps = distance(state, caster, target)
    if state.hp[target] == 0 or not has_special(state, caster, target, steps):
        raise BadInput(f"confusion: {text!r}, but {text[2]} is not there to be confused")
    state.caster, state.target = caster, target


def _judge(state: Any) -> None:
    """The result of a position that was read."""
    first, second = has_pieces(state, 0), has_pieces(state, 1)
    if not first or not second:
        state.result = 3 if first == second else (1 if first else 2)
    elif state.turns == 2 * state.rounds:
        difference = hp_sum(state, 0) - hp_sum(state, 1)
        state.result = 3 if difference == 0 else (1 if difference > 0 else 2)


SIDES = ("#60b0ff", "#ff7060")


def draw(state: Any, marks: dict[int, str]) -> str:
    """The first player in blue, the second in red, with letters and hit points (rounded up); below,
    what each piece has and has done. A mark is put on the cell or the target of its move."""
    rows, columns, pieces = int(state.rows), int(state.columns), len(state.hp)
    alive = [piece for piece in range(pieces) if state.hp[piece] > 0]
    places = {(int(state.row[p]), int(state.column[p])): p for p in alive}
    labels: dict[tuple[int, int], str] = {}
    for move, label in reversed(marks.items()):
        if move >= WALK:
            labels[divmod((move - WALK) % 256, columns + 1)] = label[:1]
        elif move >= ATTACK and move % 16 in alive:
            labels[int(state.row[move % 16]), int(state.column[move % 16])] = label[:1]
    header = "   " + "".join(f"  {COLUMNS[column]}   " for column in range(columns))
    lines = [header]
    for row in reversed(range(rows)):
        line = f"{row + 1:2d} "
        for column in range(columns):
            ground = "#203020" if (row + column) % 2 else "#283828"
            place = (row, column)
            label = f"[bold yellow]{labels[place]}[/]" if place in labels else " "
            body = "  ·  "
            if place in places:
                piece = places[place]
                hp = -(-int(state.hp[piece]) // 100)
                body = f"[bold {SIDES[owner(state, piece)]}]{LETTERS[piece]}[/] {hp:3d}"
            line += f"[on {ground}]{body}{label}[/]"
        lines.append(line)
    for piece in range(pieces):
        flags = [("moved", state.moved), ("acted", state.acted), ("confused", state.confused)]
        done = [word for word, flag in flags if flag[piece]] if piece in alive else ["gone"]
        three = f"{state.attack[piece]}/{state.defence[piece]}/{state.intelligence[piece]}"
        hp_left = _hp_text(int(state.hp[piece]))
        lines.append(
            f"[{SIDES[owner(state, piece)]}]{LETTERS[piece]}[/] {hp_left:>6} "
            f"{ABILITIES[state.ability[piece]]:9} {three:11} {', '.join(done)}".rstrip()
        )
    rounds, mover = divmod(int(state.turns), 2)
    status = (
        f"round {min(rounds + 1, int(state.rounds))} of {state.rounds}, {PLAYERS[mover]}'s turn"
    )
    if state.caster >= 0:
        status += f", is {LETTERS[state.target]} confused by {LETTERS[state.caster]}?"
    words = [f"{move_text(state, m)} [bold yellow]{marks[m][:1]}[/]" for m in marks if m < ATTACK]
    return "\n".join([*lines, ", ".join([f"[dim]{status}[/]", *words])])


def _bounds(rows: int, columns: int, pieces: int) -> rules.Bounds:
    """A dash leads to 60 cells at most; a piece walks, acts, and may need a lot, in each turn."""
    each = min(rows * columns, 60) + 2 * pieces
    return rules.Bounds(moves=pieces * each + 1, length=2 * MOST_ROUNDS * 3 * pieces)


game = rules.register(
    __name__,
    {STATES[name]: _bounds(*board) for name, board in BOARDS.items()},
    name="skirmish",
    title="Skirmish",
    version=1,
    players=PLAYERS,
    moves_per_turn=3 * max(pieces for _, _, pieces in BOARDS.values()),
    chance=True,
    playouts="a piece that can do something, then one of its actions or the end of the turn",
)
