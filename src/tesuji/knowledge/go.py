"""What players of Go know: so far, to count the board as it stands."""

from typing import NamedTuple

from tesuji.games import go
from tesuji.knowledge import knows, offer


class Area(NamedTuple):
    """Black's area minus White's and the komi, as the board stands; `scale` makes it an odds."""

    scale: float = 0.1


@knows(Area)
def evaluate(evaluation, state):
    return evaluation.scale * (go.area(state) - 0.5 * state.double_komi)


offer("go", "evaluate", "area", Area)
offer("go", "evaluate", "default", Area)
