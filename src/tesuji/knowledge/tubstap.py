"""What players of TUBSTAP know: what units are worth, and Kato's pruning carried over."""

from typing import Any, NamedTuple

import numpy as np

from tesuji.bits import lowest
from tesuji.games.tubstap import CELLS, END, TARGETS, attack_of, flood, is_ready, side_of
from tesuji.kernels import helper
from tesuji.knowledge import knows, offer
from tesuji.rng import below

VALUES = np.array([3.0, 3.0, 2.5, 2.5, 2.0, 1.0])  # of F A P U R I: a rule of thumb


class Material(NamedTuple):
    """Red's HP minus Blue's, each weighed by what its kind of unit is worth."""

    values: Any = VALUES
    scale: float = 0.05


@knows(Material)
def evaluate(evaluation, state):
    total = 0.0
    for unit in range(state.n_units):
        worth = evaluation.values[state.kind[unit]] * state.hp[unit]
        total += worth if state.team[unit] == 0 else -worth
    return evaluation.scale * total


offer("tubstap", "evaluate", "material", Material)
offer("tubstap", "evaluate", "default", Material)


class Pruned(NamedTuple):
    """Attacks, and moves without one that end beside an enemy or as far off as the unit can go."""


@knows(Pruned)
def prune(pruning, state, moves, count):
    kept = 0
    for unit in range(state.n_units):
        if is_ready(state, unit):
            kept = list_actions(state, unit, moves, kept)
    moves[kept] = END
    return kept + 1


@knows(Pruned)
def choose(policy, state, moves, rng):
    """A unit that has not acted, then one of the actions that are left: each alike."""
    skip = below(rng, state.ready)
    unit = 0
    while not is_ready(state, unit) or skip > 0:
        skip -= is_ready(state, unit)
        unit += 1
    return moves[below(rng, list_actions(state, unit, moves, 0))]


@helper
def list_actions(state, unit, moves, count):
    """Add the actions of a unit that the pruning leaves to a list; how many there are then."""
    side = side_of(state)
    home = np.int64(state.cell[unit])
    flood(state, unit)
    farthest = 0
    for y in range(1, state.height - 1):
        row = state.reached[0, y]
        while row != 0:
            farthest = max(farthest, abs(lowest(row) - home % side) + abs(y - home // side))
            row &= row - np.uint64(1)
    enemy = 1 - state.team[unit]
    one = np.uint64(1)
    for y in range(1, state.height - 1):
        row = state.reached[0, y]
        foes = state.army[enemy, y]
        beside = foes << one | foes >> one | state.army[enemy, y - 1] | state.army[enemy, y + 1]
        while row != 0:
            x = lowest(row)
            row &= row - one
            far = abs(x - home % side) + abs(y - home // side) == farthest
            if far or beside >> np.uint64(x) & one != 0:
                moves[count] = (unit * CELLS + y * side + x) * TARGETS
                count += 1
    n = 0
    move = attack_of(state, unit, n)
    while move >= 0:
        moves[count] = move
        count += 1
        n += 1
        move = attack_of(state, unit, n)
    return count


offer("tubstap", "prune", "pruned", Pruned)
offer("tubstap", "choose", "pruned", Pruned)
