"""Geister against a naive Geister, move by move; what players know; and rule by rule."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, note
from hypothesis import strategies as st

from tests.examples import FAST, THOROUGH, examples
from tests.naive.geister import EXITS, LETTERS, NaiveGeister, greedy, random_game
from tesuji import games, rng, rules
from tesuji.errors import BadInput
from tesuji.games import geister
from tesuji.games.geister import BLUE, CAPTURED, ESCAPED, ON_BOARD, RED, UNKNOWN
from tesuji.kernels import kernel

SEEDS = st.integers(0, 2**32 - 1)
LIMITS = st.sampled_from([300, 80, 7])
GAMES = st.builds(random_game, SEEDS, st.integers(0, 120), LIMITS)
game = geister.game


@kernel
def draw_moves(state: Any, moves: Any, generator: Any, draws: Any) -> None:
    for i in range(len(draws)):
        draws[i] = rules.random_move(state[0], moves, generator)


# --- Helpers -------------------------------------------------------------------------------------


def play(state: rules.State, moves: str) -> None:
    for word in moves.split():
        game.play(state, game.parse_move(state, word))


def legal(state: rules.State) -> set[str]:
    moves = [game.move_text(state, move) for move in game.legal_moves(state)]
    assert len(moves) == len(set(moves))
    return set(moves)


def at(text: str, ply: int = 2, limit: int = 300) -> rules.State:
    """The state with some ghosts in their places, such as `A00B a34R`, and the others captured."""
    given = {word[0]: word[1:] for word in text.split()}
    parts = []
    for letters in (LETTERS, LETTERS.lower()):
        shown = [given[letter] for letter in letters if letter in given]
        left = [f"99{c}" for c in "rb" for _ in range(4 - sum(s[-1].lower() == c for s in shown))]
        parts += [given.get(letter) or left.pop() for letter in letters]
    return game.parse_position(f"{''.join(parts)} {ply} {limit}")


def check_invariants(state: rules.State) -> None:
    """Everything that the header of geister.py promises: the words agree with the labels."""
    record = state[0]
    label = record.label.tolist()
    for player in range(2):
        cells = {c: g - 1 - 8 * player for c, g in enumerate(label) if g and (g - 1) // 8 == player}
        colour, fate = record.colour[player].tolist(), record.fate[player].tolist()
        assert sorted(cells.values()) == [g for g in range(8) if fate[g] == ON_BOARD]
        assert int(record.ghosts[player]) == sum(1 << c for c in cells)
        assert int(record.blues[player]) == sum(
            1 << c for c, g in cells.items() if colour[g] == BLUE
        )
        assert int(record.ghosts[player]) & ~int(geister.BOARD) == 0
        assert all(colour[g] != UNKNOWN for g in range(8) if fate[g] == CAPTURED)
        assert all(colour[g] == BLUE for g in range(8) if fate[g] == ESCAPED)
        assert max(colour.count(RED), colour.count(BLUE)) <= 4


def check_same(state: rules.State, model: NaiveGeister) -> None:
    assert game.position_text(state) == model.text()
    assert legal(state) == model.legal_moves()
    assert game.is_over(state) == bool(model.ending())
    assert game.turn(state) == len(model.moves)
    assert game.player_to_move(state) == model.mover
    ending = model.ending()
    if ending:
        assert game.outcome(state) == ending[1]
    check_invariants(state)


def check_odds(seen: Counter[Any], odds: dict[Any, float]) -> None:
    """All that is possible occurs and nothing else; chi-square with six deviations to spare."""
    assert set(seen) <= set(odds)
    assert set(seen) == set(odds) or not FAST
    expected = {what: seen.total() * p for what, p in odds.items()}
    square = sum((seen[what] - n) ** 2 / n for what, n in expected.items())
    assert square <= len(odds) - 1 + 6 * (2 * len(odds)) ** 0.5


# --- Whole games ---------------------------------------------------------------------------------


def test_random_games_agree_with_the_naive_geister() -> None:
    seen: Counter[Any] = Counter()

    @examples(240, 10)
    @given(seed=SEEDS, limit=LIMITS)
    def run(seed: int, limit: int) -> None:
        dice, model, state = random.Random(seed), NaiveGeister(limit), game.new(limit=limit)
        while True:
            check_same(state, model)
            if model.ending():
                break
            move = greedy(model, dice)
            note(move)
            play(state, move)
            seen["captured", model.play(move)] += 1
            ghosts = model.players[model.mover].values()
            seen["red at an exit"] += any(g.place in EXITS and g.colour == "R" for g in ghosts)
        seen[model.ending()] += 1
        again = game.parse_position(game.position_text(state))
        assert again.tobytes() == state.tobytes()

    run()
    if FAST:
        endings = ("escape", "blues captured", "reds captured")
        assert [what for what in endings if not seen[what, 1] + seen[what, -1]] == []
        expected = {("limit", 0), ("captured", "R"), ("captured", "B"), "red at an exit"}
        if THOROUGH:
            expected |= {(what, won) for what in endings for won in (1, -1)}
        assert {what for what in expected if not seen[what]} == set()


# --- The rules one by one ------------------------------------------------------------------------

PROTOCOL = "14R24R34R44R15B25B35B45B41u31u21u11u40u30u20u10u"


def test_the_start_is_what_the_protocol_tells() -> None:
    state = game.new()
    play(state, "ABCD AFGH")
    assert game.position_text(game.view(state, 0)) == f"{PROTOCOL} 2 300"
    assert game.position_text(state).split()[0].endswith("41R31B21B11B40B30R20R10R")


@pytest.mark.parametrize("text", ["A,NORTH", "a,n", "A,N", " a,nor ", "A,WEST", "A,W"])
def test_out_of_a_corner_every_way_is_the_same_move(text: str) -> None:
    state = at("A00B B33R a22R b21B")
    assert game.move_text(state, game.parse_move(state, text)) == "A,NORTH"
    assert legal(state) == {"A,NORTH", "A,EAST", "A,SOUTH", *(f"B,{way}" for way in geister.STEPS)}
    play(state, text)
    assert game.outcome(state) == 1
    assert game.position_text(state).startswith("88b33R")


@pytest.mark.parametrize(
    ("ply", "ghosts", "sideways"),
    [
        (2, "A00B B33R a22R b21B", "WEST"),
        (2, "A50B B33R a22R b21B", "EAST"),
        (3, "A22R B21B a55B b33R", "WEST"),  # turned round for the second player
        (3, "A22R B21B a05B b33R", "EAST"),
    ],
)
def test_each_player_leaves_from_the_far_corners(ply: int, ghosts: str, sideways: str) -> None:
    state = at(ghosts, ply)
    assert f"A,{sideways}" not in legal(state)
    assert game.parse_move(state, f"A,{sideways}") == game.parse_move(state, "A,NORTH")
    play(state, "A,NORTH")
    assert game.outcome(state) == (1, -1)[ply % 2]


@pytest.mark.parametrize("move", ["A,SOUTH", "A,WEST", "B,SOUTH", "B,EAST", "C,WEST"])
def test_there_is_no_other_way_out(move: str) -> None:
    with pytest.raises(BadInput, match=f"^{move} is not a legal move here$"):
        game.parse_move(at("A05B B55B C03B D33R a22R b21B"), move)


def test_a_red_cannot_leave() -> None:
    state = at("A00R B33B a22R b21B")
    assert {move for move in legal(state) if move[0] == "A"} == {"A,EAST", "A,SOUTH"}
    for move in ("A,NORTH", "A,WEST"):
        with pytest.raises(BadInput, match="is not a legal move here"):
            game.parse_move(state, move)


@pytest.mark.parametrize(("victim", "outcome"), [("a32B", 1), ("a32R", -1)])
def test_the_last_of_a_colour_decides(victim: str, outcome: int) -> None:
    """Whoever takes the last blue wins, and whoever takes the last red loses."""
    other = "b00R" if victim == "a32B" else "b00B"
    state = at(f"A33R B44B {victim} {other}")
    assert not game.is_over(state)
    play(state, "A,NORTH")
    assert game.outcome(state) == outcome


def test_the_last_move_within_the_limit_may_win() -> None:
    for move, outcome in (("A,NORTH", 1), ("A,SOUTH", 0)):
        state = at("A00B B44R a22R b21B", ply=8, limit=7)
        play(state, move)
        assert game.outcome(state) == outcome


# --- What players know ---------------------------------------------------------------------------


@examples(150, 20)
@given(model=GAMES, player=st.integers(0, 1), seed=SEEDS)
def test_a_view_tells_what_a_player_may_know(model: NaiveGeister, player: int, seed: int) -> None:
    state = game.parse_position(model.text())
    view = game.view(state, player)
    assert game.position_text(view) == model.text(viewer=player)  # captured and own: still there
    check_invariants(view)
    enemies = [ghost for ghost in model.players[1 - player].values() if ghost.place is not None]
    colours = [ghost.colour for ghost in enemies]
    random.Random(seed).shuffle(colours)
    for ghost, colour in zip(enemies, colours, strict=True):
        ghost.colour = colour
    other = game.parse_position(model.text())
    assert game.view(other, player).tobytes() == view.tobytes()
    assert game.view(view, player).tobytes() == view.tobytes()


@examples(30, 4)
@given(model=GAMES, player=st.integers(0, 1), seed=SEEDS)
def test_sampled_worlds_are_consistent_and_each_as_likely(
    model: NaiveGeister, player: int, seed: int
) -> None:
    assume(len(model.moves) > 1 - player)  # before that the enemy has no colours yet
    state = game.parse_position(model.text())
    view, generator = game.view(state, player), rng.seeded(seed)
    worlds: Counter[bytes] = Counter()
    for _ in range(4000 if FAST else 500):
        worlds[game.sample_world(view, player, generator).tobytes()] += 1
    for world in worlds:
        sampled = np.frombuffer(world, state.dtype).copy().view(np.recarray)
        check_invariants(sampled)
        assert game.view(sampled, player).tobytes() == view.tobytes()
    enemies = model.players[1 - player]
    unknown = [letter for letter, ghost in enemies.items() if ghost.place is not None]
    reds = [letter for letter in unknown if enemies[letter].colour == "R"]
    odds = {}
    for chosen in combinations(unknown, len(reds)):
        for letter in unknown:
            enemies[letter].colour = "R" if letter in chosen else "B"
        odds[game.parse_position(model.text()).tobytes()] = 1.0
    check_odds(worlds, {world: 1 / len(odds) for world in odds})


def test_there_is_nothing_to_sample_before_the_enemy_has_placed() -> None:
    state = game.new()
    assert game.sample_world(state, 0, rng.seeded(1)).tobytes() == state.tobytes()
    play(state, "BDFH")
    assert game.sample_world(state, 0, rng.seeded(1)).tobytes() == state.tobytes()


# --- Playouts ------------------------------------------------------------------------------------


@examples(60, 6)
@given(model=GAMES, seed=SEEDS)
def test_playouts_draw_a_cell_then_a_ghost_alike(model: NaiveGeister, seed: int) -> None:
    assume(not model.ending())
    odds = dict.fromkeys(model.legal_moves(), 1 / 70)
    if not model.placing:
        targets = model.targets()
        entries = Counter(targets.values())
        odds = {move: 1 / len(entries) / entries[to] for move, to in targets.items()}
    state = game.parse_position(model.text())
    before, draws = state.tobytes(), np.empty(20_000 if FAST else 1500, np.int32)
    draw_moves(state, game.moves_buffer(state), rng.seeded(seed), draws)
    assert state.tobytes() == before
    seen = Counter({game.move_text(state, m): n for m, n in Counter(draws.tolist()).items()})
    check_odds(seen, odds)


# --- Text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "A", "A,", "A,UP", "AB,N", "I,NORTH", "A NORTH", "B,NORTH"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not|is not on the board any more"):
        game.parse_move(at("A33R C44B a22R b21B"), text)


@pytest.mark.parametrize("text", ["ABC", "ABCDE", "AABC", "ABCI", "ABC1"])
def test_a_placement_is_four_different_letters(text: str) -> None:
    state = game.new()
    assert game.move_text(state, game.parse_move(state, "hcba")) == "ABCH"
    with pytest.raises(BadInput, match="is not four different letters from A to H"):
        game.parse_move(state, text)


SYMBOLS = st.one_of(st.sampled_from("0123456789RBurb \n"), st.characters())


@st.composite
def mutated_positions(draw: st.DrawFn) -> str:
    """The text of a position, seen by anybody, after a few symbols were changed."""
    text = draw(GAMES).text(draw(st.sampled_from([None, 0, 1])))
    for _ in range(draw(st.integers(0, 3))):
        start, cut = draw(st.integers(0, len(text))), draw(st.sampled_from([1, 1, 1, 0, 2]))
        text = text[:start] + draw(SYMBOLS) + text[start + cut :]
    return text


def test_any_text_is_a_whole_position_or_one_sentence() -> None:
    seen: Counter[str] = Counter()

    @examples(400, 80)
    @given(text=st.one_of(mutated_positions(), mutated_positions(), st.text()))
    def run(text: str) -> None:
        try:
            state = game.parse_position(text)
        except BadInput as error:
            assert len(str(error).splitlines()) == 1
            seen["refused"] += 1
        else:
            check_invariants(state)
            again = game.parse_position(game.position_text(state))
            assert again.tobytes() == state.tobytes()
            seen["accepted"] += 1

    run()
    assert min(seen["refused"], seen["accepted"]) > (10 if FAST else 5)


def test_the_limit_stays_within_the_declared_length() -> None:
    assert games.load("geister:limit=1000").new()[0].limit == 1000
    with pytest.raises(BadInput, match="limit: 1001 is not from 1 to 1000"):
        games.load("geister:limit=1001").new()
