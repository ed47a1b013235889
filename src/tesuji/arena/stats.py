"""What the results of a match say: Wilson's interval, Elo with its error, and a sequential test.

All of it is about A, one of the two players. A `Pentanomial` counts pairs of games, from one
opening with the sides swapped, by A's points in them (0, 1/2, 1, 3/2, 2): the games of a pair are
not independent of each other, pairs are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scipy.optimize import brentq

from tesuji.errors import BadInput

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many deviations
REGULAR = 1e-3  # stands for a count of 0 in the likelihood ratio, as in Fishtest


class Interval(NamedTuple):
    low: float
    high: float


def wilson(successes: float, trials: int) -> Interval:
    """Wilson's 95 % interval for a proportion; a draw counts as half a success.

    With draws the interval is wider than it need be: a game's score then varies less than a coin.
    """
    if trials == 0:
        return Interval(0.0, 1.0)
    share = successes / trials
    scale = 1 + Z * Z / trials
    middle = (share + Z * Z / (2 * trials)) / scale
    width = Z * math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials**2)) / scale
    # At the ends the interval begins or ends exactly there, whatever the rounding says.
    low = middle - width if successes > 0 else 0.0
    return Interval(low, middle + width if successes < trials else 1.0)


def elo(score: float) -> float:
    """The difference in Elo that makes a score expected (logistic); infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else -400 * math.log10(1 / score - 1)


def expected_score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


Pentanomial = tuple[int, int, int, int, int]


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """The mean and the variance of a score from 0 to 1 that took equally spaced values so often."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(i / last * count for i, count in enumerate(counts)) / total
    return mean, sum((i / last - mean) ** 2 * count for i, count in enumerate(counts)) / total


def elo_error(counts: Sequence[int]) -> float | None:
    """Half the width of the 95 % interval of Elo by the variance between pairs (or games).

    None where the counts show no variance, or the interval is unbounded.
    """
    if not sum(counts):
        return None
    mean, variance = moments(counts)
    reach = Z * math.sqrt(variance / sum(counts))
    if reach == 0 or mean - reach <= 0 or mean + reach >= 1:
        return None
    return (elo(mean + reach) - elo(mean - reach)) / 2


# --- A sequential test ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Sprt:
    """A generalised sequential probability ratio test of Elo `elo0` against Elo `elo1`.

    The model: the distribution of a pair's five scores is free but for its mean, which either
    hypothesis fixes (logistic Elo). The statistic is the ratio of the two greatest likelihoods, as
    in Fishtest and fastchess; the bounds are Wald's. It is asked after every pair, in the order of
    the pairs, so the decision does not depend on who plays which game when.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often elo1 is accepted though elo0 holds
    beta: float = 0.05  # how often elo0 is accepted though elo1 holds

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1 or not math.isfinite(self.elo1 - self.elo0):
            raise BadInput(f"sprt: elo0 must be less than elo1, not {self.elo0:g},{self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadInput("sprt: alpha and beta must be between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """From `elo0,elo1` or `elo0,elo1,alpha,beta`."""
        try:
            numbers = [float(word) for word in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise BadInput(f"sprt: {text!r} is not of the form elo0,elo1 or elo0,elo1,alpha,beta")
        return cls(*numbers)

    @property
    def bounds(self) -> Interval:
        return Interval(
            math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        )

    def ratio(self, counts: Sequence[float]) -> float:
        """The logarithm of the likelihood ratio; positive speaks for elo1."""
        if not sum(counts):
            return 0.0
        counts = [count or REGULAR for count in counts]
        low = _constrained(counts, expected_score(self.elo0))
        high = _constrained(counts, expected_score(self.elo1))
        return sum(n * math.log(q / p) for n, p, q in zip(counts, low, high, strict=True))

    def decision(self, counts: Sequence[float]) -> str | None:
        """`elo0` or `elo1` once the test accepts one of them."""
        ratio = self.ratio(counts)
        if ratio <= self.bounds.low:
            return "elo0"
        return "elo1" if ratio >= self.bounds.high else None


def _constrained(counts: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution over equally spaced scores whose mean is given.

    By Lagrange: p_i = f_i / (1 + x (s_i - mean)) for frequencies f, with x to make the mean right.
    """
    total, last = sum(counts), len(counts) - 1
    offsets = [i / last - mean for i in range(last + 1)]

    def excess(x: float) -> float:
        return sum(n * d / (1 + x * d) for n, d in zip(counts, offsets, strict=True))

    # Every p_i is positive strictly between these two, and the excess falls from +inf to -inf.
    low, high = -1 / offsets[-1], -1 / offsets[0]
    margin = 1e-12 * (high - low)
    x = brentq(excess, low + margin, high - margin, xtol=1e-14)
    return [n / total / (1 + x * d) for n, d in zip(counts, offsets, strict=True)]
