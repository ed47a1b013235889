"""The games that the lab keeps: one SQLite file under `TESUJI_HOME`, one row for each game.

A record is a JSON object, the same that a person saves to a file and opens again, with what only
the server may know beside it: the game's id and its seats (`Kept`).
"""

import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

MOST_GAMES = 2000  # the oldest go first


@dataclass
class Record:
    """A game as it is saved: `start` is a position or None, moves are in the game's notation."""

    tesuji: str
    game: str
    version: int
    players: list[str]
    seed: int
    start: str | None = None
    opening: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    outcome: float | None = None
    resigned: int | None = None
    values: list[tuple[int, int, float]] = field(default_factory=list)  # ply, side, its value
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])  # thought by each side


@dataclass
class Kept:
    """A record in the store, and who may look at it: seat -> side, or None for everything."""

    id: str
    seats: dict[str, int | None]
    record: Record
    updated: float = 0.0


class Store:
    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, check_same_thread=False)
        self.connection.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            "CREATE TABLE IF NOT EXISTS games (id TEXT PRIMARY KEY, updated REAL, body TEXT);"
            "CREATE TABLE IF NOT EXISTS seats (seat TEXT PRIMARY KEY, id TEXT);"
        )

    def keep(self, kept: Kept) -> None:
        """Write a game, new or changed."""
        kept.updated = time.time()
        body = json.dumps(asdict(kept))
        with self.connection as rows:
            rows.execute("REPLACE INTO games VALUES (?, ?, ?)", (kept.id, kept.updated, body))
            for seat in kept.seats:
                rows.execute("INSERT OR IGNORE INTO seats VALUES (?, ?)", (seat, kept.id))

    def find(self, seat: str) -> Kept | None:
        row = self.connection.execute(
            "SELECT body FROM games JOIN seats USING (id) WHERE seat = ?", (seat,)
        ).fetchone()
        return _read(row[0]) if row else None

    def newest(self, most: int) -> Iterator[Kept]:
        query = "SELECT body FROM games ORDER BY updated DESC LIMIT ?"
        for (body,) in self.connection.execute(query, (most,)):
            yield _read(body)

    def forget(self, id: str) -> None:
        with self.connection as rows:
            rows.execute("DELETE FROM games WHERE id = ?", (id,))
            rows.execute("DELETE FROM seats WHERE id = ?", (id,))

    def make_room(self) -> None:
        """Drop what is more than the store holds, the oldest first."""
        query = "SELECT id FROM games ORDER BY updated DESC LIMIT -1 OFFSET ?"
        for (id,) in self.connection.execute(query, (MOST_GAMES - 1,)).fetchall():
            self.forget(id)

    def close(self) -> None:
        self.connection.close()


def _read(body: str) -> Kept:
    data: dict[str, Any] = json.loads(body)
    known = {one.name for one in fields(Record)}
    record = Record(**{key: value for key, value in data.pop("record").items() if key in known})
    record.values = [(ply, side, value) for ply, side, value in record.values]
    return Kept(record=record, **data)
