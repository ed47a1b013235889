"""The processes that search, so that neither the server nor the page ever waits for one.

Start with `Pool.ask`. A `Job` describes everything that is needed to think: the game, the player,
where the game began and all its moves. So any worker can do any job, and one that dies takes
nothing with it. A worker keeps the players it has built, for they may hold beliefs and trees; if
the moves of a job continue those that a player has watched, it is told the new ones only, and
otherwise (after an undo) it is built again.

A search that can report how far it is (`choose(..., report=...)`) does so here a few times a
second, and that is also where it notices that nobody wants its answer any more. One that cannot is
ended with its process.
"""

import asyncio
import contextlib
import inspect
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Literal

from tesuji.errors import BadInput

SECONDS = 120.0  # the longest that one search may take, compiling included
GRACE = 20.0  # what a search that was told to stop has for it: it may be compiling
MOST_PLAYERS = 8  # that one worker keeps
MOST_CANDIDATES = 64  # that are worth sending to a page


@dataclass(frozen=True)
class Job:
    """`choose` a move, `sit` down and be ready for that, `rehearse` a search so that it is compiled
    before it is needed, or list the `players` of a game."""

    what: Literal["choose", "sit", "rehearse", "players"]
    game: str
    key: str = ""  # the table and the side: who is to be kept for the next job
    player: str = ""
    side: int = 0
    start: str | None = None
    moves: tuple[int, ...] = ()
    seed: int = 0


@dataclass(frozen=True)
class Thought:
    """A decision, or what a search would decide by now, in plain numbers."""

    move: int
    candidates: tuple[tuple[int, int, float], ...]  # move, visits, value
    line: tuple[int, ...]
    simulations: int
    seconds: float


class Stopped(Exception):
    """Nobody waits for the answer any more."""


# --- In the worker -------------------------------------------------------------------------------


def work(pipe: Connection, files: Sequence[str]) -> None:
    """A worker's life: take a job, answer it, until the server has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to handle
    from tesuji import games

    for file in files:
        games.load(file)
    desk = Desk(pipe)
    while True:
        try:
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        if job is None:  # a stop that came after the answer
            continue
        try:
            answer: tuple[str, Any] = ("done", desk.do(number, job))
        except Stopped:
            answer = ("stopped", None)
        except BadInput as error:
            answer = ("failed", str(error))
        except Exception as error:
            answer = ("failed", f"{job.player or job.game}: {type(error).__name__}: {error}")
        with contextlib.suppress(BrokenPipeError):
            pipe.send((number, *answer))


class Desk:
    """The players that a worker keeps."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.sittings: OrderedDict[str, tuple[Job, Any]] = OrderedDict()
        self.rehearsed: set[tuple[str, str]] = set()

    def do(self, number: int, job: Job) -> Any:
        from tesuji import games, players
        from tesuji.rng import seeded

        if job.what == "players":
            return [name for name in players.names() if _can_play(name, games.load(job.game))]
        if job.what in ("rehearse", "choose") and (job.game, job.player) not in self.rehearsed:
            _rehearse(games.load(job.game), job.player, job.start)
            self.rehearsed.add((job.game, job.player))  # compiling is not thinking time
        if job.what == "rehearse":
            return None
        sitting = self.sitting(job)
        if job.what == "sit":
            warm(sitting.game, sitting.state)
            return _reports(sitting.sides[job.side])  # if so, it is a search to rehearse
        started = time.perf_counter()

        def thought(decision: players.Decision) -> Thought:
            best = decision.candidates[:MOST_CANDIDATES]
            candidates = tuple((int(c.move), int(c.visits), float(c.value)) for c in best)
            line = tuple(int(move) for move in decision.line)
            seconds = time.perf_counter() - started
            return Thought(int(decision.move), candidates, line, int(decision.simulations), seconds)

        def report(decision: players.Decision) -> None:
            while self.pipe.poll():
                if self.pipe.recv()[0] == number:
                    raise Stopped
            self.pipe.send((number, "report", thought(decision)))

        side = sitting.sides[job.side]
        view = sitting.game.view(sitting.state, job.side)
        stream = seeded(job.seed, "lab", len(job.moves))
        if _reports(side):
            return thought(side.choose(view, stream, report=report))
        return thought(side.choose(view, stream))

    def sitting(self, job: Job) -> Any:
        """The player of a job at its board, told of all moves."""
        from tesuji import games, players

        earlier, sitting = self.sittings.pop(job.key, (job, None))
        watched = sitting.moves if sitting else []
        same = (earlier.game, earlier.player, earlier.start) == (job.game, job.player, job.start)
        if sitting is None or not same or tuple(watched) != job.moves[: len(watched)]:
            if sitting is not None:
                sitting.close()
            game = games.load(job.game)
            sides: list[players.Player | None] = [None, None]
            sides[job.side] = players.build(job.player, game)
            sitting = players.Sitting(game, sides, _start(game, job.start))
        for move in job.moves[len(sitting.moves) :]:
            sitting.play(move)
        self.sittings[job.key] = job, sitting
        if len(self.sittings) > MOST_PLAYERS:
            self.sittings.popitem(last=False)[1][1].close()
        return sitting


def _start(game: Any, position: str | None) -> Any:
    return game.new() if position is None else game.parse_position(position)


def warm(game: Any, state: Any) -> None:
    """Load what is compiled for playing a game, so that the first move is as quick as any."""
    if not game.is_over(state) and game.player_to_move(state) >= 0:
        from tesuji.rng import seeded

        ahead = game.view(state, game.player_to_move(state))
        game.legal_moves(ahead)
        game.play(ahead, game.random_move(ahead, seeded(0)))
        game.turn(ahead)


def _reports(player: Any) -> bool:
    return "report" in inspect.signature(player.choose).parameters


def _rehearse(game: Any, text: str, start: str | None) -> None:
    """Begin a search where the game begins, with a player of its own, and give it up at once."""
    from tesuji import players
    from tesuji.rng import seeded

    def enough(decision: players.Decision) -> None:
        raise Stopped

    state = _start(game, start)
    player = players.build(text, game)
    if _reports(player) and not game.is_over(state) and game.player_to_move(state) >= 0:
        view = game.view(state, game.player_to_move(state))
        with contextlib.suppress(Stopped):
            player.choose(view, seeded(0), report=enough)
    player.close()


def _can_play(name: str, game: Any) -> bool:
    from tesuji import players

    try:
        players.build(name, game).close()
    except Exception:  # whatever a player does with a game that it does not know
        return False
    return True


# --- In the server -------------------------------------------------------------------------------


class Worker:
    """One process, seen from the server."""

    def __init__(self, files: Sequence[str]) -> None:
        self.files = files
        self.closed = False
        self.keys: set[str] = set()
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, self.files), daemon=True)
        self.process.start()
        other.close()
        self.keys.clear()

    def replace(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        if not self.closed:
            self.start()

    def close(self) -> None:
        self.closed = True
        self.process.kill()

    def exchange(
        self, number: int, job: Job, stop: threading.Event, report: Callable[[Thought], None]
    ) -> Any:
        """Do one job, in a thread of the server; a worker that does not answer is replaced."""
        deadline = time.monotonic() + SECONDS
        told = False
        try:
            self.keys.add(job.key)
            self.pipe.send((number, job))
            while time.monotonic() < deadline:
                if stop.is_set() and not told:
                    self.pipe.send((number, None))
                    told, deadline = True, time.monotonic() + GRACE
                if not self.pipe.poll(0.05):
                    continue
                answered, what, value = self.pipe.recv()
                if answered != number:
                    continue
                if what == "report":
                    report(value)
                elif what == "done":
                    return value
                else:
                    raise Stopped if what == "stopped" else BadInput(value)
        except (EOFError, OSError):
            self.replace()
            raise BadInput(f"the process of {job.player or job.game} has died") from None
        self.replace()
        if told:
            raise Stopped
        raise BadInput(f"{job.player} thought for more than {SECONDS:g} seconds and was stopped")


class Pool:
    """A few workers, and who of them is free."""

    def __init__(self, files: Sequence[str] = (), size: int | None = None) -> None:
        size = size or max(2, min(4, os.cpu_count() or 1))
        self.workers = [Worker(files) for _ in range(size)]
        self.idle = list(self.workers)
        self.free = asyncio.Semaphore(size)
        self.threads = ThreadPoolExecutor(size, "lab-worker")
        self.number = 0

    async def ask(self, job: Job, report: Callable[[Thought], None] = lambda _: None) -> Any:
        """Have a job done. Cancelling the task that waits here stops the search."""
        await self.free.acquire()
        # The last one who worked on it: the player there remembers what it has planned.
        known = (worker for worker in reversed(self.idle) if job.key in worker.keys)
        worker = next(known, self.idle[-1])
        self.idle.remove(worker)
        self.number += 1
        loop, stop = asyncio.get_running_loop(), threading.Event()

        def reported(thought: Thought) -> None:
            if not stop.is_set():
                loop.call_soon_threadsafe(report, thought)

        def done(answer: "asyncio.Future[Any]") -> None:
            if not answer.cancelled():
                answer.exception()  # so that nobody complains of an answer that nobody fetched
            self.idle.append(worker)
            self.free.release()

        answer = loop.run_in_executor(
            self.threads, worker.exchange, self.number, job, stop, reported
        )
        answer.add_done_callback(done)
        try:
            return await asyncio.shield(answer)
        except asyncio.CancelledError:
            stop.set()
            raise

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
        self.threads.shutdown()
