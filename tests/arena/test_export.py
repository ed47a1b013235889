"""Records as JSON and SGF, read back by sgfmill."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from sgfmill import sgf, sgf_grammar

from tesuji import games
from tesuji.arena import Record, replay
from tesuji.arena.export import area, as_json, as_sgf, from_json
from tesuji.arena.match import Match
from tesuji.arena.play import play
from tesuji.arena.record import record_from_json
from tesuji.errors import BadInput


@pytest.fixture(scope="module")
def go() -> Record:
    return play(Match("go:komi=6.5", "random", "random", games=1).tasks[0])


def test_json_lines_are_records(go: Record) -> None:
    lines = as_json([go, go]).splitlines()
    assert [record_from_json(json.loads(line)) for line in lines] == [go, go]


def test_json_lines_come_back_in(go: Record, tmp_path: Path) -> None:
    plain, packed = tmp_path / "games.jsonl", tmp_path / "games.jsonl.gz"
    plain.write_text(as_json([go]))
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert from_json(plain) == from_json(packed) == [go]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"outcome": 0.0}, "line 2: the moves of game .* do not lead to its outcome"),
        ({"moves": ["Z99"]}, "line 2: .*Z99"),
        ({"moves": 5}, "line 2: "),
        ({"moves": [5]}, "line 2: "),
        ({"seed": 7}, "line 2: .*is damaged"),
        ({"file": "rules.py"}, "line 2: rules in a file of its own"),
        ({"format": "chess"}, "line 2: .*not chess"),
    ],
)
def test_a_record_that_cannot_be_is_not_taken_in(
    go: Record, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(as_json([go]) + json.dumps({**go.as_json(), **change}))
    with pytest.raises(BadInput, match=sentence):
        from_json(file)


def test_a_file_that_is_no_archive(tmp_path: Path) -> None:
    for content in (b"nonsense", gzip.compress(b"x" * 99)[:-12]):
        (tmp_path / "games.gz").write_bytes(content)
        with pytest.raises(BadInput, match=r"games\.gz cannot be read"):
            from_json(tmp_path / "games.gz")
    (tmp_path / "games.json").write_text("5\n")
    with pytest.raises(BadInput, match="line 1: "):
        from_json(tmp_path / "games.json")


def test_go_as_sgf_is_the_same_game(go: Record) -> None:
    game = games.load("go")
    read = sgf.Sgf_game.from_string(as_sgf([go]))
    assert read.get_size() == 9
    assert read.get_komi() == 6.5
    assert read.get_winner() == ("b" if go.outcome > 0 else "w")
    state = game.parse_position(go.task.start)
    texts = []
    for node in read.get_main_sequence()[1:]:
        colour, point = node.get_move()
        assert colour == "bw"[game.player_to_move(state)]
        # sgfmill counts rows from the bottom.
        text = "pass" if point is None else f"{'ABCDEFGHJ'[point[1]]}{point[0] + 1}"
        texts.append(text)
        game.play(state, game.parse_move(state, text))
    assert tuple(texts) == go.task.opening + go.moves
    margin = abs(area(replay(go)) - 6.5)
    assert read.get_root().get("RE") == f"{'B' if go.outcome > 0 else 'W'}+{margin:g}"


def test_go_from_a_position_has_its_stones(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("position 9/9/9/4X4/4O4/9/9/9/9 O - 0 2 7.5\n")
    match = Match("go", "random", "random", games=1, openings=str(file))
    read = sgf.Sgf_game.from_string(as_sgf([play(match.tasks[0])]))
    black, white, _ = read.get_root().get_setup_stones()
    assert black == {(5, 4)}
    assert white == {(4, 4)}
    assert read.get_main_sequence()[1].get_move()[0] == "w"


def test_forfeits_have_their_own_results(go: Record) -> None:
    for ending, result in (("time-out", "T"), ("resignation", "R"), ("crash", "F")):
        lost = replace(go, outcome=-1.0, ending=ending, note="White: a ] and a \\")
        root = sgf.Sgf_game.from_string(as_sgf([lost])).get_root()
        assert root.get("RE") == f"W+{result}"
        assert root.get("GC") == "White: a ] and a \\"
    drawn = sgf.Sgf_game.from_string(as_sgf([replace(go, outcome=0.0)]))
    assert drawn.get_root().get("RE") == "0"


def test_amazons_as_sgf_is_the_same_game() -> None:
    record = play(Match("amazons", "random", "random", games=1).tasks[0])
    (tree,) = sgf_grammar.parse_sgf_collection(as_sgf([record]).encode())
    root, *nodes = tree.sequence
    assert root["GM"] == [b"18"]
    # The start of red-bean.com/sgf/amazons.html with the colours exchanged: White begins here.
    assert sorted(root["AW"]) == [b"ag", b"dj", b"gj", b"jg"]
    assert sorted(root["AB"]) == [b"ad", b"da", b"ga", b"jd"]
    game = games.load("amazons")
    state = game.new()

    def cell(text: str) -> str:
        return f"{text[0]}{10 - 'abcdefghij'.index(text[1])}"

    for number, node in enumerate(nodes):
        ((colour, (value,)),) = node.items()
        assert colour == "WB"[number % 2]
        move = value.decode()
        turn = f"{cell(move[:2])}-{cell(move[2:4])}/{cell(move[4:])}"
        for part in game.parse_turn(state, turn):
            game.play(state, part)
    assert game.is_over(state)
    assert game.position_text(state) == game.position_text(replay(record))


def test_other_games_have_no_sgf() -> None:
    with pytest.raises(BadInput, match="SGF has only go and amazons"):
        as_sgf([play(Match("skirmish", "random", "random", games=1).tasks[0])])
