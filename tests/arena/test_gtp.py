"""Go engines as players: what they are told, and what becomes of those that misbehave."""

import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji import games, players
from tesuji.arena import match
from tesuji.arena.match import Match
from tesuji.arena.runners import Serial
from tesuji.errors import BadInput
from tesuji.formats import gtp
from tesuji.games import go
from tesuji.players.played_out import open_points
from tesuji.rng import seeded

ENGINE = Path(__file__).parent / "fake_engine.py"


def fake(fault: str, seconds: float = 10) -> str:
    return f'gtp:"{sys.executable} {ENGINE} {fault}",seconds={seconds}'


@pytest.fixture
def openings(tmp_path: Path) -> str:
    file = tmp_path / "openings.txt"
    file.write_text("A1 B2\n")
    return str(file)


@pytest.mark.parametrize(
    ("fault", "ending", "note"),
    [
        ("illegal", "illegal move", "A1 is not a legal move here"),
        ("nonsense", "illegal move", "'over there' is neither 'pass' nor a point"),
        ("resigns", "resignation", "it resigns"),
        ("error", "crash", "it answered: no idea"),
        ("babbles", "crash", "it answered 'hello', which is not of the protocol"),
        ("dies", "crash", "it ended instead of answering"),
        ("refuses", "crash", "it answered: unacceptable size"),
    ],
)
def test_an_engine_that_misbehaves_loses(openings: str, fault: str, ending: str, note: str) -> None:
    contest = Match("go", fake(fault), "random", games=2, openings=openings)
    result = match.run(contest, runner=Serial())
    assert result.total.losses == 2
    assert [record.ending for record in result.forfeits] == [ending] * 2
    assert all(note in record.note for record in result.forfeits)


def test_an_engine_that_hangs_loses_by_time(openings: str) -> None:
    contest = Match("go", fake("hangs", 0.3), "random", games=1, openings=openings)
    result = match.run(contest, runner=Serial())
    assert [record.ending for record in result.forfeits] == ["time-out"]
    assert "did not answer 'genmove black' within 0.3 s" in result.forfeits[0].note


def test_an_engine_that_does_not_quit_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp, "GRACE", 0.2)
    engine = gtp.Engine(f"{sys.executable} {ENGINE} stays")
    start = time.monotonic()
    engine.close()
    assert engine._process.poll() is not None
    assert time.monotonic() - start < 60
    engine.close()  # twice does no harm


def test_a_well_behaved_engine_plays_a_game(openings: str) -> None:
    contest = Match("go", fake("none"), fake("none"), games=2, openings=openings)
    result = match.run(contest, runner=Serial())
    assert not result.forfeits
    assert [record.moves for record in result.records] == [("pass", "pass")] * 2


class Recorded(gtp.Engine):
    """An engine that is not there, and what it was told."""

    told: list[str]

    def __init__(self, command: str) -> None:
        self.told = Recorded.told = []

    def ask(self, command: str, seconds: float) -> str:
        self.told.append(command)
        return {"genmove": "D4", "known_command": "true"}.get(command.split()[0], "")

    def close(self) -> None:
        self.told.append("quit")


def test_what_an_engine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tesuji.players.gtp.Engine", Recorded)
    game = games.load("go")
    player = players.build(f'gtp:"{sys.executable}"', game)
    start = game.parse_position("9/9/9/4X4/4O4/9/9/9/9 X - 0 2 6.5")
    sitting = players.Sitting(game, (player, players.Random()), start)
    sitting.play(game.parse_move(sitting.state, "A1"))
    sitting.play(game.parse_move(sitting.state, "B1"))
    sitting.play(sitting.choose(seeded(1)).move)
    sitting.play(game.parse_move(sitting.state, "pass"))
    sitting.close()
    told = [command for command in Recorded.told if not command.startswith("set_random_seed")]
    assert told == [
        "boardsize 9", "clear_board", "komi 6.5", "play black E6", "play white E5",
        "play black A1", "play white B1", "known_command set_random_seed", "genmove black",
        "play white pass", "quit",
    ]  # fmt: skip
    assert len(Recorded.told) == len(told) + 1


def test_what_is_no_engine_is_refused() -> None:
    game, amazons = games.load("go"), games.load("amazons")
    with pytest.raises(BadInput, match="no program called 'no-such-engine'"):
        players.build('gtp:"no-such-engine --mode gtp"', game)
    with pytest.raises(BadInput, match="plays go only"):
        players.build("gtp", amazons)
    with pytest.raises(BadInput, match="plays go only"):
        players.build("played_out", amazons)
    with pytest.raises(BadInput, match="needs some seconds"):
        players.build(fake("none", 0), game)
    with pytest.raises(BadInput, match="cannot be read"):
        gtp.program("gnugo 'half a quote")
    with pytest.raises(BadInput, match="needs a command"):
        gtp.program(" ")


@given(st.text())
def test_any_answer_is_understood_or_an_error(text: str) -> None:
    try:
        gtp.parse_answer(text)
    except gtp.EngineError as error:
        assert str(error).startswith("it answered")


def test_played_out_leaves_nothing_open() -> None:
    game = games.load("go")
    player = players.build('played_out:"uct:playouts=20"', game)
    assert player.identity == players.canonical("uct:playouts=20")
    black = "1XXXXXXXX/XXXXXXXXX/XXXXXXXX1/XXXXXXXXX/OOOOOOOOO"
    # Black has passed. White's area is below, with a dead stone of Black's in it.
    view = game.parse_position(f"{black}/4O4/9/9/8X O - 1 0 7.5")
    left = open_points(view[0])
    rows = {game.move_text(view, point)[1] for point in left}
    assert rows == set("123479")  # its own four rows, still shared, and Black's eyes
    assert player.choose(view, seeded(1)).move in left
    # With the dead stone gone, only Black's eyes are left, and those are suicide.
    view = game.parse_position(f"{black}/4O4/9/9/9 O - 1 0 7.5")
    assert {game.move_text(view, point)[1] for point in open_points(view[0])} == set("79")
    assert player.choose(view, seeded(1)).move == go.PASS


def test_an_empty_board_is_open() -> None:
    assert len(open_points(games.load("go").new()[0])) == 81
