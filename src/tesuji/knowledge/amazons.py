"""What players of Amazons know: who can be where first, with queens and with kings.

Start with `contest`. A side's queen (king) distance to a cell is the number of queen (king) moves
that its nearest amazon needs to get there. Cells are sorted by how many moves earlier one side
arrives, the *domination distance* (Ota and Grimbergen): `DOMAIN` for a cell that only one side can
reach, then 0, 1, 2 and 3 or more, for queens and for kings: nine features. Who can reach a cell
with queens can reach it with kings, so a domain is the same for both; like any other cell it counts
once for queens and once for kings, which makes it twice under its one weight. A cell of distance 0
belongs to the side whose turn comes next; in the middle of a turn that is the one who does not have
to shoot.

A set of cells is a pair of words, as in `tesuji.games.amazons`. Queens slide along all lines at
once: by one cell, then two, then four, then two more, over `runs` of free cells that are computed
once for a position.
"""

import math
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import arrays, knowledge
from tesuji.bits import lowest, popcount
from tesuji.errors import BadInput
from tesuji.games.amazons import SIZES, bit_of, board_size, neighbours, reach
from tesuji.kernels import helper, kernel
from tesuji.knowledge import knows, offer, soften

FEATURES = ("domain", "queen 0", "queen 1", "queen 2", "queen 3+",
            "king 0", "king 1", "king 2", "king 3+")  # fmt: skip
DOMAIN, QUEEN, KING = 0, 1, 5  # the first of their features
ONE, TWO, FOUR, WORD = (np.uint64(n) for n in (1, 2, 4, 64))
NOTHING = (np.uint64(0), np.uint64(0))


def _board(size: int) -> tuple[np.uint64, np.uint64]:
    cells = sum(1 << bit_of(size, row, column) for row in range(size) for column in range(size))
    return np.uint64(cells & (2**64 - 1)), np.uint64(cells >> 64)


BOARD_10, BOARD_8, BOARD_6 = (_board(size) for size in SIZES)


# --- Sets of cells -------------------------------------------------------------------------------


@helper
def up(cells, by):
    """Each cell moved to a higher bit."""
    return cells[0] << by, cells[1] << by | cells[0] >> (WORD - by)


@helper
def down(cells, by):
    return cells[0] >> by | cells[1] << (WORD - by), cells[1] >> by


@helper
def both(one, other):
    return one[0] & other[0], one[1] & other[1]


@helper
def either(one, other):
    return one[0] | other[0], one[1] | other[1]


@helper
def without(one, other):
    return one[0] & ~other[0], one[1] & ~other[1]


@helper
def size_of(cells):
    return popcount(cells[0]) + popcount(cells[1])


@helper
def is_empty(cells):
    return (cells[0] | cells[1]) == 0


@helper
def free_cells(state):
    board = BOARD_6
    if board_size(state) == 10:
        board = BOARD_10
    elif board_size(state) == 8:
        board = BOARD_8
    return without(board, (state.blocked[0], state.blocked[1]))


@helper
def amazons_of(state, player):
    low, high = np.uint64(0), np.uint64(0)
    for i in range(4):
        cell = np.uint64(state.amazons[player, i])
        if cell < WORD:
            low |= ONE << cell
        else:
            high |= ONE << (cell - WORD)
    return low, high


# --- Moving all amazons of a side at once --------------------------------------------------------


@helper
def upward_runs(free, by):
    """The free cells with 1 and with 3 more free cells before them, coming from lower bits."""
    two = both(free, up(free, by))
    return two, both(two, up(two, TWO * by))


@helper
def downward_runs(free, by):
    two = both(free, down(free, by))
    return two, both(two, down(two, TWO * by))


@helper
def slide_up(cells, free, runs, by):
    """Everything from the cells on along a line upward, up to nine cells, as far as it is free."""
    two, four = runs
    cells = either(cells, both(free, up(cells, by)))
    cells = either(cells, both(two, up(cells, TWO * by)))
    cells = either(cells, both(four, up(cells, FOUR * by)))
    return either(cells, both(two, up(cells, TWO * by)))


@helper
def slide_down(cells, free, runs, by):
    two, four = runs
    cells = either(cells, both(free, down(cells, by)))
    cells = either(cells, both(two, down(cells, TWO * by)))
    cells = either(cells, both(four, down(cells, FOUR * by)))
    return either(cells, both(two, down(cells, TWO * by)))


@helper
def steps(state):
    """What a step to the right, up and left, up, up and right adds to a bit's number."""
    row = np.uint64(board_size(state) + 1)
    return ONE, row - ONE, row, row + ONE


@helper
def all_runs(state, free):
    a, b, c, d = steps(state)
    return (
        (upward_runs(free, a), upward_runs(free, b), upward_runs(free, c), upward_runs(free, d)),
        (downward_runs(free, a), downward_runs(free, b), downward_runs(free, c),
         downward_runs(free, d)),
    )  # fmt: skip


@helper
def queen_moves(state, cells, free, runs):
    """The free cells that queens on the cells can reach in one move."""
    a, b, c, d = steps(state)
    upward, downward = runs
    found = either(slide_up(cells, free, upward[0], a), slide_up(cells, free, upward[1], b))
    found = either(found, slide_up(cells, free, upward[2], c))
    found = either(found, slide_up(cells, free, upward[3], d))
    found = either(found, slide_down(cells, free, downward[0], a))
    found = either(found, slide_down(cells, free, downward[1], b))
    found = either(found, slide_down(cells, free, downward[2], c))
    return both(free, either(found, slide_down(cells, free, downward[3], d)))


@helper
def king_moves(state, cells, free):
    row = np.uint64(board_size(state) + 1)
    near = either(cells, either(up(cells, ONE), down(cells, ONE)))
    return both(free, either(near, either(up(near, row), down(near, row))))


# --- The features --------------------------------------------------------------------------------


@helper
def contest(state, free, runs):
    """Who comes first, cell by cell, as queens or (without runs) as kings: White minus Black.

    Returns the lead in domain cells, the number of ties, the leads in cells at domination distance
    1, 2 and 3 or more, and the number of cells that anybody reaches. `white_1` are the cells that
    White reached one step ago and Black has not reached yet, `white_3` three or more steps ago.
    """
    white, black = amazons_of(state, 0), amazons_of(state, 1)
    white_all, black_all = NOTHING, NOTHING
    white_1, white_2, white_3 = NOTHING, NOTHING, NOTHING
    black_1, black_2, black_3 = NOTHING, NOTHING, NOTHING
    ties, lead_1, lead_2, lead_3 = 0, 0, 0, 0
    while not (is_empty(white) and is_empty(black)):
        if runs is None:
            white, black = king_moves(state, white, free), king_moves(state, black, free)
        else:
            white = queen_moves(state, white, free, runs)
            black = queen_moves(state, black, free, runs)
        white, black = without(white, white_all), without(black, black_all)
        white_all, black_all = either(white_all, white), either(black_all, black)
        ties += size_of(both(white, black))
        lead_1 += size_of(both(white_1, black)) - size_of(both(black_1, white))
        lead_2 += size_of(both(white_2, black)) - size_of(both(black_2, white))
        lead_3 += size_of(both(white_3, black)) - size_of(both(black_3, white))
        white_3 = without(either(white_3, white_2), black_all)
        black_3 = without(either(black_3, black_2), white_all)
        white_2, black_2 = without(white_1, black_all), without(black_1, white_all)
        white_1, black_1 = without(white, black_all), without(black, white_all)
    domain = size_of(without(white_all, black_all)) - size_of(without(black_all, white_all))
    return domain, ties, lead_1, lead_2, lead_3, size_of(either(white_all, black_all))


@helper
def next_mover(state):
    """Whose turn comes next: the mover's, unless an arrow is all that is left of it."""
    return state.mover if state.shooter == 0 else 1 - state.mover


@helper
def features(state):
    """The nine features, in the order of `FEATURES`, from White's side.

    Each is White's cells of the type minus Black's, as a part of all cells that anybody reaches;
    a domain is of the type twice.
    """
    free = free_cells(state)
    runs = all_runs(state, free)
    domain, queen_ties, queen_1, queen_2, queen_3, reached = contest(state, free, runs)
    _, king_ties, king_1, king_2, king_3, _ = contest(state, free, None)
    part = 1.0 / max(1, reached)
    turn = part if next_mover(state) == 0 else -part
    return (
        2 * domain * part,
        queen_ties * turn, queen_1 * part, queen_2 * part, queen_3 * part,
        king_ties * turn, king_1 * part, king_2 * part, king_3 * part,
    )  # fmt: skip


# --- Evaluations ---------------------------------------------------------------------------------


class Classic(NamedTuple):
    """Who comes first with queens: 1 for each cell, `tie` for whose turn it is (Lieberum's t1)."""

    tie: float = 0.2
    scale: float = 0.2  # turns cells into the logarithm of odds


@knows(Classic)
def evaluate(evaluation, state):
    free = free_cells(state)
    domain, ties, lead_1, lead_2, lead_3, _ = contest(state, free, all_runs(state, free))
    turn = ties if next_mover(state) == 0 else -ties
    return evaluation.scale * (domain + lead_1 + lead_2 + lead_3 + evaluation.tie * turn)


class Domination(NamedTuple):
    """A weighted sum of the nine features, which is `omega` times the logarithm of White's odds.

    `weights` has a row for each of some phases, at equal distances from the empty board to the
    full one; between two of them the weights are blended. One row: the same weights always.
    """

    weights: npt.NDArray[np.float64]
    omega: float = 1.0


@helper
def phase_of(weights, state):
    """Between which rows of the weights a position is: the lower one, and the upper one's part."""
    last = weights.shape[0] - 1
    if last == 0:
        return 0, 0.0
    size = board_size(state)
    place = last * (np.float64(state.turns) / (size * size - 8))
    row = min(int(place), last - 1)
    return row, place - row


@knows(Domination)
def evaluate(evaluation, state):
    weights = evaluation.weights
    row, part = phase_of(weights, state)
    value = 0.0
    values = features(state)
    for i in range(9):
        weight = weights[row, i]
        if part > 0.0:
            weight += part * (weights[row + 1, i] - weight)
        value += weight * values[i]
    return value


@knows(Domination)
def rewards(evaluation, state):
    probability = 1.0 / (1.0 + math.exp(-knowledge.evaluate(evaluation, state) / evaluation.omega))
    return probability, 1.0 - probability


class Foresight(NamedTuple):
    """Weighs moves by what they lead to: a softmax of the evaluation, from the mover's side."""

    evaluation: Domination
    sharpness: float = 4.0


@knows(Foresight)
def weigh(prior, state, moves, count, weights):
    mover, shooter = state.mover, state.shooter
    sharpness = prior.sharpness if mover == 0 else -prior.sharpness
    for i in range(count):
        move = np.int64(moves[i])
        if shooter != 0:
            block(state, move)
            state.shooter, state.mover, state.turns = 0, 1 - mover, state.turns + 1
            value = knowledge.evaluate(prior.evaluation, state)
            state.shooter, state.mover, state.turns = shooter, mover, state.turns - 1
            block(state, move)
        else:
            origin, target = move // 128, move % 128
            walk(state, origin, target)
            state.shooter = target
            value = knowledge.evaluate(prior.evaluation, state)
            state.shooter = 0
            walk(state, target, origin)
        weights[i] = sharpness * value
    soften(weights, count)


@helper
def block(state, cell):
    """Block a free cell, or free a blocked one, for the features only."""
    state.blocked[cell // 64] ^= ONE << np.uint64(cell % 64)


@helper
def walk(state, origin, target):
    """The mover's amazon goes from cell to cell, for the features only."""
    block(state, origin)
    block(state, target)
    for i in range(4):
        if state.amazons[state.mover, i] == origin:
            state.amazons[state.mover, i] = target


class Lieberum(NamedTuple):
    """Lieberum's whole evaluation: territory with queens and kings, positions, mobility.

    The shape is published (Theoretical Computer Science 349, 2005), the blending is ours: early,
    when much is contested, all four terms count alike; late, only the territory does.
    """

    tie: float = 0.2
    contested: float = 40.0  # from here on it is early
    enclosed: float = 5.0  # what an amazon without any room costs early
    scale: float = 0.2


FAR = 100


@helper
def write_distances(state, player, free, runs, distances):
    """The number of moves to each cell, or `FAR`."""
    for cell in range(128):
        distances[cell] = FAR
    front, reached = amazons_of(state, player), NOTHING
    moves = 0
    while not is_empty(front):
        if runs is None:
            front = king_moves(state, front, free)
        else:
            front = queen_moves(state, front, free, runs)
        front = without(front, reached)
        reached = either(reached, front)
        moves += 1
        for half in range(2):
            word = front[half]
            while word != 0:
                distances[64 * half + lowest(word)] = moves
                word &= word - ONE


@helper
def write_all_distances(state, distances):
    """[2 * (0 queens, 1 kings) + player, cell] -> the number of moves to get there."""
    free = free_cells(state)
    runs = all_runs(state, free)
    for player in range(2):
        write_distances(state, player, free, runs, distances[player])
        write_distances(state, player, free, None, distances[2 + player])


@kernel
def count_distances(state, distances, counts):
    """Add up how many cells have each domination distance: `counts[queens or kings, distance]`.

    The last column is for domains, the one before it for everything larger.
    """
    write_all_distances(state[0], distances)
    last = counts.shape[1] - 1
    for kind in range(2):
        for cell in range(128):
            white, black = int(distances[2 * kind, cell]), int(distances[2 * kind + 1, cell])
            if white < FAR and black < FAR:
                counts[kind, min(abs(white - black), last - 1)] += 1
            elif white < FAR or black < FAR:
                counts[kind, last] += 1


@helper
def first_there(mine, theirs, tie):
    if mine == theirs:
        return tie if mine < FAR else 0.0
    return 1.0 if mine < theirs else -1.0


@helper
def room(state, cell):
    """How free an amazon is: the cells it can go to, the near and the open ones count more."""
    low, high = reach(state, cell)
    near = neighbours(state)
    size = board_size(state)
    total = 0.0
    for half in range(2):
        word = low if half == 0 else high
        while word != 0:
            other = 64 * half + lowest(word)
            word &= word - ONE
            rows = abs((other - 1) // (size + 1) - (cell - 1) // (size + 1))
            columns = abs((other - 1) % (size + 1) - (cell - 1) % (size + 1))
            open_low = near[other, 0] & ~state.blocked[0]
            open_high = near[other, 1] & ~state.blocked[1]
            total += 0.5 ** max(rows, columns) * (popcount(open_low) + popcount(open_high))
    return total


@knows(Lieberum)
def evaluate(evaluation, state):
    distances = np.empty((4, 128), np.int8)
    write_all_distances(state, distances)
    tie = evaluation.tie if next_mover(state) == 0 else -evaluation.tie
    territory, kings, queens_near, kings_near, contested = 0.0, 0.0, 0.0, 0.0, 0.0
    for cell in range(128):
        white, black = int(distances[0, cell]), int(distances[1, cell])
        if white == FAR and black == FAR:
            continue
        white_king, black_king = int(distances[2, cell]), int(distances[3, cell])
        territory += first_there(white, black, tie)
        kings += first_there(white_king, black_king, tie)
        queens_near += 2.0 * (0.5**white - 0.5**black)
        kings_near += min(1.0, max(-1.0, (black_king - white_king) / 6.0))
        if white < FAR and black < FAR:
            contested += 0.5 ** abs(white - black)
    early = min(1.0, contested / evaluation.contested)
    mobility = 0.0
    for i in range(4):
        mobility += 1.0 / (1.0 + room(state, np.int64(state.amazons[1, i])))
        mobility -= 1.0 / (1.0 + room(state, np.int64(state.amazons[0, i])))
    blend = (1.0 - 0.75 * early) * territory
    blend += 0.25 * early * (kings + queens_near + kings_near)
    return evaluation.scale * (blend + early * evaluation.enclosed * mobility)


# --- By name -------------------------------------------------------------------------------------

FIXED = np.array([[1.0, 0.2, 1.0, 1.0, 1.0, 0.2, 1.0, 1.0, 1.0]])


def fixed() -> Domination:
    """Domination distances with the weights everybody begins with: 0.2 for distance 0, else 1."""
    return Domination(FIXED.copy())


def read_weights(path: Path, name: str) -> Domination:
    """An evaluation from an `.npz` file with `weights` (phases x 9) and `omega`."""
    stored = arrays.read(path, "a file of weights for Amazons")
    try:
        weights, omega = np.asarray(stored["weights"], np.float64), float(stored["omega"])
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput(f"{name}: these are not weights for Amazons: {error}") from None
    finite = np.isfinite(weights).all() and 0 < omega < math.inf
    if weights.ndim != 2 or weights.shape[1] != 9 or not finite:
        raise BadInput(f"{name}: weights for Amazons are rows of nine numbers, and omega > 0")
    return Domination(weights, omega)


def _offer_learned(file: Any) -> None:
    """Weights that tesuji brings, whole and in the parts that the paper compares."""
    name = file.name.removesuffix(".npz")

    def learned() -> Domination:
        with resources.as_file(file) as path:
            return read_weights(path, name)

    def part(keep: slice, others: float) -> Domination:
        whole = learned()
        weights = FIXED[[0] * len(whole.weights)] * others
        weights[:, DOMAIN] = whole.weights[:, DOMAIN]
        weights[:, keep] = whole.weights[:, keep]
        return Domination(weights, whole.omega)

    def add(suffix: str, make: Callable[[], Domination], description: str) -> None:
        make.__doc__ = f"Domination distances with the learned weights {name}{description}."
        offer("amazons", "evaluate", name + suffix, make)

    def foresight() -> Foresight:
        return Foresight(learned())

    foresight.__doc__ = f"Likely is what looks good by {name}, a move later."
    offer("amazons", "weigh", name, foresight)
    queens, kings = slice(QUEEN, KING), slice(KING, 9)
    add("", learned, "")
    add("-queen", lambda: part(queens, 1.0), " for queens and domains, else the fixed ones")
    add("-king", lambda: part(kings, 1.0), " for kings and domains, else the fixed ones")
    add("-queen-alone", lambda: part(queens, 0.0), " for queens and domains, nothing else")
    add("-king-alone", lambda: part(kings, 0.0), " for kings and domains, nothing else")


offer("amazons", "evaluate", "classic", Classic)
offer("amazons", "evaluate", "default", fixed)
offer("amazons", "evaluate", "fixed", fixed)
offer("amazons", "evaluate", "lieberum", Lieberum)
for _file in resources.files("tesuji").joinpath("weights").iterdir():
    if _file.name.startswith("ota-") and _file.name.endswith(".npz"):
        _offer_learned(_file)
