"""A ladder: one player at budgets that double, each rung against the next, on one scale.

The lowest rung is at 0 Elo. The setting that doubles is the player's `playouts` unless another one
is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tesuji import players, spec
from tesuji.arena.experiment import Progress
from tesuji.arena.ratings import Rating
from tesuji.arena.runners import Report, Runner
from tesuji.arena.store import Store
from tesuji.arena.tournament import Tournament, TournamentResult, play_meetings
from tesuji.errors import BadInput, nearest

LOWEST, HIGHEST = 6, 16


@dataclass(frozen=True)
class Ladder:
    """A player's budgets from 2**low to 2**high; `games` between neighbours."""

    game: str
    player: str
    games: int = 40
    seed: int = 1
    openings: str = "random:2"
    low: int = LOWEST
    high: int = HIGHEST
    setting: str = "playouts"

    @property
    def budgets(self) -> list[int]:
        if not 0 <= self.low < self.high <= 30:
            raise BadInput(f"a ladder leads from 2**low up to 2**high, not {self.low}..{self.high}")
        return [2**power for power in range(self.low, self.high + 1)]

    @property
    def rungs(self) -> list[str]:
        name, settings = spec.parse(self.player)
        known = spec.settings_of(players.maker(name))
        if self.setting not in known:
            raise BadInput(
                f"player {name} has no setting {self.setting!r}{nearest(self.setting, known)}"
            )
        return [spec.text(name, {**settings, self.setting: budget}) for budget in self.budgets]

    @property
    def tournament(self) -> Tournament:
        return Tournament(
            self.game, tuple(self.rungs), self.games, self.seed, self.openings,
            anchors=((self.rungs[0], 0.0),),
        )  # fmt: skip


@dataclass(frozen=True)
class LadderResult:
    ladder: Ladder
    played: TournamentResult

    @property
    def ratings(self) -> list[Rating]:
        """The rungs' ratings, from the lowest up."""
        return [self.played.ratings[rung] for rung in self.ladder.rungs]

    def as_json(self) -> dict[str, Any]:
        rows = zip(self.ladder.budgets, self.ratings, strict=True)
        return {
            "game": self.ladder.game,
            "player": self.ladder.player,
            "setting": self.ladder.setting,
            "rungs": [
                {"budget": budget, "elo": rating.elo, "interval": list(rating.interval)}
                for budget, rating in rows
            ],
            "bounded": self.played.ratings.bounded,
            "games": sum(meeting.total.games for meeting in self.played.meetings),
        }

    def plot(self, path: Path) -> None:
        """Elo against the budget, with 95 % intervals; the name's ending says the format."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 4.5), layout="constrained")
        axes = figure.add_subplot()
        elos = [rating.elo for rating in self.ratings]
        errors: Sequence[Sequence[float]] = [
            [rating.elo - rating.interval.low for rating in self.ratings],
            [rating.interval.high - rating.elo for rating in self.ratings],
        ]
        axes.errorbar(self.ladder.budgets, elos, yerr=errors, marker="o", capsize=3)
        axes.set_xscale("log", base=2)
        axes.set_xlabel(f"{self.ladder.setting} per move")
        axes.set_ylabel("Elo above the lowest rung")
        axes.set_title(f"{self.ladder.player} at {self.ladder.game}")
        axes.grid(alpha=0.3)
        try:
            figure.savefig(path)
        except (OSError, ValueError) as error:
            raise BadInput(f"the plot {path} cannot be written: {error}") from None


def run(
    ladder: Ladder,
    store: Store | None = None,
    runner: Runner | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> LadderResult:
    """Play the neighbours of a ladder against each other."""
    tournament = ladder.tournament
    tournament.check()
    rungs = ladder.rungs
    pairs = list(zip(rungs[1:], rungs, strict=False))
    meetings = play_meetings(tournament, pairs, store, runner, progress, report)
    return LadderResult(ladder, TournamentResult(tournament, tuple(meetings)))
