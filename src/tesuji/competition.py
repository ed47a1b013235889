"""The Geister competition over TCP: a server that referees two clients, and a client that plays.

Start with `Server.referee`. The server owns the game; a client learns what the protocol's words
(`tesuji.formats.geister_protocol`) tell its side and no more, and the log gets a game when it is
over. Everything that happens, a connection, a line, a lost connection, comes to the referee through
one queue, so a game is one loop:

- a placement of anything but four ghosts is refused, and so is any line out of turn: no harm done
- a malformed or illegal move is refused and loses, unless the server lets it be tried again
- silence beyond the clock loses, and so does a connection that is lost once both are there
- who sends on and on without reading is cut off
"""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.formats import geister_protocol as words
from tesuji.games.geister import LONGEST
from tesuji.players import Player
from tesuji.rng import Rng

# --- The server ----------------------------------------------------------------------------------

MOST_UNREAD = 65536  # bytes that a client may leave unread


@dataclass
class Clock:
    """A player's time: so much in all, and then so much for each move."""

    left: float
    each: float
    started: float | None = None

    def start(self) -> None:
        self.started = time.monotonic()

    def stop(self) -> None:
        if self.started is not None:
            self.left = max(0.0, self.left - (time.monotonic() - self.started))
            self.started = None

    def ends(self) -> float:
        return float("inf") if self.started is None else self.started + self.left + self.each


class Event(NamedTuple):
    """What a side did: it connected, sent a line, or (None) was lost."""

    side: int
    writer: asyncio.StreamWriter
    line: str | None
    connected: bool = False


@dataclass
class Record:
    """A game that is over."""

    winner: int | None
    reason: str
    reds: list[str]
    moves: list[str]
    board: str


@dataclass
class _Table:
    """A game in progress: who sits where, their reds and clocks."""

    state: rules.State
    clocks: list[Clock]
    seats: list[asyncio.StreamWriter | None] = field(default_factory=lambda: [None, None])
    reds: list[str | None] = field(default_factory=lambda: [None, None])
    moves: list[str] = field(default_factory=list)

    def full(self) -> bool:
        return all(seat is not None for seat in self.seats)

    def placed(self) -> bool:
        return all(reds is not None for reds in self.reds)


class Server:
    """Referees one game after the other. `game` says when games are drawn."""

    def __init__(
        self, game: rules.Game, *, total: float = 600.0, each: float = 10.0, retry: bool = False
    ) -> None:
        game.new()  # refuses a limit that is out of range, before anybody connects
        self.game, self.total, self.each, self.retry = game, total, each, retry
        self.events: asyncio.Queue[Event] = asyncio.Queue(maxsize=100)
        self.listeners: list[asyncio.Server] = []

    async def open(self, host: str, ports: tuple[int, int]) -> tuple[int, int]:
        """Listen for the first and the second player; the ports, chosen by the system for 0."""
        for side, port in enumerate(ports):
            try:
                listener = await asyncio.start_server(
                    self._listener(side), host, port, limit=words.LONGEST_LINE
                )
            except (OSError, OverflowError, UnicodeError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                raise BadInput(f"cannot listen on port {port} of {host}: {reason}") from None
            self.listeners.append(listener)
        first, second = (listener.sockets[0].getsockname()[1] for listener in self.listeners)
        return first, second

    def _listener(self, side: int) -> Callable[..., Any]:
        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await self.events.put(Event(side, writer, "", connected=True))
                with contextlib.suppress(OSError, ValueError):  # ValueError: a line without an end
                    while line := await reader.readline():
                        text = line.decode("ascii", "replace").rstrip("\r\n")
                        await self.events.put(Event(side, writer, text))
                await self.events.put(Event(side, writer, None))
            except asyncio.CancelledError:  # the server ends
                writer.transport.abort()

        return listen

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()

    async def referee(self) -> Record:
        """Wait for two players, let them play one game, tell them the result and let them go."""
        table = _Table(self.game.new(), [Clock(self.total, self.each) for _ in range(2)])
        while True:
            deadline = min(clock.ends() for clock in table.clocks)
            wait = None if deadline == float("inf") else max(0.0, deadline - time.monotonic())
            try:
                event = await asyncio.wait_for(self.events.get(), wait)
            except TimeoutError:
                slow = min((0, 1), key=lambda side: table.clocks[side].ends())
                return await self._end(table, 1 - slow, "time")
            if event.connected:
                self._sit_down(table, event)
            elif event.writer is not table.seats[event.side]:
                continue  # somebody who was sent away, or a player of an earlier game
            elif event.line is None:
                if table.full():
                    return await self._end(table, 1 - event.side, "connection lost")
                table.seats[event.side] = table.reds[event.side] = None
                event.writer.close()
            elif not table.placed():
                self._place(table, event.side, event.line)
            elif self.game.player_to_move(table.state) != event.side:
                _send(event.writer, words.REFUSED)
            elif not self._move(table, event.side, event.line):
                _send(event.writer, words.REFUSED)
                if not self.retry:
                    return await self._end(table, 1 - event.side, "illegal move")
            elif self.game.is_over(table.state):
                outcome = self.game.outcome(table.state)
                winner = None if outcome == 0 else int(outcome < 0)
                return await self._end(table, winner, "rules")
            else:
                self._ask(table)

    def _sit_down(self, table: _Table, event: Event) -> None:
        if table.seats[event.side] is not None:
            event.writer.close()
            return
        table.seats[event.side] = event.writer
        _send(event.writer, words.SET)
        if table.full():
            for side, reds in enumerate(table.reds):
                if reds is None:
                    table.clocks[side].start()

    def _place(self, table: _Table, side: int, line: str) -> None:
        """Both place when they like; the moves are made in the rules' order once both have."""
        reds, seat = words.read_set(line), table.seats[side]
        if reds is None or table.reds[side] is not None:
            _send(seat, words.REFUSED)
            return
        table.reds[side] = reds
        table.clocks[side].stop()
        _send(seat, words.DONE)
        if table.placed() and table.full():
            for placement in table.reds:
                assert placement is not None
                self.game.play(table.state, self.game.parse_move(table.state, placement))
            self._ask(table)

    def _move(self, table: _Table, side: int, line: str) -> bool:
        """Make a move and tell its player so; False if it cannot be made."""
        text = words.read_move(line)
        if text is None:
            return False
        before = self._board(table, side, everything=True)
        try:
            move = self.game.parse_move(table.state, text)
            table.moves.append(self.game.move_text(table.state, move))
        except BadInput:
            return False
        self.game.play(table.state, move)
        table.clocks[side].stop()
        after = self._board(table, side, everything=True)
        answer = words.DONE
        for at in range(24, 48, 3):
            if after[at] == "9" != before[at]:
                answer = words.CAPTURED[after[at + 2]]
        _send(table.seats[side], answer)
        return True

    def _ask(self, table: _Table) -> None:
        mover = self.game.player_to_move(table.state)
        table.clocks[mover].start()
        _send(table.seats[mover], words.MOVE + self._board(table, mover))

    def _board(self, table: _Table, side: int, everything: bool = False) -> str:
        board = self.game.position_text(table.state).split()[0]
        board = words.turned(board) if side == 1 else board
        return board if everything else words.veiled(board)

    async def _end(self, table: _Table, winner: int | None, reason: str) -> Record:
        for side, seat in enumerate(table.seats):
            word = words.DRAWN if winner is None else words.WON if side == winner else words.LOST
            _send(seat, word + self._board(table, side, everything=True))
            if seat is not None:
                seat.close()
        for seat in table.seats:  # until the last words have left, or nobody takes them
            if seat is not None:
                with contextlib.suppress(OSError, TimeoutError):
                    await asyncio.wait_for(seat.wait_closed(), 1.0)
        reds = [reds or "" for reds in table.reds]
        return Record(winner, reason, reds, table.moves, self._board(table, 0, everything=True))


def _send(seat: asyncio.StreamWriter | None, line: str) -> None:
    if seat is not None and not seat.is_closing():
        seat.write(f"{line}\r\n".encode())
        if seat.transport.get_write_buffer_size() > MOST_UNREAD:
            seat.transport.abort()


def serve(
    server: Server,
    host: str,
    ports: tuple[int, int],
    games: int | None,
    opened: Callable[[tuple[int, int]], None],
    over: Callable[[int, Record], None],
) -> None:
    """Referee so many games (None: until interrupted); tell of the open ports and of each game."""

    async def run() -> None:
        opened(await server.open(host, ports))
        number = 0
        try:
            while games is None or number < games:
                record = await server.referee()
                number += 1
                over(number, record)
        finally:
            server.close()

    asyncio.run(run())


def log_line(number: int, record: Record) -> dict[str, Any]:
    return {"game": number, **asdict(record)}


# --- The client ----------------------------------------------------------------------------------


class Played(NamedTuple):
    """How a game ended for the client (WON, LST or DRW) and how many of its words were refused."""

    result: str
    refused: int


PATIENCE = 60.0  # how long a client tries to connect, in seconds


def play_series(
    game: rules.Game, host: str, port: int, make: Callable[[], Player], games: int, rng: Rng
) -> Iterator[Played]:
    """Play games on a server, connecting anew for each; tell of each."""
    for _ in range(games):
        with _connected(host, port) as connection, connection.makefile("rwb") as lines:
            yield _Client(game, make, rng, lines).play()


def _connected(host: str, port: int) -> socket.socket:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection = socket.create_connection((host, port), timeout=None)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection
        except (OSError, OverflowError, UnicodeError) as error:
            hopeless = (socket.gaierror, OverflowError, UnicodeError)
            if isinstance(error, hopeless) or time.monotonic() > end:
                raise BadInput(f"cannot connect to port {port} of {host}: {error}") from None
        time.sleep(0.1)


class _Client:
    """One game. Which side it has, the client sees at the first board: has the enemy moved yet?"""

    def __init__(self, game: rules.Game, make: Callable[[], Player], rng: Rng, lines: Any) -> None:
        self.game, self.make, self.rng, self.lines = game, make, rng, lines
        self.player = make()
        self.side: int | None = None
        self.placement = 0
        self.view = game.new()

    def play(self) -> Played:
        refused = 0
        try:
            while True:
                line = self._receive()
                word = line[:4]
                if word == words.SET and self.side is None:
                    decision = self.player.choose(self.view, self.rng)
                    self.placement = decision.move
                    self._send(f"SET:{self.game.move_text(self.view, decision.move)}")
                elif word == words.MOVE:
                    self._catch_up(words.read_board(line))
                    if self.game.is_over(self.view):
                        raise BadInput("the server asks for a move where the game is over")
                    decision = self.player.choose(self.view, self.rng)
                    self._send(f"MOV:{self.game.move_text(self.view, decision.move)}")
                    self._watch(decision.move)
                elif word in (words.WON, words.LOST, words.DRAWN):
                    words.read_board(line)
                    return Played(word[:3], refused)
                elif line[:2] == "NG":
                    refused += 1
                elif line[:2] != "OK":
                    raise BadInput(f"the server's line {line!r} is not in the protocol")
        finally:
            self.player.close()

    def _catch_up(self, board: str) -> None:
        """Tell the player what happened since its last move, and see what it may see now."""
        start = words.veiled(self.game.position_text(self.game.new()).split()[0])
        if self.side is None:
            self.side = int(board[24:] != start[24:])
            if self.side == 1:  # it was asked for its reds as if it were the first player
                self.player.close()
                self.player = self.make()
            for side in range(2):
                self._watch(self.placement if side == self.side else None)
        ply = int(self.view[0].ply)
        if ply % 2 != self.side:
            now = self._read(board, ply + 1)
            self.view[0].colour[1 - self.side] = now[0].colour[1 - self.side]  # of a capture
            self._watch(_difference(self.view, now))
            self.view = now
        else:
            self.view = self._read(board, ply)

    def _watch(self, move: int | None) -> None:
        """Tell the player of a move, and make it, as far as it is known."""
        self.player.watch(self.view, move)
        if move is None:
            self.view[0].ply += 1
        else:
            rules.compiled_play(self.view, move)

    def _read(self, board: str, ply: int) -> rules.State:
        """What the server shows. If it goes on beyond our limit, we know of none."""
        board = words.turned(board) if self.side == 1 else board
        limit = int(self.view[0].limit)
        return self.game.parse_position(f"{board} {ply} {limit if ply - 2 < limit else LONGEST}")

    def _receive(self) -> str:
        try:
            line = self.lines.readline(words.LONGEST_LINE)
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise BadInput("the server closed the connection before the game was over")
        return str(line.decode("ascii", "replace")).rstrip("\r\n")

    def _send(self, line: str) -> None:
        with contextlib.suppress(OSError):  # whether the server is still there, reading tells
            self.lines.write(f"{line}\r\n".encode())
            self.lines.flush()


def _difference(before: rules.State, after: rules.State) -> int:
    """The move of the enemy's ghost that is elsewhere now."""
    mover = int(before[0].ply) % 2
    own = range(1 + 8 * mover, 9 + 8 * mover)
    places = [
        {int(label): cell for cell, label in enumerate(state[0].label) if label in own}
        for state in (before, after)
    ]
    moved = [g for g in places[1] if places[0].get(g) != places[1][g]]
    if len(moved) != 1 or moved[0] not in places[0]:
        raise BadInput("the server's board does not follow from the one before by one move")
    return places[0][moved[0]] * 64 + places[1][moved[0]]
