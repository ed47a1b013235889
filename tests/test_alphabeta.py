"""Alpha-beta against a negamax written for clarity, and the promises of its interface."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from tesuji import games, knowledge, players, rng, rules
from tesuji.errors import BadInput
from tesuji.search import alphabeta

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = games.load(str(ROOT / "examples" / "connect_four.py"))
AMAZONS, TUBSTAP = games.load("amazons"), games.load("tubstap")
SLOW = bool(numba.config.DISABLE_JIT)


def negamax(
    game: rules.Game, state: rules.State, depth: int, leaf: Callable[[Any], float]
) -> float:
    """The mover's value of a position, every line to its end or to the depth."""
    player = game.player_to_move(state)
    values = []
    for move in game.legal_moves(state):
        after = state.copy()
        game.play(after, move)
        turns = alphabeta.counts_turns(game)
        left = depth - (game.turn(after) - game.turn(state) if turns else 1)
        if game.is_over(after):
            value = game.outcome(after) * alphabeta.WIN * (1 if player == 0 else -1)
        elif left <= 0:
            value = leaf(after[0]) * (1 if player == 0 else -1)
        else:
            sign = 1 if game.player_to_move(after) == player else -1
            value = sign * negamax(game, after, left, leaf)
        values.append(value)
    return max(values)


def nothing(record: Any) -> float:
    return 0.0


def random_position(game: rules.Game, state: rules.State, seed: int, turns: int) -> rules.State:
    """A position after so many turns of a random game that is longer than that."""
    for attempt in range(10_000):
        stream, position = rng.seeded(seed, attempt), state.copy()
        while not game.is_over(position) and game.turn(position) < turns:
            game.play(position, game.random_move(position, stream))
        if not game.is_over(position):
            return position
    raise AssertionError("no random game is so long")


def check_against_negamax(
    game: rules.Game, state: rules.State, depth: int, evaluation: Any = None
) -> None:
    def leaf(record: Any) -> float:
        return float(knowledge.evaluate(evaluation, record))

    result = alphabeta.search(state, evaluation, depth=depth, rng=1)
    expected = negamax(game, state, max(1, result.depth), leaf)
    assert result.value == pytest.approx(expected, abs=1e-12)
    # The move is as good as the value says, and the line leads to a position of that value.
    ahead = state.copy()
    for move in result.line:
        game.play(ahead, move)
    sign = 1 if game.player_to_move(state) == 0 else -1
    if abs(result.value) < alphabeta.WIN and not game.is_over(ahead):
        assert sign * leaf(ahead[0]) == pytest.approx(result.value, abs=1e-12)
    if result.value > -alphabeta.WIN:
        assert result.best == result.line[0]
    tiny = alphabeta.search(state, evaluation, depth=depth, rng=2, table_bits=0)
    assert tiny.value == pytest.approx(result.value, abs=1e-12)


@pytest.mark.parametrize("seed", range(4 if SLOW else 12))
def test_connect_four_endings(seed: int) -> None:
    state = random_position(CONNECT_FOUR, CONNECT_FOUR.new(), seed, 37 if SLOW else 34)
    result = alphabeta.search(state, depth=42, rng=seed)
    assert result.value == negamax(CONNECT_FOUR, state, 42, nothing)
    check_against_negamax(CONNECT_FOUR, state, 3)


@pytest.mark.parametrize("seed", range(2 if SLOW else 8))
def test_amazons_endings(seed: int) -> None:
    """Two moves of one player in a turn: a search that negated at every move would fail."""
    state = random_position(AMAZONS, AMAZONS.new(size=6), seed, 23 if SLOW else 21)
    result = alphabeta.search(state, depth=30, rng=seed)
    assert abs(result.value) == alphabeta.WIN
    assert result.value == negamax(AMAZONS, state, 30, nothing)


UNITS = ["rF9@1,1 bF4@3,3", "rI6@1,1 bI9@2,2", "rP3@1,3 bR8@3,1", "rU9@1,1 bI5@3,2"]


@pytest.mark.parametrize("units", UNITS)
def test_tubstap_endings_of_two_units(units: str) -> None:
    """Solved to the last turn, where the HP decide: the number of the turn matters."""
    state = TUBSTAP.parse_position(f"111/131/111 r 9 12 2 105 {units}")
    material = knowledge.find(TUBSTAP, "evaluate", "material")
    check_against_negamax(TUBSTAP, state, 2, material)
    if not SLOW:
        result = alphabeta.search(state, material, depth=20, rng=1)
        assert result.value == negamax(TUBSTAP, state, 20, nothing)


def test_go_is_counted_as_it_stands() -> None:
    game = games.load("go")
    area = knowledge.find(game, "evaluate", "area")
    state = game.new()
    assert knowledge.evaluate(area, state[0]) == pytest.approx(-7.5 * area.scale)
    game.play(state, game.parse_move(state, "E5"))
    assert knowledge.evaluate(area, state[0]) == pytest.approx((81 - 7.5) * area.scale)


@pytest.mark.parametrize("name", ["connect_four", "amazons"])
def test_the_random_term_belongs_to_the_position(name: str) -> None:
    """So the table may be used, and a seed gives one result; another seed another."""
    game = CONNECT_FOUR if name == "connect_four" else AMAZONS
    state = game.new() if name == "connect_four" else random_position(game, game.new(size=6), 1, 8)
    kept, lost, other = (
        alphabeta.search(state, depth=2, noise=0.5, rng=seed, table_bits=bits)
        for seed, bits in ((1, 10), (1, 0), (2, 10))
    )
    assert kept.value == lost.value != other.value
    assert kept.best == lost.best


def test_the_same_seed_and_nodes_give_the_same_result() -> None:
    state = AMAZONS.new(size=6)
    before = state.tobytes()
    count = 50 if SLOW else 5000
    one, two = (alphabeta.search(state, nodes=count, noise=0.1, rng=7) for _ in range(2))
    assert state.tobytes() == before
    assert (one.candidates, one.line, one.value) == (two.candidates, two.line, two.value)
    assert sum(candidate.nodes for candidate in one.candidates) <= one.nodes
    assert sorted(c.move for c in one.candidates) == sorted(AMAZONS.legal_moves(state))


def test_budgets() -> None:
    state = CONNECT_FOUR.new()
    assert alphabeta.search(state, depth=3).depth == 3
    assert 100 <= alphabeta.search(state, nodes=100).nodes <= 101
    assert alphabeta.search(state, nodes=1).depth == 1  # the first iteration is always finished
    timed = alphabeta.search(state, seconds=0.05)
    assert timed.nodes >= 7
    stop = np.zeros(2, np.int8)
    waker = threading.Timer(0.1, stop.__setitem__, (0, 1))
    waker.start()
    assert alphabeta.search(state, seconds=60.0, stop=stop).best in range(7)


def test_it_tells_how_far_it_is() -> None:
    told: list[alphabeta.Result] = []
    result = alphabeta.search(CONNECT_FOUR.new(), seconds=0.6, rng=1, report=told.append)
    assert len(told) >= 2
    assert all(sorted(c.move for c in one.candidates) == list(range(7)) for one in told[1:])
    assert told[0].nodes <= told[-1].nodes <= result.nodes


def test_who_is_told_can_end_it() -> None:
    class Enough(Exception):
        pass

    def enough(result: alphabeta.Result) -> None:
        raise Enough

    begun = time.monotonic()
    with pytest.raises(Enough):
        alphabeta.search(CONNECT_FOUR.new(), seconds=60.0, report=enough)
    assert time.monotonic() - begun < 50  # it did not think to the end


def test_a_win_is_taken_at_once_and_a_loss_put_off() -> None:
    win = CONNECT_FOUR.parse_position("XXX/OO/O////")
    assert alphabeta.search(win, depth=6, rng=3).line == [0]
    # O threatens both ends of a row; X can stop one of them, and loses two moves later.
    lost = CONNECT_FOUR.parse_position("/XX/O/O/O//X")
    result = alphabeta.search(lost, depth=6, rng=3)
    assert CONNECT_FOUR.move_text(lost, result.best) in "af"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "needs a budget"),
        ({"nodes": 0}, "at least one node"),
        ({"seconds": -1.0}, "at least one node or some time"),
        ({"depth": 0}, "depth from 1 to 64"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        alphabeta.search(CONNECT_FOUR.new(), **settings)


def test_games_it_cannot_play_are_refused() -> None:
    with pytest.raises(BadInput, match="cannot play skirmish: it has chance"):
        players.build("alphabeta", games.load("skirmish"))
    with pytest.raises(BadInput, match="cannot play geister: it has hidden information"):
        alphabeta.search(games.load("geister").new(), depth=1)
    with pytest.raises(BadInput, match="the game is over"):
        alphabeta.search(CONNECT_FOUR.parse_position("XXXX/OO/O////"), depth=1)


# --- The players ---------------------------------------------------------------------------------


def test_the_player_searches_once_for_a_turn() -> None:
    side = players.build("alphabeta:nodes=300", AMAZONS)
    sitting = players.Sitting(AMAZONS, (side, side), AMAZONS.new(size=6))
    stream = rng.seeded(1)
    for _ in range(4):
        first = sitting.choose(stream)
        assert first.simulations > 0
        sitting.play(first.move)
        second = sitting.choose(stream)
        assert second.simulations == 0
        assert second.move == first.line[1]
        sitting.play(second.move)


def test_settings_of_the_player() -> None:
    with pytest.raises(BadInput, match="no 'materiel' for evaluate .did you mean 'material'"):
        players.build("alphabeta:evaluation=materiel", TUBSTAP)
    texts = ("alphabeta:evaluation=material", "alphabeta:evaluation=default")
    one, other = (players.build(text, TUBSTAP) for text in texts)
    assert one.identity == other.identity != ""


@pytest.mark.parametrize("name", games.names())
def test_greedy_plays_every_game(name: str) -> None:
    game = games.load(name)
    side = players.build("greedy", game)
    sitting = players.Sitting(game, (side, side))
    stream = rng.seeded(2)
    for _ in range(5 if SLOW else 40):
        if not game.is_over(sitting.state):
            if game.player_to_move(sitting.state) == rules.CHANCE:
                sitting.play(game.random_move(sitting.state, stream))
            else:
                sitting.play(sitting.choose(stream).move)


def test_greedy_takes_a_win() -> None:
    side = players.build("greedy", CONNECT_FOUR)
    state = CONNECT_FOUR.parse_position("XXX/OO/O////")
    assert side.choose(state, rng.seeded(1)).move == 0
    lots = {side.choose(CONNECT_FOUR.new(), rng.seeded(seed)).move for seed in range(30)}
    assert len(lots) == 7
