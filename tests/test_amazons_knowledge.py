"""Amazons' evaluations against breadth-first search, and their symmetries."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import cases, examples
from tests.naive import amazons_evaluation as naive
from tests.naive.amazons import NaiveAmazons, random_game
from tesuji import games, knowledge, players, rng, rules
from tesuji.errors import BadInput
from tesuji.kernels import kernel
from tesuji.knowledge import amazons

GAME = games.load("amazons")
SLOW = bool(numba.config.DISABLE_JIT)
PHASES = amazons.Domination(np.arange(27.0).reshape(3, 9), 2.0)
EXAMPLES = examples(150, 10)


@st.composite
def positions(draw: st.DrawFn) -> NaiveAmazons:
    """Some moves into a random game, in the middle of a turn or not."""
    size = draw(st.sampled_from(cases([6, 10], [8])))
    return random_game(size, draw(st.integers(0, 2**32)), draw(st.integers(0, 2 * size * size)))


@kernel
def compiled_features(state: Any) -> Any:
    return amazons.features(state[0])


@kernel
def compiled_evaluate(evaluation: Any, state: Any) -> Any:
    return knowledge.evaluate(evaluation, state[0])


def state_of(model: NaiveAmazons) -> rules.State:
    return GAME.parse_position(model.text)


@EXAMPLES
@given(positions())
def test_features_agree_with_breadth_first_search(model: NaiveAmazons) -> None:
    assert compiled_features(state_of(model)) == pytest.approx(naive.features(model), abs=1e-12)


@EXAMPLES
@given(positions())
def test_domination_distances_are_counted(model: NaiveAmazons) -> None:
    counts = np.zeros((2, 6), np.int64)
    amazons.count_distances(state_of(model), np.zeros((4, 128), np.int8), counts)
    for kings in (False, True):
        assert counts[int(kings)].tolist() == naive.distance_counts(model, kings, 6)


@EXAMPLES
@given(positions())
def test_evaluations_agree_with_breadth_first_search(model: NaiveAmazons) -> None:
    state = state_of(model)
    classic, lieberum = amazons.Classic(), amazons.Lieberum()
    assert compiled_evaluate(classic, state) == pytest.approx(
        classic.scale * naive.classic(model, classic.tie), abs=1e-9
    )
    assert compiled_evaluate(lieberum, state) == pytest.approx(
        lieberum.scale * naive.lieberum(model, lieberum.tie, lieberum.contested, lieberum.enclosed),
        abs=1e-9,
    )
    fixed = amazons.fixed()
    expected = float(np.dot(fixed.weights[0], naive.features(model)))
    assert compiled_evaluate(fixed, state) == pytest.approx(expected, abs=1e-9)


@EXAMPLES
@given(positions(), st.integers(0, 7), st.booleans())
def test_symmetries(model: NaiveAmazons, symmetry: int, swap: bool) -> None:
    """A turned or mirrored board is worth the same, one with colours swapped the opposite."""
    last = model.size - 1

    def turned(cell: tuple[int, int]) -> tuple[int, int]:
        x, y = cell
        x, y = (y, x) if symmetry & 1 else (x, y)
        return last - x if symmetry & 2 else x, last - y if symmetry & 4 else y

    image = naive.mapped(model, turned, swap)
    for evaluation in (amazons.Classic(), amazons.Lieberum(), PHASES):
        value = compiled_evaluate(evaluation, state_of(model))
        expected = -value if swap else value
        assert compiled_evaluate(evaluation, state_of(image)) == pytest.approx(expected, abs=1e-9)


def test_plain_python_agrees_with_compiled_code() -> None:
    state = state_of(random_game(6, 3, 20))
    for evaluation in (amazons.Classic(), amazons.Lieberum(), PHASES):
        value = knowledge.evaluate(evaluation, state[0])
        assert compiled_evaluate(evaluation, state) == pytest.approx(value, abs=1e-9)


def test_weights_are_blended_between_phases() -> None:
    """Half-way between two rows each counts half; at the end of the game only the last."""
    one, two = np.array([[1.0] * 9]), np.array([[1.0] * 9, [3.0] * 9])
    for model in (random_game(6, 1, 2), random_game(6, 1, 28)):
        state = state_of(model)
        part = model.turns / 28
        flat = compiled_evaluate(amazons.Domination(one), state)
        blended = compiled_evaluate(amazons.Domination(two), state)
        assert blended == pytest.approx(flat * (1 + 2 * part))


def test_rewards_are_probabilities() -> None:
    state = state_of(random_game(6, 1, 10))
    value = knowledge.evaluate(PHASES, state[0])
    white, black = knowledge.rewards(PHASES, state[0])
    assert white == pytest.approx(1 / (1 + np.exp(-value / 2.0)))
    assert white + black == pytest.approx(1)


@kernel
def compiled_weigh(prior: Any, state: Any, moves: Any, weights: Any) -> Any:
    knowledge.weigh(prior, state[0], moves, len(moves), weights)


@examples(40, 5)
@given(positions())
def test_foresight_is_the_evaluation_a_move_later(model: NaiveAmazons) -> None:
    state = state_of(model)
    if GAME.is_over(state):
        return
    prior, before = amazons.Foresight(PHASES, sharpness=0.1), state.tobytes()
    moves = np.array(GAME.legal_moves(state), np.int32)
    weights = np.empty(len(moves))
    compiled_weigh(prior, state, moves, weights)
    assert state.tobytes() == before
    sign = 0.1 if GAME.player_to_move(state) == 0 else -0.1
    odds = np.empty(len(moves))
    for i, move in enumerate(moves):
        later = state.copy()
        GAME.play(later, int(move))
        odds[i] = np.exp(sign * compiled_evaluate(PHASES, later))
    assert weights == pytest.approx(odds / odds.sum())


def test_an_open_search_follows_foresight() -> None:
    small = games.load("amazons:size=6")
    text = "ismcts:playouts=60,prior=ota-a,judge=ota-a,cut=0"
    decision = players.build(text, small).choose(small.new(), rng.seeded(1))
    assert 1 < len(decision.candidates) < len(small.legal_moves(small.new()))


def test_names() -> None:
    offered = knowledge.offers(GAME, "evaluate")
    assert {"classic", "fixed", "lieberum"} <= set(offered)
    assert all(offered.values())


def test_damaged_weights_are_refused(tmp_path: Any) -> None:
    path = tmp_path / "weights.npz"
    path.write_bytes(b"no weights")
    with pytest.raises(BadInput, match="is not a file of weights for Amazons"):
        amazons.read_weights(path, "mine")
    np.savez(path, weights=np.ones((2, 8)), omega=1.0)
    with pytest.raises(BadInput, match="rows of nine numbers"):
        amazons.read_weights(path, "mine")
    np.savez(path, weights=np.ones((2, 9)), omega=np.nan)
    with pytest.raises(BadInput, match="omega > 0"):
        amazons.read_weights(path, "mine")
    np.savez(path, weights=np.array([object()]), omega=1.0)
    with pytest.raises(BadInput, match="not a file of weights"):
        amazons.read_weights(path, "mine")
    np.savez(path, weights=PHASES.weights, omega=2.0)
    assert np.array_equal(amazons.read_weights(path, "mine").weights, PHASES.weights)
