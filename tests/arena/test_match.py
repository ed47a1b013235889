"""Matches, tournaments and ladders: what is played, and how it is counted."""

import dataclasses
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tesuji.arena import Store, match, tournament
from tesuji.arena.ladder import Ladder
from tesuji.arena.ladder import run as run_ladder
from tesuji.arena.match import Count, Match, MatchResult
from tesuji.arena.play import play
from tesuji.arena.runners import Serial
from tesuji.arena.stats import Sprt
from tesuji.arena.tournament import Tournament, TournamentResult, swiss_pairs
from tesuji.errors import BadInput

AMAZONS = "amazons:size=6"
MATCH = Match(AMAZONS, "random", "random", games=6)


def results(outcomes: list[float], **changes: Any) -> MatchResult:
    """A match with the given outcomes for whoever moves first."""
    contest = replace(MATCH, games=len(outcomes), **changes)
    record = play(MATCH.tasks[0])
    return contest.result(
        [
            replace(record, task=task, outcome=outcome)
            for task, outcome in zip(contest.tasks, outcomes, strict=True)
        ]
    )


def test_results_are_counted_from_as_side() -> None:
    # A is first in games 0, 2 and 4.
    result = results([1, -1, 1, 1, 0, 1])
    assert result.total == Count(3, 1, 2)
    assert result.as_first == Count(2, 1, 0)
    assert result.as_second == Count(1, 0, 2)
    assert result.first_side == Count(4, 1, 1)
    assert result.pairs == (0, 1, 1, 0, 1)
    assert result.total.score == pytest.approx(3.5 / 6)
    assert result.total.interval.low < 3.5 / 6 < result.total.interval.high
    assert result.total.decisive_interval.low < 3 / 5 < result.total.decisive_interval.high
    assert result.elo_interval.low < result.elo < result.elo_interval.high
    assert result.distinct == 3  # the same moves from three openings


def test_a_match_of_an_odd_number_of_games() -> None:
    result = results([1, -1, 1])
    assert result.total == Count(3, 0, 0)
    assert result.pairs == (0, 0, 0, 0, 1)
    json.dumps(result.as_json(), allow_nan=False)
    assert result.as_json()["elo"] is None


def test_the_players_swap_sides_over_one_opening() -> None:
    tasks = Match(AMAZONS, "random", "uct:playouts=10", games=4).tasks
    assert [task.players[0][:3] for task in tasks] == ["ran", "uct", "ran", "uct"]
    assert tasks[0].opening == tasks[1].opening != tasks[2].opening


def test_a_sequential_test_stops_at_the_first_pair_that_decides() -> None:
    contest = Match(AMAZONS, "uct:playouts=30", "random", games=200, sprt=Sprt(0, 100))
    result = match.run(contest, runner=Serial())
    assert result.decision == "elo1"
    assert result.total.games < 200
    before = contest.result(result.records[:-2])
    assert before.decision is None

    class Backwards(Serial):
        def run(self, tasks: Any, report: Any) -> Any:
            return super().run(tasks[:40][::-1], report)

    again = match.run(contest, runner=Backwards())
    assert [record.id for record in again.records] == [record.id for record in result.records]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"games": 0}, "1 to 10000000 games"),
        ({"a": "utc"}, "did you mean 'uct'"),
        ({"b": "uct:playout=3"}, "did you mean 'playouts'"),
        ({"b": "gtp"}, "plays go only"),
        ({"game": "goo"}, "no game called 'goo'"),
        ({"openings": "rand:2"}, "no such file"),
    ],
)
def test_a_wrong_match_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        _ = replace(MATCH, **changes).tasks


def test_a_round_robin_shares_its_games_with_matches(store: Store) -> None:
    names = ("random", "uct:playouts=5", "uct:playouts=10")
    contest = Tournament(AMAZONS, names, games=2, anchors=(("random", 100.0),))
    result = tournament.run(contest, store, Serial())
    assert contest.number_of_games() == store.count() == 6
    assert len(result.meetings) == 3
    assert result.ratings["random"].elo == 100
    assert sum(result.total(name).games for name in names) == 12
    one, other = result.between(names[0], names[1]), result.between(names[1], names[0])
    assert one is not None
    assert one == other.reversed()
    match.run(Match(AMAZONS, names[0], names[1], games=2), store, runner=None)
    assert store.count() == 6
    json.dumps(result.as_json(), allow_nan=False)


def test_a_gauntlet_is_the_first_against_the_rest(store: Store) -> None:
    contest = Tournament(
        AMAZONS, ("random", "uct:playouts=5", "uct:playouts=10"), games=2, format="gauntlet"
    )
    result = tournament.run(contest, store, Serial())
    assert {meeting.match.a for meeting in result.meetings} == {"random"}
    assert contest.number_of_games() == store.count() == 4


def test_a_swiss_pairs_likes_and_never_twice(store: Store) -> None:
    names = tuple(f"uct:playouts={n}" for n in (1, 2, 4, 8, 16))
    contest = Tournament(AMAZONS, names, games=2, format="swiss")
    result = tournament.run(contest, store, Serial())
    pairs = [frozenset((meeting.match.a, meeting.match.b)) for meeting in result.meetings]
    assert len(pairs) == len(set(pairs)) == 3 * 2
    assert contest.number_of_games() == 12
    # Of five players one rests in each round, and nobody twice.
    assert sorted(result.total(name).games for name in names) == [4, 4, 4, 6, 6]


def test_leaders_meet_in_the_next_round() -> None:
    names = ("a", "b", "c", "d")
    record = play(MATCH.tasks[0])

    def meeting(a: str, b: str, points: float) -> MatchResult:
        outcomes = [points, -points]
        records = [
            replace(record, task=task, outcome=outcome)
            for task, outcome in zip(MATCH.tasks[:2], outcomes, strict=True)
        ]
        return MatchResult(Match(AMAZONS, a, b, games=2), tuple(records))

    contest = Tournament(AMAZONS, names, format="swiss")
    so_far = TournamentResult(contest, (meeting("a", "b", 1), meeting("c", "d", -1)))
    assert swiss_pairs(so_far) == [("a", "d"), ("b", "c")]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"players": ("random",)}, "at least two"),
        ({"players": ("random", "uct", "random")}, "random takes part twice"),
        ({"players": ("uct", "uct:c=0.7")}, "takes part twice"),
        ({"format": "swis"}, "did you mean 'swiss'"),
        ({"rounds": 2}, "only a Swiss"),
        ({"rounds": 2, "format": "swiss"}, "fewer rounds than players"),
        ({"anchors": (("randon", 0.0),)}, "did you mean 'random'"),
    ],
)
def test_a_wrong_tournament_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        dataclasses.replace(Tournament(AMAZONS, ("random", "uct")), **changes).check()


def test_a_ladder_climbs_from_its_lowest_rung(store: Store, tmp_path: Path) -> None:
    ladder = Ladder(AMAZONS, "uct:c=0.5", games=2, low=1, high=3)
    assert ladder.rungs == [f"uct:c=0.5,playouts={n}" for n in (2, 4, 8)]
    result = run_ladder(ladder, store, Serial())
    assert result.ratings[0].elo == 0
    assert [rung["budget"] for rung in result.as_json()["rungs"]] == [2, 4, 8]
    result.plot(tmp_path / "ladder.svg")
    assert "<svg" in (tmp_path / "ladder.svg").read_text()
    with pytest.raises(BadInput, match="cannot be written"):
        result.plot(tmp_path / "ladder.nonsense")
    with pytest.raises(BadInput, match="no setting 'playout'"):
        _ = replace(ladder, setting="playout").rungs
    with pytest.raises(BadInput, match="from 2\\*\\*low up"):
        _ = replace(ladder, high=0).budgets
