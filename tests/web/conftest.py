"""One lab for all tests of the web floor, in a thread of the test's process."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tesuji import games
from tesuji.web import server

ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = str(ROOT / "examples" / "connect_four.py")


class Visitor:
    """A page without a browser: it asks, and keeps what it was told unasked."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.frames: list[str] = []
        self.pushed: list[dict[str, Any]] = []
        self.number = 0

    def ask(self, do: str, **fields: Any) -> Any:
        """The answer to a command, which must be one."""
        answer = self.try_to(do, **fields)
        assert "ok" in answer, answer
        return answer["ok"]

    def refused(self, do: str, **fields: Any) -> str:
        """The sentence that a command is refused with."""
        answer = self.try_to(do, **fields)
        assert "error" in answer, answer
        return str(answer["error"])

    def try_to(self, do: str, **fields: Any) -> dict[str, Any]:
        self.number += 1
        return self.say(json.dumps({"id": self.number, "do": do, **fields}), self.number)

    def say(self, text: str | bytes, number: int | None) -> dict[str, Any]:
        self.connection.send(text)
        while True:
            message = self.hear()
            if "push" not in message and message["id"] == number:
                return message

    def hear(self, timeout: float = 60) -> dict[str, Any]:
        self.frames.append(str(self.connection.recv(timeout=timeout)))
        message: dict[str, Any] = json.loads(self.frames[-1])
        if "push" in message:
            self.pushed.append(message)
        return message

    def sit(self, game: str, *players: str, **fields: Any) -> dict[str, Any]:
        """Begin a game, join its first seat, and give what is seen there."""
        self.seats = self.ask("new", game=game, players=list(players), **fields)
        self.ask("join", seat=self.seats[0])
        return self.table

    @property
    def table(self) -> dict[str, Any]:
        """The table as it was last seen."""
        return [message for message in self.pushed if message["push"] == "table"][-1]

    def wait(self, until: Any) -> dict[str, Any]:
        """Listen until the table is as wanted."""
        while not until(self.table):
            self.hear()
        return self.table

    def my_turn(self) -> dict[str, Any]:
        return self.wait(lambda table: table["moves"] or table["over"])

    def move(self, place: int = 0) -> None:
        table = self.my_turn()
        self.ask("move", ply=table["ply"], move=table["moves"][place][0])
        self.wait(lambda new: new["ply"] > table["ply"])


class LiveLab:
    def __init__(self, directory: Path) -> None:
        games.load(CONNECT_FOUR)
        self.app = server.make_app([CONNECT_FOUR], 0, directory)
        self.listener = server.listen()
        self.address = server.address(self.listener)
        self.port = int(self.address.rpartition(":")[2])
        ready = threading.Event()
        self.server = server.Server(self.app, ready.set)
        self.thread = threading.Thread(
            target=lambda: asyncio.run(self.server.serve([self.listener]))
        )
        self.thread.start()
        assert ready.wait(60)

    def close(self) -> None:
        self.server.should_exit = True
        self.thread.join()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveLab]:
    live = LiveLab(tmp_path_factory.mktemp("lab"))
    yield live
    live.close()


@pytest.fixture
def visitor(lab: LiveLab) -> Iterator[Visitor]:
    with connect(f"ws://127.0.0.1:{lab.port}/ws", origin=Origin(lab.address)) as connection:
        yield Visitor(connection)


@pytest.fixture
def another(lab: LiveLab) -> Iterator[Visitor]:
    with connect(f"ws://127.0.0.1:{lab.port}/ws", origin=Origin(lab.address)) as connection:
        yield Visitor(connection)
