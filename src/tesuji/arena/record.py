"""What is to be played and what was played: a `Task` is a game before it, a `Record` after it.

A task says everything that decides a game: the game with its options and the version of its rules,
the players with every setting spelled out, where the game starts, and its seed. Its `id` is a
digest of that, so the same task has the same id on every machine, and a change of any setting makes
another one. A record is a task with the moves and the result; `as_json` is the one form in which
records are stored and exported (docs/arena.md describes the keys).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tesuji import games, players, rules, spec
from tesuji.errors import BadInput

FORMAT = "tesuji-game-1"

BY_THE_RULES = "rules"
"""How a game normally ends; any other `ending` is a loss by forfeit."""


class Entrant(NamedTuple):
    """A player as tasks name it, and the module that a worker imports to find it."""

    text: str
    identity: str
    module: str


def entrant(text: str, game: rules.Game) -> Entrant:
    """The player that `text` describes, or a sentence that says why it cannot play this game."""
    player = players.build(text, game)
    player.close()
    module = players.maker(spec.parse(text)[0]).__module__
    return Entrant(players.canonical(text), player.identity, module)


def game_text(game: rules.Game) -> str:
    """A game with every option spelled out."""
    options = {key: default for key, (_, default) in spec.settings_of(game.module.new_game).items()}
    return spec.text(game.name, {**options, **game.chosen})


@dataclass(frozen=True)
class Task:
    """One game to be played, from a position, by the first and the second side."""

    game: str
    version: int
    players: tuple[str, str]
    identities: tuple[str, str]
    start: str
    opening: tuple[str, ...]
    seed: int
    number: int
    # Where a worker finds the game and the players; these do not change what is played.
    file: str | None = field(default=None, compare=False)
    modules: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def id(self) -> str:
        text = json.dumps([getattr(self, name) for name in _DECISIVE])
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    def as_json(self) -> dict[str, Any]:
        data = {name: _plain(getattr(self, name)) for name in _DECISIVE}
        return {"id": self.id, **data, "file": self.file, "modules": list(self.modules)}

    def load(self) -> rules.Game:
        """The game, by the rules that the task was made for."""
        if self.file is not None:
            games.load_file(Path(self.file))
        game = games.load(self.game)
        if game.version != self.version:
            raise BadInput(
                f"game {self.id} was made for version {self.version} of the rules of {game.name}, "
                f"which are now version {game.version}"
            )
        return game


_DECISIVE = (
    "game", "version", "players", "identities", "start", "opening", "seed", "number",
)  # fmt: skip


@dataclass(frozen=True)
class Record:
    """One game that was played. Pairs belong to the first and the second side."""

    task: Task
    moves: tuple[str, ...]  # after those of the opening
    outcome: float  # 1: the first side won, -1: the second, 0: a draw
    ending: str  # BY_THE_RULES, or how the loser failed: illegal move, crash, time-out, ...
    note: str  # a sentence about a failure
    decisions: tuple[int, int]
    simulations: tuple[int, int]
    seconds: tuple[float, float]
    longest: tuple[float, float]  # the seconds of the slowest decision

    @property
    def id(self) -> str:
        return self.task.id

    def as_json(self) -> dict[str, Any]:
        mine = {name: _plain(getattr(self, name)) for name in _RESULT}
        return {"format": FORMAT, **self.task.as_json(), **mine}


_RESULT = (
    "moves", "outcome", "ending", "note", "decisions", "simulations", "seconds", "longest",
)  # fmt: skip


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def task_from_json(data: Mapping[str, Any]) -> Task:
    try:
        known = {name: data[name] for name in (*_DECISIVE, "file", "modules")}
        for name in ("players", "identities", "opening", "modules"):
            known[name] = tuple(known[name])
        task = Task(**known)
        same = task.id == data["id"]
    except (KeyError, TypeError) as error:
        raise BadInput(f"this is not a game of the arena: {error}") from None
    if not same:
        raise BadInput(f"game {data['id']} is damaged: its id is not that of what it says")
    return task


def record_from_json(data: Mapping[str, Any]) -> Record:
    try:
        if data["format"] != FORMAT:
            raise BadInput(f"a game's record has the format {FORMAT}, not {data['format']}")
        result = {name: data[name] for name in _RESULT}
        for name, value in result.items():
            result[name] = tuple(value) if isinstance(value, list) else value
        return Record(task_from_json(data), **result)
    except (KeyError, TypeError) as error:
        raise BadInput(f"this is not a game's record: {error} is missing or wrong") from None


def replay(record: Record, moves: int | None = None) -> rules.State:
    """The position after a number of moves, those of the opening included; or at the end."""
    game = record.task.load()
    state = game.parse_position(record.task.start)
    for text in (*record.task.opening, *record.moves)[:moves]:
        game.play(state, game.parse_move(state, text))
    return state
