"""What a repeated run must reproduce: everything but the times."""

from collections.abc import Iterable
from typing import Any

from tesuji.arena import Record

TIMES = ("seconds", "longest")


def untimed(records: Iterable[Record]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in record.as_json().items() if key not in TIMES}
        for record in records
    ]
