"""Text for games that bring none of their own: good enough to try an idea.

A move is its number. A position is one JSON object of the state's fields, and drawing lists them.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tesuji.errors import BadInput


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
