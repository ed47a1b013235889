"""Players that misbehave. Importing this module registers them, as a worker does; in the tests'
own processes the fixture `misfits` takes them away again."""

import os
import signal
from pathlib import Path

from tesuji import players, rules
from tesuji.players import Decision, Forfeit, Player, Report
from tesuji.rng import Rng

BEFORE = set(players.names())


class Misfit(players.Random):
    """A random player with a fault."""

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        self.fail()
        return super().choose(view, rng, report)

    def fail(self) -> None: ...


@players.player
def cheats(game: rules.Game) -> Player:
    class Cheats(Misfit):
        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            return Decision(123456)

    return Cheats()


@players.player
def raises(game: rules.Game) -> Player:
    class Raises(Misfit):
        def fail(self) -> None:
            raise ZeroDivisionError("a [bold] mistake")

    return Raises()


@players.player
def raises_watching(game: rules.Game) -> Player:
    class Watches(Misfit):
        seen = False

        def watch(self, view: rules.State, move: int | None) -> None:
            self.seen = True
            raise IndexError("seen too much")

        def close(self) -> None:
            if self.seen:
                raise OSError("and once more")

    return Watches()


@players.player
def gives_up(game: rules.Game) -> Player:
    class GivesUp(Misfit):
        def fail(self) -> None:
            raise Forfeit("resignation", "it resigns")

    return GivesUp()


@players.player
def dies(game: rules.Game, counter: str = "", times: int = 1) -> Player:
    """Takes its process along, so many times; each leaves a byte in a file."""

    class Dies(Misfit):
        def fail(self) -> None:
            file = Path(counter)
            deaths = file.stat().st_size if file.exists() else 0
            if deaths < times:
                file.write_bytes(b"x" * (deaths + 1))
                os.kill(os.getpid(), signal.SIGKILL)

    return Dies()


@players.player
def talks(game: rules.Game) -> Player:
    """Prints where the worker answers."""

    class Talks(Misfit):
        def fail(self) -> None:
            print("I think, therefore I print", flush=True)

    return Talks()


MAKERS = {name: players.maker(name) for name in set(players.names()) - BEFORE}
