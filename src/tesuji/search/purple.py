"""Alpha-beta over Geister with purple ghosts: a worst case made into perfect information.

Whose colours are unknown counts as red when it is captured and as blue when it leaves: a purple
ghost, as in the program Naotti-2020. Ghosts may also be given a colour for certain, and then it is
a search on perfect information.

Start with `value`. The board is a handful of words (`Position`, in the searcher's frame, turned
half around for player 1): the own reds and blues, the enemy's ghosts, and of these the ones that
may leave and the ones that count as red. `red_left` more red captures lose, `blue_left` more blue
ones win. A side that is to move and has a ghost on its exit that may leave has won.
"""

from typing import Any, NamedTuple

import numpy as np

from tesuji import rules
from tesuji.bits import lowest, popcount
from tesuji.games.geister import BLUE, BOARD, RED, UNKNOWN
from tesuji.kernels import helper, kernel

WON = 1_000_000
NEVER = 8  # more blue captures than there are ghosts of unknown colour

EXITS = np.uint64(1 << 9 | 1 << 14)
ENEMY_EXITS = np.uint64(1 << 49 | 1 << 54)
STEPS = np.array([-8, 1, 8, -1])
DISTANCE = np.array(
    [(cell - 9) // 8 + min((cell - 9) % 8, 5 - (cell - 9) % 8) for cell in range(64)]
)


class Position(NamedTuple):
    """A position as the searcher sees it and takes it to be."""

    reds: np.uint64
    blues: np.uint64
    enemies: np.uint64
    leavers: np.uint64
    poison: np.uint64
    red_left: int
    blue_left: int


@kernel
def value(reds, blues, enemies, leavers, poison, red_left, blue_left, mine, depth, alpha, beta):
    """What a position is worth to the side to move, the searcher's if `mine`."""
    one = np.uint64(1)
    if reds == 0 or blue_left == 0:
        return WON + depth if mine else -WON - depth
    if blues == 0 or red_left == 0:
        return -WON - depth if mine else WON + depth
    if (blues & EXITS if mine else leavers & ENEMY_EXITS) != 0:
        return WON + depth
    if depth == 0:
        worth = 1000 * (popcount(blues) - blue_left)
        worth += distances(enemies, 63) - distances(reds | blues, 0)
        return worth if mine else -worth
    own = reds | blues if mine else enemies
    left = own
    while left != 0:
        origin = lowest(left)
        leaves = one << np.uint64(origin)
        left ^= leaves
        for direction in range(4):
            enters = one << np.uint64(origin + STEPS[direction])
            if enters & BOARD & ~own == 0:
                continue
            both = leaves | enters
            if mine:
                captured = enemies & enters
                red = captured & poison
                result = -value(
                    reds ^ both if reds & leaves else reds,
                    blues ^ both if blues & leaves else blues,
                    enemies ^ captured,
                    leavers & ~captured,
                    poison ^ red,
                    red_left - (red != 0),
                    blue_left - (captured != red),
                    False, depth - 1, -beta, -alpha,
                )  # fmt: skip
            else:
                result = -value(
                    reds & ~enters,
                    blues & ~enters,
                    enemies ^ both,
                    leavers ^ both if leavers & leaves else leavers,
                    poison ^ both if poison & leaves else poison,
                    red_left, blue_left, True, depth - 1, -beta, -alpha,
                )  # fmt: skip
            alpha = max(alpha, result)
            if alpha >= beta:
                return alpha
    return alpha


@helper
def distances(ghosts, turn):
    """The steps of all ghosts to their nearest exits; `turn` is 63 for those who leave below."""
    total = 0
    while ghosts != 0:
        total += DISTANCE[lowest(ghosts) ^ turn]
        ghosts &= ghosts - np.uint64(1)
    return total


@helper
def answer(position, move, depth, alpha, beta):
    """What a move of the searcher's is worth."""
    leaves = np.uint64(1) << np.uint64(move // 64)
    enters = np.uint64(1) << np.uint64(move % 64)
    if enters & BOARD == 0:
        return WON + depth
    both, captured = leaves | enters, position.enemies & enters
    red = captured & position.poison
    return -value(
        position.reds ^ both if position.reds & leaves else position.reds,
        position.blues ^ both if position.blues & leaves else position.blues,
        position.enemies ^ captured,
        position.leavers & ~captured,
        position.poison ^ red,
        position.red_left - (red != 0),
        position.blue_left - (captured != red),
        False, depth - 1, -beta, -alpha,
    )  # fmt: skip


@kernel
def wins(position, moves, count, depth):
    """The index of a move after which the searcher wins, whatever the colours are; -1 if none."""
    for i in range(count):
        if answer(position, moves[i], depth, WON - 1, WON) >= WON:
            return i
    return -1


@kernel
def values(position, moves, count, depth, results):
    """The index of the searcher's first best move. The results of moves that are no better than
    an earlier one are only bounds."""
    best = 0
    alpha = -2 * WON
    for i in range(count):
        results[i] = answer(position, moves[i], depth, alpha, 2 * WON)
        if results[i] > alpha:
            alpha = results[i]
            best = i
    return best


# --- The search as a caller sees it --------------------------------------------------------------


def position(view: rules.State, certain: int | None = None) -> Position:
    """What the mover sees, with purple enemies; or with the ghost of a number as the only red one.

    Ghosts whose colours are known keep them.
    """
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

    def seen(word: int) -> np.uint64:
        return np.uint64(_half_turned(word) if mover == 1 else word)

    return Position(
        seen(int(state.ghosts[mover]) & ~blues), seen(blues), seen(enemies), seen(leavers),
        seen(poison), red_left, blue_left,
    )  # fmt: skip


def _half_turned(word: int) -> int:
    return int(f"{word:064b}"[::-1], 2)


def search(view: rules.State, depth: int, certain: int | None = None) -> tuple[int, int]:
    """The best move of the mover to a depth in moves, the first of several, and its value."""
    moves = _moves(view)
    results = np.empty(len(moves), np.int64)
    best = int(values(position(view, certain), moves, len(moves), depth, results))
    return _turned_back(view, moves[best]), int(results[best])


def certain_win(view: rules.State, depth: int) -> int | None:
    """A move that wins within so many moves whatever the enemy's colours are; None if none does.

    Purple enemies are the worst of all colourings at once, and know the mover's colours.
    """
    moves = _moves(view)
    best = int(wins(position(view), moves, len(moves), depth))
    return None if best < 0 else _turned_back(view, moves[best])


def _moves(view: rules.State) -> Any:
    """The mover's moves in the mover's frame."""
    turn = 63 * (int(view[0].ply) % 2)
    legal = rules.game_of(view).legal_moves(view)
    return np.sort([(move // 64 ^ turn) * 64 + (move % 64 ^ turn) for move in legal])


def _turned_back(view: rules.State, move: int) -> int:
    turn = 63 * (int(view[0].ply) % 2)
    return int((move // 64 ^ turn) * 64 + (move % 64 ^ turn))
