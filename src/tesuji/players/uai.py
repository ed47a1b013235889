"""External Amazons engines as players, over the text protocol that `tesuji amazons engine` speaks.

    position startpos moves d1-d7/g7 ...     or: position ROWS MOVER SHOOTER TURNS moves ...
    go movetime 500                          or: go nodes 10000
    bestmove g1-g7/b7

The engine starts when it is first asked for a move, and ends with its game. One that dies, is
silent for too long or plays illegally loses the game.
"""

import contextlib
import queue
import subprocess
import threading
import time

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.formats.gtp import end, program
from tesuji.players import Decision, Forfeit, Player, Report, player
from tesuji.rng import Rng

START = "3B2B3/10/10/B8B/10/10/W8W/10/10/3W2W3 W - 0"


@player
def uai(
    game: rules.Game,
    command: str = "",
    nodes: int | None = None,
    seconds: float | None = None,
    patience: float = 30.0,
) -> Player:
    """An external Amazons engine: uai:"my-engine --fast",seconds=1.

    nodes or seconds (1 unless set) is its budget for a turn; patience is how many seconds more it
    may take to answer.
    """
    if game.name != "amazons":
        raise BadInput(f"uai plays amazons, not {game.name}")
    if not command:
        raise BadInput('uai needs the command of an engine: uai:"my-engine --fast"')
    if (nodes is not None and nodes < 1) or (seconds is not None and seconds <= 0):
        raise BadInput("uai needs a budget of at least one node or some time")
    program(command)  # refuses what is not there
    if patience <= 0:
        raise BadInput("uai needs some patience, in seconds")
    if nodes is None and seconds is None:
        seconds = 1.0
    budget = f"nodes {nodes}" if seconds is None else f"movetime {max(1, round(1000 * seconds))}"
    return Engine(game, command, budget, patience + (seconds or 0.0))


class Engine(Player):
    def __init__(self, game: rules.Game, command: str, budget: str, patience: float) -> None:
        self.game, self.command, self.budget, self.patience = game, command, budget, patience
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: queue.Queue[str] = queue.Queue()
        self.listener: threading.Thread | None = None
        self.arrow: int | None = None  # the rest of the turn that the engine has chosen
        self.turns: list[str] | None = None  # since the usual start; None if it was another

    def watch(self, view: rules.State, move: int | None) -> None:
        if move is None:
            return
        text = self.game.move_text(view, move)
        if self.turns is None and self.game.position_text(view) == START:
            self.turns = []
        if self.turns is not None:
            if view[0].shooter:
                self.turns[-1] += text
            else:
                self.turns.append(text)

    def position(self, view: rules.State) -> str:
        """The position as any engine knows it, or in our notation if it is of our own making."""
        if self.turns is None and self.game.position_text(view) != START:
            return self.game.position_text(view)
        return " ".join(["startpos", *(["moves", *self.turns] if self.turns else [])])

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        if view[0].shooter and self.arrow is not None:
            move, self.arrow = self.arrow, None
            return Decision(move)
        if view[0].shooter:
            raise Forfeit("crash", f"{self.command}: it can only play whole turns")
        if self.process is None:
            self.start()
        self.say(f"position {self.position(view)}")
        self.say(f"go {self.budget}")
        words = self.answer("bestmove").split()
        text = words[1] if len(words) > 1 else ""
        try:
            moves = self.game.parse_turn(view, text)
        except BadInput as error:
            raise Forfeit("illegal move", f"{self.command}: {error}") from None
        if len(moves) != 2:
            raise Forfeit("illegal move", f"{self.command}: {text!r} is half a turn")
        self.arrow = moves[1]
        return Decision(moves[0], line=tuple(moves))

    def start(self) -> None:
        self.process = subprocess.Popen(
            program(self.command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for us; we end it
        )
        self.listener = threading.Thread(target=self.listen, args=(self.process,), daemon=True)
        self.listener.start()
        self.say("uai")
        self.answer("uaiok")

    def listen(self, process: "subprocess.Popen[bytes]") -> None:
        """Pass on what the engine says; an empty line stands for its end."""
        assert process.stdout is not None
        with process.stdout as raw:
            for line in raw:
                if line.strip():
                    self.lines.put(line.decode("utf-8", "replace").strip())
        self.lines.put("")

    def say(self, line: str) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
        except OSError:
            raise Forfeit("crash", f"{self.command}: it has ended") from None

    def answer(self, word: str) -> str:
        """The next line that begins with a word; other lines are the engine's thoughts."""
        deadline = time.monotonic() + self.patience
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                late = f"{self.command}: no {word} within {self.patience:g} s"
                raise Forfeit("time-out", late) from None
            if not line:
                raise Forfeit("crash", f"{self.command}: it has ended")
            if line.startswith("error"):
                raise Forfeit("crash", f"{self.command}: it says {line}")
            if line.split()[0] == word:
                return line

    def close(self) -> None:
        if self.process is None:
            return
        process, self.process = self.process, None
        assert process.stdin is not None
        with process.stdin, contextlib.suppress(OSError):
            process.stdin.write(b"quit\n")
        try:
            process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            end(process)
        if self.listener is not None:
            self.listener.join(timeout=2.0)
