"""The players of Geister: Hayazashi, Naotti and Aoki's UCT."""

import math
from typing import Any, Literal

import numpy as np

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.players import Candidate, Decision, Player, Report, player
from tesuji.rng import Rng

WEIGHTS = "hayazashi-1"  # those that players use unless told otherwise
REDNESS = "redness-1"
MODELS = ("hayazashi-1", "hayazashi-2", "hayazashi-3")  # of an enemy, to guess its colours by
CERTAIN = 1000.0  # Naotti's redness of a ghost that it takes for red


def _only_geister(game: rules.Game, name: str) -> None:
    if game.name != "geister":
        raise BadInput(f"{name} plays Geister, not {game.title}")


def _any_move(game: rules.Game, view: rules.State, rng: Rng) -> Decision:
    return Decision(game.random_move(view, rng))


@player
def hayazashi(game: rules.Game, weights: str = WEIGHTS) -> Player:
    """Hayazashi: the policy learned by policy gradient, always its likeliest move.

    weights  the name of shipped weights, or a file (.npz with theta, or .npy)
    """
    from tesuji.knowledge import geister

    _only_geister(game, "hayazashi")
    theta = geister.read_weights(weights)
    policy = geister.hayazashi(theta)

    class Hayazashi(Player):
        identity = geister.digest(theta)

        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            moves = game.moves_buffer(view)
            return Decision(int(geister.compiled_favourite(policy, view, moves, rng)))

    return Hayazashi()


@player
def naotti(game: rules.Game, depth: int = 6) -> Player:
    """Naotti: alpha-beta against purple ghosts, red when captured and blue when they leave.

    A ghost that could leave the board and did not is taken for red, and all others for blue.

    depth  how many moves it looks ahead
    """
    from tesuji.knowledge import geister
    from tesuji.search import purple

    _only_geister(game, "naotti")
    if not 1 <= depth <= purple.DEEPEST:
        raise BadInput(f"naotti needs a depth from 1 to {purple.DEEPEST}")

    class Naotti(Player):
        def __init__(self) -> None:
            self.redness = [0.0] * 8

        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            if view[0].ply < 2:
                return _any_move(game, view, rng)
            enemy = 1 - int(view[0].ply) % 2
            on_board = [i for i in range(8) if not view[0].fate[enemy, i]]
            reddest = max(on_board, key=lambda ghost: self.redness[ghost])
            certain = reddest if self.redness[reddest] >= CERTAIN else None
            return Decision(purple.search(view, depth, certain)[0])

        def watch(self, view: rules.State, move: int | None) -> None:
            if move is None or not geister.is_enemys(view):
                return
            seen = geister.signs(view, move)
            self.redness[seen.ghost] += 5.0 * seen.came
            for ghost in seen.stayed:
                self.redness[ghost] += CERTAIN

    return Naotti()


@player
def aoki(
    game: rules.Game,
    playouts: int | None = None,
    seconds: float | None = None,
    method: Literal["A", "B", "C", "none"] = "C",
    belief: Literal["redness", "learned", "policy", "uniform"] = "redness",
    worlds: int = 1,
    frame: Literal["searcher", "mover"] = "searcher",
    proof: int = 0,
    outlook: str | None = None,
    c: float = math.sqrt(2),
    weights: str = WEIGHTS,
) -> Player:
    """AokiUCT: UCT with Hayazashi's policy in it; 2000 playouts unless playouts or seconds are set.

    method   where the policy is used: A in the tree and in playouts, B in the tree, C at the root
             (and UCB1 below it), none nowhere
    belief   how the enemy's colours are drawn: by the redness of its ghosts, by a redness that was
             learned from games, by that and what the policy makes of its moves, or uniformly
    worlds   so many draws of the colours, each with its part of the budget, added up; 0 draws them
             for every playout, in one tree of what the searcher sees
    frame    who judges the enemy's moves by the policy: the searcher, with the sign turned, or the
             enemy itself, with the colours drawn for it
    proof    look for a win in so many moves, whatever the colours are, before anything else
    outlook  a learned chance to win that judges positions in place of playouts: a name, or a file
    c        UCB1's exploration constant
    weights  Hayazashi's weights: a name, or a file
    """
    from tesuji.knowledge import geister
    from tesuji.search import openloop, purple, uct
    from tesuji.search.budget import check_budget
    from tesuji.search.tree import add_roots

    _only_geister(game, "aoki")
    if playouts is None and seconds is None:
        playouts = 2000
    check_budget("aoki", playouts, seconds)
    if worlds < 0 or (playouts is not None and worlds > playouts):
        raise BadInput("aoki needs worlds from 0 (a new one for every playout) to its playouts")
    if worlds == 0 and method == "C":
        raise BadInput("aoki with worlds=0 needs method A, B or none: C has two rules of selection")
    if not (c >= 0 and 0 <= proof <= purple.DEEPEST):
        raise BadInput(f"aoki needs c >= 0 and proof from 0 to {purple.DEEPEST}")
    theta = geister.read_weights(weights)
    policy = geister.hayazashi(theta)
    traits = geister.read_redness(REDNESS)
    models = [geister.read_weights(name) for name in MODELS] if belief == "policy" else []
    suspects = [geister.hayazashi(model) for model in models]
    judge = None if outlook is None else geister.read_outlook(outlook)
    pairs = [] if judge is None else [judge.pairs.ravel()]
    puct = uct.PUCT(unvisited=0.0)
    ucb1 = uct.UCB1(c)
    rule = {"A": puct, "B": puct, "C": uct.AtRoot(puct, ucb1), "none": ucb1}[method]

    def decide(result: Any) -> Decision:
        move = result.best if worlds == 0 else result.best_by(_mean_and_prior)
        candidates = tuple(Candidate(*candidate) for candidate in result.candidates)
        return Decision(move, candidates, tuple(result.principal_variation()), result.simulations)

    class Aoki(Player):
        identity = geister.digest(np.concatenate([theta, traits, *models, *pairs]))

        def __init__(self) -> None:
            self.redness = np.full(8, 2.0)
            self.trails = geister.Trails()
            self.suspicion = geister.Suspicion(suspects)

        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            if view[0].ply < 2:
                return _any_move(game, view, rng)
            won = purple.certain_win(view, proof) if proof else None
            if won is not None:
                return Decision(won, (Candidate(won, 0, 1.0),))
            telling = None if report is None else lambda result: report(decide(result))
            return decide(self.search(view, rng, telling))

        def search(self, view: rules.State, rng: Rng, tell: Any) -> Any:
            mover = int(view[0].ply) % 2
            known = policy._replace(searcher=mover if frame == "searcher" else geister.MOVERS)
            guessing = self.belief(view, 1 - mover)
            cut = None if judge is None else 0
            knowledge = uct.Knowledge(
                policy=known if method == "A" else None,
                prior=None if method == "none" else known,
                judge=judge,
            )
            if worlds == 0:
                return openloop.search(
                    view, simulations=playouts, seconds=seconds, c=c,
                    rule=None if method == "none" else puct, cut=cut, knowledge=knowledge,
                    belief=guessing, early=True, rng=rng, report=tell,
                )  # fmt: skip
            total: Any = None
            for number in range(worlds):
                result = uct.search(
                    view,
                    simulations=None if playouts is None else (playouts + number) // worlds,
                    seconds=None if seconds is None else seconds / worlds,
                    rule=rule,
                    cut=cut,
                    knowledge=knowledge,
                    belief=guessing,
                    rng=rng,
                    report=tell if worlds == 1 else None,
                )
                if total is None:
                    total = result
                else:
                    add_roots(total.tree, result.tree)
                    done = total.simulations + result.simulations
                    total = uct.Result(total.tree, done, total.seconds + result.seconds)
                if tell is not None:
                    tell(total)
            return total

        def belief(self, view: rules.State, enemy: int) -> Any:
            if belief == "uniform":
                return None
            if belief == "redness":
                return geister.Redness(self.redness)
            learned = geister.learned_redness(traits, self.trails, view, enemy)
            return learned if belief == "learned" else self.suspicion.belief(view, enemy, learned)

        def watch(self, view: rules.State, move: int | None) -> None:
            if move is not None and geister.is_enemys(view):
                geister.redder(self.redness, geister.signs(view, move))
                self.trails.watch(view, move)
                if belief == "policy":
                    self.suspicion.watch(view, move)

    return Aoki()


def _mean_and_prior(candidate: Any, prior: float) -> float:
    return float(candidate.value + 0.1 * prior)
