"""UCT: Monte Carlo tree search over any game, with what the papers vary as settings.

Start with `simulate`, the loop; `search` gives it memory and a budget. A simulation walks down the
tree by `select`, grows it by `expand` once a leaf has been visited often enough, finishes the game
by a policy, and writes the result along its path by `backup`.

The tree is a struct of arrays (`search/tree.py`), how a child is selected is a rule
(`search/selection.py`), what is known of the game is `Knowledge`; rules and knowledge are resolved
by their types, so that what is off costs nothing.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from tesuji import rng as random_words
from tesuji import rules
from tesuji.errors import BadInput
from tesuji.kernels import helper, kernel
from tesuji.knowledge import group, guess, prune, weigh
from tesuji.rng import below
from tesuji.rules import (
    CHANCE,
    draw_outcome,
    is_over,
    legal_moves,
    play,
    player_to_move,
    turn,
)
from tesuji.search.budget import check_budget, spend
from tesuji.search.montecarlo import NO_CUT, Candidate, finish, note
from tesuji.search.selection import (
    PUCT,
    RAVE,
    UCB1,
    AtRoot,
    WithPrior,
    backup_all_moves,
    bound,
    clear_all_moves,
    explore,
    new_trace,
    wants_prior,
)
from tesuji.search.tree import Result, Tree, add_roots, backup, enlarged, new_tree

__all__ = [
    "PUCT",
    "RAVE",
    "UCB1",
    "AtRoot",
    "Candidate",
    "Knowledge",
    "Result",
    "Tree",
    "search",
]


class Knowledge(NamedTuple):
    """What the search knows of the game; see `tesuji.knowledge` for the questions it answers.

    policy        `choose`s the moves of playouts
    pruning       `prune`s the moves that get a node
    prior         `weigh`s moves, for PUCT and for widening
    judge         `rewards` playouts that are cut
    abstraction   `group`s moves; each group is represented by one of its moves, drawn at random
    """

    policy: Any = None
    pruning: Any = None
    prior: Any = None
    judge: Any = None
    abstraction: Any = None


class Settings(NamedTuple):
    """Numbers that the loop looks at; `search` explains them."""

    threshold: int = 1
    cut: int = NO_CUT
    widening: float = 1.0
    haste: float = 0.0


@kernel
def simulate(root, state, tree, path, moves, rng, simulations, rule, settings, knowledge, trace):
    """Run simulations from `root`; return how many were done before the tree was full.

    `state`, `path`, `moves` and `trace` are memory to work in; nothing is allocated here.
    """
    begin = turn(root[0])
    tree.player[0] = player_to_move(root[0])
    for done in range(simulations):
        if tree.used[0] + len(moves) > len(tree.move):
            return done
        state[0] = root[0]
        node, depth = 0, 0
        path[0] = 0
        while not is_over(state[0]):
            if tree.children[node] == 0:
                if tree.visits[node] < settings.threshold and node > 0:
                    break
                expand(state[0], tree, node, moves, rng, rule, knowledge)
            node = select(state[0], tree, node, rng, rule, settings.widening)
            note(trace, depth, tree.move[node], tree.player[node])
            play(state[0], tree.move[node])
            depth += 1
            path[depth] = node
        first, second, length = finish(
            state[0], moves, rng, knowledge.policy, knowledge.judge, settings.cut, trace, depth
        )
        if settings.haste > 0:
            fade = (1.0 - settings.haste) ** (turn(state[0]) - begin)
            first, second = 0.5 + (first - 0.5) * fade, 0.5 + (second - 0.5) * fade
        backup(tree, path, depth, first, second)
        backup_all_moves(trace, tree, path, depth, length, first, second)
    return simulations


@helper
def expand(state, tree, node, moves, rng, rule, knowledge):
    """Give a leaf its children, in random order or best prior first: the order of first visits."""
    count = legal_moves(state, moves)
    player = player_to_move(state)
    if player != CHANCE:
        count = prune(knowledge.pruning, state, moves, count)
        shuffle(moves, count, rng)
        count = represent(knowledge.abstraction, state, moves, count)
    first = tree.used[0]
    for i in range(count):
        child = first + i
        tree.move[child] = moves[i]
        tree.first[child] = 0
        tree.children[child] = 0
        tree.visits[child] = 0
        tree.reward[child] = 0.0
        tree.player[child] = player
    set_priors(tree.prior, state, tree, node, first, count, rule, knowledge.prior)
    clear_all_moves(tree.amaf_visits, tree, first, count)
    tree.first[node] = first
    tree.children[node] = count
    tree.used[0] = first + count


@helper
def shuffle(moves, count, rng):
    for i in range(count):
        other = i + below(rng, count - i)
        moves[i], moves[other] = moves[other], moves[i]


@helper
def represent(abstraction, state, moves, count):
    """Keep the first move of each group."""
    if abstraction is None:
        return count
    kept = 0
    for i in range(count):
        known = False
        kind = group(abstraction, state, moves[i])
        for j in range(kept):
            known = known or group(abstraction, state, moves[j]) == kind
        if not known:
            moves[kept] = moves[i]
            kept += 1
    return kept


@helper
def set_priors(priors, state, tree, node, first, count, rule, prior):
    """Weigh new children and put the likely ones first, if the rule wants to know here."""
    if priors is not None:
        if tree.player[first] == CHANCE or not wants_prior(rule, node):
            for child in range(first, first + count):
                priors[child] = 0.0
            return
        weigh(prior, state, tree.move[first : first + count], count, priors[first : first + count])
        for i in range(first + 1, first + count):
            move, weight = tree.move[i], priors[i]
            j = i
            while j > first and priors[j - 1] < weight:
                tree.move[j], priors[j] = tree.move[j - 1], priors[j - 1]
                j -= 1
            tree.move[j], priors[j] = move, weight


@helper
def select(state, tree, node, rng, rule, widening):
    """The child with the highest bound by the rule. Chance draws its own."""
    first, end = tree.first[node], tree.first[node] + tree.children[node]
    if tree.player[first] == CHANCE:
        return first + draw_outcome(state, tree.move[first:end], end - first, rng)
    if widening < 1.0:
        end = min(end, first + math.ceil((1 + tree.visits[node]) ** widening))
    scale = explore(rule, tree, node)
    best, highest = first, -math.inf
    for child in range(first, end):
        value = bound(rule, tree, node, child, scale)
        if value > highest:
            best, highest = child, value
            if value == math.inf:
                break
    return best


# --- The search as a caller sees it --------------------------------------------------------------

FIRST_NODES = 1 << 16  # the tree begins with this many nodes and doubles when it is full


def check_settings(
    simulations: int | None = None,
    seconds: float | None = None,
    c: float = 0.0,
    rule: Any = None,
    threshold: int = 1,
    cut: int | None = None,
    widening: float = 1.0,
    haste: float = 0.0,
    threads: int = 1,
) -> None:
    """Refuse settings that no search can have."""
    check_budget("uct", simulations, seconds)
    if threshold < 1 or c < 0:
        raise BadInput("uct needs a threshold of at least 1 and an exploration constant c >= 0")
    if cut is not None and cut < 0:
        raise BadInput("uct needs a cut of 0 or more turns")
    if not 0 < widening <= 1 or not 0 <= haste < 1 or threads < 1:
        raise BadInput("uct needs 0 < widening <= 1, 0 <= haste < 1 and one thread or more")


def search(
    state: rules.State,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    c: float = 0.7,
    rule: Any = None,
    threshold: int = 1,
    cut: int | None = None,
    widening: float = 1.0,
    haste: float = 0.0,
    knowledge: Knowledge | None = None,
    belief: Any = None,
    tree: Tree | None = None,
    threads: int = 1,
    max_nodes: int = 50_000_000,
    rng: random_words.Rng | int = 0,
    report: Callable[[Result], None] | None = None,
) -> Result:
    """Search a position until the first of its budgets is used up; the state is not changed.

    Where information is hidden, the search is determinised: it forgets what the mover cannot know
    and searches one world, drawn by the belief from those that look the same to the mover.

    simulations, seconds  the budgets; at least one
    c                     UCB1's exploration constant, for rewards from 0 to 1
    rule                  another rule of selection than UCB1: `PUCT`, `RAVE`, `AtRoot`
    threshold             a leaf grows children once it has been visited this often
    cut                   a playout ends after so many turns, worth what the judge says
    widening              a node visited n times considers its n ** widening likeliest children
    haste                 each turn takes this fraction off what a result is worth: win early
    knowledge             what is known of the game; see `Knowledge`
    belief                `guess`es what is hidden; by default every possible world is as likely
    tree                  to go on with: `result.after(moves)` of an earlier search
    threads               so many trees at once, each with its part of the simulations; their roots
                          are added up, and the tree is that of the first
    max_nodes             the tree stops growing here, and the search stops with it
    rng                   a stream or a seed; with a budget in simulations it fixes the result
    report                is called about five times a second with the result so far
    """
    check_settings(simulations, seconds, c, rule, threshold, cut, widening, haste, threads)
    knowledge = knowledge or Knowledge()
    rule = UCB1(c) if rule is None else rule
    if widening < 1.0:
        rule = WithPrior(rule)
    game = rules.game_of(state)
    if game.is_over(state):
        raise BadInput("the game is over: there is nothing to search")
    start = time.perf_counter()
    game.legal_moves(state)  # refuses a game that has more of them than it declares
    room = 2 * len(game.moves_buffer(state))
    if max_nodes < room:
        raise BadInput(f"uct needs max_nodes of at least {room} for {game.name}")
    stream = random_words.seeded(rng) if isinstance(rng, int) else rng
    if game.hidden:
        mover = game.player_to_move(state)
        state = game.view(state, mover)
        draw_world(state, mover, stream, belief)

    settings = Settings(threshold, NO_CUT if cut is None else cut, widening, haste)
    deadline = None if seconds is None else start + seconds
    priors = wants_prior(rule, 0) or wants_prior(rule, 1)
    amaf = any(isinstance(part, RAVE) for part in (rule, *rule))

    def grow(number: int, stream: random_words.Rng) -> Result:
        """One tree with its share of the simulations."""
        share = None if simulations is None else (simulations + threads - 1 - number) // threads
        size = min(max_nodes, room + min(FIRST_NODES, share or FIRST_NODES))
        grown = tree if tree is not None and number == 0 else new_tree(size, priors, amaf)
        length, moves = game.bounds(state).length, game.moves_buffer(state)
        work, path = state.copy(), np.empty(length + 1, np.int32)
        trace = new_trace(length) if amaf else None

        def step(count: int) -> int:
            nonlocal grown
            if grown.used[0] + len(moves) > len(grown.move) < max_nodes:
                grown = enlarged(grown, min(max_nodes, 2 * len(grown.move)))
            ran = simulate(
                state, work, grown, path, moves, stream, count, rule, settings, knowledge, trace
            )
            return int(ran)

        def tell(done: int) -> None:
            if report is not None:
                report(Result(grown, done, time.perf_counter() - start))

        done = spend(step, share, deadline, tell if report and number == 0 else None)
        return Result(grown, done, time.perf_counter() - start)

    if threads == 1:
        return grow(0, stream)
    streams = [random_words.split(stream) for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        first, *others = pool.map(grow, range(threads), streams)
    for other in others:
        add_roots(first.tree, other.tree)
    done = first.simulations + sum(other.simulations for other in others)
    return Result(first.tree, done, time.perf_counter() - start)


@kernel
def draw_world(state: Any, player: Any, rng: Any, belief: Any) -> None:
    """Fill in what `player` cannot see, by the belief."""
    guess(belief, state[0], player, rng)
