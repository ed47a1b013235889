"""Alpha-beta over Geister with purple ghosts: a worst case made into perfect information.

Whose colours are unknown counts as red when it is captured and as blue when it leaves: a purple
ghost, as in the program Naotti-2020. Ghosts may also be given a colour for certain, and then it is
a search on perfect information.

Start with `worth`. The board is five words (`REDS` and so on, in the searcher's frame, turned half
around for player 1): the own reds and blues, the enemy's ghosts, and of these the ones that may
leave and the ones that count as red. So many more red captures lose, so many blue ones win. A side
that is to move and has a ghost on its exit that may leave has won.

The search keeps its own stack (a compiled function that calls itself cannot be cached): level 0 is
the position, where the searcher moves, and so on every even level.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import rules
from tesuji.bits import lowest, popcount
from tesuji.games.geister import BLUE, BOARD, RED, UNKNOWN
from tesuji.kernels import helper, kernel

WON = 1_000_000
NEVER = 8  # more blue captures than there are ghosts of unknown colour
DEEPEST = 12

REDS, BLUES, ENEMIES, LEAVERS, POISON = range(5)
RED_LEFT, BLUE_LEFT = range(2)
EXITS = np.uint64(1 << 9 | 1 << 14)
ENEMY_EXITS = np.uint64(1 << 49 | 1 << 54)
STEPS = np.array([-8, 1, 8, -1])
DISTANCE = np.array([at // 8 + min(at % 8, 5 - at % 8) for at in range(-9, 55)])  # by cell


class Stack(NamedTuple):
    """For each level the board, what is left to capture, alpha and beta, the ghosts still to be
    moved, and the ghost and the direction that are being tried."""

    boards: npt.NDArray[np.uint64]
    counts: npt.NDArray[np.int64]
    bounds: npt.NDArray[np.int64]
    left: npt.NDArray[np.uint64]
    origin: npt.NDArray[np.int64]
    direction: npt.NDArray[np.int64]


def new_stack() -> Stack:
    size = DEEPEST + 1
    return Stack(
        boards=np.zeros((size, 5), np.uint64),
        counts=np.zeros((size, 2), np.int64),
        bounds=np.zeros((size, 2), np.int64),
        left=np.zeros(size, np.uint64),
        origin=np.zeros(size, np.int64),
        direction=np.zeros(size, np.int64),
    )


@helper
def make(stack, level, leaves, enters):
    """Put the position after a move on the next level."""
    board, after = stack.boards[level], stack.boards[level + 1]
    captured = np.uint64(0)
    if level % 2 == 0:
        captured = board[ENEMIES] & enters
    red = captured & board[POISON]
    for kind in range(5):
        moved = leaves | enters if board[kind] & leaves != 0 else np.uint64(0)
        after[kind] = (board[kind] & ~enters) ^ moved
    stack.counts[level + 1, RED_LEFT] = stack.counts[level, RED_LEFT] - (red != 0)
    stack.counts[level + 1, BLUE_LEFT] = stack.counts[level, BLUE_LEFT] - (captured != red)


@helper
def winner(stack, level):
    """1 if the searcher has won, -1 if the enemy has, 0 if nobody has yet."""
    board, counts = stack.boards[level], stack.counts[level]
    if board[REDS] == 0 or counts[BLUE_LEFT] == 0:
        return 1
    if board[BLUES] == 0 or counts[RED_LEFT] == 0:
        return -1
    if level % 2 == 0:
        return 1 if board[BLUES] & EXITS != 0 else 0
    return -1 if board[LEAVERS] & ENEMY_EXITS != 0 else 0


@helper
def evaluation(stack, level):
    """How well the searcher stands: blues, and ways to the exits."""
    board = stack.boards[level]
    balance = 1000 * (popcount(board[BLUES]) - stack.counts[level, BLUE_LEFT])
    return balance + distances(board[ENEMIES], 63) - distances(board[REDS] | board[BLUES], 0)


@helper
def distances(ghosts, turn):
    """The steps of all ghosts to their nearest exits; `turn` is 63 for those who leave below."""
    total = 0
    while ghosts != 0:
        total += DISTANCE[lowest(ghosts) ^ turn]
        ghosts &= ghosts - np.uint64(1)
    return total


@helper
def next_move(stack, level):
    """Make the next move of the side to move on this level, if there is one."""
    board = stack.boards[level]
    own = board[ENEMIES] if level % 2 == 1 else board[REDS] | board[BLUES]
    while True:
        stack.direction[level] += 1
        if stack.direction[level] >= 4:
            if stack.left[level] == 0:
                return False
            stack.origin[level] = lowest(stack.left[level])
            stack.left[level] &= stack.left[level] - np.uint64(1)
            stack.direction[level] = 0
        origin = stack.origin[level]
        enters = np.uint64(1) << np.uint64(origin + STEPS[stack.direction[level]])
        if enters & BOARD & ~own != 0:
            make(stack, level, np.uint64(1) << np.uint64(origin), enters)
            return True


@helper
def worth(stack, depth, alpha, beta):
    """What the position on level 1, where the enemy is to move, is worth to the searcher after
    `depth` moves in all: by alpha-beta, each level from the view of its side to move."""
    level, fresh = 1, True
    stack.bounds[1, 0], stack.bounds[1, 1] = -beta, -alpha
    while True:
        result, known = 0, False
        if fresh:
            sign = 1 - 2 * (level % 2)
            won = winner(stack, level)
            if won != 0:
                result, known = sign * won * (WON + depth - level), True
            elif level == depth:
                result, known = sign * evaluation(stack, level), True
            board = stack.boards[level]
            own = board[ENEMIES] if level % 2 == 1 else board[REDS] | board[BLUES]
            stack.left[level], stack.direction[level] = own, 4
        if not known:
            if next_move(stack, level):
                stack.bounds[level + 1, 0] = -stack.bounds[level, 1]
                stack.bounds[level + 1, 1] = -stack.bounds[level, 0]
                level, fresh = level + 1, True
                continue
            result = stack.bounds[level, 0]
        level, fresh = level - 1, False
        if level == 0:
            return -result
        stack.bounds[level, 0] = max(stack.bounds[level, 0], -result)
        if stack.bounds[level, 0] >= stack.bounds[level, 1]:
            stack.left[level], stack.direction[level] = np.uint64(0), 4


@helper
def answer(stack, move, depth, alpha, beta):
    """What a move of the searcher's on level 0 is worth."""
    enters = np.uint64(1) << np.uint64(move % 64)
    if enters & BOARD == 0:
        return WON + depth
    make(stack, 0, np.uint64(1) << np.uint64(move // 64), enters)
    return worth(stack, depth, alpha, beta)


@kernel
def wins(stack, moves, depth):
    """The index of a move after which the searcher wins, whatever the colours are; -1 if none."""
    for i in range(len(moves)):
        if answer(stack, moves[i], depth, WON - 1, WON) >= WON:
            return i
    return -1


@kernel
def values(stack, moves, depth, results):
    """The index of the searcher's first best move. The results of moves that are no better than
    an earlier one are only bounds."""
    best, alpha = 0, -2 * WON
    for i in range(len(moves)):
        results[i] = answer(stack, moves[i], depth, alpha, 2 * WON)
        if results[i] > alpha:
            best, alpha = i, results[i]
    return best


# --- The search as a caller sees it --------------------------------------------------------------


def prepared(view: rules.State, certain: int | None = None) -> Stack:
    """A stack with what the mover sees: enemies of unknown colour are purple, unless one of them,
    by its number, is certain to be the only red one."""
    state, mover = view[0], int(view[0].ply) % 2
    enemy = 1 - mover
    blues, enemies = int(state.blues[mover]), int(state.ghosts[enemy])
    leavers = poison = 0
    captured = [int(c) for c, f in zip(state.colour[enemy], state.fate[enemy], strict=True) if f]
    red_left, blue_left = 4 - captured.count(RED), 4 - captured.count(BLUE)
    for cell, label in enumerate(state.label):
        if label == 0 or (label - 1) // 8 != enemy:
            continue
        colour = int(state.colour[enemy, (label - 1) % 8])
        if certain is not None:
            colour = RED if (label - 1) % 8 == certain else BLUE
        leavers |= (colour != RED) << cell
        poison |= (colour != BLUE) << cell
        if colour == UNKNOWN:
            blue_left = NEVER
    if certain is not None:
        red_left, blue_left = 1, enemies.bit_count() - 1

    stack = new_stack()
    words = (int(state.ghosts[mover]) & ~blues, blues, enemies, leavers, poison)
    stack.boards[0] = [_half_turned(word) if mover == 1 else word for word in words]
    stack.counts[0] = red_left, blue_left
    return stack


def _half_turned(word: int) -> int:
    return int(f"{word:064b}"[::-1], 2)


def search(view: rules.State, depth: int, certain: int | None = None) -> tuple[int, int]:
    """The best move of the mover to a depth in moves, the first of several, and its value."""
    moves = _moves(view)
    results = np.empty(len(moves), np.int64)
    best = int(values(prepared(view, certain), moves, depth, results))
    return _turned_back(view, moves[best]), int(results[best])


def certain_win(view: rules.State, depth: int) -> int | None:
    """A move that wins within so many moves whatever the enemy's colours are; None if none does.

    Purple enemies are the worst of all colourings at once, and know the mover's colours.
    """
    moves = _moves(view)
    best = int(wins(prepared(view), moves, depth))
    return None if best < 0 else _turned_back(view, moves[best])


def _moves(view: rules.State) -> Any:
    """The mover's moves in the mover's frame."""
    turn = 63 * (int(view[0].ply) % 2)
    legal = rules.game_of(view).legal_moves(view)
    return np.sort([(move // 64 ^ turn) * 64 + (move % 64 ^ turn) for move in legal])


def _turned_back(view: rules.State, move: int) -> int:
    turn = 63 * (int(view[0].ply) % 2)
    return int((move // 64 ^ turn) * 64 + (move % 64 ^ turn))
