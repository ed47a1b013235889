"""Text for games: the parts that many share, and all of it for games that bring none.

Without text of a game's own, a move is its number, a position is one JSON object of the state's
fields, and drawing lists them: good enough to try an idea. For boards, `pack_rows` and
`unpack_rows` are the usual notation of rows with numbers for empty cells.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tesuji.errors import BadInput


def is_number(text: str) -> bool:
    """Whether a text is a whole number, of no more digits than numbers have here."""
    return text.isascii() and text.isdecimal() and len(text) <= 18


def pack_rows(rows: Iterable[str]) -> str:
    """Rows of symbols, with . for an empty cell, as `3X2/6`: numbers count empty cells."""
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def unpack_rows(text: str, symbols: str, sizes: Iterable[int]) -> list[str]:
    """The rows of a square board again, or a sentence that names the row that is wrong."""
    rows = text.split("/")
    size = len(rows)
    if size not in sizes:
        allowed = ", ".join(str(one) for one in sorted(sizes))
        raise BadInput(f"the board has {size} rows instead of {allowed}")
    unpacked = []
    for number, row in zip(range(size, 0, -1), rows, strict=True):
        cells = ""
        for run in re.findall(r"[0-9]+|.", row, re.DOTALL):
            if run not in symbols and not (run[0] in "0123456789" and len(run) < 3):
                raise BadInput(f"row {number}: {run!r} is neither a number nor of {symbols}")
            cells += run if run in symbols else "." * int(run)
        if len(cells) != size:
            raise BadInput(f"row {number}: {row!r} has {len(cells)} cells instead of {size}")
        unpacked.append(cells)
    return unpacked


def move_text(state: Any, move: int) -> str:
    return str(move)


def parse_move(state: Any, text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise BadInput(f"move {text!r} is not a whole number")
    return int(text)


def position_text(state: Any) -> str:
    fields = {name: np.asarray(state[name]).tolist() for name in _names(state.dtype)}
    return json.dumps(fields, separators=(",", ":"))


def draw(state: Any, marks: Mapping[int, str]) -> str:
    return "\n".join(f"{name}: {state[name]}".replace("[", r"\[") for name in _names(state.dtype))


def parse_position(text: str, dtypes: Iterable[np.dtype[Any]]) -> Any:
    """A state of the first of the types that the fields fit into."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("a position is one JSON object of the state's fields") from None
    reason = "it is not an object"
    for dtype in dtypes if isinstance(fields, dict) else ():
        missing = set(_names(dtype)) ^ set(fields)
        if missing:
            reason = f"field {sorted(missing)[0]!r} is missing or unknown"
            continue
        state = np.zeros(1, dtype).view(np.recarray)
        for name, value in fields.items():
            if not _store(state, name, value):
                reason = f"field {name!r} does not fit its type"
                break
        else:
            return state
    raise BadInput(f"the position does not fit the game: {reason}")


def _names(dtype: np.dtype[Any]) -> list[str]:
    return [name for name in dtype.names or () if not name.startswith("_gap")]


def _store(state: Any, name: str, value: Any) -> bool:
    """Put a value into a field if it is of the right shape and within range."""
    try:
        given = np.array(value)
        kind = np.asarray(state[name][0]).dtype
        if given.shape != state[name][0].shape or given.dtype.kind not in "iufb":
            return False
        with np.errstate(all="ignore"):
            stored = given.astype(kind)
        if not np.array_equal(stored.astype(given.dtype), given):
            return False
    except (ValueError, TypeError, OverflowError):
        return False
    state[name][0] = stored
    return True
