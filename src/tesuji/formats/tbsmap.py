"""`.tbsmap`, the maps of the TUBSTAP platform: records `TAG[...]` separated by `;`, in any order.

`read` takes the bytes of a file (UTF-8 or CP932), `write` gives text. Sizes in the file include a
border of forbidden cells; so do the coordinates of units, which therefore count from 1 inside.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tesuji.errors import BadInput, nearest

UNITS = ("fighter", "attacker", "panzer", "cannon", "antiair", "infantry")
TERRAINS = 7
LARGEST = 32  # with the border
MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Unit:
    x: int
    y: int
    kind: int
    team: int
    hp: int
    acted: bool = False


@dataclass(frozen=True)
class Map:
    """A map with its border: `terrain[y][x]` is 0 forbidden, 1 plain, 2 sea, 3 forest, 4 mountain,
    5 road, 6 fortress; teams are 0 red and 1 blue; a unit's id is its place in `units`."""

    terrain: tuple[tuple[int, ...], ...]
    units: tuple[Unit, ...]
    turn_limit: int
    hp_threshold: int
    author: str = ""
    comment: str = ""


def read_file(path: Path) -> Map:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path}: more than {MOST_BYTES:,} bytes cannot be a map")
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    try:
        return read(data)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def read(data: bytes | str) -> Map:
    """The map in a file's content; refuses what is missing, doubled, unknown or impossible."""
    text = _decode(data) if isinstance(data, bytes) else data
    if len(text) > MOST_BYTES:
        raise BadInput(f"more than {MOST_BYTES:,} characters cannot be a map")
    single: dict[str, tuple[str, int]] = {}
    rows: list[tuple[int, ...]] = []
    units: list[tuple[Unit, int]] = []
    for tag, value, line in _records(text):
        if tag == "MAP":
            rows.append(_numbers(value, line, f"MAP row {len(rows) + 1}", 0, TERRAINS - 1))
        elif tag == "UNIT":
            units.append((_unit(value, line, len(units)), line))
        elif tag in ("SIZEX", "SIZEY", "TURNLIMIT", "HPTHRESHOLD", "UNITNUMRED", "UNITNUMBLUE",
                     "AUTHOR", "MAPCOM"):  # fmt: skip
            if tag in single:
                raise BadInput(f"line {line}: {tag} is given twice")
            single[tag] = value, line
        else:
            known = (*single, "MAP", "UNIT", "SIZEX", "SIZEY", "TURNLIMIT", "HPTHRESHOLD")
            raise BadInput(f"line {line}: unknown tag {tag!r}{nearest(tag, set(known))}")

    def number(tag: str, low: int, high: int) -> int:
        if tag not in single:
            raise BadInput(f"the tag {tag} is missing")
        value, line = single[tag]
        return _number(value, line, tag, low, high)

    width, height = number("SIZEX", 3, LARGEST), number("SIZEY", 3, LARGEST)
    if len(rows) != height:
        raise BadInput(f"SIZEY is {height}, but there are {len(rows)} MAP rows")
    for y, row in enumerate(rows):
        if len(row) != width:
            raise BadInput(f"MAP row {y + 1} has {len(row)} cells, but SIZEX is {width}")
        if (y in (0, height - 1) and any(row)) or row[0] or row[-1]:
            raise BadInput(f"MAP row {y + 1}: the border of a map must be 0")
    taken: dict[tuple[int, int], int] = {}
    for index, (unit, line) in enumerate(units):
        where = f"line {line}: UNIT {index}"
        if not (unit.x < width and unit.y < height) or not rows[unit.y][unit.x]:
            raise BadInput(f"{where} stands on {unit.x},{unit.y}, which nobody can enter")
        if (unit.x, unit.y) in taken:
            raise BadInput(f"{where} stands where UNIT {taken[unit.x, unit.y]} already is")
        taken[unit.x, unit.y] = index
    for team, tag in enumerate(("UNITNUMRED", "UNITNUMBLUE")):
        count = sum(unit.team == team for unit, _ in units)
        if tag in single and number(tag, 0, LARGEST * LARGEST) != count:
            raise BadInput(f"{tag} is {single[tag][0]}, but there are {count} such units")
    return Map(
        terrain=tuple(rows),
        units=tuple(unit for unit, _ in units),
        turn_limit=number("TURNLIMIT", 1, 1000),
        hp_threshold=number("HPTHRESHOLD", 0, 10_000),
        author=single.get("AUTHOR", ("", 0))[0],
        comment=single.get("MAPCOM", ("", 0))[0],
    )


def write(board: Map) -> str:
    """The text of a map, one record per line."""
    red = sum(unit.team == 0 for unit in board.units)
    records = [
        f"SIZEX[{len(board.terrain[0])}]",
        f"SIZEY[{len(board.terrain)}]",
        f"TURNLIMIT[{board.turn_limit}]",
        f"HPTHRESHOLD[{board.hp_threshold}]",
        f"UNITNUMRED[{red}]",
        f"UNITNUMBLUE[{len(board.units) - red}]",
        f"AUTHOR[{_plain(board.author)}]",
        f"MAPCOM[{_plain(board.comment)}]",
    ]
    records += [
        f"UNIT[{unit.x},{unit.y},{UNITS[unit.kind]},{unit.team},{unit.hp},{int(unit.acted)}]"
        for unit in board.units
    ]
    records += [f"MAP[{','.join(str(cell) for cell in row)}]" for row in board.terrain]
    return ";\n".join(records) + ";\n"


def _plain(text: str) -> str:
    """Free text without what would end its record."""
    return re.sub(r"[\[\];\r\n]+", " ", text).strip()


def _decode(data: bytes) -> str:
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadInput("the map is neither UTF-8 nor CP932 text")


def _records(text: str) -> list[tuple[str, str, int]]:
    """(tag, value, line) of each record."""
    found = []
    line = 1
    for part in re.split("(;)", text):
        record = part.strip()
        start = line + part[: len(part) - len(part.lstrip())].count("\n")
        line += part.count("\n")
        if not record or record == ";":
            continue
        match = re.fullmatch(
            r"([A-Za-z]+)\[([^\[\]]*)\]", record.replace("\r", "").replace("\n", "")
        )
        if match is None:
            shown = record if len(record) < 30 else record[:27] + "..."
            raise BadInput(f"line {start}: {shown!r} is not of the form TAG[...]")
        found.append((match[1].upper(), match[2].strip(), start))
    return found


def _number(text: str, line: int, name: str, low: int, high: int) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 8):
        raise BadInput(f"line {line}: {name}: {text[:20]!r} is not a number")
    if not low <= int(text) <= high:
        raise BadInput(f"line {line}: {name}: {text} is not from {low} to {high}")
    return int(text)


def _numbers(text: str, line: int, name: str, low: int, high: int) -> tuple[int, ...]:
    return tuple(_number(part, line, name, low, high) for part in text.rstrip(",").split(","))


def _unit(text: str, line: int, index: int) -> Unit:
    parts = [part.strip() for part in text.split(",")]
    where = f"UNIT {index}"
    if len(parts) != 6:
        raise BadInput(f"line {line}: {where} has {len(parts)} fields instead of 6")
    if parts[2].lower() not in UNITS:
        raise BadInput(f"line {line}: {where}: unknown unit {parts[2]!r}{nearest(parts[2], UNITS)}")
    return Unit(
        x=_number(parts[0], line, f"{where}: x", 1, LARGEST),
        y=_number(parts[1], line, f"{where}: y", 1, LARGEST),
        kind=UNITS.index(parts[2].lower()),
        team=_number(parts[3], line, f"{where}: team", 0, 1),
        hp=_number(parts[4], line, f"{where}: HP", 1, 10),
        acted=bool(_number(parts[5], line, f"{where}: acted", 0, 1)),
    )
