"""Which child a Monte Carlo search visits next: a rule is a class, resolved by its type.

`explore` is computed once for a node, `bound` for each of its children; the child with the highest
bound is visited. `UCB1` is the default, `PUCT` trusts a prior, `RAVE` learns from all later moves
of a simulation (its memory is at the end of the file), `AtRoot` has two rules.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tesuji.kernels import helper
from tesuji.knowledge import knows, verb
from tesuji.rules import CHANCE


@verb
def explore(rule, tree, node):
    """What the bounds of all children of a node have in common."""
    return 0.0


@verb
def bound(rule, tree, node, child, scale):
    """How much a child is worth looking at; infinite for one to be visited at once."""
    return 0.0


@verb
def wants_prior(rule, node):
    """Whether the children of a node are to be weighed."""
    return False


class UCB1(NamedTuple):
    """Mean plus c * sqrt(ln n / n_j) (Kocsis and Szepesvari 2006); unvisited children first."""

    c: float = 0.7


@knows(UCB1)
def explore(rule, tree, node):
    return rule.c * math.sqrt(math.log(max(1, tree.visits[node])))


@knows(UCB1)
def bound(rule, tree, node, child, scale):
    visits = tree.visits[child]
    if visits == 0:
        return math.inf
    return tree.reward[child] / visits + scale / math.sqrt(visits)


class PUCT(NamedTuple):
    """Mean plus C(s) P(s, a) sqrt(N) / (1 + n), where C(s) = init + ln((N + base + 1) / base).

    An unvisited child counts as a mean of `unvisited`, so that none is visited by force.
    """

    init: float = 1.25
    base: float = 19652.0
    unvisited: float = 0.5


@knows(PUCT)
def explore(rule, tree, node):
    visits = tree.visits[node]
    return (rule.init + math.log((visits + rule.base + 1) / rule.base)) * math.sqrt(visits)


@knows(PUCT)
def bound(rule, tree, node, child, scale):
    visits = tree.visits[child]
    mean = tree.reward[child] / visits if visits > 0 else rule.unvisited
    return mean + scale * tree.prior[child] / (1 + visits)


@knows(PUCT)
def wants_prior(rule, node):
    return True


class RAVE(NamedTuple):
    """UCB1 whose mean is blended with the mean of all simulations in which the move came later.

    The blend is sqrt(k / (3 n + k)) (Gelly and Silver 2007): half and half after k visits.
    """

    c: float = 0.7
    k: float = 1000.0


@knows(RAVE)
def explore(rule, tree, node):
    return rule.c * math.sqrt(math.log(max(1, tree.visits[node])))


@knows(RAVE)
def bound(rule, tree, node, child, scale):
    visits, all_visits = tree.visits[child], tree.amaf_visits[child]
    if visits == 0 and all_visits == 0:
        return math.inf
    mean = tree.reward[child] / visits if visits > 0 else 0.0
    blend = math.sqrt(rule.k / (3 * visits + rule.k)) if all_visits > 0 else 0.0
    if all_visits > 0:
        mean += blend * (tree.amaf_reward[child] / all_visits - mean)
    return mean + scale / math.sqrt(max(1, visits))


class AtRoot(NamedTuple):
    """One rule for the root, another for the rest of the tree."""

    root: Any
    below: Any


@knows(AtRoot)
def explore(rule, tree, node):
    return explore(rule.root, tree, node) if node == 0 else explore(rule.below, tree, node)


@knows(AtRoot)
def bound(rule, tree, node, child, scale):
    if node == 0:
        return bound(rule.root, tree, node, child, scale)
    return bound(rule.below, tree, node, child, scale)


@knows(AtRoot)
def wants_prior(rule, node):
    return wants_prior(rule.root, node) if node == 0 else wants_prior(rule.below, node)


class WithPrior(NamedTuple):
    """A rule that does not look at priors, in a tree that is widened by them."""

    rule: Any


@knows(WithPrior)
def explore(rule, tree, node):
    return explore(rule.rule, tree, node)


@knows(WithPrior)
def bound(rule, tree, node, child, scale):
    return bound(rule.rule, tree, node, child, scale)


@knows(WithPrior)
def wants_prior(rule, node):
    return True


# --- RAVE's memory -------------------------------------------------------------------------------


class Trace(NamedTuple):
    """The moves of a simulation and who made them, for RAVE; and a table of those seen so far.

    The table is indexed by the low bits of a move: an entry tells which move it is about, and of
    which simulation.
    """

    move: npt.NDArray[np.int32]
    player: npt.NDArray[np.int8]
    seen: npt.NDArray[np.int32]
    stamp: npt.NDArray[np.int64]


SLOTS = 1 << 14


def new_trace(length: int) -> Trace:
    return Trace(
        move=np.empty(length, np.int32),
        player=np.empty(length, np.int8),
        seen=np.empty((2, SLOTS), np.int32),
        stamp=np.zeros(1 + 2 * SLOTS, np.int64),
    )


@helper
def clear_all_moves(amaf_visits, tree, first, count):
    if amaf_visits is not None:
        for child in range(first, first + count):
            tree.amaf_visits[child] = 0
            tree.amaf_reward[child] = 0.0


@helper
def backup_all_moves(trace, tree, path, depth, length, first, second):
    """Count the simulation for every child on the path whose move its player made at any time from
    there on. The table fills from the end, so that it holds just the moves from `at` on."""
    if trace is not None:
        trace.stamp[0] += 1
        at = length
        for i in range(depth, -1, -1):
            while at > i:
                at -= 1
                if trace.player[at] != CHANCE:
                    slot = trace.move[at] % SLOTS
                    trace.seen[trace.player[at], slot] = trace.move[at]
                    trace.stamp[1 + SLOTS * int(trace.player[at]) + slot] = trace.stamp[0]
            begin = tree.first[path[i]]
            for child in range(begin, begin + tree.children[path[i]]):
                player, slot = tree.player[child], tree.move[child] % SLOTS
                if player == CHANCE or trace.seen[player, slot] != tree.move[child]:
                    continue
                if trace.stamp[1 + SLOTS * int(player) + slot] == trace.stamp[0]:
                    tree.amaf_visits[child] += 1
                    tree.amaf_reward[child] += first if player == 0 else second
