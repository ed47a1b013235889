"""The lab's server: the page over HTTP, everything else over one WebSocket, on this machine only.

Start with `Visit`, one open page: a message is `{"id": n, "do": COMMAND, ...}` and gets exactly one
answer, `{"id": n, "ok": ...}` or `{"id": n, "error": SENTENCE}`; the methods `do_COMMAND` are the
commands. What happens at the table that a page has joined is pushed to it.

Other web sites cannot speak to this server: the `Host` of every request and the `Origin` of the
WebSocket must be ours, and the page may load nothing from elsewhere (`HEADERS`).
"""

import asyncio
import contextlib
import json
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, WebSocket
from fastapi.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tesuji import __version__, home
from tesuji.errors import BadInput
from tesuji.web import boards, menu, tables, workers
from tesuji.web.store import Kept, Record, Store
from tesuji.web.tables import Table, Viewer

STATIC = Path(__file__).parent / "static"
PORT = 8037
NAMES = ("127.0.0.1", "localhost", "[::1]")
MOST_CHARACTERS = 200_000  # of one message
MOST_PAGES = 32
MOST_TABLES = 32  # that somebody looks at, or looked at lately
MOST_ASKED = 16  # messages of a page that are not answered yet; it is not read further
MOST_WAITING = 256  # messages to a page that it has not taken yet; then it is given up
LISTED = 30  # games in the list of recent ones

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


class Lab:
    """Everything that outlives a page: the store, the workers, the tables in memory."""

    def __init__(self, files: Sequence[str], pace: float, directory: Path) -> None:
        self.store = Store(home.private_directory(directory) / "lab.sqlite")
        self.pool = workers.Pool(files)
        self.pace = pace
        self.tables: dict[str, Table] = {}  # by the id of the game, the latest used last
        self.players: dict[str, asyncio.Future[list[str]]] = {}
        self.rehearsed: dict[tuple[str, str], asyncio.Task[None]] = {}
        self.pages = 0

    def close(self) -> None:
        for table in self.tables.values():
            table.stop()
        self.pool.close()
        self.store.close()

    async def table(self, seat: str) -> tuple[Table, Viewer]:
        """The table that a seat belongs to, from memory or from the store."""
        kept = self.store.find(seat)
        if kept is None:
            raise BadInput("there is no such game: it may have been deleted")
        table = self.tables.pop(kept.id, None)
        if table is None:
            self.make_room()
            table = await asyncio.to_thread(Table, kept, self.store, self.pool, self.pace)
        self.tables[kept.id] = table
        return table, kept.seats[seat]

    def make_room(self) -> None:
        """Put a table away that nobody looks at, the longest unused first."""
        if len(self.tables) >= MOST_TABLES:
            unused = next((id for id, table in self.tables.items() if not table.watchers), None)
            if unused is None:
                raise BadInput(f"{MOST_TABLES} games are open already: close one of them")
            del self.tables[unused]

    async def begin(self, record: Record) -> list[str]:
        """Put a game into the store, after its players have said that they can play it."""
        game = await asyncio.to_thread(menu.load_game, record.game)
        kept = Kept(secrets.token_urlsafe(12), tables.seats_for(game, record.players), record)
        table = await asyncio.to_thread(Table, kept, self.store, self.pool, self.pace)
        table.check_end()
        searching = []
        for side, player in enumerate(record.players):
            if player != menu.HUMAN and not table.over:
                if await self.pool.ask(table.job(side, player, "sit")):
                    searching.append(table.job(side, player, "rehearse"))
        self.make_room()
        self.store.make_room()
        self.tables[kept.id] = table
        self.store.keep(kept)
        for job in searching:
            self.rehearse(job)
        return list(kept.seats)

    def rehearse(self, job: workers.Job) -> None:
        """Have a search compiled while the person still thinks; whether it works is seen later."""

        async def ask() -> None:
            with contextlib.suppress(BadInput, workers.Stopped):
                await self.pool.ask(job)

        if (job.game, job.player) not in self.rehearsed:
            self.rehearsed[job.game, job.player] = asyncio.ensure_future(ask())

    async def players_of(self, game: str) -> list[str]:
        """The players that can play a game, found out once by a worker."""
        if game not in self.players:
            self.players[game] = asyncio.ensure_future(self.pool.ask(workers.Job("players", game)))
        try:
            return await asyncio.shield(self.players[game])
        except BadInput:
            del self.players[game]
            raise


# --- One page ------------------------------------------------------------------------------------


class Visit:
    """An open page: it takes messages one after the other, and sits at one table at most."""

    def __init__(self, lab: Lab, page: WebSocket) -> None:
        self.lab, self.page = lab, page
        self.asked: asyncio.Queue[str] = asyncio.Queue(MOST_ASKED)
        self.waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MOST_WAITING)
        self.at: Table | None = None
        self.viewer: Viewer = None

    async def run(self) -> None:
        """Read, answer and write until the page goes, or takes nothing any more."""
        tasks = [asyncio.ensure_future(work()) for work in (self.read, self.serve, self.write)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            with contextlib.suppress(Exception):
                await self.page.close()

    async def read(self) -> None:
        while True:
            await self.asked.put(await self.page.receive_text())

    async def serve(self) -> None:
        while True:
            self.send(await self.answer(await self.asked.get()))

    async def write(self) -> None:
        while True:
            message = await self.waiting.get()
            await self.page.send_text(json.dumps(message, separators=(",", ":")))

    def send(self, message: dict[str, Any]) -> None:
        self.waiting.put_nowait(message)

    def push(self, message: dict[str, Any]) -> None:
        """Tell the page something it did not ask for; a page that takes nothing is given up."""
        try:
            self.send(message)
        except asyncio.QueueFull:
            self.leave()

    async def answer(self, text: str) -> dict[str, Any]:
        number = None
        try:
            if len(text) > MOST_CHARACTERS:
                raise BadInput(f"a message has at most {MOST_CHARACTERS:,} characters")
            message = _parse(text)
            number = message.get("id") if isinstance(message.get("id"), int) else None
            command = self.commands().get(_word(message, "do"))
            if command is None:
                raise BadInput(f"there is no command {message['do'][:40]!r}")
            return {"id": number, "ok": await command(message)}
        except BadInput as error:
            return {"id": number, "error": str(error)}

    def commands(self) -> dict[str, Callable[[dict[str, Any]], Awaitable[Any]]]:
        names = (name for name in dir(self) if name.startswith("do_"))
        return {name.removeprefix("do_"): getattr(self, name) for name in names}

    def leave(self) -> None:
        if self.at is not None:
            self.at.leave(self.push)
            self.at = None

    @property
    def table(self) -> Table:
        if self.at is None:
            raise BadInput("join a game first")
        return self.at

    # --- Choosing ---

    async def do_menu(self, message: dict[str, Any]) -> dict[str, Any]:
        """The games there are."""
        described = [menu.describe_game(name) for name in menu.game_names()]
        return {"tesuji": __version__, "games": described, "favourite": menu.FAVOURITE}

    async def do_players(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """The players that can play a game, with their settings."""
        game = menu.load_game(_word(message, "game"))
        return [menu.describe_player(name) for name in await self.lab.players_of(game.name)]

    async def do_preview(self, message: dict[str, Any]) -> dict[str, Any]:
        """The board that a game would begin with; of a position, what it tells."""

        def prepare() -> dict[str, Any]:
            game, position = menu.load_game(_word(message, "game")), _position(message)
            state = game.new() if position is None else game.parse_position(position)
            return boards.draw(game, state)

        return await asyncio.to_thread(prepare)

    async def do_new(self, message: dict[str, Any]) -> list[str]:
        """Begin a game; the answer is its seats."""
        players, position = message.get("players"), _position(message)
        if not (isinstance(players, list) and len(players) == 2):
            raise BadInput("a game has two players")
        for text in players:
            if not isinstance(text, str):
                raise BadInput("a player is a text such as uct:playouts=1000")
            menu.check_player(text)

        def prepare() -> Record:
            game = menu.load_game(_word(message, "game"))
            return tables.new_record(game, players, position, None)

        return await self.lab.begin(await asyncio.to_thread(prepare))

    async def do_open(self, message: dict[str, Any]) -> list[str]:
        """Go on with a game that was saved; the answer is its seats."""
        record = _read_record(message.get("record"))
        for text in record.players if record.outcome is None else []:
            menu.check_player(text)
        return await self.lab.begin(record)

    async def do_games(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """The latest games that have one seat; those with two are found by their links only."""
        rows = []
        for kept in self.lab.store.newest(LISTED):
            record = kept.record
            if len(kept.seats) == 1:
                rows.append(
                    {"seat": next(iter(kept.seats)), "game": record.game, "updated": kept.updated,
                     "players": record.players, "moves": len(record.moves),
                     "outcome": record.outcome}
                )  # fmt: skip
        return rows

    async def do_forget(self, message: dict[str, Any]) -> None:
        """Delete a game that nobody looks at."""
        kept = self.lab.store.find(_word(message, "seat"))
        if kept is not None:
            table = self.lab.tables.get(kept.id)
            if table is not None and table.watchers:
                raise BadInput("somebody is looking at this game")
            self.lab.tables.pop(kept.id, None)
            self.lab.store.forget(kept.id)

    # --- At a table ---

    async def do_join(self, message: dict[str, Any]) -> None:
        table, viewer = await self.lab.table(_word(message, "seat"))
        self.leave()
        self.at, self.viewer = table, viewer
        table.watch(self.push, viewer)

    async def do_leave(self, message: dict[str, Any]) -> None:
        self.leave()

    async def do_move(self, message: dict[str, Any]) -> None:
        self.table.move(self.viewer, _number(message, "ply"), _number(message, "move"))

    async def do_undo(self, message: dict[str, Any]) -> None:
        self.table.undo(self.viewer)

    async def do_resign(self, message: dict[str, Any]) -> None:
        self.table.resign(self.viewer)

    async def do_pause(self, message: dict[str, Any]) -> None:
        self.table.pause(message.get("on") is True)

    async def do_step(self, message: dict[str, Any]) -> None:
        self.table.step()

    async def do_hint(self, message: dict[str, Any]) -> None:
        self.table.hint(self.viewer)

    async def do_record(self, message: dict[str, Any]) -> dict[str, Any]:
        return self.table.saved(self.viewer)

    async def do_position(self, message: dict[str, Any]) -> str:
        return self.table.position(self.viewer)

    async def do_again(self, message: dict[str, Any]) -> list[str]:
        """A new game with the same players from the same start; the answer is its seats."""
        old = self.table.record
        for text in old.players:
            menu.check_player(text)
        game, start = self.table.game, old.start
        if start is not None and self.viewer is not None:  # what was hidden is drawn anew
            start = game.position_text(game.view(game.parse_position(start), self.viewer))
        record = tables.new_record(game, list(old.players), start, None)
        return await self.lab.begin(record)


def _parse(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("a message is one JSON object") from None
    if not isinstance(message, dict):
        raise BadInput("a message is one JSON object")
    return message


def _word(message: dict[str, Any], key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str) or len(value) > menu.LONGEST_SPEC:
        raise BadInput(f"{key} must be a short text")
    return value


def _number(message: dict[str, Any], key: str) -> int:
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**31:
        raise BadInput(f"{key} must be a whole number")
    return value


def _position(message: dict[str, Any]) -> str | None:
    value = message.get("position")
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise BadInput("position must be a text")
    return value


def _read_record(data: Any) -> Record:
    """A record from a file: of the right shape here, of legal moves when it is replayed."""
    if not isinstance(data, dict):
        raise BadInput("a record is one JSON object")
    known = {one.name: data[one.name] for one in fields(Record) if one.name in data}
    for key in ("game", "version", "players", "moves"):
        if key not in known:
            raise BadInput(f"record: {key!r} is missing")

    def must(fits: bool, key: str, what: str) -> None:
        if not fits:
            raise BadInput(f"record: {key} must be {what}")

    def texts(value: Any) -> bool:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)

    start, outcome, resigned = known.get("start"), known.get("outcome"), known.get("resigned")
    must(isinstance(known["game"], str), "game", "a text")
    must(type(known["version"]) is int, "version", "a whole number")
    must(texts(known["players"]) and len(known["players"]) == 2, "players", "two texts")
    must(texts(known["moves"]), "moves", "a list of texts")
    must(texts(known.get("opening", [])), "opening", "a list of texts")
    must(start is None or isinstance(start, str), "start", "a position or null")
    must(outcome is None or outcome in (-1, 0, 1), "outcome", "1, 0, -1 or null")
    must(resigned is None or resigned in (0, 1), "resigned", "0, 1 or null")
    seed = known.get("seed", 0)
    must(type(seed) is int and abs(seed) < 2**63, "seed", "a whole number")
    values = known.get("values", [])
    rows = isinstance(values, list) and all(isinstance(row, list) for row in values)
    must(rows and all(_is_value(row) for row in values), "values", "rows of ply, side and value")
    moves = [*known.get("opening", []), *known["moves"]]
    return Record(
        __version__, known["game"], known["version"], known["players"], seed, start, [], moves,
        None if outcome is None else float(outcome), resigned, [tuple(row) for row in values],
    )  # fmt: skip


def _is_value(row: list[Any]) -> bool:
    numbers = all(type(one) in (int, float) for one in row)
    return len(row) == 3 and numbers and row[1] in (0, 1) and 0 <= row[2] <= 1


# --- HTTP ----------------------------------------------------------------------------------------


class Guard:
    """Refuses requests that are not addressed to us, and adds `HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        given = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        host = given.get("host", "")
        ours = host.rpartition(":")[0] in NAMES
        if scope["type"] == "websocket":
            if not ours or given.get("origin") != f"http://{host}":
                await receive()
                return await send({"type": "websocket.close", "code": 1008})
            return await self.app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        if not ours:
            start: Message = {"type": "http.response.start", "status": 421, "headers": []}
            await with_headers(start)
            return await send({"type": "http.response.body", "body": b"not the lab\n"})
        await self.app(scope, receive, with_headers)


def make_app(
    files: Sequence[str] = (), pace: float = tables.PACE, directory: Path | None = None
) -> FastAPI:
    """The application. `files` are game files of the user's own, loaded already; games are kept in
    `directory`, by default in `TESUJI_HOME`."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        app.state.lab = lab = Lab(files, pace, directory or home.home())
        yield
        lab.close()

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard)

    @app.websocket("/ws")
    async def visit(page: WebSocket) -> None:
        lab: Lab = app.state.lab
        if lab.pages >= MOST_PAGES:
            return await page.close(1013)
        await page.accept()
        lab.pages += 1
        try:
            await Visit(lab, page).run()
        finally:
            lab.pages -= 1

    app.mount("/", StaticFiles(directory=STATIC, html=True))
    return app


def listen(wanted: int | None = None) -> socket.socket:
    """A socket that listens on the port that is wanted, or on the first free one from `PORT`."""
    for port in [wanted] if wanted is not None else range(PORT, PORT + 20):
        with contextlib.suppress(OSError, OverflowError):
            listener = socket.create_server(("127.0.0.1", port))
            # A small message does not wait for the next one; connections inherit that.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return listener
    raise BadInput(f"port {wanted or PORT} is in use: choose another with --port")


def address(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


class Server(uvicorn.Server):
    """The lab on a socket; `ready` is called once it answers there."""

    def __init__(self, app: FastAPI, ready: Callable[[], None]) -> None:
        super().__init__(uvicorn.Config(app, log_level="warning", ws_max_size=1 << 20))
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await asyncio.to_thread(self.ready)


def serve(listener: socket.socket, files: Sequence[str], ready: Callable[[], None]) -> None:
    """Run the lab until it is interrupted."""
    with contextlib.suppress(KeyboardInterrupt):
        Server(make_app(files), ready).run([listener])
