"""Ratings against choix where nobody draws, and against a general optimiser where they do."""

import math
from itertools import combinations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tesuji.arena.ratings import UNIT, rate
from tesuji.errors import BadInput

NAMES = ["a", "b", "c", "d"]
DECISIVE = {
    ("a", "b"): (7, 0, 3),
    ("a", "c"): (6, 0, 2),
    ("b", "c"): (5, 0, 5),
    ("b", "d"): (9, 0, 1),
    ("d", "c"): (2, 0, 8),
}
DRAWISH = {pair: (wins, 4, losses) for pair, (wins, _, losses) in DECISIVE.items()}


def test_without_draws_the_ratings_are_those_of_choix() -> None:
    data = []
    for (one, other), (wins, _, losses) in DECISIVE.items():
        i, j = NAMES.index(one), NAMES.index(other)
        data += [(i, j)] * wins + [(j, i)] * losses
    expected = choix.opt_pairwise(4, data, alpha=0, tol=1e-10)
    found = rate(NAMES, DECISIVE, {})
    assert found.draw == 0
    assert found.bounded
    for name, strength in zip(NAMES, expected - np.mean(expected), strict=True):
        assert found[name].elo == pytest.approx(UNIT * strength, abs=1e-3)


def log_likelihood(strength: np.ndarray, nu: float, results: dict) -> float:
    """Davidson's, straight from his paper's formulas."""
    total = 0.0
    for (one, other), (wins, draws, losses) in results.items():
        p, q = (math.exp(strength[NAMES.index(name)]) for name in (one, other))
        everything = p + q + nu * math.sqrt(p * q)
        total += wins * math.log(p / everything) + losses * math.log(q / everything)
        total += draws * math.log(nu * math.sqrt(p * q) / everything)
    return total


def test_with_draws_the_ratings_are_the_likeliest() -> None:
    best = minimize(
        lambda x: -log_likelihood(np.append(x[:3], -x[:3].sum()), math.exp(x[3]), DRAWISH),
        np.zeros(4),
        tol=1e-10,
    )
    found = rate(NAMES, DRAWISH, {})
    assert math.log(found.draw) == pytest.approx(best.x[3], abs=1e-4)
    for name, strength in zip(NAMES, best.x[:3], strict=False):
        assert found[name].elo == pytest.approx(UNIT * strength, abs=0.05)


def test_intervals_are_those_of_the_curvature() -> None:
    """One anchored, so that the others have ordinary variances: by finite differences."""
    found = rate(NAMES, DRAWISH, {"d": 0.0})
    at = np.array([found[name].elo / UNIT for name in NAMES[:3]] + [math.log(found.draw)])

    def negative(x: np.ndarray) -> float:
        return -log_likelihood(np.append(x[:3], 0.0), math.exp(x[3]), DRAWISH)

    h, curve = 1e-4, np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            steps = [(s * h * np.eye(4)[i], t * h * np.eye(4)[j], s * t)
                     for s in (1, -1) for t in (1, -1)]  # fmt: skip
            curve[i, j] = sum(sign * negative(at + a + b) for a, b, sign in steps) / (4 * h * h)
    errors = np.sqrt(np.diag(np.linalg.inv(curve)))
    for name, error in zip(NAMES[:3], errors[:3], strict=True):
        low, high = found[name].interval
        assert (high - low) / 2 == pytest.approx(1.96 * UNIT * error, rel=1e-2)
    assert found["d"].interval == (0, 0)


def test_two_players_are_as_far_apart_as_their_score() -> None:
    found = rate(["a", "b"], {("a", "b"): (30, 0, 10)}, {"b": 1500})
    assert found["b"].elo == 1500
    assert found["a"].elo == pytest.approx(1500 + 400 * math.log10(3))


def test_anchors_are_held_exactly() -> None:
    found = rate(NAMES, DRAWISH, {"a": 1234.5, "c": 1000.0})
    assert found["a"].elo == 1234.5
    assert found["a"].anchored
    assert found["c"].elo == 1000.0
    assert not found["b"].anchored


def test_a_clean_sweep_has_finite_ratings_and_says_so() -> None:
    found = rate(["a", "b"], {("a", "b"): (10, 0, 0)}, {})
    assert not found.bounded
    assert found["a"].elo - found["b"].elo == pytest.approx(400 * math.log10(10.5 / 0.5))
    # Two anchors cannot beat each other out of bounds.
    assert rate(["a", "b"], {("a", "b"): (10, 0, 0)}, {"a": 0, "b": 0}).bounded


def test_players_who_never_met_cannot_be_rated() -> None:
    with pytest.raises(BadInput, match="never met"):
        rate(NAMES, {("a", "b"): (1, 1, 1), ("c", "d"): (1, 1, 1)}, {})
    with pytest.raises(BadInput, match="'x' is not a player"):
        rate(NAMES, DRAWISH, {"x": 0})
    with pytest.raises(BadInput, match="cannot have the rating nan"):
        rate(NAMES, DRAWISH, {"a": math.nan})


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 1000)] * 3).filter(any), min_size=6, max_size=6),
    st.sampled_from([{}, {"a": 100.0}, {"a": -500.0, "b": 2000.0}]),
)
def test_any_results_have_finite_ratings(
    counts: list[tuple[int, int, int]], anchors: dict[str, float]
) -> None:
    found = rate(NAMES, dict(zip(combinations(NAMES, 2), counts, strict=True)), anchors)
    for rating in found.ratings:
        assert math.isfinite(rating.elo)
        assert rating.interval.low <= rating.elo <= rating.interval.high
