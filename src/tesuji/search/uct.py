"""UCT: Monte Carlo tree search with UCB1 (Kocsis and Szepesvari 2006), over any game.

Start with `simulate`, the loop; `search` gives it memory and a budget. A simulation walks down the
tree by `select`, grows it by `expand` once a leaf has been visited often enough, plays the game to
its end at random and writes the result along its path by `backup`.

The tree is a struct of arrays (`Tree`). Node 0 is the root. The children of a node are
`first[node] : first[node] + children[node]`; a leaf has none. `player[node]` made the move that
leads to the node, `reward[node]` is the sum of *that player's* rewards (1 win, 1/2 draw, 0 loss)
over `visits[node]` simulations, so nothing assumes that the players alternate.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji import rng as random_words
from tesuji import rules
from tesuji.errors import BadInput
from tesuji.kernels import helper, kernel
from tesuji.rng import below
from tesuji.rules import (
    CHANCE,
    draw_outcome,
    is_over,
    legal_moves,
    outcome,
    play,
    player_to_move,
)
from tesuji.search.montecarlo import playout


class Tree(NamedTuple):
    """The nodes, as arrays of equal length, and how many of them are in use. 25 bytes a node."""

    move: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int32]
    reward: npt.NDArray[np.float64]
    player: npt.NDArray[np.int8]
    used: npt.NDArray[np.int64]


@kernel
def simulate(root, state, tree, path, moves, rng, simulations, c, threshold):
    """Run simulations from `root`; return how many were done before the tree was full.

    `state`, `path` and `moves` are memory to work in; nothing is allocated here.
    """
    for done in range(simulations):
        if tree.used[0] + len(moves) > len(tree.move):
            return done
        state[0] = root[0]
        node, depth = 0, 0
        path[0] = 0
        while not is_over(state[0]):
            if tree.children[node] == 0:
                if tree.visits[node] < threshold:
                    break
                expand(state[0], tree, node, moves, rng)
            node = select(state[0], tree, node, rng, c)
            play(state[0], tree.move[node])
            depth += 1
            path[depth] = node
        playout(state[0], moves, rng)
        backup(tree, path, depth, 0.5 + 0.5 * outcome(state[0]))
    return simulations


@helper
def expand(state, tree, node, moves, rng):
    """Give a leaf a child for each legal move, in random order: the order of their first visits."""
    count = legal_moves(state, moves)
    player = player_to_move(state)
    first = tree.used[0]
    for i in range(count):
        other = i
        if player != CHANCE:
            other = i + below(rng, count - i)
        child = first + i
        tree.move[child] = moves[other]
        moves[other] = moves[i]
        tree.first[child] = 0
        tree.children[child] = 0
        tree.visits[child] = 0
        tree.reward[child] = 0.0
        tree.player[child] = player
    tree.first[node] = first
    tree.children[node] = count
    tree.used[0] = first + count


@helper
def select(state, tree, node, rng, c):
    """The child with the highest UCB1; one not visited yet comes first. Chance draws its own."""
    first, end = tree.first[node], tree.first[node] + tree.children[node]
    if tree.player[first] == CHANCE:
        return first + draw_outcome(state, tree.move[first:end], end - first, rng)
    log_visits = math.log(max(1, tree.visits[node]))
    best, best_bound = first, -1.0
    for child in range(first, end):
        visits = tree.visits[child]
        if visits == 0:
            return child
        bound = tree.reward[child] / visits + c * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@helper
def backup(tree, path, depth, reward):
    """Count a simulation on its path; `reward` is player 0's."""
    for i in range(depth + 1):
        node = path[i]
        tree.visits[node] += 1
        tree.reward[node] += reward if tree.player[node] == 0 else 1.0 - reward


# --- The search as a caller sees it --------------------------------------------------------------


class Candidate(NamedTuple):
    """A move at the root: how often it was tried and its mean reward for the player who moves."""

    move: int
    visits: int
    value: float


@dataclass(frozen=True)
class Result:
    """What a search found, and the whole tree it grew."""

    tree: Tree
    simulations: int
    seconds: float

    @property
    def candidates(self) -> list[Candidate]:
        """The moves at the root, most visited first."""
        return self.children(0)

    @property
    def best(self) -> int:
        """The most visited move."""
        return self.candidates[0].move

    def children(self, node: int) -> list[Candidate]:
        tree = self.tree
        order = sorted(self._children(node), key=lambda child: (-tree.visits[child], child))
        return [
            Candidate(
                int(tree.move[child]),
                int(tree.visits[child]),
                float(tree.reward[child] / max(1, tree.visits[child])),
            )
            for child in order
        ]

    def principal_variation(self) -> list[int]:
        """The moves of the most visited path, as far as it was visited."""
        moves, node = [], 0
        while self.tree.children[node] > 0:
            node = max(self._children(node), key=lambda child: int(self.tree.visits[child]))
            if self.tree.visits[node] == 0:
                break
            moves.append(int(self.tree.move[node]))
        return moves

    def _children(self, node: int) -> range:
        first = int(self.tree.first[node])
        return range(first, first + int(self.tree.children[node]))


FIRST_NODES = 1 << 16  # the tree begins with this many nodes and doubles when it is full
CHUNK_SECONDS = 0.005  # how often a search with a time limit looks at the clock
REPORT_SECONDS = 0.125  # how often a search that is watched tells how far it is


def check_settings(
    simulations: int | None, seconds: float | None, c: float, threshold: int
) -> None:
    """Refuse settings that no search can have."""
    if simulations is None and seconds is None:
        raise BadInput("uct needs a budget: simulations, seconds or both")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds <= 0):
        raise BadInput("uct needs a budget of at least one simulation or some time")
    if threshold < 1 or c < 0:
        raise BadInput("uct needs a threshold of at least 1 and an exploration constant c >= 0")


def search(
    state: rules.State,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    c: float = 0.7,
    threshold: int = 1,
    max_nodes: int = 50_000_000,
    rng: random_words.Rng | int = 0,
    report: Callable[[Result], None] | None = None,
) -> Result:
    """Search a position until the first of its budgets is used up; the state is not changed.

    Where information is hidden, the search is determinised: it forgets what the mover cannot know
    and searches one world, drawn at random from those that look the same to the mover.

    simulations, seconds  the budgets; at least one
    c                     UCB1's exploration constant, for rewards from 0 to 1
    threshold             a leaf grows children once it has been visited this often
    max_nodes             the tree stops growing here, and the search stops with it
    rng                   a stream or a seed; with a budget in simulations it fixes the result
    report                told of the result so far a few times a second; what it raises ends it all
    """
    check_settings(simulations, seconds, c, threshold)
    game = rules.game_of(state)
    if game.is_over(state):
        raise BadInput("the game is over: there is nothing to search")
    start = time.perf_counter()
    game.legal_moves(state)  # refuses a game that has more of them than it declares
    moves = game.moves_buffer(state)
    if max_nodes < 2 * len(moves):
        raise BadInput(f"uct needs max_nodes of at least {2 * len(moves)} for {game.name}")
    if isinstance(rng, int):
        rng = random_words.seeded(rng)
    if game.hidden:
        mover = game.player_to_move(state)
        state = game.sample_world(game.view(state, mover), mover, rng)
    wanted = simulations if simulations is not None else np.iinfo(np.int64).max
    tree = _new_tree(min(max_nodes, 2 * len(moves) + min(wanted, FIRST_NODES)))
    _grow_root(state, tree, moves, rng)
    work, path = state.copy(), np.empty(game.bounds(state).length + 1, np.int32)

    watches_clock = seconds is not None or report is not None
    limit = seconds if seconds is not None else math.inf
    told = start
    done, chunk = 0, min(wanted, 16 if watches_clock else wanted)
    while done < wanted:
        before = time.perf_counter()
        ran = simulate(state, work, tree, path, moves, rng, chunk, c, threshold)
        now = time.perf_counter()
        done += ran
        full = ran < chunk
        if watches_clock:
            if now - start >= limit:
                break
            rate = max(ran, 1) / max(now - before, 1e-9)
            chunk = max(1, int(rate * min(CHUNK_SECONDS, limit - (now - start))))
        if report is not None and now - told >= REPORT_SECONDS:
            told = now
            report(Result(tree, done, now - start))
        if full:
            if len(tree.move) >= max_nodes:
                break
            tree = _enlarged(tree, min(max_nodes, 2 * len(tree.move)))
        chunk = min(chunk, wanted - done)
    return Result(tree, done, time.perf_counter() - start)


@kernel
def _grow_root(state, tree, moves, rng):
    expand(state[0], tree, 0, moves, rng)
    tree.player[0] = player_to_move(state[0])


def _new_tree(nodes: int) -> Tree:
    tree = Tree(
        move=np.empty(nodes, np.int32),
        first=np.empty(nodes, np.int32),
        children=np.empty(nodes, np.int32),
        visits=np.empty(nodes, np.int32),
        reward=np.empty(nodes, np.float64),
        player=np.empty(nodes, np.int8),
        used=np.ones(1, np.int64),
    )
    for array in tree[:-1]:
        array[0] = 0
    return tree


def _enlarged(tree: Tree, nodes: int) -> Tree:
    larger = _new_tree(nodes)
    for name in Tree._fields:
        source = getattr(tree, name)
        getattr(larger, name)[: len(source)] = source
    return larger
