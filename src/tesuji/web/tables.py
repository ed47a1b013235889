"""Tables: games in progress, what each seat sees of them, and who plays when.

Start with `Table.wake`: whenever something has changed, it lets the computer's sides (and chance)
move until it is a person's turn. A table owns the whole state; a seat gets `Table.seen_by`, made
from what its side may know. Whoever watches is told of every change.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from tesuji import __version__, rules
from tesuji.errors import BadInput
from tesuji.rng import seeded
from tesuji.web import boards, menu
from tesuji.web.store import Kept, Record, Store
from tesuji.web.workers import Job, Pool, Stopped, Thought, warm

Watcher = Callable[[dict[str, Any]], None]
What = Literal["choose", "sit", "rehearse"]
Viewer = int | None  # the side whose eyes a seat has; None sees everything
LONGEST_LINE = 12  # moves of a principal variation that are shown
PACE = 0.35  # seconds between two moves of the computer that a person wants to follow


def new_record(game: rules.Game, players: list[str], start: str | None, seed: int | None) -> Record:
    """The record of a game about to begin. A position brings its own options with it."""
    if seed is None:
        seed = secrets.randbits(32)
    if start is not None:
        state, game = game.parse_position(start), menu.load_game(game.name)
        if game.hidden:  # what the position does not tell is drawn by lot
            for player in (0, 1):
                state = game.sample_world(state, player, seeded(seed, "lab", "world", player))
        start = game.position_text(state)
    return Record(__version__, game.spec, game.version, players, seed, start)


def seats_for(game: rules.Game, players: list[str]) -> dict[str, Viewer]:
    """Who may look at a game: its only person, its two persons each, or anybody at everything."""
    people = [side for side in (0, 1) if players[side] == menu.HUMAN]
    viewers: list[Viewer] = [None]
    if len(people) == 1 or game.hidden:
        viewers = [*people] or [None]
    return {secrets.token_urlsafe(12): viewer for viewer in viewers}


class Made(NamedTuple):
    """A move that was made, with what is asked of it again and again."""

    move: int
    mover: int
    turn: int
    text: str
    public: str  # what the other side is told
    cells: list[int]  # where it happened on the board

    @property
    def secret(self) -> bool:
        return self.text != self.public


class Table:
    def __init__(self, kept: Kept, store: Store, pool: Pool, pace: float = PACE) -> None:
        self.kept, self.record = kept, kept.record
        self.store, self.pool, self.pace = store, pool, pace
        self.game = menu.load_game(self.record.game)
        if self.record.version != self.game.version:
            raise BadInput(
                f"the game was played by version {self.record.version} of the rules of "
                f"{self.game.name}; this is version {self.game.version}"
            )
        self.watchers: dict[Watcher, Viewer] = {}
        self.driver: asyncio.Task[None] | None = None
        self.adviser: asyncio.Task[None] | None = None
        self.paused = False
        self.problem: str | None = None
        self.since: float | None = None
        self.search: dict[str, Any] | None = None  # the latest, as it is sent
        self.replay(self.record.moves)
        warm(self.game, self.state)

    # --- The game ---

    def replay(self, texts: list[str]) -> None:
        """Set the state to what these moves lead to from the start."""
        game, start = self.game, self.record.start
        state = game.new() if start is None else game.parse_position(start)
        self.made: list[Made] = []
        self.states = [state]
        if len(texts) > game.bounds(state).length:
            raise BadInput(f"{len(texts)} moves are more than a game of {game.name} can have")
        for number, text in enumerate(texts, 1):
            try:
                self.make(game.parse_move(self.state, text))
            except BadInput as error:
                raise BadInput(f"move {number}: {error}") from None

    def make(self, move: int) -> None:
        """Make a move, or refuse an illegal one; earlier states are kept for undo."""
        game, before, after = self.game, self.state, self.state.copy()
        game.play(after, move)
        mover = game.player_to_move(before)
        (path,) = boards.paths(game, before, [move])
        self.made.append(
            Made(move, mover, game.turn(before), game.move_text(before, move),
                 game.public_text(before, move), boards.cells(path))
        )  # fmt: skip
        self.states.append(after)

    @property
    def state(self) -> rules.State:
        return self.states[-1]

    @property
    def ply(self) -> int:
        return len(self.made)

    @property
    def over(self) -> bool:
        return self.record.outcome is not None

    @property
    def mover(self) -> int | None:
        return None if self.over else self.game.player_to_move(self.state)

    @property
    def people(self) -> list[int]:
        return [side for side in (0, 1) if self.record.players[side] == menu.HUMAN]

    def is_person(self, side: int | None) -> bool:
        return side is not None and side in self.people

    @property
    def is_thinking(self) -> bool:
        """Whether the computer is at work on a move of its own."""
        waits = self.driver is not None or not self.paused
        return waits and not self.over and not self.is_person(self.mover)

    def check_end(self) -> None:
        """Write down the outcome of a game that the rules have ended."""
        if self.record.outcome is None and self.game.is_over(self.state):
            self.record.outcome = self.game.outcome(self.state)

    def play(self, move: int) -> None:
        mover = self.mover
        self.make(move)
        self.count_time(mover)
        self.record.moves.append(self.made[-1].text)
        self.check_end()
        self.changed()

    def count_time(self, mover: int | None) -> None:
        """Add the time since the last move to the mover's clock."""
        now = time.monotonic()
        if self.since is not None and mover in (0, 1):
            self.record.seconds[mover or 0] += now - self.since
        self.since = now

    # --- What a person does ---

    def move(self, viewer: Viewer, ply: int, move: int) -> None:
        """A person's move, made where the page saw `ply` moves."""
        self.check_turn(viewer)
        if ply != self.ply:
            raise BadInput("the position has changed since: look again")
        if not -(2**31) <= move < 2**31:
            raise BadInput(f"{move} is not a move")
        if move not in self.game.legal_moves(self.state):
            raise BadInput("this is not a legal move here")
        self.stop()
        self.play(move)
        self.wake()

    def check_turn(self, viewer: Viewer) -> None:
        if self.over:
            raise BadInput("the game is over")
        if not self.is_person(self.mover) or viewer not in (None, self.mover):
            raise BadInput("it is not your turn")

    def undo(self, viewer: Viewer) -> None:
        """Take back a person's last turn and what followed, or the computer's last move if it plays
        alone."""
        if self.game.hidden and self.people:
            raise BadInput(f"{self.game.title} takes nothing back: what was seen stays seen")
        if not self.can_undo(viewer):
            raise BadInput("there is nothing to take back")
        self.stop()
        keep = self.ply - 1
        if self.people:
            while not self.is_person(self.made[keep].mover):
                keep -= 1
            while keep > 0 and self.made[keep - 1].turn == self.made[keep].turn:
                keep -= 1
        else:
            self.paused = True
        del self.made[keep:], self.states[keep + 1 :], self.record.moves[keep:]
        self.record.values = [row for row in self.record.values if row[0] < keep]
        self.record.outcome = self.record.resigned = self.search = self.problem = None
        self.changed()
        self.wake()

    def can_undo(self, viewer: Viewer) -> bool:
        if self.game.hidden and (self.over or self.people):
            return False  # somebody would go back knowing what is secret there
        return any(not self.people or self.is_person(made.mover) for made in self.made)

    def resign(self, viewer: Viewer) -> None:
        if self.over:
            raise BadInput("the game is over")
        side = viewer if viewer is not None else self.mover
        if side is None or not self.is_person(side):
            raise BadInput("only a person can resign")
        self.stop()
        self.count_time(self.mover)
        self.record.resigned, self.record.outcome = side, (-1.0 if side == 0 else 1.0)
        self.changed()

    def pause(self, paused: bool) -> None:
        self.paused, self.problem = paused, None
        if paused:
            self.stop()
        self.changed()
        self.wake()

    def step(self) -> None:
        """Let the computer make one move, and pause."""
        if self.driver is None and not self.over:
            self.paused, self.problem = True, None
            self.wake(once=True)

    def hint(self, viewer: Viewer) -> None:
        """Show a person what a search would do in its place, by what its side knows."""
        self.check_turn(viewer)
        if self.adviser is None:
            self.adviser = asyncio.ensure_future(self.advise(int(self.mover or 0)))
            self.changed(keep=False)

    async def advise(self, side: int) -> None:
        try:
            await self.think(side, menu.FAVOURITE, hint=True)
        except BadInput as error:
            self.problem = str(error)
        except Stopped:
            pass
        finally:
            if self.adviser is asyncio.current_task():
                self.adviser = None
                self.changed(keep=False)

    def saved(self, viewer: Viewer) -> dict[str, Any]:
        """The record to take home."""
        if self.game.hidden and not self.over and viewer is not None:
            raise BadInput(
                "the record would tell the other side's secrets: save it when the game is over"
            )
        return dict(vars(self.record))

    def position(self, viewer: Viewer) -> str:
        """The position in the game's notation, as far as a seat may know it."""
        if viewer is None or self.over:
            return self.game.position_text(self.state)
        return self.game.position_text(self.game.view(self.state, viewer))

    # --- What the computer does ---

    def wake(self, once: bool = False) -> None:
        """Let the computer's sides and chance move, if it is their turn and somebody watches."""
        if self.driver is None and self.watchers and not self.over:
            if once or not self.paused or self.mover == rules.CHANCE:
                if not self.is_person(self.mover):
                    self.driver = asyncio.ensure_future(self.drive(once))

    async def drive(self, once: bool) -> None:
        try:
            while self.watchers and not self.over and not self.is_person(self.mover):
                mover = self.mover
                if mover == rules.CHANCE:
                    stream = seeded(self.record.seed, "lab", "chance", self.ply)
                    self.play(self.game.random_move(self.state, stream))
                elif self.paused and not once:
                    break
                else:
                    self.play(await self.think(int(mover or 0), self.record.players[mover or 0]))
                    once = False
                if self.pace and not self.over and not self.is_person(self.mover):
                    await asyncio.sleep(self.pace)
        except BadInput as error:
            self.problem, self.paused = str(error), True
        except Stopped:
            pass
        except Exception as error:  # the page must not wait for ever
            self.problem, self.paused = f"the lab has failed here: {error}", True
            raise
        finally:
            if self.driver is asyncio.current_task():
                self.driver = None
                if self.paused:
                    self.changed(keep=False)

    def job(self, side: int, player: str, what: What = "choose") -> Job:
        return Job(
            what, self.record.game, f"{self.kept.id} {side} {player}", player, side,
            self.record.start, tuple(made.move for made in self.made), self.record.seed,
        )  # fmt: skip

    async def think(self, side: int, player: str, hint: bool = False) -> int:
        """Have a worker search for a side, and tell those who may know what it sees.

        A hint is shown even if it was not searched for, as the places of Geister's reds are not.
        """
        ply = self.ply

        def report(thought: Thought) -> None:
            if self.ply == ply and thought.candidates:
                self.show_search(side, player, thought, done=False)

        thought: Thought = await self.pool.ask(self.job(side, player), report)
        if thought.candidates and self.ply == ply:
            value = thought.candidates[0][2]
            self.record.values = [row for row in self.record.values if row[0] != ply]
            self.record.values.append((ply, side, round(value, 4)))
            self.record.values.sort()
            self.show_search(side, player, thought, done=True)
        elif hint and self.ply == ply:
            only = replace(thought, candidates=((thought.move, 0, 0.5),))
            self.show_search(side, player, only, done=True)
        return thought.move

    def show_search(self, side: int, player: str, thought: Thought, done: bool) -> None:
        game, view = self.game, self.game.view(self.state, side)
        moves = [move for move, _, _ in thought.candidates]
        ways = boards.paths(game, view, moves)
        candidates = [
            {"text": game.move_text(view, move), "visits": visits, "value": value, "path": path}
            for (move, visits, value), path in zip(thought.candidates, ways, strict=True)
        ]
        line, ahead = [], view.copy()
        for move in thought.line[:LONGEST_LINE]:
            try:
                text, (path,) = game.move_text(ahead, move), boards.paths(game, ahead, [move])
                line.append({"text": text, "path": path, "side": game.player_to_move(ahead)})
                game.play(ahead, move)
            except BadInput:  # a line in a world that the search had drawn, which is not this one
                break
        self.search = {
            "push": "search", "ply": self.ply, "side": side, "player": player,
            "candidates": candidates, "line": line, "simulations": thought.simulations,
            "seconds": round(thought.seconds, 3), "done": done,
        }  # fmt: skip
        for watcher, viewer in self.watchers.items():
            if self.may_see_search(viewer, side):
                watcher(self.search)

    def may_see_search(self, viewer: Viewer, side: int) -> bool:
        """A search tells what its side knows, so where something is hidden it is its side's."""
        return not self.game.hidden or viewer in (None, side) or self.over

    def stop(self) -> None:
        """Stop whoever is thinking."""
        for task in (self.driver, self.adviser):
            if task is not None:
                task.cancel()
        self.driver = self.adviser = None

    # --- What a seat sees ---

    def watch(self, watcher: Watcher, viewer: Viewer) -> None:
        self.watchers[watcher] = viewer
        if self.since is None:
            self.since = time.monotonic()
        watcher(self.seen_by(viewer))
        if self.search and self.may_see_search(viewer, self.search["side"]):
            watcher(self.search)
        self.wake()

    def leave(self, watcher: Watcher) -> None:
        """Nobody thinks for an empty room, and its clocks stand still."""
        self.watchers.pop(watcher, None)
        if not self.watchers:
            self.stop()
            self.since = None

    def changed(self, keep: bool = True) -> None:
        """Keep the game if that is needed, and tell everybody."""
        if keep:
            self.store.keep(self.kept)
        for watcher, viewer in list(self.watchers.items()):
            watcher(self.seen_by(viewer))

    def seen_by(self, viewer: Viewer) -> dict[str, Any]:
        """Everything that a page shows, and nothing that its seat may not know."""
        game, record, mover = self.game, self.record, self.mover
        eyes = None if self.over else viewer
        view = self.state if eyes is None else game.view(self.state, eyes)
        running = time.monotonic() - self.since if self.since else 0.0
        seconds = [
            round(spent + (running if side == mover else 0.0), 2)
            for side, spent in enumerate(record.seconds)
        ]
        table: dict[str, Any] = {
            "push": "table",
            "game": {"name": game.name, "title": game.title, "spec": game.spec,
                     "players": list(game.players), "hidden": game.hidden},
            "players": record.players,
            "viewer": viewer,
            "ply": self.ply,
            "mover": mover,
            "turn": game.turn(self.state),
            "board": boards.draw(game, view),
            "last": self.last_cells(eyes),
            "history": self.history(eyes),
            "seconds": seconds,
            "thinking": self.is_thinking,
            "hinting": self.adviser is not None,
            "paused": self.paused,
            "problem": self.problem,
            "over": self.over,
            "outcome": record.outcome,
            "result": self.result(),
            "can_undo": self.can_undo(viewer),
            "values": [[ply, side, value] for ply, side, value in record.values
                       if self.may_see_search(viewer, side)],
            "moves": [],
        }  # fmt: skip
        if self.is_person(mover) and viewer in (None, mover):
            own = game.view(self.state, int(mover or 0))
            moves = game.legal_moves(own)
            ways = boards.paths(game, own, moves)
            table["moves"] = [[move, *way] for move, way in zip(moves, ways, strict=True)]
        return table

    def result(self) -> str | None:
        if self.record.outcome is None:
            return None
        if self.record.outcome == 0:
            return "A draw"
        winner = self.game.players[0 if self.record.outcome > 0 else 1]
        how = " by resignation" if self.record.resigned is not None else ""
        return f"{winner} wins{how}"

    def history(self, eyes: Viewer) -> list[list[Any]]:
        """(side, turn, text) of each move, as somebody may know it."""
        return [
            [made.mover, made.turn, made.text if eyes in (None, made.mover) else made.public]
            for made in self.made
        ]

    def last_cells(self, eyes: Viewer) -> list[int]:
        """Where the moves of the last turn happened, as far as that is known."""
        turn = self.made[-1].turn if self.made else 0
        return [
            cell
            for made in self.made
            if made.turn == turn and made.mover != rules.CHANCE
            if not made.secret or eyes in (None, made.mover)
            for cell in made.cells
        ]
