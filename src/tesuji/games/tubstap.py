"""TUBSTAP: two armies on a grid, no dice; in a turn each unit may act once, in any order.

Start with `play`. A move is one unit's whole action: where it goes (or that it stays), and whom it
then attacks, if anybody; or the end of the turn, which comes by itself when all have acted. A
direct unit moves and attacks a neighbour; a cannon either moves or fires at distance 2 to 3. The
side without units has lost; when `limit` turns (of one player each) are over, a side whose HP
exceed the other's by more than `threshold` has won, and otherwise it is a draw.

Maps have up to 30x30 cells and a border that nobody can enter. They come in three record types,
for 8x8, 16x16 and 32x32 with the border, so that a new map is not compiled anew. A cell is
`y * side + x`. A move is the number `(unit * CELLS + cell) * TARGETS + target`, with target 0 for
no attack and else 1 + the unit attacked; `END` ends the turn.

Movement is a flood over rows of bits: bit x of `ground[c, 0, y]` says that class c (air, vehicle,
infantry) enters cell (x, y) for one step, of `ground[c, 1, y]` for two. `army[team]` are the cells
of a team, `at[cell]` is 1 + the unit there or 0. `reached` is memory for the flood to work in.
"""

from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from tesuji import rules
from tesuji.bits import lowest, nth_bit, popcount
from tesuji.errors import BadInput
from tesuji.formats import tbsmap
from tesuji.rng import below, mix

FIGHTER, ATTACKER, PANZER, CANNON, ANTIAIR, INFANTRY = range(6)
LETTERS = "FAPURI"
MOVEMENT = np.array([9, 7, 6, 5, 6, 3])
CLASS = np.array([0, 0, 1, 1, 1, 2])  # air, vehicle, infantry
AIR = 0
POWER = np.array(
    [
        [55, 65, 0, 0, 0, 0],
        [0, 0, 105, 105, 85, 115],
        [0, 0, 55, 70, 75, 75],
        [0, 0, 60, 75, 65, 90],
        [70, 70, 15, 50, 45, 105],
        [0, 0, 5, 10, 3, 55],
    ]
)
COST = np.array(  # of entering, by class and terrain; 0: it cannot
    [[0, 1, 1, 1, 1, 1, 1], [0, 1, 0, 2, 0, 1, 1], [0, 1, 0, 1, 2, 1, 1]]
)
STARS = np.array([0, 1, 0, 3, 4, 0, 4])
RED, BLUE = 0, 1
SIDES = (8, 16, 32)
UNITS = {8: 16, 16: 32, 32: 64}
CELLS, TARGETS = 1024, 128
END = 64 * CELLS * TARGETS
LONGEST = 1000  # turns


def fields(side: int) -> list[tuple[Any, ...]]:
    return [
        ("ground", "u8", (3, 2, side)),
        ("army", "u8", (2, side)),
        ("reached", "u8", (3, side)),
        ("map_key", "u8"),  # hash of all that does not change in a game
        ("cell", "i2", (UNITS[side],)),
        ("turns", "i2"),
        ("limit", "i2"),
        ("threshold", "i2"),
        ("antiair_power", "i2"),  # of R against I: the platform's code and its page differ
        ("terrain", "i1", (side * side,)),
        ("at", "i1", (side * side,)),
        ("kind", "i1", (UNITS[side],)),
        ("team", "i1", (UNITS[side],)),
        ("hp", "i1", (UNITS[side],)),
        ("acted", "i1", (UNITS[side],)),
        ("alive", "i1", (2,)),
        ("ready", "i1"),  # units of the mover that have not acted
        ("n_units", "i1"),
        ("width", "i1"),
        ("height", "i1"),
        ("mover", "i1"),
        ("result", "i1"),  # 0 not over, 1 red won, 2 blue won, 3 draw
    ]


STATES = {side: rules.state(__file__, fields(side)) for side in SIDES}


def side_of(state):
    return state.army.shape[1]


# --- What a unit can do --------------------------------------------------------------------------


def flood(state, unit):
    """Mark in `reached[0]` where a unit can stop: free cells within its movement, and its own.

    `reached[k % 3]` holds the cells within k steps; entering for two steps looks back two sets.
    """
    x, y = state.cell[unit] % side_of(state), state.cell[unit] // side_of(state)
    unit_class = CLASS[state.kind[unit]]
    enemy = 1 - state.team[unit]
    steps = MOVEMENT[state.kind[unit]]
    for k in range(3):
        for row in range(side_of(state)):
            state.reached[k, row] = 0
    here = np.uint64(1) << np.uint64(x)
    state.reached[0, y] = here
    one = np.uint64(1)
    for k in range(1, steps + 1):
        now, before, earlier = k % 3, (k + 2) % 3, (k + 1) % 3
        for row in range(max(1, y - k), min(state.height - 1, y + k + 1)):
            near = state.reached[before, row]
            near = near << one | near >> one | state.reached[before, row - 1]
            near = (near | state.reached[before, row + 1]) & state.ground[unit_class, 0, row]
            if k > 1 and unit_class != AIR:
                far = state.reached[earlier, row]
                far = far << one | far >> one | state.reached[earlier, row - 1]
                far |= state.reached[earlier, row + 1]
                near |= far & state.ground[unit_class, 1, row]
            near &= ~state.army[enemy, row]
            # This row's memory is three sets old; what was reached stays reached.
            state.reached[now, row] = state.reached[before, row] | near
    last = steps % 3
    for row in range(side_of(state)):
        free = ~(state.army[0, row] | state.army[1, row])
        state.reached[0, row] = state.reached[last, row] & free
    state.reached[0, y] |= here


def can_stop(state, cell):
    """Whether the flood says that the unit can stop there."""
    x, y = cell % side_of(state), cell // side_of(state)
    return state.reached[0, y] >> np.uint64(x) & np.uint64(1) != 0


def power(state, attacker, defender):
    if state.kind[attacker] == ANTIAIR and state.kind[defender] == INFANTRY:
        return np.int64(state.antiair_power)
    return POWER[state.kind[attacker], state.kind[defender]]


def attack_of(state, unit, n):
    """The n-th attack that a unit can make after the flood, as a move; or -1 - how many there are.

    Attacks are counted by enemy, and for each enemy by the cell next to it that one attacks from.
    """
    side = side_of(state)
    home = np.int64(state.cell[unit])
    count = 0
    for enemy in range(state.n_units):
        if state.team[enemy] == state.team[unit] or state.hp[enemy] == 0:
            continue
        if power(state, unit, enemy) == 0:
            continue
        there = np.int64(state.cell[enemy])
        if state.kind[unit] == CANNON:
            distance = abs(there % side - home % side) + abs(there // side - home // side)
            if 2 <= distance <= 3:
                if count == n:
                    return (unit * CELLS + home) * TARGETS + 1 + enemy
                count += 1
            continue
        for step in (-side, -1, 1, side):
            if can_stop(state, there + step):
                if count == n:
                    return (unit * CELLS + there + step) * TARGETS + 1 + enemy
                count += 1
    return -1 - count


def legal_moves(state, moves):
    if state.result != 0:
        return 0
    count = 0
    for unit in range(state.n_units):
        if not is_ready(state, unit):
            continue
        flood(state, unit)
        for y in range(1, state.height - 1):
            row = state.reached[0, y]
            while row != 0:
                cell = y * side_of(state) + lowest(row)
                moves[count] = (unit * CELLS + cell) * TARGETS
                row &= row - np.uint64(1)
                count += 1
        n = 0
        move = attack_of(state, unit, n)
        while move >= 0:
            moves[count] = move
            count += 1
            n += 1
            move = attack_of(state, unit, n)
    moves[count] = END
    return count + 1


def is_ready(state, unit):
    return state.team[unit] == state.mover and state.hp[unit] > 0 and state.acted[unit] == 0


def random_move(state, moves, rng):
    """A unit that has not acted, then one of its actions: each uniform. Never an early end."""
    skip = below(rng, state.ready)
    unit = 0
    while not is_ready(state, unit) or skip > 0:
        skip -= is_ready(state, unit)
        unit += 1
    flood(state, unit)
    cells = 0
    for y in range(1, state.height - 1):
        cells += popcount(state.reached[0, y])
    n = below(rng, cells - 1 - attack_of(state, unit, -1))
    if n >= cells:
        return attack_of(state, unit, n - cells)
    y = 1
    while n >= popcount(state.reached[0, y]):
        n -= popcount(state.reached[0, y])
        y += 1
    cell = y * side_of(state) + nth_bit(state.reached[0, y], n)
    return (unit * CELLS + cell) * TARGETS


# --- Playing -------------------------------------------------------------------------------------


def play(state, move):
    if move == END:
        end_turn(state)
        return
    target = move % TARGETS - 1
    cell = move // TARGETS % CELLS
    unit = move // TARGETS // CELLS
    lift(state, unit)
    state.cell[unit] = cell
    drop(state, unit)
    state.acted[unit] = 1
    state.ready -= 1
    if target >= 0:
        attack(state, unit, target)
    if state.alive[0] == 0 or state.alive[1] == 0:
        state.result = 1 if state.alive[0] > 0 else 2
    elif state.ready == 0:
        end_turn(state)


def lift(state, unit):
    """Take a unit off its cell."""
    cell = np.int64(state.cell[unit])
    state.at[cell] = 0
    bit = np.uint64(1) << np.uint64(cell % side_of(state))
    state.army[state.team[unit], cell // side_of(state)] &= ~bit


def drop(state, unit):
    """Put a unit on its cell."""
    cell = np.int64(state.cell[unit])
    state.at[cell] = unit + 1
    bit = np.uint64(1) << np.uint64(cell % side_of(state))
    state.army[state.team[unit], cell // side_of(state)] |= bit


def attack(state, unit, target):
    """An attack, and the answer of a defender who survives, if both fight hand to hand."""
    hit(state, unit, target)
    if state.hp[target] > 0 and state.kind[unit] != CANNON and state.kind[target] != CANNON:
        hit(state, target, unit)


def hit(state, unit, target):
    state.hp[target] -= damage(state, unit, target)
    if state.hp[target] == 0:
        lift(state, target)
        state.alive[state.team[target]] -= 1
        if state.team[target] == state.mover and state.acted[target] == 0:
            state.ready -= 1


def damage(state, unit, target):
    """What an attack takes from the target; the cell's stars protect units on the ground."""
    stars = STARS[state.terrain[state.cell[target]]]
    if CLASS[state.kind[target]] == AIR:
        stars = 0
    health = np.int64(state.hp[target])
    strength = power(state, unit, target) * np.int64(state.hp[unit]) + 70
    return min(health, strength // (100 + stars * health))


def end_turn(state):
    state.turns += 1
    state.mover = 1 - state.mover
    state.ready = state.alive[state.mover]
    for unit in range(state.n_units):
        state.acted[unit] = 0
    if state.turns >= state.limit:
        lead = total_hp(state, RED) - total_hp(state, BLUE)
        state.result = 3
        if abs(lead) > state.threshold:
            state.result = 1 if lead > 0 else 2


def total_hp(state, team):
    total = 0
    for unit in range(state.n_units):
        if state.team[unit] == team:
            total += int(state.hp[unit])
    return total


def player_to_move(state):
    return state.mover


def is_over(state):
    return state.result != 0


def outcome(state):
    if state.result == 3:
        return 0.0
    return 1.0 if state.result == 1 else -1.0


def turn(state):
    return state.turns


def position_hash(state):
    key = state.map_key ^ np.uint64(state.mover)
    for unit in range(state.n_units):
        if state.hp[unit] > 0:
            place = np.int64(unit) * CELLS + state.cell[unit]
            key ^= mix(np.uint64(place * 32 + 2 * np.int64(state.hp[unit]) + state.acted[unit]))
    return key


# --- Maps and text -------------------------------------------------------------------------------


def map_names() -> list[str]:
    """The maps that tesuji brings."""
    files = resources.files("tesuji").joinpath("maps").iterdir()
    return sorted(
        file.name.removesuffix(".tbsmap") for file in files if file.name.endswith(".tbsmap")
    )


def new_game(map: str = "map01", antiair: int = 105, draws: bool = False) -> rules.State:
    """A map by its name, or a `.tbsmap` file.

    antiair  the power of anti-air against infantry: 105 as the platform's code has it, or 115 as
             its page says
    draws    whether only annihilation wins, as in Kimura's matches, and everything else is a draw
    """
    if antiair not in (105, 115):
        raise BadInput(f"antiair must be 105 or 115, not {antiair}")
    if map.endswith(".tbsmap"):
        board = tbsmap.read_file(Path(map))
    elif map in map_names():
        text = resources.files("tesuji").joinpath("maps", f"{map}.tbsmap").read_text("utf-8")
        board = tbsmap.read(text)
    else:
        raise BadInput(f"there is no map called {map!r} (there is {', '.join(map_names())})")
    return from_map(board, antiair, 10_000 if draws else board.hp_threshold)


def from_map(board: tbsmap.Map, antiair: int = 105, threshold: int | None = None) -> rules.State:
    """The starting position of a map."""
    width, height = len(board.terrain[0]), len(board.terrain)
    side = next(side for side in SIDES if max(width, height) <= side)
    if len(board.units) > UNITS[side]:
        raise BadInput(
            f"{len(board.units)} units are more than the {UNITS[side]} such a map may have"
        )
    game = rules.new(STATES[side])
    state = game[0]
    state.width, state.height, state.n_units = width, height, len(board.units)
    state.limit, state.antiair_power = board.turn_limit, antiair
    state.threshold = board.hp_threshold if threshold is None else threshold
    key = mix(np.uint64(int(state.limit) * 32768 + int(state.threshold)))
    key ^= mix(np.uint64(antiair * 1024 + width * 32 + height))
    for y, row in enumerate(board.terrain):
        for x, terrain in enumerate(row):
            state.terrain[y * side + x] = terrain
            key ^= mix(np.uint64((y * side + x) * 8 + terrain + (1 << 32)))
            for unit_class in range(3):
                cost = COST[unit_class, terrain]
                if cost:
                    state.ground[unit_class, cost - 1, y] |= np.uint64(1 << x)
    for i, unit in enumerate(board.units):
        state.kind[i], state.team[i], state.hp[i] = unit.kind, unit.team, unit.hp
        state.acted[i] = unit.acted
        state.cell[i] = unit.y * side + unit.x
        key ^= mix(np.uint64(i * 16 + unit.kind * 2 + unit.team + (1 << 33)))
        if unit.hp:
            drop(state, i)
            state.alive[unit.team] += 1
            state.ready += unit.team == RED and not unit.acted
    state.map_key = key
    _settle(state)
    return game


def _settle(state: Any) -> None:
    """Give a position that was set up its result, and the turn to whoever can act."""
    if state.alive[0] == 0 or state.alive[1] == 0:
        state.result = 3 if state.alive[0] == state.alive[1] else 1 if state.alive[0] else 2
    elif state.ready == 0:
        raise BadInput("all units of the side to move have acted")
    elif state.turns >= state.limit:
        state.turns -= 1
        state.mover = 1 - state.mover
        end_turn(state)


def _place(state: Any, cell: int) -> str:
    return f"{cell % side_of(state)},{cell // side_of(state)}"


def move_text(state: Any, move: int) -> str:
    """`2,3-4,3`: the unit on 2,3 goes to 4,3; `2,3-4,3x5,3`: and attacks the unit there; `end`."""
    if move == END:
        return "end"
    target, unit = move % TARGETS - 1, move // TARGETS // CELLS
    if not (0 <= unit < state.n_units and target < state.n_units and move >= 0):
        raise BadInput(f"{move} is not a move here")
    text = f"{_place(state, int(state.cell[unit]))}-{_place(state, move // TARGETS % CELLS)}"
    return text if target < 0 else f"{text}x{_place(state, int(state.cell[target]))}"


def parse_move(state: Any, text: str) -> int:
    if text == "end":
        return END
    origin, dash, rest = text.partition("-")
    goal, cross, target = rest.partition("x")
    if not dash:
        raise BadInput(f"move {text!r} is not of the form 2,3-4,3 or 2,3-4,3x5,3 or end")
    unit = state.at[_read_place(state, origin)] - 1
    if unit < 0:
        raise BadInput(f"move {text!r}: there is no unit on {origin}")
    move = (int(unit) * CELLS + _read_place(state, goal)) * TARGETS
    if cross:
        enemy = state.at[_read_place(state, target)]
        if enemy == 0:
            raise BadInput(f"move {text!r}: there is no unit on {target}")
        move += int(enemy)
    return move


def _read_place(state: Any, text: str) -> int:
    x, comma, y = text.partition(",")
    width, height = int(state.width), int(state.height)
    if not (comma and all(n.isascii() and n.isdecimal() and len(n) < 3 for n in (x, y))):
        raise BadInput(f"{text!r} is not a cell such as 2,3")
    if not (0 < int(x) < width - 1 and 0 < int(y) < height - 1):
        raise BadInput(f"{text} is not a cell from 1,1 to {width - 2},{height - 2}")
    return int(int(y) * side_of(state) + int(x))


def position_text(state: Any) -> str:
    """Terrain rows inside the border, mover, turns made, limit, threshold, anti-air power, then
    each unit: team, kind, HP, place, * if it has acted: `111/111 r 0 16 10 105 rI10@1,1 bI10@3,2`.
    """
    side, width = side_of(state), int(state.width)
    rows = [
        "".join(str(t) for t in state.terrain[y * side + 1 : y * side + width - 1])
        for y in range(1, state.height - 1)
    ]
    units = []
    for i in range(state.n_units):
        text = f"{'rb'[state.team[i]]}{LETTERS[state.kind[i]]}{state.hp[i]}"
        if state.hp[i]:
            text += f"@{_place(state, int(state.cell[i]))}{'*' if state.acted[i] else ''}"
        units.append(text)
    numbers = f"{state.turns} {state.limit} {state.threshold} {state.antiair_power}"
    return f"{'/'.join(rows)} {'rb'[state.mover]} {numbers} {' '.join(units)}"


def parse_position(text: str) -> rules.State:
    words = text.split()
    if len(words) < 6:
        raise BadInput(
            "a TUBSTAP position has rows, mover, turns, limit, threshold, anti-air, units"
        )
    rows, mover, units = words[0].split("/"), words[1], words[6:]
    width = len(rows[0])
    if not (1 <= width <= 30 and 1 <= len(rows) <= 30):
        raise BadInput(f"rows: a map has 1 to 30 rows of 1 to 30 cells, not {len(rows)} of {width}")
    for y, row in enumerate(rows, 1):
        if len(row) != width or row.strip("0123456"):
            raise BadInput(f"row {y}: {row!r} is not {width} digits from 0 to 6")
    if mover not in ("r", "b"):
        raise BadInput(f"mover: {mover!r} is neither r nor b")
    names = ("turns", "limit", "threshold", "anti-air power")
    for name, word, most in zip(names, words[2:6], (LONGEST, LONGEST, 10_000, 115), strict=True):
        if not (word.isascii() and word.isdecimal() and len(word) < 6 and int(word) <= most):
            raise BadInput(f"{name}: {word!r} is not a number up to {most}")
    turns, limit, threshold, antiair = (int(word) for word in words[2:6])
    if not (limit >= 1 and turns <= limit and antiair in (105, 115)):
        raise BadInput("limit must be at least 1, turns no more, the anti-air power 105 or 115")
    border = (0,) * (width + 2)
    terrain = (border, *((0, *map(int, row), 0) for row in rows), border)
    read = tuple(_read_unit(i, word, terrain) for i, word in enumerate(units))
    places = [(unit.x, unit.y) for unit in read if unit.hp]
    for i, unit in enumerate(read):
        if unit.hp and places.count((unit.x, unit.y)) > 1:
            raise BadInput(f"unit {i}: another unit is on {unit.x},{unit.y}")
    if turns < limit and len({unit.team for unit in read if unit.hp}) == 2:
        if all(unit.acted for unit in read if unit.team == "rb".index(mover) and unit.hp):
            raise BadInput("all units of the side to move have acted")
    game = from_map(
        tbsmap.Map(terrain, tuple(_rested(unit) for unit in read), limit, threshold), antiair
    )
    state = game[0]
    state.turns, state.mover = turns, "rb".index(mover)
    for i, unit in enumerate(read):
        state.acted[i] = unit.acted
    state.ready = sum(bool(is_ready(state, i)) for i in range(len(read)))
    if turns >= limit and state.result == 0:
        _settle(state)
    return game


def _rested(unit: tbsmap.Unit) -> tbsmap.Unit:
    return tbsmap.Unit(unit.x, unit.y, unit.kind, unit.team, unit.hp)


def _read_unit(i: int, word: str, terrain: tuple[tuple[int, ...], ...]) -> tbsmap.Unit:
    team, kind, rest = "rb".find(word[:1]), LETTERS.find(word[1:2]), word[2:]
    hp, at, place = rest.rstrip("*").partition("@")
    x, _, y = place.partition(",")
    numbers = [hp, x, y] if at else [hp]
    if (
        len(word) < 3
        or team < 0
        or kind < 0
        or not all(n.isascii() and n.isdecimal() and len(n) < 3 for n in numbers)
    ):
        raise BadInput(f"unit {i}: {word!r} is not of the form rI10@1,1 or, if it is gone, rI0")
    if int(hp) > 10 or (int(hp) > 0) != bool(at):
        raise BadInput(f"unit {i}: {word!r} has a place just if it has 1 to 10 HP")
    if not at:
        return tbsmap.Unit(0, 0, kind, team, 0)
    inside = 0 < int(x) < len(terrain[0]) - 1 and 0 < int(y) < len(terrain) - 1
    if not inside or not terrain[int(y)][int(x)]:
        raise BadInput(f"unit {i}: nobody can stand on {place}")
    return tbsmap.Unit(int(x), int(y), kind, team, int(hp), rest.endswith("*"))


BACKGROUND = ("#101010", "#7cb86c", "#4f83c4", "#2f7d46", "#8b7355", "#b9a98a", "#9a9a9a")


def draw(state: Any, marks: dict[int, str]) -> str:
    """Units as a letter and HP on their terrain, dimmed once they have acted."""
    side = side_of(state)
    targets = {
        move // TARGETS % CELLS: label for move, label in reversed(marks.items()) if move != END
    }
    lines = ["   " + "".join(f"{x:^3d}" for x in range(1, state.width - 1))]
    for y in range(1, state.height - 1):
        line = f"{y:2d} "
        for x in range(1, state.width - 1):
            cell = y * side + x
            text = f"[bold #000000] {targets[cell][:1]} [/]" if cell in targets else "   "
            if state.at[cell]:
                unit = state.at[cell] - 1
                tint = ("#d00000", "#0020d0")[state.team[unit]]
                style = f"{'dim' if state.acted[unit] else 'bold'} #ffffff on {tint}"
                text = f"[{style}]{LETTERS[state.kind[unit]]}{state.hp[unit]:<2d}[/]"
            line += f"[on {BACKGROUND[state.terrain[cell]]}]{text}[/]"
        lines.append(line)
    hp = f"red {total_hp(state, RED)} HP, blue {total_hp(state, BLUE)} HP"
    return "\n".join([*lines, f"[dim]turn {state.turns} of {state.limit}; {hp}[/]"])


def _bounds(side: int) -> rules.Bounds:
    """Each unit: every cell it may reach (a fighter 181 on an open field), and the attacks."""
    units = UNITS[side]
    cells = min(181, (side - 2) ** 2)
    return rules.Bounds(moves=(units - 1) * (cells + 4 * units) + 1, length=LONGEST * units)


game = rules.register(
    __name__,
    {STATES[side]: _bounds(side) for side in SIDES},
    name="tubstap",
    title="TUBSTAP",
    version=1,
    players=("Red", "Blue"),
    moves_per_turn=UNITS[32],
    playouts="a unit that has not acted, then one of its actions: each uniform; never an early end",
)
