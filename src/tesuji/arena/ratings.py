"""Ratings of many players by maximum likelihood: Bradley and Terry's model with Davidson's draws.

With x the difference in strength, a win, a draw and a loss are in the proportion
exp(x/2) : nu : exp(-x/2) (Davidson 1970); nu is estimated with the ratings. 400 / ln 10 Elo are one
unit of strength, so Elo says how much likelier a win is than a loss. Anchored players keep their
rating exactly; without any, the mean is 0. Intervals are those of the curvature at the maximum.

There is no maximum if some players never lost a point to the others. Then each pair that met is
given half a win and half a loss more, and `Ratings.bounded` is false.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from tesuji.arena.stats import Interval, Z
from tesuji.errors import BadInput

UNIT = 400 / math.log(10)
STEPS = 200
MOST = 1e6  # an anchor beyond this is a slip of the pen

Results = Mapping[tuple[str, str], tuple[int, int, int]]
"""(one, other) -> the wins of one, the draws, and the wins of the other."""


@dataclass(frozen=True)
class Rating:
    name: str
    elo: float
    interval: Interval
    anchored: bool = False


@dataclass(frozen=True)
class Ratings:
    """Strongest first; `draw` is Davidson's nu; `bounded` whether the games alone decide."""

    ratings: tuple[Rating, ...]
    draw: float
    bounded: bool

    def __getitem__(self, name: str) -> Rating:
        return next(rating for rating in self.ratings if rating.name == name)


def rate(names: Sequence[str], results: Results, anchors: Mapping[str, float]) -> Ratings:
    """Rate the players by all their games."""
    for name, value in anchors.items():
        if name not in names:
            raise BadInput(f"anchor {name!r} is not a player of this tournament")
        if not abs(value) <= MOST:
            raise BadInput(f"anchor {name!r} cannot have the rating {value}")
    place = {name: i for i, name in enumerate(names)}
    played = {pair: counts for pair, counts in results.items() if any(counts)}
    one = np.array([place[pair[0]] for pair in played], int)
    other = np.array([place[pair[1]] for pair in played], int)
    wins, draws, losses = np.array(list(played.values()), float).reshape(-1, 3).T
    held = np.array([name in anchors for name in names])

    groups, strong = _groups(len(names), one, other, wins + draws, losses + draws, held)
    if groups > 1:
        raise BadInput("the players cannot be rated: some of them never met, directly or not")
    bounded = strong == 1
    if not bounded:
        wins, losses = wins + 0.5, losses + 0.5

    start = np.array([anchors.get(name, 0.0) / UNIT for name in names])
    strength, log_draw, covariance = _maximise(start, held, one, other, wins, draws, losses)
    elos = np.array([anchors.get(name, strength[i] * UNIT) for i, name in enumerate(names)])
    errors = np.sqrt(np.maximum(0.0, np.diag(covariance))) * UNIT * Z
    ratings = [
        Rating(
            name,
            float(elos[i]),
            Interval(float(elos[i] - errors[i]), float(elos[i] + errors[i])),
            name in anchors,
        )
        for i, name in enumerate(names)
    ]
    ratings.sort(key=lambda rating: -rating.elo)
    return Ratings(tuple(ratings), math.exp(log_draw), bounded)


def _groups(
    count: int, one: Any, other: Any, by_one: Any, by_other: Any, held: npt.NDArray[np.bool_]
) -> tuple[int, int]:
    """How many groups of players never met, and how many never took a point from each other."""
    took = np.zeros((count, count))
    np.add.at(took, (one, other), by_one)
    np.add.at(took, (other, one), by_other)
    took[np.ix_(held, held)] += 1  # anchors are tied to each other
    weak, _ = connected_components(took, directed=True, connection="weak")
    strong, _ = connected_components(took, directed=True, connection="strong")
    return int(weak), int(strong)


def _maximise(
    strength: npt.NDArray[np.float64],
    held: npt.NDArray[np.bool_],
    one: Any,
    other: Any,
    wins: Any,
    draws: Any,
    losses: Any,
) -> tuple[npt.NDArray[np.float64], float, npt.NDArray[np.float64]]:
    """Newton's method on a concave function; the strengths, log nu, and their covariance.

    The last parameter is log nu. Without draws its best value is minus infinity: it is then held
    there and is no parameter.
    """
    count, games = len(strength), wins + draws + losses
    drawn = bool(draws.any())
    free = np.append(~held, drawn)
    point = np.append(strength, 0.0 if drawn else -math.inf)
    # Player i's strength enters the difference of a pair with +1, -1 or 0.
    design = np.zeros((len(one), count))
    design[np.arange(len(one)), one] += 1
    design[np.arange(len(one)), other] -= 1

    def odds(point: Any) -> tuple[Any, Any, Any]:
        x = design @ point[:-1] / 2
        top = np.maximum(np.abs(x), point[-1])
        win, draw, loss = np.exp(x - top), np.exp(point[-1] - top), np.exp(-x - top)
        total = win + draw + loss
        return win / total, draw / total, loss / total

    def likelihood(point: Any) -> float:
        win, draw, loss = odds(point)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = [wins * np.log(win), draws * np.log(draw), losses * np.log(loss)]
        return float(np.sum(np.nan_to_num(terms, nan=0.0)))

    for _ in range(STEPS):
        win, draw, loss = odds(point)
        lead = win - loss
        slope = np.append(design.T @ ((wins - losses - games * lead) / 2),
                          np.sum(draws - games * draw))  # fmt: skip
        curve = np.zeros((count + 1, count + 1))
        curve[:-1, :-1] = design.T @ (design * (games * (win + loss - lead**2) / 4)[:, None])
        curve[-1, :-1] = curve[:-1, -1] = -design.T @ (games * lead * draw / 2)
        curve[-1, -1] = np.sum(games * draw * (1 - draw))
        inverse = np.zeros_like(curve)
        inverse[np.ix_(free, free)] = np.linalg.pinv(curve[np.ix_(free, free)], hermitian=True)
        step = inverse @ np.where(free, slope, 0.0)
        if np.max(np.abs(step), initial=0.0) < 1e-10:
            break
        before = likelihood(point)
        while likelihood(point + step) < before and np.max(np.abs(step)) > 1e-10:
            step /= 2
        point = point + step
    return point[:-1], float(point[-1]), inverse[:-1, :-1]
