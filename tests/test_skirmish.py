"""Skirmish against a naive skirmish, move by move, and against the rules, one by one.

Positions are written as `at(a="c3 fire", d="c4 charge 40")`: pieces a to c are the first player's,
d to f the second's, those not mentioned are dead; after the cell come an ability, hit points, flags
(m moved, a acted, c confused) and attack/defence/intelligence, all optional.
"""

import random
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from rich.text import Text

from tests.examples import FAST, THOROUGH, cases, examples
from tests.naive import skirmish as naive
from tests.naive.skirmish import NaiveSkirmish, Piece
from tesuji import conformance, games, rng, rules
from tesuji.errors import BadInput
from tesuji.games import skirmish
from tesuji.kernels import kernel

SEEDS = st.integers(0, 2**32 - 1)
GAME = skirmish.game
SIZES = {"6x7": (6, 7, 3), "12x14": (12, 14, 6), "15x16": (15, 16, 6)}


# --- Helpers -------------------------------------------------------------------------------------


def piece_text(name: str, words: list[str]) -> str:
    cell, hp, three, ability, flags = "-", "0", "50/50/50", "dash", "-"
    if words:
        cell, hp = words[0], "100"
    for word in words[1:]:
        if word in skirmish.ABILITIES:
            ability = word
        elif "/" in word:
            three = word
        elif word[0].isdecimal():
            hp = word
        else:
            flags = word
    return f"{name}:{cell}:{hp}:{three}:{ability}:{flags}"


def at(
    mover: str = "first", round: str = "1/10", lot: str = "-", board: str = "6x7", **pieces: str
) -> rules.State:
    names = skirmish.LETTERS[: 2 * SIZES[board][2]]
    words = [piece_text(name, pieces.get(name, "").split()) for name in names]
    return GAME.parse_position(f"{board} {round} {mover} {lot} {' '.join(words)}")


def play(state: rules.State, moves: str) -> None:
    for word in moves.split():
        GAME.play(state, GAME.parse_move(state, word))


def legal(state: rules.State) -> set[str]:
    moves = [GAME.move_text(state, move) for move in GAME.legal_moves(state)]
    assert len(moves) == len(set(moves))
    return set(moves)


def walks(state: rules.State, piece: str) -> set[str]:
    return {move[2:] for move in legal(state) if move[:2] == f"{piece}:"}


def deeds(state: rules.State) -> set[str]:
    return {move for move in legal(state) if move[1] in "*!"}


def word_of(state: rules.State, piece: str) -> list[str]:
    """Cell, hit points, parameters, ability and flags of a piece."""
    (word,) = [w for w in GAME.position_text(state).split()[4:] if w.startswith(f"{piece}:")]
    return word.split(":")[1:]


def hp(state: rules.State, piece: str) -> str:
    return word_of(state, piece)[1]


def cell(state: rules.State, piece: str) -> str:
    return word_of(state, piece)[0]


def naive_text(model: NaiveSkirmish, words: list[str]) -> str:
    """The position text of a naive game; `words` are those of the pieces at the start, from which
    a dead piece has its parameters."""
    board, lot = words[0], "!".join(model.lot) if model.lot else "-"
    parts = [board, f"{model.round}/{model.rounds}", ("first", "second")[model.mover], lot]
    for start in words[4:]:
        name, _, _, three, ability, _ = start.split(":")
        if name not in model.pieces:
            parts.append(f"{name}:-:0:{three}:{ability}:-")
            continue
        piece = model.pieces[name]
        done = [("m", piece.moved), ("a", piece.acted), ("c", piece.confused)]
        flags = "".join(letter for letter, is_so in done if is_so) or "-"
        points = f"{float(Fraction(piece.hp, 100)):.6g}"
        parts.append(f"{name}:{piece.cell}:{points}:{three}:{ability}:{flags}")
    return " ".join(parts)


def model_of(text: str) -> NaiveSkirmish:
    """The naive game that stands at a position."""
    board, now, mover, lot, *words = text.split()
    rows, columns, each = SIZES[board]
    pieces = []
    for number, word in enumerate(words):
        name, place, points, three, ability, flags = word.split(":")
        numbers = [int(number) for number in three.split("/")]
        if place != "-":
            piece = Piece(name, number // each, place, *numbers, ability)
            piece.hp = int(Fraction(points) * 100)
            piece.moved, piece.acted, piece.confused = (letter in flags for letter in "mac")
            pieces.append(piece)
    round_now, rounds = now.split("/")
    model = NaiveSkirmish(rows, columns, pieces, int(rounds))
    model.round, model.mover = int(round_now), ("first", "second").index(mover)
    model.lot = (lot[0], lot[2]) if lot != "-" else None
    return model


def rule_based(moves: list[int], dice: random.Random) -> int:
    """The paper's simplest player: attack whenever possible, else walk anywhere, else end."""
    attacks = [move for move in moves if skirmish.ATTACK <= move < skirmish.SPECIAL]
    return dice.choice(attacks or [m for m in moves if m >= skirmish.WALK] or [skirmish.END])


def random_options(dice: random.Random, board: str) -> dict[str, Any]:
    pieces = SIZES[board][2]

    def both_sides(word: Any) -> str:
        return "-".join(".".join(word() for _ in range(pieces)) for _ in range(2))

    def three() -> str:
        return "/".join(str(dice.randint(1, 100)) for _ in range(3))

    return {
        "board": board,
        "abilities": both_sides(lambda: dice.choice(skirmish.ABILITIES)),
        "parameters": dice.choice(["50", "100/1/50", both_sides(three), both_sides(three)]),
        "rounds": dice.choice([10, 10, 10, 3]),
    }


def eager_move(state: rules.State, dice: random.Random) -> int:
    """Often something other than a walk, so that more happens than at random."""
    moves = GAME.legal_moves(state)
    if GAME.player_to_move(state) == rules.CHANCE:
        return dice.choice(moves)
    others = [move for move in moves if skirmish.ATTACK <= move < skirmish.WALK]
    if others and dice.random() < 0.6:
        return dice.choice(others)
    if moves[:-1] and dice.random() < 0.95:
        # Towards each other: a walk that ends beside an enemy where there is one.
        record = state[0]
        near = [move for move in moves if move >= skirmish.WALK and _beside_enemy(record, move)]
        return dice.choice(near if near and dice.random() < 0.5 else moves)
    return dice.choice(moves)


def _beside_enemy(record: Any, move: int) -> bool:
    row, column = divmod((move - skirmish.WALK) % 256, int(record.columns) + 1)
    enemies = skirmish.pieces_of(record, 1 - int(record.turns) % 2)
    return any(
        abs(int(record.row[e]) - row) + abs(int(record.column[e]) - column) == 1
        for e in enemies
        if record.hp[e] > 0
    )


def check_invariants(state: rules.State) -> None:
    """Everything that the header of skirmish.py promises between moves."""
    record = state[0]
    rows, columns, each = int(record.rows), int(record.columns), len(record.hp) // 2
    standing = [0, 0]
    for piece in range(2 * each):
        row, column = int(record.row[piece]), int(record.column[piece])
        if record.hp[piece] == 0:
            assert row == column == -1
            assert not any(f[piece] for f in (record.moved, record.acted, record.confused))
            continue
        assert 0 < record.hp[piece] <= skirmish.START_HP
        assert 0 <= row < rows
        assert 0 <= column < columns
        bit = 1 << row * (columns + 1) + column
        assert not (standing[0] | standing[1]) & bit
        standing[piece // each] |= bit
        if piece // each != record.turns % 2:
            assert not record.moved[piece]
            assert not record.acted[piece]
    floor = sum(1 << r * (columns + 1) + c for r in range(rows) for c in range(columns))
    assert [_joined(record.standing[0]), _joined(record.standing[1])] == standing
    assert _joined(record.floor) == floor
    ready = {move[0] for move in legal(state) - {"end", "hit", "miss"}}
    assert {skirmish.LETTERS[i] for i in range(2 * each) if int(record.ready) >> i & 1} == ready
    assert (record.caster >= 0) == (record.target >= 0) == (legal(state) == {"hit", "miss"})


def _joined(words: Any) -> int:
    return sum(int(word) << 64 * i for i, word in enumerate(words))


# --- Against the naive game ----------------------------------------------------------------------


def test_the_constants_are_frozen() -> None:
    assert skirmish.START_HP == naive.START_HP
    assert skirmish.ATTACK_DAMAGE == naive.ATTACK
    assert skirmish.FIRE_DAMAGE == naive.FIRE
    assert Fraction(skirmish.CONFUSION_PERCENT, 100) == naive.CONFUSION
    assert skirmish.CHARGE_PERCENT == 100
    assert skirmish.CHARGE_NEEDS_ROOM


EVENTS = {
    "walk", "walk after acting", "act", "act after walking", "attack", "fire", "charge", "bravery",
    "hit", "miss", "turn lost by confusion", "death", "attacker dies", "both die",
    "turn ends by itself", "annihilation", "mutual annihilation", "decided by hit points",
}  # fmt: skip


@pytest.mark.parametrize("board", cases(["6x7", "15x16"], ["12x14"]))
def test_games_are_those_of_the_naive_skirmish(board: str) -> None:
    seen: Counter[str] = Counter()

    @examples(*((100, 6) if board == "6x7" else (6, 2)))
    @given(seed=SEEDS)
    def run(seed: int) -> None:
        dice = random.Random(seed)
        options = random_options(dice, board)
        note(str(options))
        state = GAME.new(**options)
        words = GAME.position_text(state).split()
        model = model_of(" ".join(words))
        check_start(model, options)
        turns = 0
        while True:
            text = GAME.position_text(state)
            assert text == naive_text(model, words)
            assert GAME.is_over(state) == model.is_over()
            assert legal(state) == model.legal_moves()
            assert GAME.turn(state) == turns == 2 * (model.round - 1) + model.mover
            if dice.random() < 0.1:
                check_invariants(state)
            if model.is_over():
                break
            if model.lot:
                assert GAME.player_to_move(state) == rules.CHANCE
                odds = [
                    float(rules.chance_odds(state[0], m)) for m in (skirmish.HIT, skirmish.MISS)
                ]
                assert odds == pytest.approx([float(model.odds()), float(1 - model.odds())])
            else:
                assert GAME.player_to_move(state) == model.mover
            move = eager_move(state, dice)
            note(GAME.move_text(state, move))
            before = model.mover
            model.play(GAME.move_text(state, move))
            GAME.play(state, move)
            turns += model.mover != before
        assert GAME.outcome(state) == model.outcome()
        seen.update(model.events)
        if not model.annihilated():
            seen["decided by hit points"] += 1
        else:
            seen["annihilation" if model.pieces else "mutual annihilation"] += 1

    run()
    if FAST and board == "6x7":
        rare = {"mutual annihilation"}
        assert EVENTS - rare <= set(seen) <= EVENTS
        if THOROUGH:
            assert min(seen[event] for event in EVENTS - rare) >= 5, seen
            assert rare <= set(seen)
    elif FAST:
        assert set(seen) >= {"walk after acting", "act after walking", "attack", "death"}


def check_start(model: NaiveSkirmish, options: dict[str, Any]) -> None:
    """A new game has what its options say."""
    pieces = list(model.pieces.values())
    each = SIZES[options["board"]][2]
    abilities = options["abilities"].replace("-", ".").split(".")
    assert [piece.ability for piece in pieces] == abilities
    words = options["parameters"].replace("-", ".").split(".")
    if len(words) == 1:
        words *= 2 * each
    threes = [[int(number) for number in word.split("/")] for word in words]
    for piece, three in zip(pieces, threes, strict=True):
        assert [piece.attack, piece.defence, piece.intelligence] == (three * 3)[:3]
        assert piece.hp == 10000
        assert not any((piece.moved, piece.acted, piece.confused))
    assert model.rounds == options["rounds"]
    assert (model.round, model.mover, model.lot) == (1, 0, None)


def test_playouts_happen_to_meet_every_event() -> None:
    """`random_move` by itself leads everywhere, too; the lots fall by their odds."""
    seen: Counter[str] = Counter()
    for seed in range(60 if FAST else 4):
        state = GAME.new(abilities="random", seed=seed)
        model, generator = model_of(GAME.position_text(state)), rng.seeded(seed)
        while not GAME.is_over(state):
            text = GAME.move_text(state, GAME.random_move(state, generator))
            assert text in model.legal_moves()
            play(state, text)
            model.play(text)
        seen.update(model.events)
    if FAST:
        rare = {"annihilation", "mutual annihilation", "decided by hit points", "both die"}
        assert set(seen) >= EVENTS - rare
        assert abs(seen["hit"] - seen["miss"]) < 4 * (seen["hit"] + seen["miss"]) ** 0.5


@kernel
def draw_moves(state: Any, work: Any, moves: Any, generator: Any, draws: Any) -> None:
    for i in range(len(draws)):
        work[0] = state[0]
        draws[i] = rules.random_move(work[0], moves, generator)


def draws_at(state: rules.State, count: int) -> Counter[str]:
    draws = np.empty(count, dtype=np.int32)
    draw_moves(state, state.copy(), GAME.moves_buffer(state), rng.seeded(1), draws)
    return Counter(GAME.move_text(state, int(move)) for move in draws)


def test_playouts_draw_a_piece_and_then_an_action() -> None:
    state = at(a="a1 fire m", b="g6 dash a", c="d6 ma", d="b1")
    count = 12000 if FAST else 1200
    seen = draws_at(state, count)
    assert set(seen) == legal(state)
    b_walks = len(walks(state, "b"))
    expected = {"a*d": 1 / 6, "a!d": 1 / 6, "end": 1 / 6 + 0.5 / (b_walks + 1)}
    for move, share in expected.items():
        assert abs(seen[move] - share * count) < 5 * (share * count) ** 0.5
    for move in walks(state, "b"):
        share = 0.5 / (b_walks + 1)
        assert abs(seen[f"b:{move}"] - share * count) < 5 * (share * count) ** 0.5


# --- Walking -------------------------------------------------------------------------------------


def diamond(centre: str, radius: int) -> set[str]:
    cells = {f"{x}{y}" for x in "abcdefg" for y in range(1, 7)}
    return {other for other in cells if 0 < naive.steps(centre, other) <= radius}


def test_a_piece_walks_four_steps_and_five_with_dash() -> None:
    state = at(a="a1 fire", b="g6 dash", d="a6")
    assert walks(state, "a") == diamond("a1", 4)
    assert walks(state, "b") == diamond("g6", 5) - {"a6"}


def test_entering_the_zone_of_an_enemy_ends_the_walk() -> None:
    state = at(a="a1", b="g6 fire", d="c1")
    # b1 is in the zone: what lies behind it is reached around it only, c2 ends walks as well.
    assert {"b1", "c2"} <= walks(state, "a")
    assert "d1" not in walks(state, "a")  # 5 steps around, through c3; the way along c2 is closed
    assert walks(state, "a") == {"a2", "a3", "a4", "a5", "a6", "b1", "b2", "b3", "b4", "b5",
                                 "c2", "c3", "c4", "d3"}  # fmt: skip


def test_a_piece_in_the_zone_walks_out_of_it_freely() -> None:
    state = at(a="b1 fire", d="c1")
    assert walks(state, "a") == {"a1", "a2", "a3", "a4", "b2", "b3", "b4", "b5", "c2", "c3", "c4",
                                 "d3"}  # fmt: skip


def test_nobody_is_walked_through() -> None:
    state = at(a="a1 fire", b="a2", c="b1", d="g6")
    assert walks(state, "a") == set()
    state = at(a="a1 fire", b="a2", d="b2", e="d1")
    assert walks(state, "a") == {"b1"}


def test_walks_do_not_wrap_around_the_edge() -> None:
    state = at(a="g3 dash", d="a6")
    assert walks(state, "a") == diamond("g3", 5)
    state = at(board="12x14", a="n6 fire", g="a1")
    columns = {move[0] for move in walks(state, "a")}
    assert columns == set("jklmn")
    assert len(walks(state, "a")) == 24  # half a diamond of radius 4


def test_the_rim_is_what_takes_all_of_the_movement() -> None:
    """For searches that leave out short walks."""
    record = at(a="a1 fire", d="c1")[0]
    skirmish.flood(record, 0)
    cells = {c: f"{'abcdefg'[c % 8]}{c // 8 + 1}" for c in range(48) if c % 8 < 7}
    named = {cells[c] for c in cells if int(record.rim[0]) >> c & 1}
    assert named == {"a5", "b4", "c3"}  # d2 is as far, but behind the zone
    assert {cells[c] for c in cells if int(record.zone[0]) >> c & 1} == {"b1", "d1", "c2"}


# --- Attacking -----------------------------------------------------------------------------------


def test_an_attack_strikes_and_recoils() -> None:
    state = at(a="c3", d="c4")
    play(state, "a*d")
    full = naive.ATTACK
    assert hp(state, "d") == f"{(10000 - full) / 100:.6g}"
    assert hp(state, "a") == f"{(10000 - full // 3) / 100:.6g}"
    assert word_of(state, "a")[4] == "a"


def test_damage_depends_on_attack_and_defence() -> None:
    state = at(a="c3 90/1/1", d="c4 1/10/1")
    play(state, "a*d")
    assert state[0].hp[3] == max(0, 10000 - naive.ATTACK * 2 * 90 // 100)
    state = at(a="c3 1/1/1", d="c4 1/100/1")
    play(state, "a*d")
    assert state[0].hp[3] == 10000 - naive.ATTACK * 2 // 101 < 10000  # never nothing


def test_bravery_adds_two_percent() -> None:
    state = at(a="c3 bravery", d="c4")
    play(state, "a*d")
    damage = naive.ATTACK * 102 // 100
    assert state[0].hp[3] == 10000 - damage
    assert state[0].hp[0] == 10000 - damage // 3


def test_attacks_are_on_neighbouring_enemies_only() -> None:
    state = at(a="c3", b="c2", c="b2 bravery", d="d4", e="d3", f="b3")
    assert deeds(state) == {"a*e", "a*f", "c*f"}


def test_recoil_kills_the_attacker() -> None:
    state = at(a="c3 1", b="a1", d="c4")
    play(state, "a*d")
    assert word_of(state, "a") == ["-", "0", "50/50/50", "dash", "-"]
    assert not GAME.is_over(state)
    state = at(a="c3 1", d="c4")
    play(state, "a*d")
    assert GAME.is_over(state)
    assert GAME.outcome(state) == -1


def test_the_last_two_may_fall_together() -> None:
    state = at(a="c3 1", d="c4 1")
    play(state, "a*d")
    assert GAME.is_over(state)
    assert GAME.outcome(state) == 0
    assert legal(state) == set()
    assert GAME.position_text(state).count(":-:0:") == 6


@pytest.mark.parametrize(("mover", "winner"), [("first", 1), ("second", -1)])
def test_annihilation_wins(mover: str, winner: int) -> None:
    state = at(mover=mover, a="c3 100 bravery" if winner == 1 else "c3 1",
               d="c4 1" if winner == 1 else "c4")  # fmt: skip
    play(state, "a*d" if winner == 1 else "d*a")
    assert GAME.outcome(state) == winner


# --- Special abilities ---------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "reached"), [("c5", 1), ("d4", 1), ("c4", 1), ("d5", 0)])
def test_fire_burns_at_one_and_two_steps(place: str, reached: int) -> None:
    state = at(a="c3 fire 1/1/60", d=f"{place} 1/1/40")
    assert ("a!d" in legal(state)) == reached
    if reached:
        play(state, "a!d")
        assert state[0].hp[3] == 10000 - naive.FIRE * 2 * 60 // 100
        assert hp(state, "a") == "100"  # no recoil
        assert "a!d" not in legal(state)


def test_fire_knows_no_walls_and_no_friends() -> None:
    state = at(a="c3 fire", b="c4", d="c5", e="b3")
    assert {move for move in deeds(state) if move[0] == "a"} == {"a!d", "a*e", "a!e"}


def test_dash_and_bravery_are_nothing_to_use() -> None:
    state = at(a="c3 dash", b="e3 bravery", d="d3")
    assert deeds(state) == {"a*d", "b*d"}


@pytest.mark.parametrize(
    ("attacker", "target", "behind"),
    [("c3", "c4", "c5"), ("c3", "c2", "c1"), ("c3", "b3", "a3"), ("c3", "d3", "e3")],
)
def test_a_charge_strikes_and_pushes(attacker: str, target: str, behind: str) -> None:
    state = at(a=f"{attacker} charge", d=target)
    play(state, "a!d")
    assert cell(state, "d") == behind
    assert cell(state, "a") == attacker
    assert state[0].hp[3] == 10000 - naive.ATTACK
    assert state[0].hp[0] == 10000 - naive.ATTACK // 3
    assert f"a:{target}" in legal(state)  # its place is free now


@pytest.mark.parametrize(
    ("attacker", "target"), [("c5", "c6"), ("c2", "c1"), ("b3", "a3"), ("f3", "g3")]
)
def test_there_is_no_charge_over_the_edge(attacker: str, target: str) -> None:
    state = at(a=f"{attacker} charge", d=target)
    assert deeds(state) == {"a*d"}


@pytest.mark.parametrize("blocker", ["b", "e"])
def test_there_is_no_charge_into_another_piece(blocker: str) -> None:
    state = at(a="c3 charge", d="c4", **{blocker: "c5 fire"})
    assert {move for move in deeds(state) if move[0] == "a"} == {"a*d"}


def test_a_charge_kills_and_pushes_even_if_the_attacker_falls() -> None:
    state = at(a="c3 charge 1", b="a1", d="c4")
    play(state, "a!d")
    assert (cell(state, "a"), cell(state, "d")) == ("-", "c5")
    state = at(a="c3 charge", d="c4 1", e="a1")
    play(state, "a!d")
    assert cell(state, "d") == "-"
    check_invariants(state)


def test_a_confusion_is_a_lot() -> None:
    state = at(a="c3 confusion 1/1/30", d="c5 1/1/70")
    play(state, "a!d")
    assert GAME.player_to_move(state) == rules.CHANCE
    assert legal(state) == {"hit", "miss"}
    odds = {m: rules.chance_odds(state[0], m) for m in GAME.legal_moves(state)}
    assert odds[skirmish.HIT] == pytest.approx(0.3)
    assert sum(odds.values()) == pytest.approx(1)
    assert GAME.position_text(state).split()[3] == "a!d"
    seen = draws_at(state, 2000 if FAST else 400)
    assert abs(seen["hit"] / seen.total() - 0.3) < (0.05 if FAST else 0.1)
    play(state, "miss")
    assert GAME.player_to_move(state) == 0
    assert word_of(state, "d")[4] == "-"
    assert "a!d" not in legal(state)


def test_a_confused_piece_sits_out_a_turn() -> None:
    state = at(a="c3 confusion", d="c4", e="g6 bravery")
    play(state, "a!d hit")
    assert word_of(state, "d")[4] == "c"
    assert "a*d" not in legal(state)  # a has acted
    play(state, "end")
    assert GAME.player_to_move(state) == 1
    assert {move[0] for move in legal(state) - {"end"}} == {"e"}
    play(state, "e:g5")  # nothing is left to do: the turn ends by itself
    assert GAME.player_to_move(state) == 0
    assert word_of(state, "d")[4] == "-"
    play(state, "end")
    assert {move[0] for move in legal(state) - {"end"}} == {"d", "e"}


def test_nobody_is_confused_twice_at_once() -> None:
    state = at(a="c3 confusion", b="c5 confusion", d="c4", e="d4 c")
    assert deeds(state) == {"a*d", "a!d", "b*d", "b!d"}
    play(state, "a!d hit")
    assert deeds(state) == {"b*d"}
    state = at(a="c3 confusion", b="c5 confusion", d="c4")
    play(state, "a!d miss")
    assert deeds(state) == {"b*d", "b!d"}


def test_a_player_whose_pieces_are_all_confused_can_only_end() -> None:
    state = at(mover="second", a="c3", d="c4 c", e="d4 c")
    assert legal(state) == {"end"}
    assert GAME.random_move(state, rng.seeded(1)) == skirmish.END
    play(state, "end")
    assert GAME.player_to_move(state) == 0


# --- Turns ---------------------------------------------------------------------------------------


def test_a_piece_acts_and_then_walks() -> None:
    state = at(a="c3", b="a1", d="c4")
    play(state, "a*d")
    assert walks(state, "a")
    play(state, "a:a3")
    assert word_of(state, "a")[4] == "ma"
    assert {move[0] for move in legal(state) - {"end"}} == {"b"}


def test_a_piece_walks_and_then_acts() -> None:
    state = at(a="c2", b="a1", d="c4")
    play(state, "a:c3")
    assert walks(state, "a") == set()
    assert deeds(state) == {"a*d"}
    play(state, "a*d")
    assert {move[0] for move in legal(state) - {"end"}} == {"b"}


def test_pieces_may_take_turns_within_a_turn() -> None:
    state = at(a="c3", b="d4", d="c4", e="g1")
    play(state, "a*d b*d a:a1 b:g6")
    assert GAME.player_to_move(state) == 1
    assert GAME.turn(state) == 1


def test_a_turn_ends_early_on_request_and_by_itself_when_all_is_done() -> None:
    state = at(a="a1", b="a6", d="g6")
    play(state, "a:a2")
    assert GAME.player_to_move(state) == 0
    play(state, "end")
    assert GAME.player_to_move(state) == 1
    assert word_of(state, "a")[4] == "-"
    play(state, "d:g5")
    assert GAME.player_to_move(state) == 0
    assert GAME.position_text(state).split()[1:3] == ["2/10", "first"]
    play(state, "a:a3 b:a5")
    assert GAME.player_to_move(state) == 1


@pytest.mark.parametrize(("hps", "result"), [((50, "50"), 0), ((50, "50.01"), -1), ((51, "50"), 1)])
def test_after_the_last_round_hit_points_decide(hps: tuple[int, str], result: int) -> None:
    state = at(mover="second", round="10/10", a=f"a1 {hps[0]}", d=f"g6 {hps[1]}")
    assert not GAME.is_over(state)
    play(state, "end")
    assert GAME.is_over(state)
    assert GAME.outcome(state) == result
    assert GAME.turn(state) == 20
    again = GAME.parse_position(GAME.position_text(state))
    assert GAME.outcome(again) == result


def test_rounds_is_a_setting() -> None:
    state = GAME.new(rounds=1)
    play(state, "end end")
    assert GAME.is_over(state)
    assert GAME.outcome(state) == 0


def test_the_rule_based_player_decides_its_games() -> None:
    """The measurement by which the constants were chosen, in small; docs/games/skirmish.md."""
    seen: Counter[str] = Counter()
    games_played = 300 if FAST else 10
    for seed in range(games_played):
        state, dice = GAME.new(abilities="random", seed=seed), random.Random(seed)
        while not GAME.is_over(state):
            GAME.play(state, rule_based(GAME.legal_moves(state), dice))
        alive = [any(state[0].hp[:3]), any(state[0].hp[3:])]
        seen["annihilated"] += not all(alive)
        seen["mutual"] += not any(alive)
        seen["decisive"] += GAME.outcome(state) != 0
    if FAST:
        assert seen["decisive"] > 0.8 * games_played
        assert seen["annihilated"] > 0.25 * games_played
        assert seen["mutual"] > 0


# --- Starting ------------------------------------------------------------------------------------


def test_pieces_start_face_to_face() -> None:
    state = GAME.new()
    assert [cell(state, piece) for piece in "abcdef"] == ["a2", "a3", "a4", "g2", "g3", "g4"]
    state = GAME.new(board="12x14")
    cells = [cell(state, piece) for piece in "abcdefghijkl"]
    assert cells == [f"{x}{y}" for x in "an" for y in range(4, 10)]


def test_fire_reaches_across_in_the_first_turn_and_an_attack_after_a_dash() -> None:
    """As in the paper's sample game, Figure 5."""
    state = GAME.new(abilities="fire.dash.charge")
    play(state, "a:e2")
    assert deeds(state) == {"a!d"}
    play(state, "b:f3")
    assert deeds(state) == {"a!d", "b*e"}
    assert not {move for move in walks(state, "c") if move[0] == "f"}


def test_the_paper_s_sample_game_can_be_set_up() -> None:
    game = games.load(
        "skirmish:abilities=confusion.fire.fire-confusion.confusion.charge,"
        "parameters=7/21/48.4/97/71.5/51/17-17/29/60.10/28/61.58/97/23"
    )
    state = game.new()
    assert word_of(state, "f")[2:4] == ["58/97/23", "charge"]
    assert word_of(state, "b")[2:4] == ["4/97/71", "fire"]


def test_lists_are_repeated() -> None:
    one, other = GAME.new(abilities="fire"), GAME.new(abilities="fire.fire.fire-fire")
    assert one.tobytes() == other.tobytes()
    state = GAME.new(board="12x14", abilities="fire.dash-charge", parameters="10-20/30/40")
    words = [word_of(state, piece)[2:4] for piece in "abcgh"]
    assert words == [["10/10/10", "fire"], ["10/10/10", "dash"], ["10/10/10", "fire"],
                     ["20/30/40", "charge"], ["20/30/40", "charge"]]  # fmt: skip


def test_random_pieces_are_drawn_from_a_seed() -> None:
    states = [GAME.new(abilities="random", parameters="random", seed=s) for s in range(40)]
    again = [GAME.new(abilities="random", parameters="random", seed=s) for s in range(40)]
    assert [s.tobytes() for s in states] == [s.tobytes() for s in again]
    assert len({s.tobytes() for s in states}) == 40
    assert {int(a) for s in states for a in s[0].ability} == set(range(5))
    numbers = [int(n) for s in states for n in (*s[0].attack, *s[0].defence, *s[0].intelligence)]
    assert min(numbers) >= 1
    assert max(numbers) <= 100
    assert len(set(numbers)) > 90
    assert [int(a) for a in GAME.new(abilities="random", seed=3)[0].attack] == [50] * 6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"board": "8x8"}, "board must be one of 6x7, 12x14, 15x16, not '8x8'"),
        ({"rounds": 0}, "rounds must be 1 to 50, not 0"),
        ({"rounds": 51}, "rounds must be 1 to 50, not 51"),
        ({"abilities": "dash.fire"}, "abilities: 'dash.fire' is for 2 pieces instead of 3"),
        ({"abilities": "dash-fire-dash"},
         "abilities: 'dash-fire-dash' is for 3 sides instead of two"),
        ({"abilities": "dsh"}, "abilities: there is no 'dsh' (did you mean 'dash'?)"),
        ({"abilities": ""},
         "abilities: there is no '' (there is bravery, charge, confusion, dash, fire)"),
        ({"parameters": "0"}, "parameters: '0' is not a whole number from 1 to 100"),
        ({"parameters": "50/50/101"}, "parameters: '101' is not a whole number from 1 to 100"),
        ({"parameters": "50/50"}, "parameters: '50/50' is not attack/defence/intelligence"),
        ({"parameters": "50.50"}, "parameters: '50.50' is for 2 pieces instead of 3"),
    ],
)  # fmt: skip
def test_each_fault_of_an_option_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        GAME.new(**options)
    assert str(caught.value) == message


def test_options_are_read_from_text() -> None:
    with pytest.raises(BadInput, match="board must be one of 6x7, 12x14, 15x16, not '7x7'"):
        games.load("skirmish:board=7x7")
    with pytest.raises(BadInput, match="rounds must be a whole number, not 'x'"):
        games.load("skirmish:rounds=x")


# --- Text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is neither end, hit, miss nor of the form a:c3, a*d or a!d with a piece from a to f"),
        ("g:a1", "with a piece from a to f"),
        ("a-b", "is neither end, hit, miss"),
        ("a:", "move 'a:': '' is not a cell from a1 to g6"),
        ("a:h1", "'h1' is not a cell from a1 to g6"),
        ("a:a7", "'a7' is not a cell from a1 to g6"),
        ("a:a0", "'a0' is not a cell from a1 to g6"),
        ("a:a١", "is not a cell from a1 to g6"),
        ("a*g", "'g' is not a piece from a to f"),
        ("a!", "'' is not a piece from a to f"),
        ("a*de", "'de' is not a piece from a to f"),
        ("a*d", "a*d is not a legal move here"),
        ("hit", "hit is not a legal move here"),
        ("d:f3", "d:f3 is not a legal move here"),
    ],
)
def test_each_fault_of_a_move_is_named(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        GAME.parse_move(GAME.new(), text)
    assert message in str(caught.value)


def test_numbers_that_are_no_moves_have_no_text() -> None:
    state = GAME.new()
    for number in (-1, 3, 15, 16 + 6, 16 + 16 * 6, 256 + 7, 256 + 16 * 6, 512 + 7, 512 + 256 * 6):
        with pytest.raises(BadInput, match=f"^{number} is not a move of a piece$"):
            GAME.move_text(state, number)


@pytest.mark.parametrize(
    "text",
    [
        "6x7 1/10 first - a:a2:100:50/50/50:confusion:- b:a3:100:50/50/50:fire:- "
        "c:a4:100:50/50/50:charge:- d:g2:100:50/50/50:confusion:- e:g3:100:50/50/50:fire:- "
        "f:g4:100:50/50/50:charge:-",
        "6x7 3/50 second d!b a:-:0:1/2/3:dash:- b:c3:0.01:4/5/6:fire:- c:-:0:7/8/9:charge:- "
        "d:c4:86.7:100/100/100:confusion:ma e:g6:99.99:50/50/50:bravery:c f:-:0:1/1/1:fire:-",
        "6x7 11/10 first - a:a1:5:1/2/3:dash:- b:-:0:4/5/6:fire:- c:-:0:7/8/9:charge:- "
        "d:c4:5:1/1/1:confusion:- e:-:0:50/50/50:bravery:- f:-:0:1/1/1:fire:-",
    ],
)
def test_positions_survive_a_round_trip(text: str) -> None:
    state = GAME.parse_position(f"  {text}\n")
    assert GAME.position_text(state) == text
    check_parsed(state)


GOOD = (
    "6x7 2/10 first b!d a:a2:100:50/50/50:fire:m b:c3:86.66:1/2/3:confusion:a c:-:0:9/9/9:dash:- "
    "d:c4:40:50/50/50:charge:- e:g3:100:50/50/50:bravery:c f:g4:100:50/50/50:dash:-"
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (GOOD, "", "board: '' is not one of 6x7, 12x14, 15x16"),
        ("6x7", "7x6", "board: '7x6' is not one of 6x7, 12x14, 15x16"),
        ("6x7", "12x14", "a position on 12x14 has 16 parts (board, round, mover, undecided "
                         "confusion, 12 pieces), not 10"),
        (" 2/10", " 2", "round: '2' is not of the form 1/10"),
        (" 2/10", " 2/51", "rounds: '51' is not a whole number from 1 to 50"),
        (" 2/10", " 0/10", "round: '0' is not a whole number from 1 to 11"),
        (" 2/10", " x/10", "round: 'x' is not a whole number from 1 to 11"),
        ("first", "third", "mover: 'third' is neither first nor second"),
        ("first", "second", "piece a: 'm', but it is the other player's turn"),
        ("b!d", "b?d", "confusion: 'b?d' is not - or a piece of the mover, !, and an enemy"),
        ("b!d", "b!a", "confusion: 'b!a' is not - or a piece of the mover, !, and an enemy"),
        ("b!d", "b!", "confusion: 'b!' is not - or a piece of the mover, !, and an enemy"),
        ("b!d", "a!d", "confusion: 'a!d', but a has not just used that ability"),
        ("b!d", "b!f", "confusion: 'b!f', but f is not there to be confused"),
        ("b!d", "b!e", "confusion: 'b!e', but e is not there to be confused"),
        ("a:a2", "b:a2", "piece a: 'b:a2:100:50/50/50:fire:m' is not of the form "
                         "a:cell:hp:attack/defence/intelligence:ability:flags"),
        ("a:a2", "a:h2", "piece a: 'h2' is not a cell from a1 to g6"),
        ("a:a2", "a:-", "piece a: 100 hit points on - (0 and - if dead, at most 100)"),
        ("a2:100", "a2:0", "piece a: 0 hit points on a2 (0 and - if dead, at most 100)"),
        ("a2:100", "a2:100.01", "piece a: 100.01 hit points on a2 (0 and - if dead, at most 100)"),
        ("a2:100", "a2:1.234",
         "piece a: '1.234' is not a number of hit points such as 100 or 86.4"),
        ("a2:100", "a2:-1", "piece a: '-1' is not a number of hit points such as 100 or 86.4"),
        ("c4:40", "c3:40", "piece d: there is another piece on c3"),
        ("1/2/3", "1/2", "piece b: '1/2' is not attack/defence/intelligence"),
        ("1/2/3", "1/0/3", "piece b: '0' is not a whole number from 1 to 100"),
        ("charge", "chrge", "piece d: there is no ability 'chrge' (did you mean 'charge'?)"),
        ("fire:m", "fire:x", "piece a: 'x' is not one of -, m, a, ma, c (- if dead)"),
        ("dash:- d", "dash:m d", "piece c: 'm' is not one of -, m, a, ma, c (- if dead)"),
    ],
)  # fmt: skip
def test_each_fault_of_a_position_is_named(old: str, new: str, message: str) -> None:
    assert old in GOOD
    check_parsed(GAME.parse_position(GOOD))
    with pytest.raises(BadInput) as caught:
        GAME.parse_position(GOOD.replace(old, new, 1))
    assert str(caught.value) == message


def test_the_drawing_shows_pieces_hit_points_abilities_and_marks() -> None:
    state = at(a="c3 fire 86.66", b="a1 dash", d="c4 charge 40 c")
    marks = {GAME.parse_move(state, m): label for m, label in
             {"a:b3": "1", "a*d": "2", "end": "3", "a!d": "4", "b:b3": "5"}.items()}  # fmt: skip
    lines = Text.from_markup(GAME.draw(state, marks)).plain.splitlines()
    assert lines[0].split() == list("abcdefg")
    rows = {line[:2].strip(): line[3:] for line in lines[1:7]}
    assert list(rows) == list("654321")
    cells = {y: [row[6 * i : 6 * i + 6] for i in range(7)] for y, row in rows.items()}
    assert cells["3"][2] == "a  87 "
    assert cells["4"][2] == "d  40\N{DIGIT TWO}"
    assert cells["3"][1] == "  ·  1"
    legend = {line.split()[0]: line.split()[1:] for line in lines[7:13]}
    assert legend["a"] == ["86.66", "fire", "50/50/50"]
    assert legend["d"] == ["40", "charge", "50/50/50", "confused"]
    assert legend["c"][-1] == "gone"
    assert lines[-1] == "round 1 of 10, first's turn, end 3"
    lot = at(lot="a!d", a="c3 confusion a", d="c4")
    assert GAME.draw(lot).endswith("is d confused by a?[/]")
    over = at(round="11/10", a="c3", d="c4")
    assert "round 10 of 10" in GAME.draw(over)


# --- Hashes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [("a:a2", "a:a1"), ("a2:100", "a2:99.99"), (":fire:m", ":fire:-"), (":fire:m", ":fire:ma"),
     (":fire:", ":dash:"), ("1/2/3", "2/1/3"), ("1/2/3", "1/3/2"), ("b!d", "-"), ("/10", "/9"),
     (":c f", ":- f"), ("9/9/9", "9/9/8"), ("d:c4", "d:c2"), ("g3:100", "g3:36")],
)  # fmt: skip
def test_everything_that_the_text_tells_is_in_the_hash(old: str, new: str) -> None:
    """But for the number of the round: the contract in rules.py."""
    one, other = GAME.parse_position(GOOD), GAME.parse_position(GOOD.replace(old, new, 1))
    assert GAME.position_hash(one) != GAME.position_hash(other)
    later = GAME.parse_position(GOOD.replace(" 2/", " 3/"))
    assert GAME.position_hash(one) == GAME.position_hash(later)


def test_different_positions_have_different_hashes() -> None:
    text_by_hash: dict[int, str] = {}
    for seed in range(25 if FAST else 4):
        state, dice = GAME.new(abilities="random", seed=seed % 7), random.Random(seed)
        while not GAME.is_over(state):
            board, now, *rest = GAME.position_text(state).split()
            text = " ".join([board, now.split("/")[1], *rest])
            assert text_by_hash.setdefault(GAME.position_hash(state), text) == text
            GAME.play(state, eager_move(state, dice))
    assert len(text_by_hash) > (700 if FAST else 100)


# --- The contract --------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["skirmish:board=15x16", "skirmish:abilities=confusion,rounds=50"])
def test_other_settings_keep_the_contract(spec: str) -> None:
    for check in conformance.CHECKS if FAST else conformance.CHECKS[:2]:
        assert check(games.load(spec), 1, 1)


# --- Any text at all -----------------------------------------------------------------------------


def assert_one_sentence(error: BadInput) -> None:
    assert len(str(error).splitlines()) == 1


def check_parsed(state: rules.State) -> None:
    """A state read from text is whole: the naive game agrees, and its text leads back to it."""
    check_invariants(state)
    text = GAME.position_text(state)
    model = model_of(text)
    assert GAME.is_over(state) == model.is_over()
    assert legal(state) == model.legal_moves()
    if model.is_over():
        assert GAME.outcome(state) == model.outcome()
    again = GAME.parse_position(text)
    assert GAME.position_text(again) == text
    for field in set(state.dtype.names) - {"free", "zone", "walkers", "reach", "rim"}:
        assert np.array_equal(again[field], state[field]), field


@cache
def positions() -> list[str]:
    """Every fifth position of some games."""
    texts = [GOOD]
    for seed in range(16 if FAST else 4):
        dice = random.Random(seed)
        state = GAME.new(**random_options(dice, "12x14" if seed % 4 == 3 else "6x7"))
        for ply in range(100 if FAST else 30):
            if GAME.is_over(state):
                break
            if ply % 5 == 0 or GAME.player_to_move(state) == rules.CHANCE:
                texts.append(GAME.position_text(state))
            GAME.play(state, eager_move(state, dice))
        texts.append(GAME.position_text(state))
    return texts


POSITIONS = st.integers(0, 10**6).map(lambda i: positions()[i % len(positions())])
SYMBOLS = st.one_of(st.sampled_from("abcdefghmn0123456789/:!-. \n"), st.characters())
PARTS = st.sampled_from(
    ["first", "second", "-", "a!d", "b!e", "c!f", "1/10", "11/10", "3/3", "100", "0", "a1", "c3",
     "c", "m", "ma", "1/1/1", "100/100/100", "dash", "confusion", "6x7", "12x14"]
)  # fmt: skip


@st.composite
def mutated_positions(draw: st.DrawFn) -> str:
    """The text of a position after a few edits of symbols and of whole parts."""
    text = draw(POSITIONS)
    for _ in range(draw(st.integers(0, 3))):
        edit = draw(st.sampled_from(["change", "insert", "delete", "part", "part", "part"]))
        if edit == "part":
            parts = re.split("([ :])", text)
            parts[2 * draw(st.integers(0, len(parts) // 2))] = draw(PARTS)
            text = "".join(parts)
        else:
            start = draw(st.integers(0, max(len(text) - 1, 0)))
            symbol = "" if edit == "delete" else draw(SYMBOLS)
            text = text[:start] + symbol + text[start + (edit != "insert") :]
    return text


def test_any_text_is_a_whole_position_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(500, 60)
    @given(text=st.one_of(mutated_positions(), mutated_positions(), st.text()))
    def run(text: str) -> None:
        try:
            state = GAME.parse_position(text)
        except BadInput as error:
            assert_one_sentence(error)
            seen["refused"] += 1
        else:
            check_parsed(state)
            seen["accepted"] += 1

    run()
    assert seen["refused"] > (15 if FAST else 5)
    assert seen["accepted"] > (10 if FAST else 5)


MOVES = st.one_of(
    st.builds("{}:{}{}".format, st.sampled_from("abcdefA"), st.sampled_from("abcdefgh"),
              st.integers(0, 8)),
    st.builds("{}{}{}".format, st.sampled_from("abcdefgB"), st.sampled_from("*!:?"),
              st.sampled_from("abcdefg")),
    st.sampled_from(["end", "End", "hit", "miss"]),
    st.sampled_from(["end", "HIT", "miss "]),
    st.text(),
)  # fmt: skip


def test_any_text_is_a_legal_move_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(500, 60)
    @given(position=POSITIONS, text=MOVES)
    def run(position: str, text: str) -> None:
        state = GAME.parse_position(position)
        try:
            move = GAME.parse_move(state, text)
        except BadInput as error:
            assert_one_sentence(error)
            seen["refused"] += 1
        else:
            assert GAME.move_text(state, move) == text.strip().lower()
            assert text.strip().lower() in legal(state)
            seen["accepted"] += 1
        assert GAME.position_text(state) == position

    run()
    assert seen["refused"] > (15 if FAST else 5)
    assert seen["accepted"] > (3 if FAST else 0)


LISTS = st.lists(
    st.sampled_from(
        ["dash", "fire", "confusion", "random", "50", "1/2/3", "101", "-", ".", "/", ""]
    )
).map("".join)


def test_any_options_make_a_game_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(300, 50)
    @given(
        board=st.sampled_from(["6x7", "6x7", "12x14", "6x8"]),
        abilities=st.one_of(st.just("random"), st.just("dash.fire.charge-dash"), LISTS, st.text()),
        parameters=st.one_of(st.just("random"), st.just("1-100/1/7"), LISTS, st.text()),
        rounds=st.integers(0, 51),
        seed=st.integers(),
    )
    def run(**options: Any) -> None:
        try:
            state = GAME.new(**options)
        except BadInput as error:
            assert_one_sentence(error)
            seen["refused"] += 1
        else:
            check_parsed(state)
            seen["accepted"] += 1

    run()
    assert seen["refused"] > (8 if FAST else 5)
    assert seen["accepted"] > 0


def test_other_constants_are_options_and_part_of_the_position() -> None:
    state = GAME.new(abilities="fire", blow=60, fire=30, odds=25)
    text = GAME.position_text(state)
    assert text.endswith(" blow/fire/odds:60/30/25")
    assert GAME.parse_position(text).tobytes() == state.tobytes()
    usual = GAME.new(abilities="fire")
    assert "odds" not in GAME.position_text(usual)
    assert GAME.position_hash(state) != GAME.position_hash(usual)
    assert skirmish.attack_damage(state[0], 0, 3) == 60_00
    assert skirmish.fire_damage(state[0], 0, 3) == 30_00
    for wrong in ("blow/fire/odds:60/30", "blow/fire/odds:0/30/25", "blow/fire/odds:60/30/51"):
        with pytest.raises(BadInput, match="constants|blow|odds"):
            GAME.parse_position(text.rpartition(" ")[0] + " " + wrong)
    with pytest.raises(BadInput, match="blow"):
        GAME.new(blow=1000)
