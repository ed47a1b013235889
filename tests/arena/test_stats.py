"""Intervals, Elo and the sequential test against published numbers and against SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binomtest

from tesuji.arena import stats
from tesuji.errors import BadInput


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (3, 10), (55, 100), (10, 10), (700, 1000)])
def test_wilson_is_that_of_scipy(wins: int, games: int) -> None:
    low, high = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert stats.wilson(wins, games) == pytest.approx((low, high))


def test_wilson_of_nothing_says_nothing() -> None:
    assert stats.wilson(0, 0) == (0, 1)


@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [  # fastchess, app/tests/elo_test.cpp: losses, draws and wins; and the five kinds of pairs
        ((96, 111, 136), 40.70, 30.43),
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_is_that_of_fastchess(counts: tuple[int, ...], elo: float, error: float) -> None:
    assert stats.elo(stats.moments(counts)[0]) == pytest.approx(elo, rel=0.01)
    assert stats.elo_error(counts) == pytest.approx(error, rel=0.01)


def test_elo_at_the_ends() -> None:
    assert stats.elo(0) == -math.inf
    assert stats.elo(1) == math.inf
    assert stats.elo_error((0, 0, 0, 0, 9)) is None
    assert stats.elo_error((0, 0, 0, 0, 0)) is None


@given(st.floats(-2000, 2000))
def test_elo_undoes_the_expected_score(elo: float) -> None:
    assert stats.elo(stats.expected_score(elo)) == pytest.approx(elo, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [  # fastchess, app/tests/sprt_test.cpp: the logistic models
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_log_ratio_is_that_of_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, ratio: float
) -> None:
    assert stats.Sprt(elo0, elo1).ratio(counts) == pytest.approx(ratio, rel=0.01)


@pytest.mark.parametrize("counts", [(3, 20, 50, 22, 5), (12, 40, 60, 30, 8), (1, 2, 3, 4, 5)])
def test_the_log_ratio_is_that_of_the_likeliest_distributions(counts: tuple[int, ...]) -> None:
    """The two constrained maxima found by a general optimiser."""

    def best(mean: float) -> float:
        n = np.array(counts, float)
        scores = np.linspace(0, 1, 5)
        found = minimize(
            lambda p: -n @ np.log(p),
            np.full(5, 0.2),
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ scores - mean},
            ],
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        return float(-found.fun)

    sprt = stats.Sprt(-10, 20)
    expected = best(stats.expected_score(20)) - best(stats.expected_score(-10))
    assert sprt.ratio(counts) == pytest.approx(expected, abs=1e-4)


def test_the_bounds_are_walds() -> None:
    assert stats.Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert stats.Sprt(0, 5, 0.05, 0.10).bounds == pytest.approx((-2.251, 2.890), abs=1e-3)


def test_a_test_decides() -> None:
    sprt = stats.Sprt(0, 50)
    assert sprt.decision((0, 0, 0, 0, 0)) is None
    assert sprt.decision((1, 5, 10, 5, 1)) is None
    assert sprt.decision((10, 50, 100, 50, 10)) == "elo0"
    assert sprt.decision((0, 5, 100, 100, 50)) == "elo1"


@given(st.lists(st.integers(0, 10**6), min_size=5, max_size=5))
def test_any_counts_have_a_log_ratio(counts: list[int]) -> None:
    assert math.isfinite(stats.Sprt(-300, 300).ratio(counts))


@given(st.text())
def test_any_text_is_a_test_or_refused(text: str) -> None:
    try:
        stats.Sprt.parse(text)
    except BadInput as error:
        assert str(error).startswith("sprt: ")
