"""One game from its task: `play(task)` is the only place where the arena's players meet.

The id of the task seeds everything, so with budgets in counts the record (but for its times) is the
same wherever and however often it is played. Whatever a player does wrong costs it the game and is
written down; nothing that a player does stops an experiment.
"""

import functools
import importlib
import time
from typing import Any

from tesuji import players, rules
from tesuji.arena.record import BY_THE_RULES, Record, Task
from tesuji.errors import BadInput
from tesuji.players import Decision, Player, Report, Sitting
from tesuji.rng import Rng, seeded

ILLEGAL, CRASH = "illegal move", "crash"


class _Failed(Exception):
    """A side can play no further."""

    def __init__(self, side: int, ending: str, note: str) -> None:
        super().__init__(note)
        self.side, self.ending, self.note = side, ending, note


class _Side(Player):
    """A player in the arena: its time is measured, and its failures are told from ours."""

    def __init__(self, number: int, player: Player) -> None:
        self.number, self.player = number, player
        self.decisions = self.simulations = 0
        self.seconds = self.longest = 0.0

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        start = time.perf_counter()
        try:
            decision = self.player.choose(view, rng, report)
        except Exception as error:
            raise self._failed(error) from error
        spent = time.perf_counter() - start
        self.decisions += 1
        self.simulations += decision.simulations
        self.seconds += spent
        self.longest = max(self.longest, spent)
        return decision

    def watch(self, view: rules.State, move: int | None) -> None:
        start = time.perf_counter()
        try:
            self.player.watch(view, move)
        except Exception as error:
            raise self._failed(error) from error
        self.seconds += time.perf_counter() - start

    def close(self) -> None:
        try:
            self.player.close()
        except Exception:  # the game has been decided already
            return

    def _failed(self, error: Exception) -> _Failed:
        if isinstance(error, players.Forfeit):
            return _Failed(self.number, error.ending, str(error))
        return _Failed(self.number, CRASH, f"{type(error).__name__}: {error}")


_warm: set[tuple[Any, str]] = set()


def warm_up(task: Task) -> None:
    """Let each player of a task decide once, so that its code is compiled and loaded.

    Once in a process for each player and kind of state: the clock of a player with a budget in
    seconds should not run while its search is compiled.
    """
    _prepare(task)


def play(task: Task) -> Record:
    """Play a game to its end."""
    game, start = _prepare(task)
    return _play(task, game, start, "play")


@functools.lru_cache(maxsize=256)
def _position(name: str, text: str) -> rules.State:
    """A starting position; many games have the same, and its text is slow to read."""
    return rules.registered()[name].parse_position(text)


def _prepare(task: Task) -> tuple[rules.Game, rules.State]:
    """The game of a task and its start; its players known and warm."""
    for module in task.modules:
        importlib.import_module(module)
    game = task.load()
    start = _position(game.name, task.start)
    keys = {(start.dtype, text) for text in task.players}
    if not keys <= _warm:
        _warm.update(keys)
        _play(task, game, start, "warm up", both_once=True)
    return game, start


def _play(
    task: Task, game: rules.Game, start: rules.State, purpose: str, both_once: bool = False
) -> Record:
    sides = [_Side(number, players.build(text, game)) for number, text in enumerate(task.players)]
    streams = [seeded(task.id, purpose, side) for side in ("first", "second", "chance")]
    sitting = Sitting(game, sides, start)
    ending, note, outcome = BY_THE_RULES, "", 0.0
    try:
        for text in task.opening:
            sitting.play(game.parse_move(sitting.state, text))
        while not game.is_over(sitting.state):
            mover = game.player_to_move(sitting.state)
            if mover == rules.CHANCE:
                move = game.random_move(sitting.state, streams[rules.CHANCE])
            else:
                view = game.view(sitting.state, mover)
                move = sides[mover].choose(view, streams[mover]).move
            try:
                sitting.play(move)
            except BadInput as error:
                raise _Failed(mover, ILLEGAL, str(error)) from None
            if both_once and all(side.decisions for side in sides):
                break
        else:
            outcome = game.outcome(sitting.state)
    except _Failed as failure:
        ending, note = failure.ending, f"{game.players[failure.side]}: {failure.note}"
        outcome = 1.0 if failure.side == 1 else -1.0
    finally:
        sitting.close()
    moves = _texts(game, start, sitting.moves)[len(task.opening) :]
    return Record(
        task, tuple(moves), outcome, ending, note,
        *((getattr(sides[0], name), getattr(sides[1], name))
          for name in ("decisions", "simulations", "seconds", "longest")),
    )  # fmt: skip


def _texts(game: rules.Game, start: rules.State, moves: list[int]) -> list[str]:
    """The text of the moves from a position, all at once: between two searches, with the caches
    of the processor cold, each would take several times as long."""
    state, texts = start.copy(), []
    for move in moves:
        texts.append(game.move_text(state, move))
        rules.compiled_play(state, move)
    return texts
