"""What is drawn and what is clicked, for every game: along random games, and by example."""

import json

import pytest

from tests.web.conftest import CONNECT_FOUR
from tesuji import games, rng
from tesuji.games import tubstap
from tesuji.web import boards

SPECS = [
    "go",
    "amazons:size=6",
    "geister",
    "tubstap",
    "skirmish:abilities=random,parameters=random",
]


@pytest.mark.parametrize("spec", SPECS)
def test_each_move_is_one_path_and_no_path_begins_another(spec: str) -> None:
    game, stream = games.load(spec), rng.seeded(1, spec)
    state = game.new()
    for _ in range(60):
        if game.is_over(state):
            break
        moves = game.legal_moves(state)
        ways = boards.paths(game, state, moves)
        known = {tuple(way) for way in ways}
        assert len(known) == len(moves)
        if game.name == "geister" and state[0].ply < 2:
            assert all(len(set(way)) == 4 for way in ways)
        else:
            assert not any(way[:length] in known for way in known for length in range(1, len(way)))
        board = boards.draw(game, state)
        json.dumps(board)
        cells = board["rows"] * board["columns"] + len(board.get("extra", ()))
        assert all(0 <= cell < cells for way in ways for cell in boards.cells(way))
        assert all(step in boards.BUTTONS for way in known for step in way if isinstance(step, str))
        places = [piece["at"] for piece in board["pieces"]]
        assert len(set(places)) == len(places)
        assert len(board["row_labels"]) == board["rows"]
        game.play(state, game.random_move(state, stream))


@pytest.mark.parametrize("spec", SPECS)
def test_a_path_ends_where_the_move_goes(spec: str) -> None:
    """The text of a move names the cell that its path ends in, in the board's coordinates."""
    game, stream = games.load(spec), rng.seeded(2, spec)
    state = game.new()
    for _ in range(40):
        if game.is_over(state):
            break
        board = boards.draw(game, state)
        for move in game.legal_moves(state) if game.name != "geister" else []:
            (way,) = boards.paths(game, state, [move])
            text = game.move_text(state, move)
            if not boards.cells(way) or "*" in text or "!" in text:
                continue
            row, column = divmod(boards.cells(way)[-1], board["columns"])
            mark = board.get("separator", "")
            assert text.endswith(board["column_labels"][column] + mark + board["row_labels"][row])
        game.play(state, game.random_move(state, stream))


@pytest.mark.parametrize(
    "spec",
    ["go:size=13", "go:size=19", "amazons", "amazons:size=8", "skirmish:board=12x14",
     *(f"tubstap:map={name}" for name in tubstap.map_names())],
)  # fmt: skip
def test_every_board_and_map_is_drawn(spec: str) -> None:
    game = games.load(spec)
    board = json.loads(json.dumps(boards.draw(game, game.new())))
    assert len(board["column_labels"]) == board["columns"]
    assert len(board.get("ground") or [0] * board["rows"] * board["columns"]) == (
        board["rows"] * board["columns"]
    )


def test_a_ghost_leaves_by_the_way_out() -> None:
    game = games.load("geister")
    position = "00B24R34R44R15B25B35B45R41R31R21R11R40B30B20B10B 4 300"
    state = game.parse_position(position)
    move = game.parse_move(state, "A,NORTH")
    assert boards.paths(game, state, [move]) == [[0, 36]]


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        ("00B24R34R44R15B25B35B45R41R31R21R11R40B30B20B10B 4 300", "A,NORTH",
         "A blue ghost of First's has left the board"),
        ("32B24R34R44R15B25B35B45R31R99r99r99r40B30B20B10B 4 300", "A,NORTH",
         "First has captured all red ghosts of Second's, which loses"),
        ("32R24R34R44R15B25B35B45B31B99b99b99b40R30R20R10R 4 300", "A,NORTH",
         "First has captured all blue ghosts of Second's"),
    ],
)  # fmt: skip
def test_why_a_game_of_geister_is_over(position: str, move: str, why: str) -> None:
    game = games.load("geister")
    state = game.parse_position(position)
    assert boards.draw(game, state)["facts"] == ["Move 2 of 300; then a draw"]
    game.play(state, game.parse_move(state, move))
    assert game.is_over(state)
    assert boards.draw(game, state)["facts"] == [why]


def test_a_view_shows_what_its_side_may_know() -> None:
    game = games.load("geister")
    state = game.new()
    for text in ("ABCD", "AFGH"):
        game.play(state, game.parse_move(state, text))
    for side in (0, 1):
        board = boards.draw(game, game.view(state, side))
        tones = {piece["tone"] for piece in board["pieces"] if piece["side"] == 1 - side}
        assert tones == {"unknown"}
        own = [piece["tone"] for piece in board["pieces"] if piece["side"] == side]
        assert own.count("red") == own.count("blue") == 4


def test_where_a_unit_could_attack_it_stays_by_its_cell_again() -> None:
    game = games.load("tubstap")
    state = game.parse_position("111/111 r 0 16 10 105 rI10@1,1 bI10@3,1")
    texts = [game.move_text(state, move) for move in game.legal_moves(state)]
    ways = dict(zip(texts, boards.paths(game, state, game.legal_moves(state)), strict=True))
    assert ways["1,1-2,1x3,1"] == [0, 1, 2]
    assert ways["1,1-2,1"] == [0, 1, 1]
    assert ways["1,1-1,2"] == [0, 3]
    assert ways["end"] == ["!end"]


def test_two_deeds_on_one_enemy_ask_which() -> None:
    game = games.load("skirmish:abilities=fire")
    state = game.new()
    game.play(state, game.parse_move(state, "a:e2"))
    position = game.position_text(state).replace("d:g2", "d:f2")
    state = game.parse_position(position)
    ways = {
        game.move_text(state, move): way
        for move, way in zip(
            game.legal_moves(state),
            boards.paths(game, state, game.legal_moves(state)),
            strict=True,
        )
    }
    assert ways["a*d"][2:] == ["!attack"]
    assert ways["a!d"][2:] == ["!fire"]
    assert ways["a*d"][:2] == ways["a!d"][:2]


def test_any_other_game_is_text_and_a_list_of_moves() -> None:
    game = games.load(CONNECT_FOUR)
    state = game.parse_position("X/O/////")
    board = boards.draw(game, state)
    runs = [run for line in board["lines"] for run in line]
    assert ("● ", "#808000", None) in runs
    assert "".join(text for text, _, _ in board["lines"][-1]) == "a b c d e f g"
    assert boards.paths(game, state, [0, 6]) == [["!a"], ["!g"]]
