"""Who plays the games: this process (`serial`), several (`processes[:N]`), or a cluster (`ray`).

A runner takes tasks and gives records back as they are finished, in any order; the same tasks give
the same records with every runner. A worker that dies is replaced and its game is played again, up
to `TRIES` times; a game that cannot be played comes back as `Lost`.
"""

import json
import os
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Protocol

from tesuji.arena.record import Record, Task, record_from_json
from tesuji.arena.worker import answer
from tesuji.errors import BadInput, nearest

TRIES = 3

Report = Callable[[str], None]
"""Is told, in a sentence, of what went wrong and was mended."""


@dataclass(frozen=True)
class Lost:
    """A game that could not be played, and why."""

    task: Task
    reason: str


Running = Generator[Record | Lost, None, None]


class Runner(Protocol):
    def run(self, tasks: Sequence[Task], report: Report) -> Running:
        """Play the games; closing the iterator early ends all work."""


def make(text: str) -> Runner:
    """The runner that `text` names: `serial`, `processes`, `processes:4`, `ray`, `ray:address`."""
    name, _, setting = text.partition(":")
    if name == "ray":
        from tesuji.arena.cluster import Ray

        return Ray(setting or None)
    if name == "processes":
        if setting and not (setting.isascii() and setting.isdecimal() and 0 < int(setting) < 10000):
            raise BadInput(f"runner {text!r}: processes:N needs a number N from 1")
        return Processes(int(setting) if setting else None)
    if name == "serial" and not setting:
        return Serial()
    raise BadInput(f"there is no runner {text!r}{nearest(name, ['serial', 'processes', 'ray'])}")


def warm_ups(tasks: Sequence[Task]) -> list[Task]:
    """A few tasks in which every player of every game takes part."""
    met: set[tuple[str, str]] = set()
    few = []
    for task in tasks:
        new = {(task.game, text) for text in task.players} - met
        if new:
            met |= new
            few.append(task)
    return few


class Deaths:
    """How often workers have died over each game, and whether it is tried again."""

    def __init__(self, report: Report) -> None:
        self.count: Counter[str] = Counter()
        self.report = report

    def again(self, task: Task, cause: str) -> Lost | None:
        """None if the game should be played again."""
        self.count[task.id] += 1
        if self.count[task.id] >= TRIES:
            return Lost(task, f"{TRIES} workers died over it, the last by {cause}")
        self.report(f"a worker died ({cause}) over game {task.id}, which is played again")
        return None


class Serial:
    """One game after the other, in this process."""

    def run(self, tasks: Sequence[Task], report: Report) -> Running:
        for task in tasks:
            yield result(task, answer({"play": task.as_json()}))


def result(task: Task, said: dict[str, Any]) -> Record | Lost:
    """What a worker's answer means."""
    return Lost(task, said["error"]) if "error" in said else record_from_json(said["record"])


class Died(Exception):
    """A worker process has ended in the middle of its work."""


class Worker:
    """A process of `tesuji.arena.worker`, and the way to ask it."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for library in ("OMP", "OPENBLAS", "MKL"):
            environment.setdefault(f"{library}_NUM_THREADS", "1")  # a core for each worker
        self.task: Task | None = None  # what it is playing
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from tesuji.arena.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.questions, self.answers = self.process.stdin, self.process.stdout

    def ask(self, **question: Any) -> None:
        with suppress(BrokenPipeError):  # the missing answer will tell
            self.questions.write(json.dumps(question).encode() + b"\n")
            self.questions.flush()

    def answer(self) -> dict[str, Any]:
        line = self.answers.readline()
        if not line.endswith(b"\n"):
            code = self.process.wait()
            raise Died(f"signal {-code}" if code < 0 else f"exit code {code}")
        return json.loads(line)  # type: ignore[no-any-return]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.answers.close()
        with suppress(BrokenPipeError):
            self.questions.close()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """A pool of worker processes, as many as there are cores unless told otherwise.

    One of them lets each player decide once before the others begin, so that nothing is compiled
    twice.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count or cores()

    def run(self, tasks: Sequence[Task], report: Report) -> Running:
        waiting = deque(tasks)
        deaths = Deaths(report)
        crew = [Worker() for _ in range(min(self.count, len(tasks)))]
        try:
            if len(crew) > 1:
                self._warm_up(crew, warm_ups(tasks))
            while True:
                for worker in crew:
                    if worker.task is None and waiting:
                        worker.task = waiting.popleft()
                        worker.ask(play=worker.task.as_json())
                busy = [worker for worker in crew if worker.task is not None]
                if not busy:
                    return
                ready = wait([worker.answers.fileno() for worker in busy])
                for place, worker in enumerate(crew):
                    task = worker.task
                    if task is None or worker.answers.fileno() not in ready:
                        continue
                    worker.task = None
                    try:
                        yield result(task, worker.answer())
                    except Died as death:
                        worker.kill()
                        crew[place] = Worker()
                        lost = deaths.again(task, str(death))
                        if lost:
                            yield lost
                        else:
                            waiting.append(task)
        finally:
            for worker in crew:
                worker.kill()

    def _warm_up(self, crew: list[Worker], tasks: Sequence[Task]) -> None:
        for task in tasks:
            crew[0].ask(warm=task.as_json())
            try:
                crew[0].answer()
            except Died:  # its game will say so
                crew[0].kill()
                crew[0] = Worker()
