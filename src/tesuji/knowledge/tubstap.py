"""What players of TUBSTAP know: so far, what units are worth."""

from typing import Any, NamedTuple

import numpy as np

from tesuji.knowledge import knows, offer

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
