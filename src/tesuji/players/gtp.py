"""Players that are programs of their own: Go engines that speak GTP.

The engine starts with the first move of the game. It is told the size of the board, komi, its seed
if it takes one, and every move that it does not make itself: an opening is played to it move by
move, and stones that are there at the start are put down first. The rules are the engine's
business; docs/arena.md says which options of GNU Go mean ours.
"""

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.formats.gtp import Engine, EngineError, EngineTimeOut, program
from tesuji.games import go
from tesuji.players import Decision, Forfeit, Player, Report, player
from tesuji.rng import Rng, next_u64

COLOURS = ("black", "white")


@player
def gtp(game: rules.Game, command: str = "gnugo --mode gtp", seconds: float = 60.0) -> Player:
    """A Go engine that speaks the Go Text Protocol; an answer may take so many seconds."""
    if game.name != "go":
        raise BadInput(f"the player gtp plays go only, not {game.name}")
    if seconds <= 0:
        raise BadInput("the player gtp needs some seconds for an answer")
    program(command)
    return Gtp(game, command, seconds)


class Gtp(Player):
    def __init__(self, game: rules.Game, command: str, seconds: float) -> None:
        self.game, self.command, self.seconds = game, command, seconds
        self._engine: Engine | None = None
        self._made: int | None = None  # the move it made itself, and knows of
        self._seeded = False

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        self._start(view)
        if not self._seeded:
            self._seeded = True
            if self._ask("known_command set_random_seed") == "true":  # as GNU Go does
                self._ask(f"set_random_seed {int(next_u64(rng) >> 33)}")
        said = self._ask(f"genmove {self._colour(view)}")
        if said.lower() == "resign":
            raise Forfeit("resignation", "it resigns")
        try:
            self._made = self.game.parse_move(view, said)
        except BadInput as error:
            raise Forfeit("illegal move", str(error)) from None
        return Decision(self._made)

    def watch(self, view: rules.State, move: int | None) -> None:
        if move is None:
            return
        self._start(view)
        if move != self._made:
            text = self.game.move_text(view, move)
            self._ask(f"play {self._colour(view)} {text}")
        self._made = None

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def final_score(self) -> str:
        """The engine's own count of the game: `W+7.5`."""
        return self._ask("final_score")

    def _start(self, view: rules.State) -> None:
        if self._engine is not None:
            return
        self._engine = Engine(self.command)
        state = view[0]
        self._ask(f"boardsize {int(len(state.empty) ** 0.5)}")
        self._ask("clear_board")
        self._ask(f"komi {state.double_komi / 2:g}")
        for point, colour in enumerate(state.colour):
            if colour in (go.BLACK, go.WHITE):
                name = COLOURS[colour - go.BLACK]
                self._ask(f"play {name} {go.move_text(state, point)}")

    def _ask(self, command: str) -> str:
        assert self._engine is not None
        try:
            return self._engine.ask(command, self.seconds)
        except EngineTimeOut as error:
            raise Forfeit("time-out", f"{self.command}: {error}") from None
        except EngineError as error:
            raise Forfeit("crash", f"{self.command}: {error}") from None

    def _colour(self, view: rules.State) -> str:
        return COLOURS[self.game.player_to_move(view)]
