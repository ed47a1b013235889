"""`tesuji amazons`: our player as an engine over a text protocol, and records of games.

The protocol is that of chess engines in the words of Amazons: `uai` (answered by `uaiok`),
`isready`, `position startpos moves d1-d7/g7 ...`, `go movetime 500`, `stop`, `quit`. A line that
cannot be obeyed is answered by `error` and a sentence, and changes nothing.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tesuji import __version__
from tesuji.cli.common import SeedOption, app
from tesuji.errors import BadInput, nearest

if TYPE_CHECKING:
    from tesuji.players import Decision, Player
    from tesuji.rng import Rng
    from tesuji.rules import Game, State

amazons_app = typer.Typer(no_args_is_help=True, help="Amazons with other people's programs.")
app.add_typer(amazons_app, name="amazons")

BUDGETS = {"movetime": "seconds", "nodes": "nodes", "depth": "depth"}


class Stopped(Exception):
    """A search was told to stop."""


class Server:
    """One conversation: the position, and the search that is under way."""

    def __init__(self, game: "Game", player: str, seed: int, say: Callable[[str], None]) -> None:
        self.game, self.player, self.seed, self.say = game, player, seed, say
        self.state = game.new()
        self.thinker: threading.Thread | None = None
        self.searching = self.stopping = False
        self.side: Player | None = None
        self.build([])  # refuses a player that cannot be built

    def serve(self, lines: Iterable[str]) -> None:
        """Obey each line, until `quit` or the end."""
        commands: dict[str, Callable[[list[str]], None]] = {
            "uai": self.introduce,
            "isready": lambda words: self.say("readyok"),
            "newgame": self.new_game,
            "position": self.set_position,
            "go": self.go,
            "stop": lambda words: self.stop(),
        }
        for line in lines:
            word, *words = line.split() or [""]
            if word == "quit":
                break
            try:
                if word in commands:
                    commands[word](words)
                elif word:
                    known = nearest(word, [*commands, "quit"])
                    raise BadInput(f"there is no command {word!r}{known}")
            except BadInput as error:
                self.say(f"error {error}")
        self.stop()

    def introduce(self, words: list[str]) -> None:
        self.say(f"id name tesuji {__version__} {self.player}")
        self.say("uaiok")

    def new_game(self, words: list[str]) -> None:
        self.refuse_while_searching()
        self.state = self.game.new()

    def set_position(self, words: list[str]) -> None:
        self.refuse_while_searching()
        end = words.index("moves") if "moves" in words else len(words)
        if words[:end] == ["startpos"]:
            state = self.game.new()
        else:
            state = self.game.parse_position(" ".join(words[:end]))
        for number, text in enumerate(words[end + 1 :], 1):
            try:
                for move in self.game.parse_turn(state, text):
                    self.game.play(state, move)
            except BadInput as error:
                raise BadInput(f"move {number}: {error}") from None
        self.state = state

    def go(self, words: list[str]) -> None:
        self.refuse_while_searching()
        self.side = self.build(words)
        self.searching, self.stopping = True, False
        self.thinker = threading.Thread(target=self.think, args=(self.side, self.state.copy()))
        self.thinker.start()

    def build(self, words: list[str]) -> "Player":
        """The player with the budget of a `go`, as far as the player has one."""
        from tesuji import players, spec
        from tesuji.plain_text import is_number

        name, settings = spec.parse(self.player)
        if words:
            counts = "playouts" if "playouts" in spec.settings_of(players.maker(name)) else "nodes"
            for budget in ("seconds", "depth", counts):
                settings.pop(budget, None)
            if words == ["infinite"]:
                words = ["movetime", str(10**9)]
            for key, value in zip(words[::2], [*words[1::2], ""], strict=False):
                if key == "infinite":
                    raise BadInput("go infinite takes nothing else")
                if key not in BUDGETS:
                    raise BadInput(f"go has no {key!r}{nearest(key, [*BUDGETS, 'infinite'])}")
                if not (is_number(value) and 0 < int(value) <= 10**12):
                    shown = value if len(value) < 30 else f"{value[:30]}..."
                    raise BadInput(f"go {key} needs a whole number from 1 to 10^12, not {shown!r}")
                if key == "movetime":
                    settings["seconds"] = str(int(value) / 1000)
                else:
                    settings[counts if key == "nodes" else key] = value
            known = spec.settings_of(players.maker(name))
            settings = {key: text for key, text in settings.items() if key in known or not key}
        return players.build(spec.text(name, settings), self.game)

    def think(self, side: "Player", state: "State") -> None:
        """Choose the moves of a whole turn, and say them."""
        from tesuji.players import Forfeit
        from tesuji.rng import seeded

        stream = seeded(self.seed, self.game.position_hash(state))
        text, turn = "", self.game.turn(state)
        try:
            while not self.game.is_over(state) and self.game.turn(state) == turn:
                move = self.choose(side, state, stream)
                text += self.game.move_text(state, move)
                self.game.play(state, move)
            answer = f"bestmove {text or 'none'}"
        except (BadInput, Forfeit) as error:
            answer = f"error {error}"
        side.close()
        self.searching = False  # before it is said: who hears it may ask on at once
        self.say(answer)

    def choose(self, side: "Player", state: "State", stream: "Rng") -> int:
        """The player's move; once it is to stop, what it would play when it next reports that."""
        move = None

        def hear(decision: "Decision") -> None:
            nonlocal move
            move = decision.move
            if self.stopping:
                raise Stopped

        try:
            return side.choose(state, stream, hear).move
        except Stopped:
            assert move is not None
            return move

    def stop(self) -> None:
        """Let the search answer at once, and wait for it."""
        if self.thinker is not None and self.side is not None:
            self.stopping = True
            self.side.interrupt()
            self.thinker.join()
            self.thinker = None

    def refuse_while_searching(self) -> None:
        if self.searching:
            raise BadInput("a search is under way: say stop first")


@amazons_app.command()
def engine(
    player: Annotated[str, typer.Option(help="The player that answers.")] = "alphabeta",
    size: Annotated[int, typer.Option(help="The board of startpos: 10, 8 or 6.")] = 10,
    seed: SeedOption = 0,
) -> None:
    """Answer other programs over standard input and output."""
    from tesuji import games

    def say(line: str) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more: the input will end, too
            print(line, flush=True)

    game = games.load(f"amazons:size={size}")
    Server(game, player, seed, say).serve(sys.stdin)


@amazons_app.command()
def sgf(file: Annotated[Path, typer.Argument(help="An SGF file of Amazons (GM[18]).")]) -> None:
    """Read a record, check its moves by the rules, and print its turns and its last position."""
    from tesuji import games
    from tesuji.formats import sgf as records

    try:
        record = records.read(file.read_text("utf-8"))
        if record.kind != records.AMAZONS:
            raise BadInput(f"GM[{record.kind}] is not Amazons, which is GM[{records.AMAZONS}]")
        game = games.load(f"amazons:size={record.size}")
        start = records.amazons_start(record)
        state = game.new() if start is None else game.parse_position(start)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {file}: {error}") from None
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
    for number, (colour, value) in enumerate(record.moves, 1):
        try:
            mover = "WB"[game.player_to_move(state)]
            if colour != mover:
                raise BadInput(f"{colour}[{value}] where it is {mover}'s turn")
            turn = records.amazons_turn(value, record.size)
            for move in game.parse_turn(state, turn):
                game.play(state, move)
        except BadInput as error:
            raise BadInput(f"{file}: move {number}: {error}") from None
        print(turn)
    print(game.position_text(state))
