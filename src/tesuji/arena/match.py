"""A match between two players: declared, played where games are missing, and counted.

    result = run(Match("go", "uct:playouts=1000", "uct:playouts=500", games=100), Store())

Games come in pairs: one opening, each player once on each side. Game 2k has A as the first side,
game 2k + 1 has B. A longer match with the same settings goes on from a shorter one.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tesuji import games
from tesuji.arena.experiment import Progress, play_each
from tesuji.arena.openings import Openings
from tesuji.arena.record import BY_THE_RULES, Entrant, Record, Task, entrant
from tesuji.arena.runners import Report, Runner
from tesuji.arena.stats import Interval, Pentanomial, Sprt, elo, elo_error, wilson
from tesuji.arena.store import Store
from tesuji.errors import BadInput

MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class Match:
    """What is to be played; `tasks` are its games."""

    game: str
    a: str
    b: str
    games: int = 100
    seed: int = 1
    openings: str = "random:2"
    sprt: Sprt | None = None

    @cached_property
    def tasks(self) -> list[Task]:
        """The games, or a sentence about what is wrong with the match."""
        if not 1 <= self.games <= MOST_GAMES:
            raise BadInput(f"a match has 1 to {MOST_GAMES} games, not {self.games}")
        game = games.load(self.game)
        file = None if game.name in games.names() else str(game.module.__file__)
        sides = entrant(self.a, game), entrant(self.b, game)
        openings = Openings(self.openings, game)
        tasks = []
        for pair in range((self.games + 1) // 2):
            opening = openings.of_pair(self.seed, pair)
            for leg in range(min(2, self.games - 2 * pair)):
                first, second = sides if leg == 0 else sides[::-1]
                tasks.append(
                    Task(
                        game=opening.game,
                        version=game.version,
                        players=(first.text, second.text),
                        identities=(first.identity, second.identity),
                        start=opening.start,
                        opening=opening.moves,
                        seed=self.seed,
                        number=2 * pair + leg,
                        file=file,
                        modules=_modules(first, second),
                    )
                )
        return tasks

    def result(self, records: Sequence[Record]) -> "MatchResult":
        """The count of the first games of the match."""
        return MatchResult(self, tuple(records))


def _modules(*sides: Entrant) -> tuple[str, ...]:
    return tuple(sorted({side.module for side in sides}))


def run(
    match: Match,
    store: Store | None = None,
    runner: Runner | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> "MatchResult":
    """Play the games of a match that the store does not have, and count them all.

    With a sequential test, the games up to the first pair that decides it.
    """
    place = {task.id: number for number, task in enumerate(match.tasks)}
    records: list[Record | None] = [None] * len(place)
    playing = play_each(match.tasks, store, runner, report)
    asked, counts = 0, [0, 0, 0, 0, 0]
    try:
        for record in playing:
            records[place[record.id]] = record
            if progress:
                progress(record)
            while match.sprt and asked + 2 <= len(records):
                one, other = records[asked : asked + 2]
                if one is None or other is None:
                    break
                counts[_points(one, 0) + _points(other, 1)] += 1
                asked += 2
                if match.sprt.decision(counts):
                    return match.result([record for record in records[:asked] if record])
    finally:
        playing.close()
    return match.result([record for record in records if record])


def _points(record: Record, a_side: int) -> int:
    """The half points of A, who was the first side (0) or the second (1)."""
    return round(1 + record.outcome) if a_side == 0 else round(1 - record.outcome)


@dataclass(frozen=True)
class Pace:
    """How a player spent its time."""

    decisions: int
    simulations: int
    seconds: float
    longest: float

    @property
    def seconds_per_move(self) -> float:
        return self.seconds / max(1, self.decisions)

    @property
    def simulations_per_move(self) -> float:
        return self.simulations / max(1, self.decisions)

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Count:
    """Wins, draws and losses."""

    wins: int
    draws: int
    losses: int

    def __add__(self, other: "Count") -> "Count":
        return Count(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reversed(self) -> "Count":
        """From the other side."""
        return Count(self.losses, self.draws, self.wins)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> Interval:
        """Wilson's, of the score."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def decisive_interval(self) -> Interval:
        """Wilson's, of the wins among the games that were not drawn."""
        return wilson(self.wins, self.wins + self.losses)


def count(points: Sequence[int]) -> Count:
    """From half points: 2 for a win, 1 for a draw."""
    return Count(points.count(2), points.count(1), points.count(0))


@dataclass(frozen=True)
class MatchResult:
    """The games of a match, counted from A's side."""

    match: Match
    records: tuple[Record, ...]

    @cached_property
    def points(self) -> list[int]:
        return [_points(record, number % 2) for number, record in enumerate(self.records)]

    @property
    def total(self) -> Count:
        return count(self.points)

    @property
    def as_first(self) -> Count:
        return count(self.points[::2])

    @property
    def as_second(self) -> Count:
        return count(self.points[1::2])

    @property
    def first_side(self) -> Count:
        """The results of whoever moved first."""
        return count([_points(record, 0) for record in self.records])

    @property
    def pairs(self) -> Pentanomial:
        both = [
            one + other for one, other in zip(self.points[::2], self.points[1::2], strict=False)
        ]
        return tuple(both.count(points) for points in range(5))  # type: ignore[return-value]

    @property
    def elo(self) -> float:
        return elo(self.total.score)

    @property
    def elo_interval(self) -> Interval:
        """Elo at the ends of the score's interval."""
        return Interval(*(elo(score) for score in self.total.interval))

    @property
    def elo_error(self) -> float | None:
        return elo_error(self.pairs)

    @property
    def forfeits(self) -> list[Record]:
        """The games that did not end by the rules."""
        return [record for record in self.records if record.ending != BY_THE_RULES]

    @property
    def distinct(self) -> int:
        """How many different games there are."""
        return len({(r.task.start, r.task.opening, r.moves) for r in self.records})

    @property
    def decision(self) -> str | None:
        return self.match.sprt.decision(self.pairs) if self.match.sprt else None

    def pace(self, a: bool) -> Pace:
        """A's, or B's."""
        sides = [
            (record, number % 2 if a else 1 - number % 2)
            for number, record in enumerate(self.records)
        ]
        return Pace(
            sum(record.decisions[side] for record, side in sides),
            sum(record.simulations[side] for record, side in sides),
            sum(record.seconds[side] for record, side in sides),
            max((record.longest[side] for record, side in sides), default=0.0),
        )

    def as_json(self) -> dict[str, Any]:
        total = self.total
        sprt = self.match.sprt
        return {
            "game": self.match.game,
            "a": self.match.a,
            "b": self.match.b,
            "seed": self.match.seed,
            "openings": self.match.openings,
            "games": total.games,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "score": total.score,
            "score_interval": list(total.interval),
            "decisive_interval": list(total.decisive_interval),
            "elo": finite(self.elo),
            "elo_error": self.elo_error,
            "elo_interval": [finite(end) for end in self.elo_interval],
            "pairs": list(self.pairs),
            "as_first": dataclasses.asdict(self.as_first),
            "as_second": dataclasses.asdict(self.as_second),
            "first_side": {
                **dataclasses.asdict(self.first_side),
                "score_interval": list(self.first_side.interval),
            },
            "distinct_games": self.distinct,
            "pace": {
                name: {
                    "seconds_per_move": pace.seconds_per_move,
                    "longest_move": pace.longest,
                    "simulations_per_move": pace.simulations_per_move,
                    "simulations_per_second": pace.simulations_per_second,
                }
                for name, pace in (("a", self.pace(True)), ("b", self.pace(False)))
            },
            "forfeits": [
                {"id": record.id, "ending": record.ending, "note": record.note}
                for record in self.forfeits
            ],
            "sprt": sprt and {
                **dataclasses.asdict(sprt),
                "log_ratio": sprt.ratio(self.pairs),
                "bounds": list(sprt.bounds),
                "accepted": self.decision,
            },
            "ids": [record.id for record in self.records],
        }  # fmt: skip


def finite(number: float) -> float | None:
    """A number for JSON, which knows no infinity."""
    return number if abs(number) != float("inf") else None
