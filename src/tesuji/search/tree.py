"""The tree of a Monte Carlo search, what is read from it, and its memory.

Node 0 is the root. The children of a node are `first[node] : first[node] + children[node]`; a leaf
has none. `player[node]` made the move that leads to the node, `reward[node]` is the sum of *that
player's* rewards (1 win, 1/2 draw, 0 loss) over `visits[node]` simulations, so nothing assumes that
the players alternate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.kernels import helper, kernel
from tesuji.search.montecarlo import Candidate


class Tree(NamedTuple):
    """The nodes, as arrays of equal length, and how many of them are in use. 25 bytes a node.

    The last fields are None unless a rule needs them.
    """

    move: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int32]
    reward: npt.NDArray[np.float64]
    player: npt.NDArray[np.int8]
    used: npt.NDArray[np.int64]
    prior: npt.NDArray[np.float32] | None = None
    amaf_visits: npt.NDArray[np.int32] | None = None
    amaf_reward: npt.NDArray[np.float64] | None = None


@helper
def backup(tree, path, depth, first, second):
    """Count a simulation on its path, with the rewards of both players."""
    for i in range(depth + 1):
        node = path[i]
        tree.visits[node] += 1
        tree.reward[node] += first if tree.player[node] == 0 else second


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

    def best_by(self, value: Callable[[Candidate, float], float]) -> int:
        """The visited move with the highest value of a function of candidate and prior."""
        priors = self.priors()
        visited = [one for one in self.candidates if one.visits] or self.candidates
        return max(visited, key=lambda one: value(one, priors.get(one.move, 0.0))).move

    def priors(self) -> dict[int, float]:
        """The prior of each move at the root, if there are priors."""
        if self.tree.prior is None:
            return {}
        return {int(self.tree.move[i]): float(self.tree.prior[i]) for i in self._children(0)}

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

    def after(self, moves: Sequence[int]) -> Tree | None:
        """The part of the tree below these moves, as a tree of its own; None if it never grew."""
        node = 0
        for move in moves:
            below = [child for child in self._children(node) if self.tree.move[child] == move]
            if not below:
                return None
            node = below[0]
        if self.tree.children[node] == 0:
            return None
        smaller = _empty_like(self.tree, int(self.tree.used[0]))
        _copy_below(self.tree, smaller, node)
        return smaller

    def _children(self, node: int) -> range:
        first = int(self.tree.first[node])
        return range(first, first + int(self.tree.children[node]))


# --- Memory --------------------------------------------------------------------------------------


def new_tree(nodes: int, priors: bool = False, amaf: bool = False) -> Tree:
    """A root without children, and room for so many nodes."""
    tree = Tree(
        move=np.empty(nodes, np.int32),
        first=np.empty(nodes, np.int32),
        children=np.empty(nodes, np.int32),
        visits=np.empty(nodes, np.int32),
        reward=np.empty(nodes, np.float64),
        player=np.empty(nodes, np.int8),
        used=np.ones(1, np.int64),
        prior=np.empty(nodes, np.float32) if priors else None,
        amaf_visits=np.empty(nodes, np.int32) if amaf else None,
        amaf_reward=np.empty(nodes, np.float64) if amaf else None,
    )
    for array in tree:
        if array is not None and array is not tree.used:
            array[0] = 0
    return tree


def _empty_like(tree: Tree, nodes: int) -> Tree:
    return new_tree(nodes, tree.prior is not None, tree.amaf_visits is not None)


def enlarged(tree: Tree, nodes: int) -> Tree:
    """The same tree with room for so many nodes."""
    larger = _empty_like(tree, nodes)
    for source, target in zip(tree, larger, strict=True):
        if source is not None and target is not None:
            target[: len(source)] = source
    return larger


@kernel
def _copy_below(tree, smaller, node):
    """Copy a node and all below it, level by level; `children` of a copied node still to be
    visited points into the old tree by its `first`."""
    _copy_node(tree, smaller, node, 0)
    used = 1
    at = 0
    while at < used:
        old = smaller.first[at]
        smaller.first[at] = used
        for i in range(smaller.children[at]):
            _copy_node(tree, smaller, old + i, used)
            used += 1
        at += 1
    smaller.used[0] = used


@helper
def _copy_node(tree, smaller, old, new):
    smaller.move[new] = tree.move[old]
    smaller.first[new] = tree.first[old]
    smaller.children[new] = tree.children[old]
    smaller.visits[new] = tree.visits[old]
    smaller.reward[new] = tree.reward[old]
    smaller.player[new] = tree.player[old]
    _copy_optional(tree.prior, smaller.prior, old, new)
    _copy_optional(tree.amaf_visits, smaller.amaf_visits, old, new)
    _copy_optional(tree.amaf_reward, smaller.amaf_reward, old, new)


@helper
def _copy_optional(source, target, old, new):
    if source is not None:
        target[new] = source[old]


def add_roots(tree: Tree, other: Tree) -> None:
    """Add what another search of the same position found at its root."""
    place = {int(tree.move[i]): i for i in range(tree.first[0], tree.first[0] + tree.children[0])}
    tree.visits[0] += other.visits[0]
    tree.reward[0] += other.reward[0]
    for child in range(other.first[0], other.first[0] + other.children[0]):
        mine = place.get(int(other.move[child]))
        if mine is not None:
            tree.visits[mine] += other.visits[child]
            tree.reward[mine] += other.reward[child]
