"""TUBSTAP against a naive one, the damage table in full, and every rule once."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import FAST, cases, examples
from tests.naive import tubstap as naive
from tesuji import games, rng, rules
from tesuji.errors import BadInput
from tesuji.formats import tbsmap
from tesuji.games import tubstap
from tesuji.kernels import kernel

GAME = games.load("tubstap")
MAPS = tubstap.map_names()


def place(text: str) -> rules.State:
    return GAME.parse_position(text)


def moves_of(state: rules.State) -> set[str]:
    return {GAME.move_text(state, move) for move in GAME.legal_moves(state)}


def after(text: str, *moves: str) -> rules.State:
    state = place(text)
    for move in moves:
        GAME.play(state, GAME.parse_move(state, move))
    return state


def units_of(state: rules.State) -> list[str]:
    return GAME.position_text(state).split()[6:]


# --- Against the naive game ----------------------------------------------------------------------


@st.composite
def maps(draw: st.DrawFn) -> tbsmap.Map:
    """A random map with a handful of random units."""
    width, height = draw(st.integers(4, 9)), draw(st.integers(4, 9))
    cells = draw(st.lists(st.sampled_from((1, 1, 1, 1, 0, 2, 3, 4, 5, 6)),
                          min_size=width * height, max_size=width * height))  # fmt: skip
    free = [i for i, terrain in enumerate(cells) if terrain]
    count = min(len(free), draw(st.integers(2, 9)))
    chosen = draw(st.permutations(free))[:count] if count > 1 else []
    units = [
        tbsmap.Unit(
            1 + cell % width, 1 + cell // width, draw(st.integers(0, 5)), i % 2,
            draw(st.integers(1, 10)),
        )
        for i, cell in enumerate(chosen)
    ]  # fmt: skip
    border = (0,) * (width + 2)
    rows = [(0, *cells[y * width : (y + 1) * width], 0) for y in range(height)]
    return tbsmap.Map((border, *rows, border), tuple(units), draw(st.integers(3, 14)), 3)


def twin(board: tbsmap.Map) -> naive.NaiveTubstap:
    terrain = {(x, y): t for y, row in enumerate(board.terrain) for x, t in enumerate(row)}
    units = [
        naive.Unit(unit.team, tubstap.LETTERS[unit.kind], unit.hp, (unit.x, unit.y))
        for unit in board.units
    ]
    return naive.NaiveTubstap(terrain, units, board.turn_limit, board.hp_threshold)


SEEN: Counter[str] = Counter()


@examples(150, 12)
@given(maps(), st.integers(0, 2**32))
def test_random_games_against_the_naive_game(board: tbsmap.Map, seed: int) -> None:
    if len(board.units) < 2:
        return
    state, slow, stream = tubstap.from_map(board), twin(board), rng.seeded(seed)
    while True:
        legal = moves_of(state)
        assert legal == slow.moves()
        assert GAME.is_over(state) == (slow.result is not None)
        if not legal:
            break
        assert GAME.player_to_move(state) == slow.mover
        assert GAME.turn(state) == slow.turns
        expected = [
            f"{'rb'[unit.team]}{unit.kind}{unit.hp}"
            + (f"@{unit.place[0]},{unit.place[1]}{'*' * unit.acted}" if unit.hp else "")
            for unit in slow.units
        ]
        assert units_of(state) == expected
        attacks = sorted(move for move in legal if "x" in move)
        choice = attacks if attacks and rng.below(stream, 2) else sorted(legal)
        move = choice[int(rng.below(stream, len(choice)))]
        SEEN["attack" if "x" in move else "end" if move == "end" else "move"] += 1
        GAME.play(state, GAME.parse_move(state, move))
        slow.play(move)
    assert GAME.outcome(state) == slow.result
    SEEN[f"result {slow.result}"] += 1


def test_the_random_games_were_worth_it() -> None:
    """Runs after the one above (same file, same worker): all that matters did occur."""
    if not SEEN:
        test_random_games_against_the_naive_game()
    for event in ("attack", "move", "end", "result 1", "result -1", "result 0"):
        assert SEEN[event] >= 3, SEEN


@kernel
def all_damages(state, kinds, stars_of, damages):  # type: ignore[no-untyped-def]
    for attacker in range(kinds):
        for defender in range(kinds):
            for hp in range(1, 11):
                for target_hp in range(1, 11):
                    for terrain in range(1, 7):
                        state[0].kind[0], state[0].kind[1] = attacker, defender
                        state[0].hp[0], state[0].hp[1] = hp, target_hp
                        state[0].terrain[state[0].cell[1]] = terrain
                        found = tubstap.damage(state[0], 0, 1)
                        damages[attacker, defender, hp - 1, target_hp - 1, terrain] = found


def test_the_whole_damage_table() -> None:
    """36 pairings x HP x HP x every terrain, against the formula written down independently."""
    damages = np.zeros((6, 6, 10, 10, 7), np.int64)
    all_damages(place("11 r 0 9 0 105 rI10@1,1 bI10@2,1"), 6, tubstap.STARS, damages)
    for attacker, kind in enumerate(tubstap.LETTERS):
        for defender, target in enumerate(tubstap.LETTERS):
            for hp in range(1, 11):
                for target_hp in range(1, 11):
                    for terrain in range(1, 7):
                        expected = naive.damage(kind, hp, target, target_hp, naive.STARS[terrain])
                        found = damages[attacker, defender, hp - 1, target_hp - 1, terrain]
                        assert found == expected, (kind, target, hp, target_hp, terrain)


# --- Rules, one by one ---------------------------------------------------------------------------


def test_infantry_against_infantry_on_plain() -> None:
    """The published example: 5, and 3 in answer."""
    state = after("111/111 r 0 9 0 105 rI10@1,1 bI10@2,1", "1,1-1,1x2,1")
    assert units_of(state) == ["rI7@1,1", "bI5@2,1"]


def test_no_answer_to_or_from_a_cannon() -> None:
    state = after("1111 r 0 9 0 105 rU10@1,1 bI10@3,1", "1,1-1,1x3,1")
    assert units_of(state)[0] == "rU10@1,1"
    state = after("1111 r 0 9 0 105 rP10@1,1 bU10@2,1", "1,1-1,1x2,1")
    assert units_of(state)[0] == "rP10@1,1"


def test_a_cannon_moves_or_fires_at_two_or_three() -> None:
    legal = moves_of(place("11111111 r 0 9 0 105 rU10@1,1 bI10@3,1 bI10@4,1 bI10@5,1 bI10@8,1"))
    assert {move for move in legal if "x" in move} == {"1,1-1,1x3,1", "1,1-1,1x4,1"}
    assert "1,1-2,1" in legal
    legal = moves_of(place("1111 r 0 9 0 105 rU10@1,1 bI10@2,1"))
    assert not [move for move in legal if "x" in move]


def test_powerless_attacks_are_not_legal() -> None:
    legal = moves_of(place("11 r 0 9 0 105 rI10@1,1 bF10@2,1"))
    assert not [move for move in legal if "x" in move]


def test_friends_are_passed_and_enemies_block() -> None:
    legal = moves_of(place("1111 r 0 9 0 105 rI10@1,1 rI10@2,1 bI10@4,1"))
    assert "1,1-3,1" in legal
    assert "1,1-2,1" not in legal
    legal = moves_of(place("1111 r 0 9 0 105 rI10@1,1 bI10@2,1"))
    assert "1,1-3,1" not in legal


def test_terrain_costs() -> None:
    def reach(kind: str, row: str) -> int:
        legal = moves_of(place(f"{row} r 0 9 0 105 r{kind}10@1,1 bI1@{len(row)},1"))
        return max(int(re.findall(r"-(\d+),", move)[0]) for move in legal if "-" in move)

    assert reach("I", "1111111111") == 4
    assert reach("I", "1141111111") == 3
    assert reach("I", "1211111111") == 1
    assert reach("P", "1333333331") == 4
    assert reach("P", "1141111111") == 2
    assert reach("P", "1555555551") == 7
    assert reach("F", "124342424241") == 10
    assert reach("I", "1011111111") == 1


def test_stars_do_not_protect_the_air() -> None:
    ground = after("14 r 0 9 0 105 rR10@1,1 bI10@2,1", "1,1-1,1x2,1")
    air = after("14 r 0 9 0 105 rR10@1,1 bF10@2,1", "1,1-1,1x2,1")
    assert units_of(ground)[1] == "bI2@2,1"  # (1050 + 70) // 140 = 8
    assert units_of(air)[1] == "bF3@2,1"  # (700 + 70) // 100 = 7


def test_antiair_power_is_a_setting() -> None:
    found = {}
    for power in (105, 115):
        state = after(f"11 r 0 9 0 {power} rR8@1,1 bI10@2,1", "1,1-1,1x2,1")
        found[power] = units_of(state)[1]
    assert found == {105: "bI2@2,1", 115: "bI1@2,1"}  # 910 // 110, 990 // 110
    assert tubstap.new_game(antiair=115)[0].antiair_power == 115
    with pytest.raises(BadInput, match="105 or 115"):
        tubstap.new_game(antiair=110)


def test_the_turn_ends_when_all_have_acted_or_by_choice() -> None:
    text = "111/111/111 r 0 9 0 105 rI10@1,1 rI10@2,1 bI10@3,3"
    state = after(text, "1,1-1,2")
    assert GAME.player_to_move(state) == 0
    assert not any(move.startswith("1,2-") for move in moves_of(state))
    GAME.play(state, GAME.parse_move(state, "2,1-2,1"))
    assert GAME.player_to_move(state) == 1
    assert GAME.player_to_move(after(text, "end")) == 1


def test_annihilation_and_the_turn_limit() -> None:
    state = after("11 r 0 9 0 105 rP10@1,1 bI1@2,1", "1,1-1,1x2,1")
    assert GAME.outcome(state) == 1.0
    for hp, threshold, result in ((10, 4, 1.0), (10, 5, 0.0), (1, 3, -1.0), (5, 0, 0.0)):
        state = after(f"1111 r 0 2 {threshold} 105 rI{hp}@1,1 bI5@4,1", "end", "end")
        assert GAME.outcome(state) == result
    only_annihilation = games.load("tubstap:draws=true,map=tesuji03").new()
    assert only_annihilation[0].threshold == 10_000


def test_an_attacker_can_die_of_the_answer() -> None:
    state = after("111 r 0 9 0 105 rI1@1,1 rI9@3,1 bP10@2,1", "1,1-1,1x2,1")
    assert units_of(state)[0] == "rI0"
    assert GAME.player_to_move(state) == 0


# --- Maps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", cases(MAPS[::3], MAPS[1::3] + MAPS[2::3]))
def test_every_map_can_be_played(name: str) -> None:
    game = games.load(f"tubstap:map={name}")
    state, stream = game.new(), rng.seeded(1)
    for _ in range(40 if FAST else 5):
        if game.is_over(state):
            break
        assert game.draw(state)
        game.play(state, game.random_move(state, stream))
    assert game.parse_position(game.position_text(state)).tobytes()


def test_the_maps_are_what_they_say() -> None:
    assert {"map01", "map02", "pinch01", "pathfind01"} <= set(MAPS)
    assert len([name for name in MAPS if name.startswith("tesuji")]) == 10
    sides = {games.load(f"tubstap:map={name}").new()[0].army.shape[1] for name in MAPS}
    assert sides == {8, 16, 32}


def test_maps_are_written_and_read_back(tmp_path: Path) -> None:
    for name in MAPS:
        source = (Path(tubstap.__file__).parents[1] / "maps" / f"{name}.tbsmap").read_bytes()
        board = tbsmap.read(source)
        assert tbsmap.read(tbsmap.write(board)) == board
    text = tbsmap.write(board).replace("AUTHOR[tesuji]", "AUTHOR[木村]")
    for encoding in ("utf-8", "utf-8-sig", "cp932"):
        assert tbsmap.read(text.encode(encoding)).author == "木村"
    shuffled = ";".join(sorted(text.replace("\n", "").split(";"), key=lambda r: r[:1] != "U"))
    assert tbsmap.read(shuffled).units == board.units
    file = tmp_path / "mine.tbsmap"
    file.write_text(text)
    assert games.load(f"tubstap:map={file}").new()[0].n_units == len(board.units)


GOOD = "SIZEX[4];SIZEY[3];TURNLIMIT[9];HPTHRESHOLD[1];\nUNIT[1,1,infantry,0,10,0];\nUNIT[2,1,panzer,1,3,0];\nMAP[0,0,0,0];MAP[0,1,1,0];MAP[0,0,0,0];"  # noqa: E501


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("SIZEX[4]", "SIZEX[5]", "MAP row 1 has 4 cells, but SIZEX is 5"),
        ("SIZEY[3]", "SIZEY[4]", "SIZEY is 4, but there are 3 MAP rows"),
        ("SIZEX[4]", "SIZEX[99]", "line 1: SIZEX: 99 is not from 3 to 32"),
        ("SIZEX[4];", "", "the tag SIZEX is missing"),
        ("SIZEX[4];", "SIZEX[4];SIZEX[4];", "line 1: SIZEX is given twice"),
        ("TURNLIMIT[9]", "TURNLIMIT[x]", "line 1: TURNLIMIT: 'x' is not a number"),
        ("infantry", "infantrie", r"line 2: UNIT 0: unknown unit 'infantrie' \(did you mean"),
        ("0,10,0]", "0,11,0]", "line 2: UNIT 0: HP: 11 is not from 1 to 10"),
        ("0,10,0]", "0,0,0]", "line 2: UNIT 0: HP: 0 is not from 1 to 10"),
        ("UNIT[2,1", "UNIT[1,1", "line 3: UNIT 1 stands where UNIT 0 already is"),
        ("UNIT[2,1", "UNIT[3,1", "line 3: UNIT 1 stands on 3,1, which nobody can enter"),
        ("UNIT[2,1,panzer,1,3,0]", "UNIT[2,1,panzer]", "UNIT 1 has 3 fields instead of 6"),
        ("MAP[0,1,1,0]", "MAP[1,1,1,0]", "MAP row 2: the border of a map must be 0"),
        ("MAP[0,1,1,0]", "MAP[0,1,7,0]", "MAP row 2: 7 is not from 0 to 6"),
        ("SIZEX[4]", "SIZEZ[4]", "line 1: unknown tag 'SIZEZ'"),
        ("SIZEX[4]", "SIZEX(4)", r"line 1: 'SIZEX\(4\)' is not of the form TAG"),
        ("HPTHRESHOLD[1];", "HPTHRESHOLD[1];UNITNUMRED[2];", "UNITNUMRED is 2, but there are 1"),
    ],
)
def test_bad_maps(right: str, wrong: str, sentence: str) -> None:
    assert tbsmap.read(GOOD)
    with pytest.raises(BadInput, match=sentence):
        tbsmap.read(GOOD.replace(right, wrong, 1))


def test_rubbish_and_ten_megabytes_of_it(tmp_path: Path) -> None:
    for data in (b"", b"\x00" * 100, b"\xff\xfe\x81", bytes(range(256))):
        with pytest.raises(BadInput):
            tbsmap.read(data)
    large = tmp_path / "large.tbsmap"
    large.write_bytes(b"MAP[0];" * 1_500_000)
    with pytest.raises(BadInput, match="cannot be a map"):
        tbsmap.read_file(large)
    with pytest.raises(BadInput, match="No such file"):
        tbsmap.read_file(tmp_path / "none.tbsmap")
    with pytest.raises(BadInput, match="no map called 'nowhere'"):
        games.load("tubstap:map=nowhere").new()


@examples(300, 100)
@given(st.data())
def test_mutated_maps_are_read_or_refused(data: st.DataObject) -> None:
    text = GOOD
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        new = data.draw(st.sampled_from(["", "[", "]", ";", ",", "0", "9", "-", "x", "\n", "漢"]))
        text = text[:at] + new + text[at + data.draw(st.integers(0, 2)) :]
    try:
        board = tbsmap.read(text)
        state = tubstap.from_map(board)
    except BadInput as error:
        assert "\n" not in str(error)
    else:
        assert tbsmap.read(tbsmap.write(board)) == board
        assert GAME.position_text(state)


@examples(300, 100)
@given(st.data())
def test_mutated_positions_and_moves_are_read_or_refused(data: st.DataObject) -> None:
    text = "1131/1401/5611 b 3 9 2 105 rI10@1,1 rU0 bF3@4,2 bI7@2,3*"
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        new = data.draw(st.text("0123456789rbIFU@,*/ x-", max_size=2))
        text = text[:at] + new + text[at + data.draw(st.integers(0, 2)) :]
    try:
        state = GAME.parse_position(text)
    except BadInput as error:
        assert "\n" not in str(error)
        return
    written = GAME.position_text(state)
    assert GAME.position_text(GAME.parse_position(written)) == written
    try:
        GAME.parse_move(state, data.draw(st.text("0123456789,-xend", max_size=12)))
    except BadInput as error:
        assert "\n" not in str(error)
