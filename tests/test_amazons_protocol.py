"""The engine protocol from both ends, and SGF records of Amazons."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive.amazons import random_game
from tesuji import games, players, rng
from tesuji.cli.amazons import Server
from tesuji.cli.amazons import sgf as read_sgf
from tesuji.errors import BadInput
from tesuji.formats import sgf

GAME = games.load("amazons:size=6")
QUICK = "alphabeta:nodes=50,evaluation=classic"


def talk(*lines: str, player: str = QUICK, pause: float = 0.0) -> list[str]:
    """What the engine says to some lines; `pause` is before the last one."""
    said: list[str] = []

    def spoken() -> Iterator[str]:
        for line in lines:
            if line == lines[-1]:
                time.sleep(pause)
            elif line.startswith(("go", "stop")):
                yield line
                deadline = time.time() + 60
                while not pause and not said[-1:] and time.time() < deadline:
                    time.sleep(0.01)
                continue
            yield line

    Server(GAME, player, 0, said.append).serve(spoken())
    return said


def legal_turn(text: str, *moves: str) -> bool:
    state = GAME.new()
    for turn in moves:
        for move in GAME.parse_turn(state, turn):
            GAME.play(state, move)
    try:
        return len(GAME.parse_turn(state, text)) == 2
    except BadInput:
        return False


def test_a_conversation() -> None:
    assert talk("uai", "isready", "quit")[1:] == ["uaiok", "readyok"]
    said = talk("position startpos moves b1-b4/b3 e6-e3(e2)", "go nodes 50", "quit")
    word, turn = said[0].split()
    assert word == "bestmove"
    assert legal_turn(turn, "b1-b4/b3", "e6-e3/e2")


def test_stop_ends_a_search() -> None:
    start = time.perf_counter()
    said = talk("position startpos", "go infinite", "stop", pause=0.3)
    assert said[0].startswith("bestmove ")
    assert legal_turn(said[0].split()[1])
    assert time.perf_counter() - start < 60


def test_a_position_in_our_notation_and_the_end_of_a_game() -> None:
    ended = random_game(6, 2, 200)
    assert ended.is_over()
    assert talk(f"position {ended.text}", "go nodes 5", "quit") == ["bestmove none"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("positon startpos", "did you mean 'position'"),
        ("position", "an Amazons position has 4 parts"),
        ("position startpos moves b1-b9/b3", "move 1: 'b9' is not a cell"),
        ("position startpos moves b1-b4/b3 b1-b2/b3", "move 2: b1-b2 is not a legal move"),
        ("position startpos moves nonsense", "move 1"),
        ("go nodes", "go nodes needs a whole number"),
        ("go nodes -1", "go nodes needs a whole number"),
        ("go nods 5", "did you mean 'nodes'"),
        ("go movetime x", "go movetime needs"),
    ],
)
def test_a_bad_line_changes_nothing(line: str, sentence: str) -> None:
    said = talk("position startpos moves b1-b4/b3", line, "isready", "go nodes 30", "quit")
    assert said[0].startswith("error ")
    assert sentence in said[0]
    assert said[1] == "readyok"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(alphabet="abcdef123456-/() \t\u2660gopsitnmve", max_size=40))
def test_no_line_ends_the_conversation(line: str) -> None:
    if line.split()[:1] == ["go"]:
        return
    assert talk(line, "isready", "quit")[-1] == "readyok"


# --- External engines as players -----------------------------------------------------------------

ENGINE = f"{sys.executable} -m tesuji amazons engine --player random"


def test_an_engine_plays_a_game_from_the_start() -> None:
    game = games.load("amazons")
    sides = (
        players.build(f'uai:"{ENGINE}",nodes=5,patience=300', game),
        players.build("random", game),
    )
    sitting = players.Sitting(game, sides)
    stream = rng.seeded(1)
    for _ in range(12):
        sitting.play(sitting.choose(stream).move)
    assert len(sides[0].turns) == 6  # type: ignore[attr-defined]
    sitting.close()
    assert sides[0].process is None  # type: ignore[attr-defined]


def test_an_engine_plays_from_any_position() -> None:
    side = players.build(f'uai:"{ENGINE}",patience=300', GAME)
    state = GAME.parse_position(random_game(6, 1, 6).text)
    move = side.choose(state, rng.seeded(1)).move
    GAME.play(state, move)
    GAME.play(state, side.choose(state, rng.seeded(1)).move)
    side.close()


def test_an_engine_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    script, child = tmp_path / "engine.sh", tmp_path / "child"
    script.write_text(f"sleep 60 & echo $! > {child}; echo uaiok; wait; wait\n")
    side = players.build(f'uai:"sh {script}",patience=1.0', GAME)
    with pytest.raises(players.Forfeit, match="no bestmove within"):
        side.choose(GAME.new(), rng.seeded(1))
    side.close()
    status = Path(f"/proc/{child.read_text().strip()}/stat")
    for _ in range(100):
        if not status.exists() or status.read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    raise AssertionError("the engine's child is still there")


SCRIPT = """
import sys, time
for line in sys.stdin:
    if line.startswith("uai"):
        print("uaiok", flush=True)
    elif line.startswith("go"):
        {}
    elif line.startswith("quit"):
        break
"""


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("sys.exit(1)", "has ended"),
        ("time.sleep(60)", "no bestmove within"),
        ("print('bestmove a1-a9/a8', flush=True)", "is not a legal move here"),
        ("print('bestmove', flush=True)", "move '' is not of the form"),
        ("print('bestmove d1-d2', flush=True)", "half a turn"),
        ("print('error no idea', flush=True)", "it says error no idea"),
    ],
)
def test_engines_that_misbehave(tmp_path: Path, answer: str, sentence: str) -> None:
    (tmp_path / "engine.py").write_text(SCRIPT.format(answer))
    game = games.load("amazons")
    text = f'uai:"{sys.executable} {tmp_path}/engine.py",nodes=1,patience=1.0'
    if "within" not in sentence:
        text = text.replace("patience=1.0", "patience=30")
    side = players.build(text, game)
    with pytest.raises(players.Forfeit, match=sentence):
        side.choose(game.new(), rng.seeded(1))
    side.close()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uai", "needs the command"),
        ('uai:"x",nodes=0', "a budget"),
        ('uai:"cat",patience=0', "patience"),
        ('uai:"no-such-engine-here"', "there is no program called 'no-such-engine-here'"),
    ],
)
def test_settings_of_engines(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        players.build(text, GAME)
    with pytest.raises(BadInput, match="plays amazons, not go"):
        players.build('uai:"x"', games.load("go"))


# --- SGF -----------------------------------------------------------------------------------------


def test_sgf_of_amazons() -> None:
    assert sgf.amazons_turn("djddgd", 10) == "d1-d7/g7"
    moves = [("W", "djddgd"), ("B", "gagcbh")]
    record = sgf.Record(18, 10, moves, black="one [x]", white="two", result="W+R")
    root = {"GM": ["18"], "SZ": ["10"], "PB": ["one [x]"], "PW": ["two"], "RE": ["W+R"]}
    text = sgf.write(root, moves)
    assert "GM[18]" in text
    assert sgf.read(text) == record


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not an SGF file"),
        ("(;GM[18]SZ[10];W[djddgd]", "not an SGF file"),
        ("(;GM[x]SZ[10])", r"GM\[x\] is not a number"),
        ("(;GM[18]SZ[-3])", r"SZ\[-3\]"),
        (f"(;GM[18]SZ[{'9' * 5000}])", r"SZ\[9{30}\]"),
    ],
)
def test_bad_sgf(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        sgf.read(text)


def test_sgf_sets_a_position_up(tmp_path: Path) -> None:
    start = "1B2B1/B4B/2x3/6/W4W/1W2W1 B - 1"
    root = {"GM": ["18"], "SZ": ["6"], "AA": ["cc"], "PL": ["B"], "AW": ["be", "ee", "ad", "fd"]}
    root |= {"AW": ["ae", "fe", "bf", "ef"], "AB": ["ba", "ea", "ab", "fb"]}
    assert sgf.amazons_start(sgf.read(sgf.write(root, []))) == start
    assert sgf.amazons_start(sgf.read("(;GM[18]SZ[6])")) is None
    file = tmp_path / "game.sgf"
    for change, moves, sentence in (
        ({}, [("W", "aeacbc")], r"game.sgf: move 1: W\[aeacbc\] where it is B's turn"),
        ({"AA": ["zz"]}, [], r"game.sgf: AA\[zz\] is not a point from aa to ff"),
        ({"AA": ["ba"]}, [], r"AA\[ba\] is a point that is taken"),
        ({"AB": ["ba"]}, [], "4 W and 1 B instead of four each"),
        ({"SZ": ["7"]}, [], "game.sgf: .*7"),
    ):
        file.write_text(sgf.write({**root, **change}, moves))
        with pytest.raises(BadInput, match=sentence):
            read_sgf(file)


def test_any_search_can_be_stopped() -> None:
    started = time.monotonic()
    said = talk("go infinite", "stop", player="uct:playouts=100", pause=1.0)
    assert legal_turn(said[0].removeprefix("bestmove "))
    assert time.monotonic() - started < 60


def test_an_engine_that_fails_is_an_error_and_not_the_end() -> None:
    said = talk("go nodes 5", "isready", player='uai:"false",nodes=5', pause=1.0)
    assert said[0].startswith("error false")
    assert said[1] == "readyok"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("go infinite 5", "error go infinite takes nothing else"),
        (f"go nodes {'9' * 5000}", "error go nodes needs a whole number from 1 to 10^12, not '9"),
        (f"go nodes {'9' * 20}", "error go nodes needs a whole number from 1 to 10^12, not '9"),
    ],
)
def test_budgets_that_cannot_be(line: str, sentence: str) -> None:
    assert talk(line, "quit")[0].startswith(sentence)


@pytest.mark.parametrize("value", ["", "djdd", "djddgz", "DJDDGD", "dj dgd"])
def test_bad_points(value: str) -> None:
    with pytest.raises(BadInput, match="not three points"):
        sgf.amazons_turn(value, 10)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.text(alphabet="(;)[]GMSZWB18abcdj\\", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        sgf.read(text)
    except BadInput as error:
        assert str(error)
