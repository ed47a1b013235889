"""Hayazashi's features and its learning, slowly, straight from their description."""

import copy

import numpy as np

from tests.naive.geister import NaiveGeister, turned


def features(model: NaiveGeister, move: str, viewer: int) -> set[int]:
    """The bits of the board after a move, as one player sees it."""
    after = copy.deepcopy(model)
    after.play(move)
    other, found = 1 - viewer, {126}
    for ghost in after.players[viewer].values():
        if ghost.place is not None:
            x, y = ghost.place
            found.add((0 if ghost.colour == "B" else 42) + x + 6 * y)
    for ghost in after.players[other].values():
        if ghost.place is not None:
            x, y = turned(ghost.place)
            found.add(84 + x + 6 * y)
    counts = [model.lost(player, colour) for player in (other, viewer) for colour in "BR"]
    for kind, count in enumerate(counts):
        if count:
            found.add({1: 36, 2: 78, 3: 120}[count] + kind)
    if model.mover == viewer:
        if model.ghost_at(other, turned(model.targets()[move])):
            found.add(40)
        if any(ghost.escaped for ghost in after.players[viewer].values()):
            found.add(41)
    return found


def vector(bits: set[int]) -> np.ndarray:
    """All pairs (i, j <= i), number i (i + 1) / 2 + j."""
    x = np.zeros(8128)
    x[[i * (i + 1) // 2 + j for i in bits for j in bits if j <= i]] = 1
    return x


def policy(model: NaiveGeister, moves: list[str], theta: np.ndarray) -> np.ndarray:
    """The probabilities of the mover's moves."""
    scores = np.array([theta @ vector(features(model, move, model.mover)) for move in moves])
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def gradient(model: NaiveGeister, move: str, moves: list[str], theta: np.ndarray) -> np.ndarray:
    """The gradient of the logarithm of a move's probability."""
    xs = np.array([vector(features(model, one, model.mover)) for one in moves])
    return xs[moves.index(move)] - policy(model, moves, theta) @ xs
