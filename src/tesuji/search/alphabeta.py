"""Alpha-beta with iterative deepening, over any game without chance and hidden information.

Start with `walk`, the loop; `deepen` runs it with growing depth, `search` gives them memory and a
budget. The value of a position is its mover's: the evaluation, or ±`WIN` where the
game is over. A turn may have several moves of one player, so a value is negated just where the
player changes. Depth is counted in whole turns, and then leaves stand at the beginning of a turn,
or in moves, where a game's turns are too long to be searched whole (`counts_turns`).

What makes it fast: principal variation search (after the first move of a node, the others only have
to prove that they are no better, with a window that holds no number), a transposition table, and
the order of moves: that of the table, two killers of the level, then by how often a move has cut
elsewhere. The root's moves keep the order of the iteration before.

Invariants: a window of ordinary width never takes its value from the table, so the principal
variation is always complete and its last position has the value of the search; the number of the
turn is part of the table's key, since games may end at a turn; the result depends on nothing but
the arguments, unless time or the stop flag ends the search. The first iteration is always finished;
a later one that is stopped leaves what it has found at the root.
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import rng as random_words
from tesuji import rules
from tesuji.errors import BadInput
from tesuji.kernels import helper, kernel
from tesuji.knowledge import evaluate
from tesuji.rng import below, mix
from tesuji.rules import is_over, legal_moves, outcome, play, player_to_move, position_hash, turn
from tesuji.search.budget import REPORT_SECONDS

WIN = 1e9  # evaluations are cut to a tenth of it
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
NODES, LIMIT, LEAVES, ROOT_MOVES = range(4)
CALLER, CLOCK = 0, 1
NO_LIMIT = np.iinfo(np.int64).max
HISTORY = 1 << 14

ENTRY = np.dtype(
    [("key", "u8"), ("value", "f8"), ("move", "i4"), ("depth", "i2"), ("bound", "i2")], align=True
)
"""A line of the transposition table; one of all zeros is free."""

FRAME = np.dtype(
    [
        ("alpha", "f8"), ("beta", "f8"),  # the window that was asked about
        ("low", "f8"), ("best", "f8"),  # alpha or the best value so far; the best value so far
        ("high", "f8"),  # the upper end of the window of the move being tried
        ("key", "u8"), ("nodes", "i8"),  # of the table; counted before the move being tried
        ("depth", "i4"), ("left", "i4"),  # to go from here, and after the move being tried
        ("turn", "i4"), ("player", "i4"), ("sign", "i4"),  # -1 if the move changes the player
        ("count", "i4"), ("tried", "i4"),  # moves, and how many of them have their value
        ("move", "i4"), ("best_move", "i4"),
        ("killer", "i4"), ("killer_2", "i4"),  # the last two moves that cut at this level
        ("end", "i4"),  # where the principal variation from this level ends
    ],
    align=True,
)  # fmt: skip
"""What is known of the position at a level while it is being searched."""


class Memory(NamedTuple):
    """All that a search works in; rows belong to levels, level 0 is the root."""

    states: Any  # the position at each level
    frames: Any  # what is known of it
    moves: npt.NDArray[np.int32]  # its legal moves
    scores: npt.NDArray[np.int64]  # what they are ordered by
    line: npt.NDArray[np.int32]  # the principal variation from there
    history: npt.NDArray[np.int32]  # [player, move folded] -> how much it has cut
    table: Any
    values: npt.NDArray[np.float64]  # of the root's moves: exact for the best, else a bound
    effort: npt.NDArray[np.int64]  # nodes below the root's moves
    counters: npt.NDArray[np.int64]  # nodes, their limit, leaves evaluated, the root's moves
    stop: npt.NDArray[np.int8]  # set from other threads, the caller's and the clock, to end it


class Leaves(NamedTuple):
    """How leaves are valued: by knowledge, and a random term that is fixed for each position."""

    evaluation: Any
    noise: float
    salt: np.uint64


@helper
def stopped(counters, stop):
    if counters[LIMIT] == NO_LIMIT:
        return False
    return stop[CALLER] != 0 or stop[CLOCK] != 0 or counters[NODES] >= counters[LIMIT]


@helper
def leaf_value(leaves, state):
    """The value of a position for player 0, without looking further."""
    if is_over(state):
        return outcome(state) * WIN
    value = evaluate(leaves.evaluation, state)
    if leaves.noise > 0.0:
        word = mix(position_hash(state) ^ leaves.salt) >> np.uint64(11)
        value += leaves.noise * (np.float64(word) * 2.0**-52 - 1.0)
    return min(max(value, -0.1 * WIN), 0.1 * WIN)


@helper
def folded(move):
    return (move ^ (move >> 14)) & (HISTORY - 1)


@helper
def score_moves(frame, moves, scores, history, first):
    """Give each move a number: the higher, the earlier it is tried."""
    for i in range(frame.count):
        move = moves[i]
        score = int(history[frame.player, folded(move)])
        if move == first:
            score = 1 << 40
        elif move == frame.killer:
            score = 1 << 39
        elif move == frame.killer_2:
            score = 1 << 38
        scores[i] = score


@helper
def bring_forward(moves, scores, i, count):
    """Swap the best of the moves from i on to place i, and return it."""
    best = i
    for j in range(i + 1, count):
        if scores[j] > scores[best]:
            best = j
    moves[i], moves[best] = moves[best], moves[i]
    scores[i], scores[best] = scores[best], scores[i]
    return moves[i]


@helper
def remember_cut(frame, history):
    if frame.killer != frame.best_move:
        frame.killer_2 = frame.killer
        frame.killer = frame.best_move
    history[frame.player, folded(frame.best_move)] += frame.depth * frame.depth


@helper
def extend_line(frames, line, level):
    """The principal variation of a level: the move being tried, and that of the level below."""
    line[level, level] = frames[level].move
    frames[level].end = frames[level + 1].end
    for i in range(level + 1, frames[level].end):
        line[level, i] = line[level + 1, i]


@helper
def enter(memory, level, depth, alpha, beta):
    """Begin with the position at a level: look into the table, else list and order its moves."""
    state, frame = memory.states[level], memory.frames[level]
    frame.depth, frame.alpha, frame.low, frame.beta = depth, alpha, alpha, beta
    frame.player, frame.turn = player_to_move(state), turn(state)
    frame.best, frame.best_move = -np.inf, -1
    frame.tried, frame.count = 0, 0
    frame.end = level
    frame.key = mix(position_hash(state) ^ mix(np.uint64(frame.turn)))
    entry = memory.table[np.int64(frame.key & np.uint64(len(memory.table) - 1))]
    first_move = -1
    if entry.key == frame.key and entry.bound != 0:
        first_move = entry.move
        if entry.depth >= depth and beta <= np.nextafter(alpha, np.inf):
            above = entry.bound != AT_MOST and entry.value >= beta
            below = entry.bound != AT_LEAST and entry.value <= alpha
            if above or below:
                frame.best = entry.value  # nothing left to try
                return
    if level == 0:  # the root's moves have been listed and ordered
        frame.count = memory.counters[ROOT_MOVES]
    else:
        frame.count = legal_moves(state, memory.moves[level])
        moves, scores = memory.moves[level], memory.scores[level]
        score_moves(frame, moves, scores, memory.history, first_move)


@helper
def take(memory, level, value):
    """The move being tried has this value for the player who makes it."""
    frame = memory.frames[level]
    if level == 0:
        memory.values[frame.tried] = value
        memory.effort[frame.tried] += memory.counters[NODES] - frame.nodes
    frame.tried += 1
    if value > frame.best:
        frame.best, frame.best_move = value, frame.move
        if value > frame.low:
            frame.low = value
            extend_line(memory.frames, memory.line, level)


@helper
def leave(frame, table, history):
    """All is known about a position: remember it."""
    if frame.tried == 0:
        return  # the table knew it
    bound = EXACT
    if frame.best >= frame.beta:
        bound = AT_LEAST
        remember_cut(frame, history)
    elif frame.best <= frame.alpha:
        bound = AT_MOST
    entry = table[np.int64(frame.key & np.uint64(len(table) - 1))]
    entry.key, entry.value, entry.move = frame.key, frame.best, frame.best_move
    entry.depth, entry.bound = frame.depth, bound


@helper
def walk(memory, leaves, whole_turns, depth):
    """Search the root's position to a depth; its value. Level by level down, and back with values.

    Frames stand for the calls of a recursive function, which Numba does not keep on disk.
    """
    enter(memory, 0, depth, -np.inf, WIN)
    level = 0
    while not stopped(memory.counters, memory.stop):
        frame = memory.frames[level]
        value, deeper = 0.0, False
        if frame.tried < frame.count and frame.best < frame.beta:
            i = frame.tried
            frame.move = memory.moves[0, i]
            if level > 0:
                frame.move = bring_forward(
                    memory.moves[level], memory.scores[level], i, frame.count
                )
            frame.nodes = memory.counters[NODES]
            memory.counters[NODES] += 1
            memory.states[level + 1] = memory.states[level]
            child = memory.states[level + 1]
            play(child, frame.move)
            frame.left = frame.depth - (turn(child) - frame.turn if whole_turns else 1)
            if is_over(child) or frame.left <= 0 or level + 2 == len(memory.states):
                memory.counters[LEAVES] += not is_over(child)
                memory.frames[level + 1].end = level + 1
                value = leaf_value(leaves, child)
                value = value if frame.player == 0 else -value
            else:
                frame.sign = 1 if player_to_move(child) == frame.player else -1
                frame.high = frame.beta if i == 0 else np.nextafter(frame.low, np.inf)
                deeper = True
        else:
            leave(frame, memory.table, memory.history)
            if level == 0:
                break
            level -= 1
            frame = memory.frames[level]
            value = frame.sign * memory.frames[level + 1].best
            if frame.high <= value < frame.beta:
                frame.high = frame.beta  # better than the best so far: find out by how much
                deeper = True
        if deeper:
            low = frame.low if frame.sign > 0 else -frame.high
            high = frame.high if frame.sign > 0 else -frame.low
            level += 1
            enter(memory, level, np.int64(frame.left), low, high)
        else:
            take(memory, level, value)
    return memory.frames[0].best


@helper
def forget(memory):
    """Empty the memory of an earlier search; a new one is empty."""
    for i in range(len(memory.table)):
        memory.table[i].bound = 0
    for player in range(2):
        for i in range(HISTORY):
            memory.history[player, i] = 0
    for level in range(len(memory.frames)):
        memory.frames[level].killer = -1
        memory.frames[level].killer_2 = -1


@helper
def list_root(memory, rng):
    """List the moves of the root, `memory.states[0]`, in random order."""
    moves = memory.moves[0]
    count = legal_moves(memory.states[0], moves)
    for i in range(count):
        other = i + below(rng, count - i)
        moves[i], moves[other] = moves[other], moves[i]
        memory.values[i] = 0.0
        memory.effort[i] = 0
    memory.counters[NODES] = 0
    memory.counters[ROOT_MOVES] = count


@kernel
def deepen(memory, leaves, whole_turns, depth, nodes, line, rng):
    """Search the position at level 0 deeper and deeper: its value, depth and the line's length.

    The root's moves end up best first, with their values; the principal variation is written to
    `line`. `rng` draws the order of equal moves at the root.
    """
    list_root(memory, rng)
    value, length, done = 0.0, 0, 0
    for now in range(1, depth + 1):
        memory.counters[LIMIT] = NO_LIMIT if now == 1 else nodes
        memory.counters[LEAVES] = 0
        found = walk(memory, leaves, whole_turns, now)
        lost = found <= -WIN and now > 1  # then the move that held out longest stands
        if memory.frames[0].end > 0 and not lost:
            value, length = found, memory.frames[0].end
            for i in range(length):
                line[i] = memory.line[0, i]
            order_root(memory, line[0], stopped(memory.counters, memory.stop))
        if stopped(memory.counters, memory.stop):
            break
        value, done = found, now
        if abs(found) >= WIN or memory.counters[LEAVES] == 0:
            break
    return value, done, length


@helper
def order_root(memory, best, only_best):
    """Sort the root's moves by value, or only bring the best to the front; stable."""
    moves, values, effort = memory.moves[0], memory.values, memory.effort
    for i in range(1, memory.counters[ROOT_MOVES]):
        move, value, spent = moves[i], values[i], effort[i]
        j = i
        while j > 0 and moves[j - 1] != best:
            if move != best and (only_best or value <= values[j - 1]):
                break
            moves[j], values[j], effort[j] = moves[j - 1], values[j - 1], effort[j - 1]
            j -= 1
        moves[j], values[j], effort[j] = move, value, spent


# --- The search as a caller sees it --------------------------------------------------------------


class Candidate(NamedTuple):
    """A move at the root: the nodes spent on it, and its value for the player who moves.

    The first one's value is exact; the others' are bounds from above.
    """

    move: int
    nodes: int
    value: float


@dataclass(frozen=True)
class Result:
    """What a search found. `depth` is that of the last iteration that was completed."""

    candidates: list[Candidate]
    line: list[int]
    value: float
    depth: int
    nodes: int
    seconds: float

    @property
    def best(self) -> int:
        return self.candidates[0].move


MAX_DEPTH = 64
MAX_LEVELS = 256
TABLE_BITS = 20


def counts_turns(game: rules.Game) -> bool:
    """Whether depth means whole turns in this game; otherwise it means moves."""
    return game.moves_per_turn <= 2


def check_settings(nodes: int | None, seconds: float | None, depth: int | None) -> None:
    """Refuse settings that no search can have."""
    if nodes is None and seconds is None and depth is None:
        raise BadInput("alphabeta needs a budget: nodes, seconds or a depth")
    if (nodes is not None and nodes < 1) or (seconds is not None and seconds <= 0):
        raise BadInput("alphabeta needs a budget of at least one node or some time")
    if depth is not None and not 1 <= depth <= MAX_DEPTH:
        raise BadInput(f"alphabeta needs a depth from 1 to {MAX_DEPTH}, not {depth}")


def check_game(game: rules.Game) -> None:
    """Refuse a game in which the value of a position is more than the best of its successors'."""
    if game.chance or game.hidden:
        what = "chance" if game.chance else "hidden information"
        raise BadInput(f"alphabeta cannot play {game.name}: it has {what}")


def new_memory(state: rules.State, depth: int, table_bits: int) -> Memory:
    """Empty memory for searches from states of this type."""
    game = rules.game_of(state)
    levels = min(depth * (game.moves_per_turn if counts_turns(game) else 1), MAX_LEVELS)
    levels = min(levels, game.bounds(state).length) + 1
    width = len(game.moves_buffer(state))
    return Memory(
        states=np.concatenate([state] * (levels + 1)).view(np.recarray),
        frames=np.zeros(levels + 1, FRAME).view(np.recarray),
        moves=np.empty((levels, width), np.int32),
        scores=np.empty((levels, width), np.int64),
        line=np.empty((levels + 1, levels + 1), np.int32),
        history=np.zeros((2, HISTORY), np.int32),
        table=np.zeros(1 << table_bits, ENTRY).view(np.recarray),
        values=np.empty(width),
        effort=np.empty(width, np.int64),
        counters=np.zeros(4, np.int64),
        stop=np.zeros(2, np.int8),
    )


def search(
    state: rules.State,
    evaluation: Any = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    noise: float = 0.0,
    rng: random_words.Rng | int = 0,
    table_bits: int | None = None,
    stop: npt.NDArray[np.int8] | None = None,
    report: Callable[[Result], None] | None = None,
) -> Result:
    """Search a position until the first of its budgets is used up; the state is not changed.

    evaluation            knowledge that answers `evaluate`; None holds all positions equal
    nodes, seconds, depth the budgets; at least one. Every position that is made is a node
    noise                 the size of a random term in the evaluation, fixed for each position
    rng                   draws the order of equal moves at the root, and the random term
    table_bits            the transposition table has so many entries, as a power of two
    stop                  zeros(2, int8): another thread ends the search by setting the first
    report                is called about five times a second with the result so far, in a thread;
                          what it raises ends the search, and is raised here
    """
    check_settings(nodes, seconds, depth)
    game = rules.game_of(state)
    check_game(game)
    if game.is_over(state):
        raise BadInput("the game is over: there is nothing to search")
    start = time.perf_counter()
    if isinstance(rng, int):
        rng = random_words.seeded(rng)
    if table_bits is None:
        table_bits = TABLE_BITS if nodes is None else min(max(10, nodes.bit_length()), TABLE_BITS)
    game.legal_moves(state)  # refuses a game that has more of them than it declares
    memory = new_memory(state, depth or MAX_DEPTH, table_bits)
    if stop is not None:
        memory = memory._replace(stop=stop)
    line = np.zeros(len(memory.states), np.int32)
    salt = random_words.next_u64(rng)

    def result(value: float, done: int, line: list[int]) -> Result:
        count = memory.counters[ROOT_MOVES]
        columns = [
            part[:count].tolist() for part in (memory.moves[0], memory.effort, memory.values)
        ]
        return Result(
            candidates=[Candidate(*one) for one in zip(*columns, strict=True)],
            line=line,
            value=value,
            depth=done,
            nodes=int(memory.counters[NODES]),
            seconds=time.perf_counter() - start,
        )

    over, refused = threading.Event(), []

    def tell(report: Callable[[Result], None]) -> None:
        while not over.wait(REPORT_SECONDS):
            if memory.counters[ROOT_MOVES]:
                try:
                    report(result(float(memory.values[0]), 0, [int(memory.moves[0, 0])]))
                except BaseException as error:  # the caller wants no more: so says the search
                    refused.append(error)
                    memory.stop[CLOCK] = 1
                    return

    timer, teller = None, threading.Thread(target=tell, args=(report,), daemon=True)
    memory.stop[CLOCK] = 0
    if report is not None:
        teller.start()
    if seconds is not None:
        left = seconds - (time.perf_counter() - start)
        timer = threading.Timer(max(0.0, left), memory.stop.__setitem__, (CLOCK, 1))
        timer.start()
    try:
        value, done, length = deepen(
            memory,
            Leaves(evaluation, float(noise), salt),
            counts_turns(game),
            depth or MAX_DEPTH,
            NO_LIMIT - 1 if nodes is None else nodes,
            line,
            rng,
        )
    finally:
        if timer is not None:
            timer.cancel()
            timer.join()
        over.set()
        if report is not None:
            teller.join()
    if refused:
        raise refused[0]
    return result(float(value), int(done), [int(move) for move in line[:length]])


def chance_to_win(value: float) -> float:
    """A value as a number from 0 (lost) to 1 (won)."""
    return 1.0 / (1.0 + math.exp(-min(max(value, -500.0), 500.0)))
