"""One game: reproducible, measured, and lost by whoever misbehaves."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.arena.table import untimed
from tesuji import games
from tesuji.arena import replay
from tesuji.arena.match import Match, run
from tesuji.arena.play import play
from tesuji.arena.record import record_from_json
from tesuji.arena.runners import Serial
from tesuji.errors import BadInput

AMAZONS = "amazons:size=6"
WINDY_NIM = str(Path(__file__).parent.parent / "toys" / "windy_nim.py")


def test_a_task_gives_the_same_game_again() -> None:
    task = Match(AMAZONS, "uct:playouts=20", "random", games=1).tasks[0]
    one, other = play(task), play(task)
    assert untimed([one]) == untimed([other])
    assert one.ending == "rules"
    assert one.simulations[0] == 20 * one.decisions[0]
    assert one.simulations[1] == 0
    assert one.seconds[0] >= one.longest[0] > 0
    assert sum(one.decisions) == len(one.moves)


def test_a_record_goes_through_json_and_can_be_replayed() -> None:
    record = play(Match(AMAZONS, "random", "random", games=1).tasks[0])
    again = record_from_json(record.as_json())
    assert again == record
    game = games.load(AMAZONS)
    end = replay(again)
    assert game.is_over(end)
    assert game.outcome(end) == record.outcome
    assert game.turn(replay(again, 4)) == 2


@pytest.mark.parametrize("game", ["geister", "skirmish", "tubstap:map=map01", WINDY_NIM])
def test_hidden_information_chance_and_long_turns(game: str) -> None:
    record = play(Match(game, "random", "random", games=1).tasks[0])
    assert record.ending == "rules"
    loaded = record.task.load()
    assert loaded.outcome(replay(record)) == record.outcome


def test_the_id_is_of_everything_that_decides_a_game() -> None:
    match = Match(AMAZONS, "uct:playouts=10", "random", games=2)
    ids = {task.id for task in match.tasks}
    for other in (
        replace(match, a="uct:playouts=11"),
        replace(match, seed=2),
        replace(match, openings="start"),
        replace(match, game="amazons:size=8"),
    ):
        assert not ids & {task.id for task in other.tasks}
    same = (
        replace(match, a="uct:playouts=10,c=0.7"),
        replace(match, games=4),
        replace(match, game="amazons:size=6 "),
    )
    for other in same:
        assert ids <= {task.id for task in other.tasks}
    one = match.tasks[0]
    assert replace(one, version=2).id != one.id
    assert replace(one, identities=("weights 7", "")).id != one.id
    assert replace(one, file="elsewhere.py").id == one.id


def test_a_player_meets_itself_in_different_games() -> None:
    match = Match(AMAZONS, "random", "random", games=10)
    assert len({task.id for task in match.tasks}) == 10


def test_rules_of_another_version_are_not_replayed() -> None:
    record = play(Match(AMAZONS, "random", "random", games=1).tasks[0])
    with pytest.raises(BadInput, match="made for version 99"):
        replay(replace(record, task=replace(record.task, version=99)))


@pytest.mark.parametrize(
    ("player", "ending", "note"),
    [
        ("cheats", "illegal move", "move 123456 is not a legal move here"),
        ("raises", "crash", "ZeroDivisionError: a [bold] mistake"),
        ("raises_watching", "crash", "IndexError: seen too much"),
        ("gives_up", "resignation", "it resigns"),
    ],
)
@pytest.mark.usefixtures("misfits")
def test_a_misfit_loses_and_the_match_goes_on(player: str, ending: str, note: str) -> None:
    result = run(Match(AMAZONS, "random", player, games=4), runner=Serial())
    assert result.total.wins == 4
    assert len(result.forfeits) == 4
    first, second = (f"{name}: {note}" for name in games.load(AMAZONS).players)
    assert {record.note for record in result.forfeits} == {first, second}
    assert {record.ending for record in result.forfeits} == {ending}


def test_a_damaged_record_is_refused() -> None:
    data = play(Match(AMAZONS, "random", "random", games=1).tasks[0]).as_json()
    with pytest.raises(BadInput, match="its id is not that of what it says"):
        record_from_json({**data, "seed": 77})
    with pytest.raises(BadInput, match="format"):
        record_from_json({**data, "format": "tesuji-game-9"})
    for key in data:
        with pytest.raises(BadInput):
            record_from_json({name: value for name, value in data.items() if name != key})
