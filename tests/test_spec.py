"""Names with settings, as people type them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji import games, players, spec
from tesuji.errors import BadInput

GO = games.load("go")


def test_parse() -> None:
    assert spec.parse("uct") == ("uct", {})
    assert spec.parse(" uct : c=0.5 , simulations = 10 ") == (
        "uct",
        {"c": "0.5", "simulations": "10"},
    )
    quoted = 'gtp:"gnugo --mode gtp, loudly",seconds=5,name="a:b"'
    parts = {spec.FIRST: "gnugo --mode gtp, loudly", "seconds": "5", "name": "a:b"}
    assert spec.parse(quoted) == ("gtp", parts)


def test_text_is_read_again() -> None:
    values = {"c": 0.5, "deep": True, "command": "one, two", "n": 3}
    text = spec.text("uct", values)
    assert text == 'uct:c=0.5,command="one, two",deep=true,n=3'
    assert spec.parse(text)[1] == {"c": "0.5", "deep": "true", "command": "one, two", "n": "3"}


def test_canonical_names() -> None:
    text = players.canonical("uct:playouts=100,c=.50")
    assert text == players.canonical(" uct : c=0.5 , playouts=100 ") == players.canonical(text)
    assert text != players.canonical("uct:playouts=100,c=0.51")
    assert "threshold=1" in text
    assert players.canonical("random") == "random"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a name is missing"),
        (":c=1", "a name is missing"),
        ("uct:c", "'c' is not of the form name=value"),
        ("uct:c=", "is not of the form"),
        ("uct:c=1,,", "is not of the form"),
        ("uct:c=1,c=2", "c is set twice"),
        ('gtp:"gnugo', "a quotation mark is missing"),
    ],
)
def test_parse_refuses(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        spec.parse(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uct:playouts=1.5", "must be a whole number"),
        ("uct:c=nan", "must be finite"),
        ("uct:seconds=soon", "must be a number"),
        ("uct:sims=5", "no setting 'sims'"),
        ("utc", r"did you mean 'uct'\?"),
        ("zzz", "there is alphabeta, .*, uct"),
    ],
)
def test_players_refuse(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        players.build(text, GO)


@given(st.text(max_size=40) | st.from_regex(r"(go|uct)(:[a-z]{1,6}=[-0-9a-z.]{0,6},?){0,3}"))
def test_any_text_is_understood_or_refused_in_one_line(text: str) -> None:
    for build in (lambda text: players.build(text, GO), games.load):
        try:
            build(text)
        except BadInput as error:
            assert "\n" not in str(error)


def test_a_first_value_alone_is_text_again() -> None:
    name, settings = spec.parse('uai:"a b, c",nodes=5')
    assert spec.parse(spec.text(name, settings)) == (name, settings)
