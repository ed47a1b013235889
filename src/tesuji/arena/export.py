"""Records as files of the outside world: JSON lines for every game, SGF for Go and Amazons.

JSON lines come back in, too: games that another computer played.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from tesuji import rules
from tesuji.arena.record import BY_THE_RULES, Record, record_from_json, replay
from tesuji.errors import BadInput
from tesuji.formats import sgf
from tesuji.games import amazons, go


def as_json(records: Iterable[Record]) -> str:
    """One record a line."""
    return "".join(json.dumps(record.as_json()) + "\n" for record in records)


def from_json(path: Path) -> list[Record]:
    """The records of a file of JSON lines, perhaps compressed (.gz); each is played through."""
    try:
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
            lines = file.read().splitlines()
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(record_from_json(json.loads(line)))
            _check(records[-1])
        except (
            ValueError,
            TypeError,
            AttributeError,
        ) as error:  # not JSON, a record, or by the rules
            raise BadInput(f"{path}, line {number}: {error}") from None
    return records


def _check(record: Record) -> None:
    """Refuse a record whose moves do not lead to its outcome."""
    if record.task.file is not None:  # it would be run
        raise BadInput("rules in a file of its own are not taken from somebody else's record")
    game, end = record.task.load(), replay(record)
    if record.ending == BY_THE_RULES and (
        not game.is_over(end) or game.outcome(end) != record.outcome
    ):
        raise BadInput(f"the moves of game {record.id} do not lead to its outcome")


def as_sgf(records: Iterable[Record]) -> str:
    """A collection: one game after the other."""
    return "".join(_sgf(record) for record in records)


def _sgf(record: Record) -> str:
    writers = {"go": _go, "amazons": _amazons}
    name = record.task.game.partition(":")[0]
    if name not in writers:
        raise BadInput(f"game {record.id} is {name}, and SGF has only go and amazons here")
    return writers[name](record)


def _moves(record: Record) -> list[int]:
    """The moves as numbers, those of the opening first."""
    game = record.task.load()
    state = game.parse_position(record.task.start)
    moves = []
    for text in (*record.task.opening, *record.moves):
        moves.append(game.parse_move(state, text))
        game.play(state, moves[-1])
    return moves


def _result(record: Record, first: str, second: str, margin: str) -> str:
    if record.outcome == 0:
        return "0"
    short = {"time-out": "T", "resignation": "R"}
    how = margin if record.ending == BY_THE_RULES else short.get(record.ending, "F")
    return f"{first if record.outcome > 0 else second}+{how}"


def _common(record: Record, kind: int, size: int, first: str, second: str) -> dict[str, list[str]]:
    return {
        "GM": [str(kind)],
        "SZ": [str(size)],
        f"P{first}": [record.task.players[0]],
        f"P{second}": [record.task.players[1]],
        "GN": [record.id],
        "GC": [record.note] if record.note else [],
    }


def _cells(size: int, holds: Callable[[int, int], bool]) -> list[str]:
    """The points (column, row from the top) of a board that hold something."""
    return [
        sgf.point(column, row)
        for row in range(size)
        for column in range(size)
        if holds(column, row)
    ]


def _go(record: Record) -> str:
    state = record.task.load().parse_position(record.task.start)[0]
    size = int(len(state.empty) ** 0.5)

    def stones(colour: int) -> list[str]:
        return _cells(size, lambda x, y: state.colour[(y + 1) * (size + 1) + x + 1] == colour)

    mover = int(state.mover)
    margin = abs(area(replay(record)) - state.double_komi / 2)
    root = {
        **_common(record, sgf.GO, size, "B", "W"),
        "KM": [f"{state.double_komi / 2:g}"],
        "RU": ["area, positional superko, no suicide"],
        "RE": [_result(record, "B", "W", f"{margin:g}")],
        "AB": stones(go.BLACK),
        "AW": stones(go.WHITE),
        "PL": ["B" if mover == go.BLACK else "W"],
    }
    moves = []
    for number, move in enumerate(_moves(record)):
        where = "" if move == go.PASS else sgf.point(move % (size + 1) - 1, move // (size + 1) - 1)
        moves.append(("BW"[(mover - go.BLACK + number) % 2], where))
    return sgf.write(root, moves)


def area(state: rules.State) -> int:
    """Black's points minus White's on the board of Go as it stands."""
    return int(go.area(state[0]))  # type: ignore[no-untyped-call]


def _amazons(record: Record) -> str:
    state = record.task.load().parse_position(record.task.start)[0]
    size = state.cells.shape[0]
    if state.shooter:
        raise BadInput(f"game {record.id} starts between an amazon's move and its arrow")

    def pieces(piece: int) -> list[str]:
        return _cells(size, lambda x, y: state.cells[size - 1 - y, x] == piece)

    def cell(number: int) -> str:
        return sgf.point((number - 1) % (size + 1), size - 1 - (number - 1) // (size + 1))

    root = {
        **_common(record, sgf.AMAZONS, size, "W", "B"),
        "RE": [_result(record, "W", "B", "")],
        "AW": pieces(amazons.WHITE),
        "AB": pieces(amazons.BLACK),
        "AA": pieces(amazons.ARROW),
        "PL": ["W" if state.mover == 0 else "B"],
    }
    numbers = _moves(record)
    turns = [
        ("WB"[(int(state.mover) + i) % 2], cell(queen // 128) + cell(queen % 128) + cell(arrow))
        for i, (queen, arrow) in enumerate(zip(numbers[::2], numbers[1::2], strict=False))
    ]
    return sgf.write(root, turns)
