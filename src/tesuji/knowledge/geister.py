"""What Geister's players know: Hayazashi's policy, and what an enemy's moves tell of its colours.

Start with `difference`, and with `signs` for the colours. Hayazashi (the policy-gradient player of
Shiga's that Aoki and Hashimoto build on) describes the board after a move by 127 bits as its player
sees it, and gives every pair of bits a weight; the pairs that are set add up to the move's score,
and a softmax over the scores to its policy. The bits, with cell = x + 6 y in the player's frame:

    0-35 own blue    36-39 captured 1    40 this move captures    41 this move leaves the board
    42-77 own red    78-81 captured 2
    84-119 enemy     120-123 captured 3    126 always set

where "captured" counts enemy blue, enemy red, own blue and own red ghosts, before the move. The
colours of enemy ghosts on the board are never looked at, so views and worlds score alike.

The weights are kept as a symmetric matrix, `pairs`, with an empty row and column for NOTHING. Then
`sums[b]`, the weights of all pairs of b with a bit that is set before the move, tells what a change
of b is worth, and a move changes at most four bits: no other pair is ever added up.
"""

import hashlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import arrays, rules
from tesuji.bits import lowest
from tesuji.games.geister import (
    BLUE,
    BOARD,
    CAPTURED,
    LAYOUTS,
    ON_BOARD,
    RED,
    UNKNOWN,
    legal_moves,
)
from tesuji.kernels import helper, kernel
from tesuji.knowledge import knows, soften
from tesuji.rng import below, uniform

OWN_BLUE, OWN_RED, ENEMY = 0, 42, 84  # the bit of cell 0
ONCE, ONCE_MORE = 36, 42  # captured 1, and how much farther each further capture is
CAPTURES, LEAVES, ALWAYS = 40, 41, 126
NOTHING = 127
BITS = 128
FEATURES = 127 * 128 // 2
MOST_SET = 16 + 4 + 1  # bits at once: ghosts, counts, and the one that is always set
MOST_MOVES = 32
MOVERS = -1

# The cell of our 8x8 board as either player counts them, x + 6 y in the own frame.
CELL = np.zeros((2, 64), np.int64)
for _x in range(6):
    for _y in range(6):
        CELL[0, 9 + _x + 8 * _y] = _x + 6 * _y
        CELL[1, 9 + _x + 8 * _y] = 35 - (_x + 6 * _y)

Weights = npt.NDArray[np.floating[Any]]


class Hayazashi(NamedTuple):
    """The policy with its weights. `searcher` is the player in whose frame every move is judged,
    with the sign turned for the other's moves; MOVERS judges each move as its mover does."""

    pairs: Weights
    searcher: int = MOVERS


@helper
def present(state, player, bits):
    """Write the bits that are set before a move, as `player` sees the board; how many."""
    count = 0
    left = state.ghosts[player]
    while left != 0:
        cell = lowest(left)
        left &= left - np.uint64(1)
        bits[count] = own_bit(state, player, cell)
        count += 1
    left = state.ghosts[1 - player]
    while left != 0:
        bits[count] = ENEMY + CELL[player, lowest(left)]
        left &= left - np.uint64(1)
        count += 1
    for kind in range(4):  # enemy blue, enemy red, own blue, own red
        owner = 1 - player if kind < 2 else player
        captured = 0
        for ghost in range(8):
            if state.fate[owner, ghost] == CAPTURED:
                captured += (state.colour[owner, ghost] == BLUE) == (kind % 2 == 0)
        if 1 <= captured <= 3:
            bits[count] = ONCE + ONCE_MORE * (captured - 1) + kind
            count += 1
    bits[count] = ALWAYS
    return count + 1


@helper
def own_bit(state, player, cell):
    """The bit of an own ghost on a cell."""
    blue = state.blues[player] >> np.uint64(cell) & np.uint64(1)
    return (OWN_BLUE if blue else OWN_RED) + CELL[player, cell]


@helper
def add_up(pairs, bits, count, sums):
    """For every bit the weights of its pairs with those that are set."""
    for b in range(BITS):
        sums[b] = 0.0
    for i in range(count):
        row = pairs[bits[i]]
        for b in range(BITS):
            sums[b] += row[b]


@helper
def changes(state, player, move):
    """What the move changes as `player` sees it: two bits that go out, two that come in."""
    origin, target = move // 64, move % 64
    mover = state.ply & 1
    enters = np.uint64(1) << np.uint64(target)
    inside = enters & BOARD != 0
    captures = enters & state.ghosts[1 - mover] != 0
    if mover == player:
        out = own_bit(state, player, origin)
        into = out - CELL[player, origin] + CELL[player, target] if inside else NOTHING
        lost = ENEMY + CELL[player, target] if captures else NOTHING
        event = CAPTURES if captures else NOTHING if inside else LEAVES
        return out, lost, into, event
    out = ENEMY + CELL[player, origin]
    into = ENEMY + CELL[player, target] if inside else NOTHING
    lost = own_bit(state, player, target) if captures else NOTHING
    return out, lost, into, NOTHING


@helper
def difference(pairs, sums, out, lost, into, event):
    """How much the score changes: the pairs of bits that go out, and of those that come in."""
    worth = sums[into] - sums[out] - pairs[into, out] + pairs[into, into]
    if event != NOTHING or lost != NOTHING:
        worth += pairs[lost, out] - sums[lost] - pairs[into, lost]
        worth += sums[event] - pairs[event, out] - pairs[event, lost]
        worth += pairs[event, into] + pairs[event, event]
    return worth


@helper
def score(policy, state, moves, count, scores):
    """Write how good each move is, but for a number that is the same for all."""
    mover = state.ply & 1
    player = mover if policy.searcher == MOVERS else policy.searcher
    sign = 1.0 if player == mover else -1.0
    bits, sums = np.empty(MOST_SET, np.int64), np.empty(BITS, policy.pairs.dtype)
    add_up(policy.pairs, bits, present(state, player, bits), sums)
    for i in range(count):
        out, lost, into, event = changes(state, player, moves[i])
        scores[i] = sign * difference(policy.pairs, sums, out, lost, into, event)


@helper
def draw(probabilities, count, rng):
    """An index, by its probability."""
    left = uniform(rng)
    for i in range(count - 1):
        left -= probabilities[i]
        if left < 0:
            return i
    return count - 1


@knows(Hayazashi)
def weigh(prior, state, moves, count, weights):
    if state.ply < 2:
        for i in range(count):
            weights[i] = 1.0 / count
        return
    score(prior, state, moves, count, weights)
    soften(weights, count)


@knows(Hayazashi)
def choose(policy, state, moves, rng):
    if state.ply < 2:
        return rules.random_move(state, moves, rng)
    count = legal_moves(state, moves)
    weights = np.empty(MOST_MOVES, np.float64)
    score(policy, state, moves, count, weights)
    soften(weights, count)
    return moves[draw(weights, count, rng)]


@helper
def favourite(policy, state, moves, rng):
    """The move with the highest score, any of several; any placement."""
    if state.ply < 2:
        return rules.random_move(state, moves, rng)
    count = legal_moves(state, moves)
    scores = np.empty(MOST_MOVES, np.float64)
    score(policy, state, moves, count, scores)
    best, ties = 0, 1
    for i in range(1, count):
        if scores[i] > scores[best]:
            best, ties = i, 1
        elif scores[i] == scores[best]:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return moves[best]


@kernel
def compiled_favourite(policy: Any, state: Any, moves: Any, rng: Any) -> Any:
    return favourite(policy, state[0], moves, rng)


# --- What the enemy's moves tell of its colours --------------------------------------------------


class Redness(NamedTuple):
    """How red each of the enemy's ghosts A to H seems: reds are drawn in proportion, one by one."""

    weights: npt.NDArray[np.float64]


@knows(Redness)
def guess(belief, state, player, rng):
    enemy = 1 - player
    if state.ply <= enemy:
        return  # not placed yet
    reds, drawn = 4, 0
    for ghost in range(8):
        reds -= state.colour[enemy, ghost] == RED
    while reds > 0:
        total = 0.0
        for ghost in range(8):
            if state.colour[enemy, ghost] == UNKNOWN and not drawn >> ghost & 1:
                total += belief.weights[ghost]
        left, choice = uniform(rng) * total, -1
        for ghost in range(8):
            if state.colour[enemy, ghost] == UNKNOWN and not drawn >> ghost & 1 and left >= 0:
                left -= belief.weights[ghost]
                choice = ghost
        drawn |= 1 << choice
        reds -= 1
    colour_unknown(state, enemy, drawn)


@helper
def colour_unknown(state, player, reds):
    """Colour the ghosts on the board whose colours are unknown: bit i of `reds` is ghost i."""
    for cell in range(64):
        label = state.label[cell] - 1
        if label >= 0 and label // 8 == player and state.colour[player, label % 8] == UNKNOWN:
            red = reds >> int(label % 8) & 1
            state.colour[player, label % 8] = RED if red else BLUE
            if not red:
                state.blues[player] |= np.uint64(1) << np.uint64(cell)


class Layouts(NamedTuple):
    """How likely the enemy placed its reds in each of the 70 ways, but for a common factor."""

    weights: npt.NDArray[np.float64]


@knows(Layouts)
def guess(belief, state, player, rng):
    if state.ply <= 1 - player:
        return  # not placed yet
    left, last = uniform(rng) * belief.weights.sum(), 0
    for i in range(len(LAYOUTS)):
        if belief.weights[i] > 0 and left >= 0:
            left -= belief.weights[i]
            last = LAYOUTS[i]
    colour_unknown(state, 1 - player, last)


class Signs(NamedTuple):
    """What is to be seen in an enemy's move: the ghost that moved, whether it came next to one of
    ours or went away from ours, those that waited next to one of ours, and those that stood on an
    exit and did not leave."""

    ghost: int
    came: bool
    went: bool
    waited: tuple[int, ...]
    stayed: tuple[int, ...]


def signs(view: rules.State, move: int) -> Signs:
    """The signs in a move that the enemy makes where we see `view`."""
    state, enemy = view[0], int(view[0].ply) % 2
    label = [int(number) for number in state.label]
    ours = {cell for cell in range(64) if label[cell] and (label[cell] - 1) // 8 != enemy}
    origin, target = move // 64, move % 64

    def near(cell: int, others: set[int]) -> bool:
        return any(cell + step in others for step in (-8, 1, 8, -1))

    before, after = near(origin, ours), near(target, ours - {target})
    waited = [cell for cell in range(64) if label[cell] and cell not in ours and near(cell, ours)]
    exits = [cell for cell in ((9, 14), (49, 54))[enemy] if label[cell] and cell not in ours]
    return Signs(
        (label[origin] - 1) % 8,
        after and not before and target not in ours,
        before and not after and target not in ours,
        tuple((label[cell] - 1) % 8 for cell in waited if cell != origin),
        tuple((label[cell] - 1) % 8 for cell in exits),
    )


def owner(view: rules.State) -> int:
    """The player whose view this is, once colours are placed: the one whose colours it shows."""
    state = view[0]
    known = [
        any(c != UNKNOWN and f == ON_BOARD for c, f in zip(colours, fates, strict=True))
        for colours, fates in zip(state.colour, state.fate, strict=True)
    ]
    return 0 if known[0] else 1


def is_enemys(view: rules.State) -> bool:
    """Whether the enemy of the one whose view this is makes the next move, and not a placement."""
    return bool(view[0].ply >= 2) and owner(view) != int(view[0].ply) % 2


MOST_RED = 65536.0


def redder(weights: npt.NDArray[np.float64], seen: Signs) -> None:
    """Aoki's rule, in place: twice as red when it comes, half when it goes, 1.2 times when it waits
    next to one of ours, and as red as can be when it stays; from 1 to MOST_RED."""
    weights[seen.ghost] *= 2.0 if seen.came else 0.5 if seen.went else 1.0
    weights[list(seen.waited)] *= 1.2
    weights[list(seen.stayed)] = MOST_RED
    np.clip(weights, 1.0, MOST_RED, out=weights)


TRAITS = (
    "moved forward", "moved sideways", "moved back", "came near", "went away", "captured",
    "waited near", "did not leave", "distance", "is near", "nothing",
)  # fmt: skip


class Trails:
    """What every enemy ghost has done so far: how often it did each of the TRAITS up to "did not
    leave" (a trait is the logarithm of 1 plus that), and where it stands now."""

    def __init__(self) -> None:
        self.counts = np.zeros((8, 8))

    def watch(self, view: rules.State, move: int) -> None:
        """Note a move that the enemy makes where we see `view`."""
        state, enemy = view[0], int(view[0].ply) % 2
        seen, step = signs(view, move), (move % 64 - move // 64) * (1 - 2 * enemy)
        mine = self.counts[seen.ghost]
        mine[0] += step == -8
        mine[1] += abs(step) == 1
        mine[2] += step == 8
        mine[3] += seen.came
        mine[4] += seen.went
        mine[5] += bool(int(state.ghosts[1 - enemy]) >> move % 64 & 1)
        self.counts[list(seen.waited), 6] += 1
        self.counts[list(seen.stayed), 7] += 1

    def traits(self, view: rules.State, enemy: int) -> dict[int, npt.NDArray[np.float64]]:
        """The TRAITS of each enemy ghost on the board, by its number."""
        past = np.log1p(self.counts)
        return {
            ghost: np.array([*past[ghost], distance / 10, float(near), 1.0])
            for ghost, distance, near in standing(view, enemy)
        }


def standing(view: rules.State, player: int) -> list[tuple[int, int, bool]]:
    """The ghosts of a player on the board, each with its steps to the nearest exit, and whether it
    is next to one of the other's."""
    others, found = int(view[0].ghosts[1 - player]), []
    for cell, label in enumerate(view[0].label):
        if label > 0 and (label - 1) // 8 == player:
            place = int(CELL[player, cell])
            distance = place // 6 + min(place % 6, 5 - place % 6)
            near = any(others >> cell + step & 1 for step in (-8, 1, 8, -1))
            found.append((int(label - 1) % 8, distance, near))
    return found


def prior_odds(view: rules.State, enemy: int) -> float:
    """How much likelier red than blue is a ghost of the enemy's of which nothing else is known."""
    shown = [int(colour) for colour in view[0].colour[enemy]]
    return (4 - shown.count(RED)) / (4 - shown.count(BLUE))


def learned_redness(
    weights: npt.NDArray[np.float64], trails: Trails, view: rules.State, enemy: int
) -> Redness:
    """The belief that the weights of the TRAITS make of what the ghosts did."""
    odds = np.ones(8)
    for ghost, traits in trails.traits(view, enemy).items():
        odds[ghost] = np.exp(np.clip(traits @ weights, -20, 20))
    return Redness(odds)


class Suspicion:
    """What the enemy's moves tell if it plays somewhat like Hayazashi: which colours make them
    likely. Several policies are averaged, because each has a style of its own."""

    STRENGTH = 0.2  # of the evidence of a move: those of one style are not independent
    ERROR = 0.2  # the share of moves that are any move

    def __init__(self, policies: list[Hayazashi]) -> None:
        self.policies = policies
        self.evidence = np.zeros(len(LAYOUTS))
        self.seen: set[tuple[bytes, int]] = set()

    def watch(self, view: rules.State, move: int) -> None:
        """Note a move that the enemy makes where we see `view`; a repetition tells nothing new."""
        sight = bytes(view[0].label), move
        if sight not in self.seen:
            self.seen.add(sight)
            moves, chances = np.empty(MOST_MOVES, np.int32), np.zeros(len(LAYOUTS))
            for policy in self.policies:
                add_chances(view, view.copy(), moves, policy, move, self.ERROR, chances)
            self.evidence += self.STRENGTH * np.log(chances / len(self.policies))

    def belief(self, view: rules.State, enemy: int, redness: Redness) -> Layouts:
        """The evidence together with how red the ghosts seem otherwise."""
        red = LAYOUTS[:, None] >> np.arange(8) & 1 == 1
        shown = view[0].colour[enemy]
        possible = ((shown == UNKNOWN) | ((shown == RED) == red)).all(axis=1)
        logs = self.evidence + np.where(red, np.log(redness.weights), 0.0).sum(axis=1)
        return Layouts(np.where(possible, np.exp(logs - logs[possible].max()), 0.0))


@kernel
def add_chances(view, work, moves, policy, move, error, chances):
    """Add how likely the policy makes a move with each of the layouts; 1 for those ruled out."""
    mover = view[0].ply & 1
    weights = np.empty(MOST_MOVES, np.float64)
    for i in range(len(LAYOUTS)):
        work[0] = view[0]
        possible = True
        for ghost in range(8):
            colour = RED if LAYOUTS[i] >> ghost & 1 else BLUE
            possible &= view[0].colour[mover, ghost] in (UNKNOWN, colour)
        if not possible:
            chances[i] += 1.0
            continue
        colour_unknown(work[0], mover, LAYOUTS[i])
        count = legal_moves(work[0], moves)
        weigh(policy, work[0], moves, count, weights)
        chances[i] += error / count
        for k in range(count):
            if moves[k] == move:
                chances[i] += (1.0 - error) * weights[k]


def read_redness(source: str) -> npt.NDArray[np.float64]:
    """The weights of the TRAITS, shipped under a name or in a file."""
    path = arrays.find(source)
    stored = arrays.need(path, "a file of weights of redness", redness=("f", (len(TRAITS),)))
    return stored["redness"].astype(np.float64)


# --- What a position is worth, where all colours are known ---------------------------------------

KINDS = 36  # own blue, own red, enemy blue and enemy red have the bits of so many cells each
COUNTED = 4 * KINDS  # then come 1 to 3 captured, of each kind, and one that is always set
ALL_BITS = COUNTED + 4 * 3 + 1
MIRRORED = np.arange(ALL_BITS)
MIRRORED[:COUNTED] += 5 - 2 * (MIRRORED[:COUNTED] % 6)


class Outlook(NamedTuple):
    """The chance to win of the player to move: Hayazashi's pairs of bits, with the enemy's colours
    among them. `pairs[i, j]` is the weight of bits i >= j."""

    pairs: Weights


@helper
def describe(state, bits):
    """Write the bits of a position with known colours, as the player to move sees it; how many."""
    mover, count = state.ply & 1, 0
    for side in range(2):
        player = mover if side == 0 else 1 - mover
        left = state.ghosts[player]
        while left != 0:
            cell = lowest(left)
            left &= left - np.uint64(1)
            red = 1 - int(state.blues[player] >> np.uint64(cell) & np.uint64(1))
            bits[count] = (2 * side + red) * KINDS + CELL[mover, cell]
            count += 1
        for red in range(2):
            captured = 0
            for ghost in range(8):
                if state.fate[player, ghost] == CAPTURED:
                    captured += (state.colour[player, ghost] == RED) == (red == 1)
            if 1 <= captured <= 3:
                bits[count] = COUNTED + 3 * (2 * side + red) + captured - 1
                count += 1
    bits[count] = ALL_BITS - 1
    return count + 1


@helper
def sum_of_pairs(pairs, bits, count):
    total = 0.0
    for i in range(count):
        for j in range(i + 1):
            total += pairs[max(bits[i], bits[j]), min(bits[i], bits[j])]
    return total


@knows(Outlook)
def evaluate(evaluation, state):
    bits = np.empty(MOST_SET, np.int64)
    value = sum_of_pairs(evaluation.pairs, bits, describe(state, bits))
    return value if state.ply & 1 == 0 else -value


# --- Weights -------------------------------------------------------------------------------------


def matrix(theta: Weights) -> Weights:
    """The features' weights, in their published order, as a symmetric matrix of pairs."""
    pairs = np.zeros((BITS, BITS), theta.dtype)
    pairs[np.tril_indices(NOTHING)] = theta
    return np.tril(pairs) + np.tril(pairs, -1).T


def vector(pairs: Weights) -> Weights:
    """The opposite of `matrix`."""
    return pairs[np.tril_indices(NOTHING)]


def hayazashi(theta: Weights, searcher: int = MOVERS) -> Hayazashi:
    """The policy with these weights, ready for kernels."""
    return Hayazashi(matrix(theta.astype(np.float32)), searcher)


def read_weights(source: str) -> Weights:
    """The weights that are shipped under a name, or those of a file: .npz with `theta`, or .npy."""
    path = arrays.find(source)
    key = "" if path.suffix == ".npy" else "theta"
    stored = arrays.need(path, "a file of Hayazashi's weights", **{key: ("f", (FEATURES,))})
    return stored[key].astype(np.float64)


def read_outlook(source: str) -> Outlook:
    """The learned chance to win, shipped under a name or in a file."""
    path = arrays.find(source)
    stored = arrays.need(path, "a file of an outlook", outlook=("f", (ALL_BITS, ALL_BITS)))
    return Outlook(stored["outlook"].astype(np.float32))


def digest(theta: Weights) -> str:
    """What tells these weights from all others, in short."""
    return hashlib.sha256(theta.astype(np.float32).tobytes()).hexdigest()[:12]
