"""The commands of the arena."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tesuji import cli
from tesuji.errors import BadInput

AMAZONS = ("--game", "amazons:size=6", "--runner", "serial", "--games", "2")


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli.app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def base(tmp_path: Path) -> tuple[str, str]:
    return "--store", str(tmp_path / "games.sqlite")


def test_match_replay_and_export(base: tuple[str, str], tmp_path: Path) -> None:
    data = json.loads(run("match", "uct:playouts=10", "random", *AMAZONS, *base, "--json"))
    assert data["wins"] + data["draws"] + data["losses"] == data["games"] == 2
    assert data["pace"]["a"]["simulations_per_move"] == 10
    text = run("match", "uct:playouts=10", "random", *AMAZONS, *base, "--sprt", "0,50")
    assert "Elo of A" in text
    assert "SPRT of Elo 0 against 50: log ratio" in text

    shown = run("replay", data["ids"][0][:10], *base)
    assert shown.startswith("White: ")
    assert "playouts=10" in shown
    assert " won (rules)" in shown
    assert "after 2 of" in run("replay", data["ids"][0], "--move", "2", *base)
    record = json.loads(run("replay", data["ids"][0], "--json", *base))
    assert record["id"] == data["ids"][0]
    assert record["position"]

    assert len(run("export", *base).splitlines()) == 2
    assert run("export", data["ids"][0], "--format", "sgf", *base).startswith("(;FF[4]")
    file = tmp_path / "games.sgf"
    run("export", "--format", "sgf", "--game", "amazons", "--output", str(file), *base)
    assert file.read_text().count("GM[18]") == 2
    assert run("export", "--game", "go", *base) == ""

    run("export", "--output", str(tmp_path / "all.jsonl"), *base)
    other = ("--store", str(tmp_path / "other.sqlite"))
    assert run("import", str(tmp_path / "all.jsonl"), *other).startswith("2 games taken in, 0 were")
    assert run("import", str(tmp_path / "all.jsonl"), *other).startswith("0 games taken in, 2 were")
    assert run("export", *other) == run("export", *base)


def test_tournament_and_ladder(base: tuple[str, str], tmp_path: Path) -> None:
    players = ("random", "uct:playouts=5", "uct:playouts=9")
    data = json.loads(
        run("tournament", *players, *AMAZONS, *base, "--anchor", "uct:playouts=9=7", "--json")
    )
    (anchor,) = (rating for rating in data["ratings"] if rating["anchored"])
    assert anchor["player"] == "uct:playouts=9"
    assert anchor["elo"] == 7
    assert data["games"] == 6
    assert "± " in run("tournament", *players, *AMAZONS, *base, "--format", "swiss")
    plot = tmp_path / "ladder.png"
    steps = ("--low", "1", "--high", "3", "--plot", str(plot))
    assert "anchor" in run("ladder", "uct", *AMAZONS, *base, *steps)
    assert plot.stat().st_size > 1000
    assert len(json.loads(run("ladder", "uct", *AMAZONS, *base, *steps, "--json"))["rungs"]) == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("match", "random", "randon"), "did you mean 'random'"),
        (("match", "random", "random", "--runner", "seriel"), "did you mean 'serial'"),
        (("match", "random", "random", "--sprt", "5"), "elo0,elo1"),
        (("match", "random", "random", "--sprt", "5,0"), "less than elo1"),
        (("match", "random", "random", "--store", "/nowhere/games"), "cannot be used"),
        (("tournament", "random"), "at least two players"),
        (("tournament", "random", "uct", "--anchor", "random=strong"), "PLAYER=ELO"),
        (("ladder", "random"), "no setting 'playouts'"),
        (("export", "--format", "sfg"), "did you mean 'sgf'"),
        (("replay", "nothing"), "no game in the store"),
        (("import", "nothing.jsonl"), "nothing.jsonl cannot be read: .*No such file"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.setenv("TESUJI_HOME", str(tmp_path))
    with pytest.raises(BadInput, match=sentence):
        run(*arguments)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.lists(st.text(min_size=1), min_size=4, max_size=4))
def test_any_words_are_refused_politely(base: tuple[str, str], words: list[str]) -> None:
    player, game, openings, runner = words
    arguments = ["match", "--game", game, "--openings", openings, "--runner", runner, *base]
    result = CliRunner().invoke(cli.app, [*arguments, "--", player, "random"])
    assert result.exit_code == 2 or isinstance(result.exception, BadInput)
