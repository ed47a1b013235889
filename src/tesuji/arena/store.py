"""The games that have been played, in one SQLite file: each is written once, under its id.

The file is in write-ahead mode, so a process that is killed at any moment loses at most the game it
was writing, and several processes may use it at once. A store of another version, a damaged one,
and a file that is something else are refused in a sentence and left as they are.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tesuji.arena.record import Record, record_from_json
from tesuji.errors import BadInput
from tesuji.home import home, private_directory

APPLICATION = 0x7E5A31  # marks an SQLite file as a store of ours
VERSION = 1
SCHEMA = """
CREATE TABLE games (
  id TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  first TEXT NOT NULL,
  second TEXT NOT NULL,
  seed INTEGER NOT NULL,
  number INTEGER NOT NULL,
  outcome REAL NOT NULL,
  ending TEXT NOT NULL,
  played TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  record TEXT NOT NULL
) WITHOUT ROWID
"""
WAIT = 30.0  # seconds to wait for another process that writes


class Store:
    """An open store; `Store()` is the usual one under TESUJI_HOME."""

    def __init__(self, path: Path | str | None = None) -> None:
        if path is None:
            path = private_directory(home()) / "games.sqlite"
        self.path = Path(path)
        with self._explained():
            self._base = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)
            try:
                self._check()
            except BaseException:
                self._base.close()
                raise

    def _check(self) -> None:
        if not self._one("SELECT count(*) FROM sqlite_master"):
            # Two processes may be here at once: the second finds the table and goes on.
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("BEGIN IMMEDIATE")
            if not self._one("SELECT count(*) FROM sqlite_master"):
                self._base.execute(SCHEMA)
                self._base.execute(f"PRAGMA application_id = {APPLICATION}")
                self._base.execute(f"PRAGMA user_version = {VERSION}")
            self._base.execute("COMMIT")
        if self._one("PRAGMA application_id") != APPLICATION:
            raise BadInput(f"{self.path} is an SQLite file, but not a store of tesuji's games")
        version = self._one("PRAGMA user_version")
        if version != VERSION:
            age = "older" if version < VERSION else "newer"
            raise BadInput(
                f"the store {self.path} is of the {age} version {version}, and this tesuji uses "
                f"version {VERSION}: name another file with --store; this one is left as it is"
            )
        self._base.execute("PRAGMA synchronous = NORMAL")

    def _one(self, query: str, *values: Any) -> Any:
        return self._base.execute(query, values).fetchone()[0]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """SQLite's errors as sentences."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise BadInput(f"the store {self.path} cannot be used: {error}") from None
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> BadInput:
        return BadInput(
            f"the store {self.path} is damaged ({error}): name another file with --store, "
            "or repair this one; it is left as it is"
        )

    def _decode(self, text: str) -> Record:
        try:
            return record_from_json(json.loads(text))
        except ValueError as error:  # not JSON, or not a record
            raise self._damaged(error) from None

    def add(self, record: Record) -> bool:
        """Write a game; False, and nothing changes, if it is there already."""
        task = record.task
        with self._explained():
            changed = self._base.execute(
                "INSERT OR IGNORE INTO games "
                "(id, game, first, second, seed, number, outcome, ending, record) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    record.id, task.game, *task.players, task.seed, task.number,
                    record.outcome, record.ending, json.dumps(record.as_json()),
                ),
            )  # fmt: skip
            return changed.rowcount == 1

    def get(self, ids: Iterable[str]) -> dict[str, Record]:
        """Those of the games that are there."""
        found = {}
        with self._explained():
            for id in ids:
                row = self._base.execute("SELECT record FROM games WHERE id = ?", (id,)).fetchone()
                if row is not None:
                    found[id] = self._decode(row[0])
        return found

    def find(self, start: str) -> Record:
        """The game whose id begins so."""
        with self._explained():
            rows = self._base.execute(
                "SELECT record FROM games WHERE substr(id, 1, ?) = ? LIMIT 2", (len(start), start)
            ).fetchall()
        if len(rows) != 1:
            many = "more than one game" if rows else "no game"
            raise BadInput(f"{many} in the store {self.path} has an id that begins with {start!r}")
        return self._decode(rows[0][0])

    def all(self, game: str | None = None) -> Iterator[Record]:
        """Every game, or every game of one name, in the order they were played."""
        with self._explained():
            rows = self._base.execute(
                "SELECT game, record FROM games ORDER BY played, seed, number, id"
            )
            for name, text in rows:
                if game is None or game in (name, name.partition(":")[0]):
                    yield self._decode(text)

    def count(self) -> int:
        with self._explained():
            return int(self._one("SELECT count(*) FROM games"))

    def close(self) -> None:
        self._base.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
