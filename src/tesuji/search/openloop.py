"""Open-loop tree search: a node stands for what was done, not for the position it led to.

So one node may be met in different states, and its children are those that the present state
allows. Two searches need that. *Information-set MCTS* (Cowling, Powley and Whitehouse 2012) draws
what the mover cannot see anew for every simulation, and the tree is that of one observer: what was
learnt in one world serves in all that look alike. *Shared nodes* put moves of a group under one
node, and each simulation draws which of them is made.

Start with `simulate`. Nodes are arrays again (`Tree`), but siblings are chained through `sibling`,
because a node gets new children as new worlds allow them. `key[node]` is what tells siblings apart:
the group of a move, by default the move, as the observer sees it. A child competes only where it
is possible, so `chances[node]`, how often it could have been chosen, takes the place of the
parent's visits in UCB1. With a prior the rule is PUCT, and the prior is asked in every world anew.
"""

import math
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
from tesuji.knowledge import group, guess, knows, prune, verb, weigh
from tesuji.rng import below
from tesuji.rules import (
    CHANCE,
    SECRET,
    draw_outcome,
    is_over,
    legal_moves,
    play,
    player_to_move,
    public_move,
)
from tesuji.search.budget import spend
from tesuji.search.montecarlo import NO_CUT, Candidate, finish
from tesuji.search.selection import PUCT, UCB1, explore
from tesuji.search.uct import FIRST_NODES, Knowledge, check_settings

NONE = -1


class Tree(NamedTuple):
    """The nodes, as arrays of equal length, and how many of them are in use. 37 bytes a node."""

    key: npt.NDArray[np.int32]
    move: npt.NDArray[np.int32]  # one that led to the node
    child: npt.NDArray[np.int32]  # the first of its children, or NONE
    sibling: npt.NDArray[np.int32]  # the next child of its parent, or NONE
    visits: npt.NDArray[np.int32]
    chances: npt.NDArray[np.int32]
    met: npt.NDArray[np.int32]  # the number of the descent that last found it possible
    reward: npt.NDArray[np.float64]
    player: npt.NDArray[np.int8]
    used: npt.NDArray[np.int64]  # nodes, and descents so far


@kernel
def simulate(
    root, state, tree, path, moves, weights, rng, simulations, rule, threshold, cut, knowledge,
    belief, observer,
):  # fmt: skip
    """Run simulations from what `observer` sees in `root`; how many, before the tree was full."""
    for done in range(simulations):
        if tree.used[0] + len(path) > len(tree.key):
            return done
        state[0] = root[0]
        guess(belief, state[0], observer, rng)
        node, depth = 0, 0
        path[0] = 0
        grown = False
        while not (grown or is_over(state[0])):
            if tree.visits[node] < threshold and node > 0:
                break
            count = candidates(state[0], moves, rng, knowledge)
            node, move, grown = descend(
                rule, state[0], tree, node, moves, count, weights, rng, knowledge, observer
            )
            play(state[0], move)
            depth += 1
            path[depth] = node
        first, second, _ = finish(state[0], moves, rng, knowledge.policy, knowledge.judge, cut)
        for i in range(depth + 1):
            tree.visits[path[i]] += 1
            tree.reward[path[i]] += first if tree.player[path[i]] == 0 else second
    return simulations


@helper
def candidates(state, moves, rng, knowledge):
    """Write the moves that may get a node, and return how many; chance has made its draw."""
    count = legal_moves(state, moves)
    if player_to_move(state) != CHANCE:
        return prune(knowledge.pruning, state, moves, count)
    moves[0] = moves[draw_outcome(state, moves, count, rng)]
    return 1


@verb
def descend(rule, state, tree, node, moves, count, weights, rng, knowledge, observer):
    """The next node, the move that leads there, and whether the node is new: here by UCB1.

    A move that has no node yet comes first, drawn at random from those; otherwise it is the node
    with the highest bound of those possible here, and one of its moves, drawn at random.
    """
    player = player_to_move(state)
    tree.used[1] += 1
    new, drawn = 0, moves[0]
    best, highest = NONE, -math.inf
    for i in range(count):
        child = find(tree, node, key_of(state, moves[i], knowledge, player, observer))
        if child == NONE:
            new += 1
            if below(rng, new) == 0:
                drawn = moves[i]
        elif tree.met[child] != tree.used[1]:
            tree.met[child] = tree.used[1]
            tree.chances[child] += 1
            visits = tree.visits[child]
            bonus = rule.c * math.sqrt(math.log(tree.chances[child]) / visits)
            value = tree.reward[child] / visits + bonus
            if value > highest:
                best, highest = child, value
    if new > 0:
        key = key_of(state, drawn, knowledge, player, observer)
        return add_child(tree, node, key, drawn, player), drawn, True
    alike = 0
    for i in range(count):
        if key_of(state, moves[i], knowledge, player, observer) == tree.key[best]:
            alike += 1
            if below(rng, alike) == 0:
                drawn = moves[i]
    return best, drawn, False


@knows(PUCT)
def descend(rule, state, tree, node, moves, count, weights, rng, knowledge, observer):
    """The move with the highest bound, weighed in this world, whether it has a node or not."""
    player = player_to_move(state)
    if player == CHANCE:
        weights[0] = 1.0
    else:
        weigh(knowledge.prior, state, moves, count, weights)
    scale = explore(rule, tree, node)
    best, drawn, highest = NONE, moves[0], -math.inf
    for i in range(count):
        child = find(tree, node, key_of(state, moves[i], knowledge, player, observer))
        visits = 0 if child == NONE else tree.visits[child]
        mean = tree.reward[child] / visits if visits > 0 else rule.unvisited
        value = mean + scale * weights[i] / (1 + visits)
        if value > highest:
            best, drawn, highest = child, moves[i], value
    if best == NONE:
        key = key_of(state, drawn, knowledge, player, observer)
        return add_child(tree, node, key, drawn, player), drawn, True
    return best, drawn, False


@helper
def key_of(state, move, knowledge, player, observer):
    """What tells a move from its siblings: what the observer sees of it, or its group."""
    if player == 1 - observer and public_move(state, move) == SECRET:
        return SECRET
    return group(knowledge.abstraction, state, move)


@helper
def find(tree, node, key):
    """The child of a node with a key, or NONE."""
    child = tree.child[node]
    while child != NONE and tree.key[child] != key:
        child = tree.sibling[child]
    return child


@helper
def add_child(tree, node, key, move, player):
    child = tree.used[0]
    tree.used[0] += 1
    tree.key[child] = key
    tree.move[child] = move
    tree.child[child] = NONE
    tree.sibling[child] = tree.child[node]
    tree.child[node] = child
    tree.visits[child] = 0
    tree.chances[child] = 1
    tree.met[child] = 0
    tree.reward[child] = 0.0
    tree.player[child] = player
    return child


# --- The search as a caller sees it --------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What a search found, and the whole tree it grew."""

    tree: Tree
    simulations: int
    seconds: float

    @property
    def candidates(self) -> list[Candidate]:
        """The moves at the root (one for each group), most visited first."""
        found = [self._candidate(child) for child in self._children(0)]
        return sorted(found, key=lambda candidate: (-candidate.visits, candidate.move))

    @property
    def best(self) -> int:
        return self.candidates[0].move

    def principal_variation(self) -> list[int]:
        """The moves of the most visited path. They need not all be possible in one world."""
        moves: list[int] = []
        node = 0
        while True:
            children = self._children(node)
            if not children:
                return moves
            node = max(children, key=lambda child: int(self.tree.visits[child]))
            moves.append(int(self.tree.move[node]))

    def _candidate(self, node: int) -> Candidate:
        visits = int(self.tree.visits[node])
        return Candidate(int(self.tree.move[node]), visits, float(self.tree.reward[node] / visits))

    def _children(self, node: int) -> list[int]:
        children = []
        child = int(self.tree.child[node])
        while child != NONE:
            children.append(child)
            child = int(self.tree.sibling[child])
        return children


def search(
    state: rules.State,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    c: float = 0.7,
    rule: PUCT | None = None,
    threshold: int = 1,
    cut: int | None = None,
    knowledge: Knowledge | None = None,
    belief: Any = None,
    early: bool = False,
    max_nodes: int = 20_000_000,
    rng: random_words.Rng | int = 0,
    report: Callable[[Result], None] | None = None,
) -> Result:
    """Search what the mover sees of a position until the first of its budgets is used up, or, if it
    may end `early`, until the time left cannot change which move is the most visited.

    Each simulation is played in a world of its own, drawn by the belief. The settings are those of
    `uct.search`; the rule is UCB1, or PUCT with the prior of `knowledge`, whose abstraction groups
    moves under shared nodes.
    """
    check_settings(simulations=simulations, seconds=seconds, c=c, threshold=threshold, cut=cut)
    game = rules.game_of(state)
    if game.is_over(state):
        raise BadInput("the game is over: there is nothing to search")
    start = time.perf_counter()
    game.legal_moves(state)  # refuses a game that has more of them than it declares
    observer = game.player_to_move(state)
    root = game.view(state, observer)
    stream = random_words.seeded(rng) if isinstance(rng, int) else rng
    moves, path = game.moves_buffer(state), np.empty(game.bounds(state).length + 1, np.int32)
    work, turns, weights = root.copy(), NO_CUT if cut is None else cut, np.empty(len(moves))
    tree = _new_tree(min(max_nodes, len(path) + min(simulations or FIRST_NODES, FIRST_NODES)))
    tree.player[0] = observer

    def step(count: int) -> int:
        nonlocal tree
        if tree.used[0] + len(path) > len(tree.key) < max_nodes:
            tree = _enlarged(tree, min(max_nodes, 2 * len(tree.key)))
        ran = simulate(
            root, work, tree, path, moves, weights, stream, count, rule or UCB1(c), threshold,
            turns, knowledge or Knowledge(), belief, observer,
        )  # fmt: skip
        return int(ran)

    def tell(done: int) -> None:
        if report is not None:
            report(Result(tree, done, time.perf_counter() - start))

    def settled(left: int) -> bool:
        """Whether no other move can become the most visited any more."""
        visits = sorted(candidate.visits for candidate in Result(tree, 0, 0.0).candidates)
        return len(visits) < 2 or visits[-1] - visits[-2] > left

    deadline = None if seconds is None else start + seconds
    telling = tell if report is not None else None
    done = spend(step, simulations, deadline, telling, settled if early else None)
    return Result(tree, done, time.perf_counter() - start)


def _new_tree(nodes: int) -> Tree:
    """A root without children, and room for so many nodes."""
    key, move, child, sibling, visits, chances, met = np.zeros((7, nodes), np.int32)
    child[0] = sibling[0] = NONE
    return Tree(
        key, move, child, sibling, visits, chances, met, reward=np.zeros(nodes),
        player=np.zeros(nodes, np.int8), used=np.array([1, 0], np.int64),
    )  # fmt: skip


def _enlarged(tree: Tree, nodes: int) -> Tree:
    larger = _new_tree(nodes)
    for name in Tree._fields:
        source = getattr(tree, name)
        getattr(larger, name)[: len(source)] = source
    return larger
