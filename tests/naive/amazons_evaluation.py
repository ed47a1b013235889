"""Amazons' distances and evaluations by breadth-first search, slow and obvious.

A side's distance to a cell is the number of queen or king moves that its nearest amazon needs.
"""

from collections.abc import Callable
from math import inf

from tests.naive.amazons import STEPS, Cell, NaiveAmazons


def distances(model: NaiveAmazons, side: str, kings: bool) -> dict[Cell, float]:
    """The number of moves to each empty cell; infinity where no amazon of the side can go."""
    size = model.size
    empty = {(x, y) for x in range(size) for y in range(size)} - set(model.board)
    found = dict.fromkeys(empty, inf)
    front, moves = model.amazons(side), 0
    while front:
        moves += 1
        reached = {cell for start in front for cell in steps(model, start, kings)}
        front = {cell for cell in reached if found[cell] == inf}
        found |= dict.fromkeys(front, moves)
    return found


def steps(model: NaiveAmazons, start: Cell, kings: bool) -> set[Cell]:
    if not kings:
        return model.reach(start)
    near = {(start[0] + x, start[1] + y) for x, y in STEPS}
    return near & model.reach(start)


def next_side(model: NaiveAmazons) -> str:
    """Whose turn comes next."""
    return model.mover if model.shooter is None else {"W": "B", "B": "W"}[model.mover]


def features(model: NaiveAmazons) -> list[float]:
    """Domain, then 0, 1, 2, 3 or more, for queens and for kings: White's share minus Black's."""
    totals = [0.0] * 9
    cells = 0
    for kings in (False, True):
        white, black = (distances(model, side, kings) for side in "WB")
        for cell in white:
            if white[cell] == black[cell] == inf:
                continue
            cells += not kings
            lead = black[cell] - white[cell]
            owner = next_side(model) if lead == 0 else "W" if lead > 0 else "B"
            sign = 1 if owner == "W" else -1
            kind = 0 if abs(lead) == inf else (5 if kings else 1) + int(min(abs(lead), 3))
            totals[kind] += sign
    return [total / max(1, cells) for total in totals]


def distance_counts(model: NaiveAmazons, kings: bool, columns: int) -> list[int]:
    """How many cells have domination distance 0, 1, ..., more, and are domains."""
    counts = [0] * columns
    white, black = (distances(model, side, kings) for side in "WB")
    for cell in white:
        if white[cell] < inf or black[cell] < inf:
            lead = abs(white[cell] - black[cell])
            counts[columns - 1 if lead == inf else int(min(lead, columns - 2))] += 1
    return counts


def classic(model: NaiveAmazons, tie: float) -> float:
    white, black = (distances(model, side, False) for side in "WB")
    return sum(first(white[cell], black[cell], model, tie) for cell in white)


def first(white: float, black: float, model: NaiveAmazons, tie: float) -> float:
    if white == black:
        return 0.0 if white == inf else tie if next_side(model) == "W" else -tie
    return 1.0 if white < black else -1.0


def lieberum(model: NaiveAmazons, tie: float, contested: float, enclosed: float) -> float:
    """Territory with queens; early also with kings, by nearness, and the room of amazons."""
    white, black = (distances(model, side, False) for side in "WB")
    white_king, black_king = (distances(model, side, True) for side in "WB")
    t1 = classic(model, tie)
    t2 = sum(first(white_king[cell], black_king[cell], model, tie) for cell in white)
    c1 = sum(2 * (2.0 ** -white[cell] - 2.0 ** -black[cell]) for cell in white)
    c2 = 0.0
    for cell in white:
        if white_king[cell] != black_king[cell]:
            c2 += max(-1.0, min(1.0, (black_king[cell] - white_king[cell]) / 6))
    shared = [cell for cell in white if white[cell] < inf and black[cell] < inf]
    early = min(1.0, sum(2.0 ** -abs(white[c] - black[c]) for c in shared) / contested)
    mobility = penalty(model, "B") - penalty(model, "W")
    blend = (1 - 0.75 * early) * t1 + 0.25 * early * (t2 + c1 + c2)
    return blend + early * enclosed * mobility


def penalty(model: NaiveAmazons, side: str) -> float:
    return sum(1 / (1 + room(model, amazon)) for amazon in model.amazons(side))


def room(model: NaiveAmazons, amazon: Cell) -> float:
    total = 0.0
    for cell in model.reach(amazon):
        far = max(abs(cell[0] - amazon[0]), abs(cell[1] - amazon[1]))
        total += 2.0**-far * len(steps(model, cell, True))
    return total


def mapped(model: NaiveAmazons, turn: Callable[[Cell], Cell], swap: bool) -> NaiveAmazons:
    """The image of a position under a symmetry of the board, with or without colours swapped."""
    other = {"W": "B", "B": "W", "x": "x"} if swap else {"W": "W", "B": "B", "x": "x"}
    image = NaiveAmazons(model.size, mover=other[model.mover], turns=model.turns)
    image.board = {turn(cell): other[symbol] for cell, symbol in model.board.items()}
    image.shooter = turn(model.shooter) if model.shooter else None
    return image
