"""Tournaments: many players, one table, one scale of ratings.

`round-robin`  everybody meets everybody
`gauntlet`     the first player meets all the others
`swiss`        in each round, players of like score who have not met yet meet

Each meeting is a match (`match.Match`) with its own openings, so a tournament shares its games with
matches and with other tournaments of the same players, seed and settings.
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from tesuji import players
from tesuji.arena.experiment import Progress, play_all
from tesuji.arena.match import Count, Match, MatchResult, finite
from tesuji.arena.ratings import Ratings, rate
from tesuji.arena.runners import Report, Runner
from tesuji.arena.store import Store
from tesuji.errors import BadInput, nearest

FORMATS = ("round-robin", "gauntlet", "swiss")


@dataclass(frozen=True)
class Tournament:
    """What is to be played; `games` is the number for each meeting."""

    game: str
    players: tuple[str, ...]
    games: int = 20
    seed: int = 1
    openings: str = "random:2"
    format: str = "round-robin"
    rounds: int | None = None  # of a Swiss: enough to leave one player unbeaten, if not set
    anchors: tuple[tuple[str, float], ...] = ()

    def check(self) -> None:
        """Refuse what cannot be played, before anything is."""
        if self.format not in FORMATS:
            raise BadInput(f"there is no format {self.format!r}{nearest(self.format, FORMATS)}")
        if len(self.players) < 2:
            raise BadInput("a tournament needs at least two players")
        if self.format != "swiss" and self.rounds is not None:
            raise BadInput("only a Swiss tournament has rounds")
        if self.rounds is not None and not 1 <= self.rounds < len(self.players):
            raise BadInput(f"a Swiss of {len(self.players)} players has fewer rounds than players")
        full = [players.canonical(text) for text in self.players]
        for text, one in zip(self.players, full, strict=True):
            if full.count(one) > 1:
                raise BadInput(f"the player {text} takes part twice")
        for name, _ in self.anchors:
            if name not in self.players:
                raise BadInput(f"anchor {name!r} is not a player{nearest(name, self.players)}")
        for one, other in zip(self.players, self.players[1:], strict=False):
            _ = replace(self.meeting(one, other), games=1).tasks

    def meeting(self, one: str, other: str) -> Match:
        return Match(self.game, one, other, self.games, self.seed, self.openings)

    def number_of_rounds(self) -> int:
        if self.format != "swiss":
            return 1
        return self.rounds or math.ceil(math.log2(len(self.players)))

    def number_of_games(self) -> int:
        count = len(self.players)
        meetings = {
            "round-robin": count * (count - 1) // 2,
            "gauntlet": count - 1,
            "swiss": self.number_of_rounds() * (count // 2),
        }
        return self.games * meetings[self.format]

    def pairs(self, so_far: Sequence[MatchResult]) -> list[tuple[str, str]]:
        """Who meets in the next round."""
        if self.format == "round-robin":
            return list(combinations(self.players, 2))
        if self.format == "gauntlet":
            return [(self.players[0], other) for other in self.players[1:]]
        return swiss_pairs(TournamentResult(self, tuple(so_far)))


@dataclass(frozen=True)
class TournamentResult:
    """The meetings that took place."""

    tournament: Tournament
    meetings: tuple[MatchResult, ...]

    @cached_property
    def ratings(self) -> Ratings:
        results = {
            (meeting.match.a, meeting.match.b): dataclasses.astuple(meeting.total)
            for meeting in self.meetings
        }
        return rate(self.tournament.players, results, dict(self.tournament.anchors))

    def between(self, one: str, other: str) -> Count | None:
        """The result of one player against another, if they met."""
        for meeting in self.meetings:
            if (meeting.match.a, meeting.match.b) == (one, other):
                return meeting.total
            if (meeting.match.a, meeting.match.b) == (other, one):
                return meeting.total.reversed()
        return None

    def total(self, name: str) -> Count:
        """A player's result over all games."""
        met = [self.between(name, other) for other in self.tournament.players if other != name]
        return sum((count for count in met if count), Count(0, 0, 0))

    def as_json(self) -> dict[str, Any]:
        tournament = self.tournament
        return {
            "game": tournament.game,
            "format": tournament.format,
            "seed": tournament.seed,
            "openings": tournament.openings,
            "games": sum(meeting.total.games for meeting in self.meetings),
            "ratings": [
                {
                    "player": rating.name,
                    "elo": rating.elo,
                    "interval": [finite(end) for end in rating.interval],
                    "anchored": rating.anchored,
                    **dataclasses.asdict(self.total(rating.name)),
                }
                for rating in self.ratings.ratings
            ],
            "bounded": self.ratings.bounded,
            "draw_parameter": self.ratings.draw,
            "meetings": [
                {
                    "a": meeting.match.a,
                    "b": meeting.match.b,
                    **dataclasses.asdict(meeting.total),
                    "ids": [record.id for record in meeting.records],
                }
                for meeting in self.meetings
            ],
        }


def run(
    tournament: Tournament,
    store: Store | None = None,
    runner: Runner | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> TournamentResult:
    """Play a tournament; games that the store has are not played again."""
    tournament.check()
    results: list[MatchResult] = []
    for _ in range(tournament.number_of_rounds()):
        pairs = tournament.pairs(results)
        results += play_meetings(tournament, pairs, store, runner, progress, report)
    return TournamentResult(tournament, tuple(results))


def play_meetings(
    tournament: Tournament,
    pairs: Sequence[tuple[str, str]],
    store: Store | None,
    runner: Runner | None,
    progress: Progress | None,
    report: Report | None,
) -> list[MatchResult]:
    """Play matches of a tournament, all at once: no core waits for the last game of a match."""
    meetings = [tournament.meeting(*pair) for pair in pairs]
    tasks = [task for match in meetings for task in match.tasks]
    records = iter(play_all(tasks, store, runner, progress, report))
    return [match.result([next(records) for _ in match.tasks]) for match in meetings]


def swiss_pairs(so_far: TournamentResult) -> list[tuple[str, str]]:
    """The next round: from the top, each player meets the nearest in points it has not met.

    A player left over has no game in this round; whoever has played most is left over.
    """
    names = so_far.tournament.players
    points = {name: so_far.total(name).score * so_far.total(name).games for name in names}
    played = {name: so_far.total(name).games for name in names}
    order = sorted(names, key=lambda name: (-points[name], names.index(name)))
    if len(order) % 2:
        order.remove(max(reversed(order), key=lambda name: played[name]))
    return _pair(order, so_far) or []


def _pair(order: Sequence[str], so_far: TournamentResult) -> list[tuple[str, str]] | None:
    """Pair everybody without a second meeting, or None; depth first, so nobody is stranded."""
    if not order:
        return []
    first, *others = order
    for other in others:
        if so_far.between(first, other) is None:
            rest = _pair([name for name in others if name != other], so_far)
            if rest is not None:
                return [(first, other), *rest]
    return None
