"""Openings from seeds and from files."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tesuji import games
from tesuji.arena.match import Match
from tesuji.arena.openings import Openings
from tesuji.errors import BadInput

AMAZONS = games.load("amazons:size=6")


def test_the_start_is_the_start() -> None:
    opening = Openings("start", AMAZONS).of_pair(1, 0)
    assert opening.game == "amazons:size=6"
    assert opening.start == AMAZONS.position_text(AMAZONS.new())
    assert opening.moves == ()


def test_random_openings_are_whole_turns_from_the_seed() -> None:
    openings = Openings("random:3", AMAZONS)
    drawn = [openings.of_pair(1, pair) for pair in range(20)]
    assert drawn == [openings.of_pair(1, pair) for pair in range(20)]
    assert drawn != [openings.of_pair(2, pair) for pair in range(20)]
    assert all(len(opening.moves) == 6 for opening in drawn)
    assert len(set(drawn)) == 20


def test_openings_that_end_the_game_are_drawn_again_or_refused() -> None:
    with pytest.raises(BadInput, match="over after so many random turns"):
        Openings("random:1000", AMAZONS).of_pair(1, 0)


def test_a_random_set_up_is_the_same_for_both_games_of_a_pair() -> None:
    match = Match("skirmish:abilities=random", "random", "random", games=8, openings="start")
    starts = [task.start for task in match.tasks]
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 4
    assert all("seed=" in task.game for task in match.tasks)
    chosen = Match("skirmish:abilities=random,seed=5", "random", "random", games=4)
    assert len({task.start for task in chosen.tasks}) == 1


def test_a_file_has_an_opening_a_line(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(
        "# a comment, and an empty line\n\nd4 E5 pass\nposition 9/9/9/4X4/4O4/9/9/9/9 X - 0 2 7.5\n"
    )
    openings = Openings(str(file), games.load("go"))
    assert openings.of_pair(1, 0).moves == ("D4", "E5", "pass")
    assert openings.of_pair(1, 1).start == "9/9/9/4X4/4O4/9/9/9/9 X - 0 2 7.5"
    assert openings.of_pair(1, 2) == openings.of_pair(7, 0)
    file.write_text("b1-b5/c5 e6-e3-d3\n")
    assert Openings(str(file), AMAZONS).of_pair(1, 0).moves == ("b1-b5", "/c5", "e6-e3", "/d3")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("D4 D4", "line 1: D4 is not a legal move here"),
        ("\nposition 9/9", "line 2: "),
        ("pass pass", "line 1: the game is over after this opening"),
        ("# nothing", "there is no opening in this file"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(BadInput, match=sentence):
        Openings(str(file), games.load("go"))


def test_a_position_brings_its_own_settings(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("position 9/9/9/4X4/4O4/9/9/9/9 X - 0 2 7.5\n")
    with pytest.raises(BadInput, match="line 1: a position brings its own settings"):
        Openings(str(file), games.load("go:komi=6.5"))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for text in ("random:x", "random:", "random:-1", "random:²", "strat"):
        with pytest.raises(BadInput, match="openings"):
            Openings(text, AMAZONS)
    with pytest.raises(BadInput, match="cannot be read"):
        Openings(str(tmp_path), AMAZONS)


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_file_is_read_or_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "any.txt"
    file.write_bytes(content)
    try:
        Openings(str(file), AMAZONS)
    except BadInput as error:
        assert str(file) in str(error)
