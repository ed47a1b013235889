"""The Go Text Protocol, version 2, from the side of the program that asks an engine.

A command is a line; the answer begins with `=` (or `?` for an error) and ends with an empty line.
`Engine` runs a program and asks it; every answer has a time limit, and every failure is an
`EngineError` that says what the engine did. A move is a vertex (`D4`, no column I) or `pass`.
"""

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
from typing import IO, Any

from tesuji.errors import BadInput

EXTRA_PATH = "/usr/games"  # where Debian puts GNU Go, outside most people's PATH
LONGEST_ANSWER = 1 << 20
GRACE = 2.0  # seconds an engine has to end after `quit`


class EngineError(Exception):
    """An engine died, answered with an error, or answered nonsense."""


class EngineTimeOut(EngineError):
    """An engine did not answer in time."""


def program(command: str) -> list[str]:
    """The words of a command line, the first an existing program; or a sentence."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"the engine's command {command!r} cannot be read: {error}") from None
    if not words:
        raise BadInput("an engine needs a command")
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), EXTRA_PATH])
    found = shutil.which(words[0], path=path)
    if found is None:
        raise BadInput(f"there is no program called {words[0]!r} to play as an engine")
    return [found, *words[1:]]


def parse_answer(text: str) -> str:
    """What an engine said, without the sign; an error of the engine's is raised."""
    sign, said = text[:1], text[1:].lstrip("0123456789").strip()
    if sign == "?":
        raise EngineError(f"it answered: {said}")
    if sign != "=":
        raise EngineError(f"it answered {text[:80]!r}, which is not of the protocol")
    return said


def end(process: "subprocess.Popen[Any]") -> None:
    """Kill a program that leads a session, and whatever it started there."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Engine:
    """A running engine."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            program(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C is for us; we end it
        )
        self._hangs = False
        # A thread reads, so that waiting for an answer can be given up.
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        assert self._process.stdout is not None
        self._reader = threading.Thread(
            target=_read, args=(self._process.stdout, self._lines), daemon=True
        )
        self._reader.start()

    def ask(self, command: str, seconds: float) -> str:
        """The answer to a command, within so many seconds."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineError(f"it is gone before {command!r}") from None
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                self._hangs = True
                raise EngineTimeOut(f"it did not answer {command!r} within {seconds:g} s") from None
            if line is None:
                raise EngineError(f"it ended instead of answering {command!r}")
            line = line.strip()
            if not line and lines:
                return parse_answer("\n".join(lines))
            if line:
                lines.append(line)
            if sum(map(len, lines)) > LONGEST_ANSWER:
                raise EngineError(f"its answer to {command!r} has no end")

    def close(self) -> None:
        """Ask it to quit, and end it if it does not."""
        process = self._process
        if not self._hangs:
            with contextlib.suppress(EngineError):
                self.ask("quit", GRACE)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        if process.poll() is None:
            end(process)
        self._reader.join(GRACE)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _read(stream: IO[str], lines: "queue.SimpleQueue[str | None]") -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in stream:
            lines.put(line)
    lines.put(None)
