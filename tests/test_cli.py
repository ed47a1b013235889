"""The command as a person meets it: what it prints, what it refuses, and with which exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tesuji import cli
from tesuji.errors import BadInput

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = str(ROOT / "examples" / "connect_four.py")
AUCTION = str(ROOT / "tests" / "toys" / "auction.py")


def run(*arguments: str, answers: str = "") -> str:
    """The output of a command that works."""
    result = CliRunner().invoke(cli.app, arguments, input=answers)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def process(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tesuji", *arguments],
        capture_output=True, text=True, env={**os.environ, **variables}, check=False,
    )  # fmt: skip


def test_games() -> None:
    assert "komi=7.5" in run("games")
    (go,) = (game for game in json.loads(run("games", "--json"))["games"] if game["name"] == "go")
    assert go["max_moves"] == 82
    assert go["symmetries"] == 8
    assert go["options"] == {"size": "9", "komi": "7.5"}


def test_show_draws_any_position() -> None:
    position = "9/9/9/4X4/4O4/9/9/9/9 X - 0 2 7.5"
    output = run("show", "go", position)
    assert "● " in output
    assert "○ " in output
    assert "Black to move" in output
    data = json.loads(run("show", "go", position, "--json"))
    assert data["position"] == position
    assert len(data["legal_moves"]) == 80
    assert data["to_move"] == "Black"
    assert not data["over"]


def test_show_tells_who_won() -> None:
    assert "Yellow wins" in run("show", CONNECT_FOUR, "XXXX/OOO/////")
    data = json.loads(run("show", CONNECT_FOUR, "XXXX/OOO/////", "--json"))
    assert data["outcome"] == 1.0
    assert data["to_move"] is None


def test_perft() -> None:
    assert "2,401" in run("perft", CONNECT_FOUR, "4")
    rows = json.loads(run("perft", "go", "2", "--json"))["perft"]
    assert [row["paths"] for row in rows] == [82, 6643]


def test_check_passes_and_fails(tmp_path: Path) -> None:
    assert "9/9" not in run("check", CONNECT_FOUR, "--count", "2")
    data = json.loads(run("check", CONNECT_FOUR, "--count", "2", "--json"))
    assert data["conforms"]
    broken = tmp_path / "unlike.py"
    source = Path(CONNECT_FOUR).read_text().replace('name="connect_four"', 'name="unlike"')
    broken.write_text(source.replace("COLUMNS - 1 - move", "(move + 1) % 7"))
    result = CliRunner().invoke(cli.app, ["check", str(broken), "--count", "6"])
    assert result.exit_code == 1
    assert "✗ symmetries" in result.output


def test_a_broken_bound_stops_the_checks_and_every_other_command(tmp_path: Path) -> None:
    """More moves than declared would be written past the end of memory."""
    file = tmp_path / "narrow.py"
    source = Path(CONNECT_FOUR).read_text().replace('name="connect_four"', 'name="narrow"')
    file.write_text(source.replace("moves=COLUMNS", "moves=3"))
    result = process("check", str(file), "--json")
    assert result.returncode == 1
    assert [row["check"] for row in json.loads(result.stdout)["checks"]] == ["bounds"]
    for arguments in (
        ["perft", str(file), "2"],
        ["watch", str(file)],
        ["show", str(file), "--json"],
    ):
        result = process(*arguments)
        assert result.returncode == 2
        assert "7 legal moves here, more than the 3 that its file declares" in result.stderr


def test_play_a_whole_game() -> None:
    """Answers that are wrong, ask for help, take back, and then win or lose by dropping stones."""
    answers = "z\nmoves\nhint\na\nundo\n" + "a\nb\nc\nd\ne\nf\ng\n" * 12
    output = run("play", CONNECT_FOUR, "--against", "random", "--seed", "0", answers=answers)
    assert "move 'z' is not a column from a to g" in output
    assert "Legal moves: a b c d e f g" in output
    assert "expects" in output
    assert any(end in output for end in ("Yellow wins", "Red wins", "draw"))


def test_play_second_and_quit_gives_the_position_back() -> None:
    output = run("play", CONNECT_FOUR, "--second", "--against", "uct:playouts=50", answers="quit\n")
    assert "Yellow plays" in output
    position = output.strip().splitlines()[-1]
    assert position.count("X") == 1
    assert "Red to move" in run("show", CONNECT_FOUR, position)


def test_play_hides_what_the_player_may_not_see() -> None:
    output = run(
        "play", AUCTION, "--second", "--against", "random", "--seed", "3", answers="quit\n"
    )
    assert output.strip().splitlines()[-1].startswith("-1 -1 ")


def test_play_takes_nothing_back_that_was_seen() -> None:
    answers = "ABCD\nA,N\nundo\nquit\n"
    output = run("play", "geister", "--against", "random", "--seed", "0", answers=answers)
    assert "There is nothing to undo: what was seen stays seen." in " ".join(output.split())
    assert output.strip().splitlines()[-1].split()[1] == "4"  # both placed, both moved


def test_play_takes_whole_turns_and_hides_placements() -> None:
    output = run("play", "amazons:size=6", "--against", "random", answers="b1-b5/c5\nquit\n")
    assert "Black plays" in output
    assert output.strip().splitlines()[-1].endswith("W - 2")
    output = run("play", "geister", "--against", "uct:playouts=50", answers="ABCD\nA,N\nquit\n")
    assert "second plays a move in secret" in output
    assert output.strip().splitlines()[-1].startswith("13R24R34R44R15B25B35B45B41u")


def test_play_ends_with_its_input() -> None:
    assert "Yellow" in run("play", CONNECT_FOUR, answers="a\n")


def test_watch() -> None:
    output = run("watch", "go", "--against", "uct:playouts=100", "--moves", "2")
    assert "move 2: White plays" in output
    assert "visits" in output
    assert "wins" in run("watch", CONNECT_FOUR, "--against", "uct:playouts=20", "--seed", "1")


QUICK_BENCH = (
    "bench", CONNECT_FOUR, "--repeats", "1", "--seconds", "0.01", "--no-start", "--no-arena",
)  # fmt: skip


def test_bench_reports_ratios() -> None:
    report = json.loads(
        run(
            "bench",
            CONNECT_FOUR,
            "--repeats",
            "1",
            "--seconds",
            "0.01",
            "--no-start",
            "--no-arena",
            "--json",
        )
    )
    measures = [row["measure"] for row in report["rates"]]
    assert measures == ["playouts", "moves in playouts", "uct simulations"]
    for row in report["rates"][::2]:
        assert row["rate"] > 0
        assert row["peer"] == "OpenSpiel"
        assert row["ratio"] == pytest.approx(row["rate"] / row["peer_rate"])
    assert "×" in run(
        "bench", CONNECT_FOUR, "--repeats", "1", "--seconds", "0.01", "--no-start", "--no-arena"
    )


def test_cache_clear_removes_what_was_compiled(tmp_path: Path) -> None:
    home = {"TESUJI_HOME": str(tmp_path / "home")}
    assert process("show", CONNECT_FOUR, **home).returncode == 0
    before = json.loads(process("cache", "show", "--json", **home).stdout)
    assert before["files"] > 0
    assert before["directory"].startswith(str(tmp_path))
    cleared = json.loads(process("cache", "clear", "--json", **home).stdout)
    assert cleared["removed"] == before["files"]
    assert json.loads(process("cache", "show", "--json", **home).stdout)["files"] == 0
    assert process("show", CONNECT_FOUR, **home).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "goo"], "there is no game called 'goo'"),
        (["show", "go:size=8"], "size must be one of 9, 13, 19"),
        (["show", "go", "9/9"], "6 parts"),
        (["show", "nowhere.py"], "no game file nowhere.py"),
        (["show", "README.md.py"], "no game file"),
        (["lab", "--no-browser", "nowhere.py"], "no game file nowhere.py"),
        (["perft", "go", "1", "X"], "6 parts"),
        (["show", "go:size=13", "9/9"], "a position brings its own settings"),
        (["play", "go", "--against", "uct:c=-1"], "exploration constant c >= 0"),
        (["play", "go", "--against", "utc"], "did you mean 'uct'?"),
        (["watch", "go", "--against", "uct:playouts=0"], "at least one simulation"),
        (["bench", "gö"], "there is no game called 'gö'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments: list[str], sentence: str) -> None:
    result = process(*arguments)
    assert result.returncode == 2
    assert sentence in result.stderr
    assert result.stderr.startswith("tesuji: ")
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["show"], ["perft", "go", "x"], ["show", "--no"]]
)
def test_wrong_usage_is_exit_code_2_without_a_traceback(arguments: list[str]) -> None:
    result = process(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_help_and_version() -> None:
    assert "laboratory" in process("--help").stdout
    assert process("--version").stdout.startswith("tesuji 0.")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from tesuji import cli;"
        "CliRunner().invoke(cli.app, ['--help']);"
        "sys.exit(bool({'numpy', 'numba', 'tesuji.rules'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
def test_any_position_is_drawn_or_refused(text: str) -> None:
    result = CliRunner().invoke(cli.app, ["show", CONNECT_FOUR, "--", text])
    if result.exit_code != 0:
        assert isinstance(result.exception, (BadInput, SystemExit))


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("row = state.height[move]", 'row = state.height["a"]', "TypingError"),
        (
            "row = state.height[move]",
            "row = state.heights[move]",
            "the state has no field 'heights'",
        ),
        (
            "    lines = []\n",
            "    lines = 1 / 0\n",
            "line 140: ZeroDivisionError: division by zero",
        ),
    ],
)
def test_a_users_game_that_fails_is_blamed_by_line(
    right: str, wrong: str, sentence: str, tmp_path: Path
) -> None:
    source = Path(CONNECT_FOUR).read_text()
    assert right in source
    file = tmp_path / "faulty.py"
    file.write_text(source.replace(right, wrong))
    result = process("watch", str(file), "--against", "uct:playouts=5")
    assert result.returncode == 2
    assert len(result.stderr.splitlines()) == 1
    assert "faulty.py: line" in result.stderr
    assert sentence in result.stderr
