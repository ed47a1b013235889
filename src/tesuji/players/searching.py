"""The players that search by simulation, over any game."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.knowledge import find
from tesuji.players import Candidate, Decision, Player, Report, digest, player
from tesuji.rng import Rng

Search = Callable[..., Any]


class Searcher(Player):
    """Asks a search, and takes its most visited move, or what `final` takes from the result.

    Knowledge with a method `prepare(view)` is replaced by what that gives before each search.
    """

    def __init__(
        self,
        search: Search,
        known: Any = (),
        final: Callable[[Any], int] | None = None,
    ) -> None:
        self.search, self.known, self.final = search, known, final
        self.identity = digest(*known)

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        return self.decide(self.ask(view, rng, report))

    def ask(self, view: rules.State, rng: Rng, report: Report | None, **more: Any) -> Any:
        """The result of the search."""
        if self.known:
            prepared = (one.prepare(view) if hasattr(one, "prepare") else one for one in self.known)
            self.known = type(self.known)(*prepared)
            more["knowledge"] = self.known
        telling = None if report is None else lambda result: report(self.decide(result))
        return self.search(view, rng=rng, report=telling, **more)

    def decide(self, result: Any) -> Decision:
        move = result.best if self.final is None else self.final(result)
        candidates = tuple(Candidate(*candidate) for candidate in result.candidates)
        return Decision(move, candidates, tuple(result.principal_variation()), result.simulations)


class Rememberer(Searcher):
    """A searcher by UCT that goes on with the part of its last tree that the game has reached."""

    last: Any = None
    since: tuple[int, ...] = ()

    def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
        tree = None if self.last is None else self.last.after(self.since)
        self.last, self.since = self.ask(view, rng, report, tree=tree), ()
        return self.decide(self.last)

    def watch(self, view: rules.State, move: int | None) -> None:
        if move is None:
            self.last = None
        else:
            self.since = (*self.since, move)


@player
def uct(
    game: rules.Game,
    playouts: int | None = None,
    seconds: float | None = None,
    c: float = 0.7,
    threshold: int = 1,
    rule: Literal["ucb1", "puct", "rave"] = "ucb1",
    rave: float = 1000.0,
    policy: str | None = None,
    pruning: str | None = None,
    prior: str | None = None,
    widening: float = 1.0,
    cut: int | None = None,
    judge: str | None = None,
    abstraction: str | None = None,
    haste: float = 0.0,
    reuse: bool = False,
    threads: int = 1,
    final: Literal["visits", "mean", "prior"] = "visits",
) -> Player:
    """UCT: 2000 playouts unless playouts, seconds or both are set.

    Where information is hidden it searches one world, drawn from those it may be in.

    c            the exploration constant
    threshold    a leaf grows children once it has been visited this often
    rule         how a child is selected: ucb1; puct, by a prior; rave, by all later moves as well
    rave         after so many visits a child's own mean counts as much as RAVE's
    policy       the game's knowledge that plays the playouts; by default a random draw
    pruning      the game's knowledge of moves that need no node
    prior        the game's knowledge of likely moves, for puct and widening; by default all alike
    widening     a node visited n times considers its n ** widening likeliest moves
    cut, judge   a playout ends after so many turns, worth what this knowledge of the game says
    abstraction  the game's knowledge of moves that are alike: a node for one of each group
    haste        each turn takes this fraction off what a result is worth: win early
    reuse        go on with the tree of the last move
    threads      so many searches at once, added up
    final        the move played: most visits, best mean, or best mean + 0.1 prior
    """
    from tesuji.search import uct as search

    if playouts is None and seconds is None:
        playouts = 2000
    if reuse and game.hidden:
        raise BadInput(f"uct cannot reuse its tree in {game.name}: every search has its own world")
    known = search.Knowledge(
        policy=find(game, "choose", policy),
        pruning=find(game, "prune", pruning),
        prior=find(game, "weigh", prior),
        judge=find(game, "rewards", judge),
        abstraction=find(game, "group", abstraction),
    )
    chosen = {"ucb1": search.UCB1(c), "puct": search.PUCT(), "rave": search.RAVE(c, rave)}[rule]
    settings: dict[str, Any] = {
        "simulations": playouts, "seconds": seconds, "c": c, "rule": chosen, "cut": cut,
        "threshold": threshold, "widening": widening, "haste": haste, "threads": threads,
    }  # fmt: skip
    search.check_settings(**settings)
    kind = Rememberer if reuse else Searcher
    return kind(partial(search.search, **settings), known, FINAL[final])


FINAL: dict[str, Callable[[Any], int] | None] = {
    "visits": None,
    "mean": lambda result: result.best_by(lambda candidate, prior: candidate.value),
    "prior": lambda result: result.best_by(lambda candidate, prior: candidate.value + 0.1 * prior),
}


@player
def ismcts(
    game: rules.Game,
    playouts: int | None = None,
    seconds: float | None = None,
    c: float = 0.7,
    threshold: int = 1,
    policy: str | None = None,
    pruning: str | None = None,
    prior: str | None = None,
    cut: int | None = None,
    judge: str | None = None,
    belief: str | None = None,
    abstraction: str | None = None,
) -> Player:
    """Information-set MCTS: every playout in a world of its own; 2000 playouts unless set.

    The settings are those of uct, but:

    prior        the game's knowledge of likely moves; with one, the rule is puct
    belief       the game's knowledge of what is hidden; by default all worlds are alike
    abstraction  the game's knowledge of moves that are alike: they share a node
    """
    from tesuji.search import openloop, uct

    if playouts is None and seconds is None:
        playouts = 2000
    known = uct.Knowledge(
        policy=find(game, "choose", policy),
        pruning=find(game, "prune", pruning),
        prior=find(game, "weigh", prior),
        judge=find(game, "rewards", judge),
        abstraction=find(game, "group", abstraction),
    )
    guessing = find(game, "guess", belief)
    settings: dict[str, Any] = {
        "simulations": playouts, "seconds": seconds, "c": c, "threshold": threshold, "cut": cut,
    }  # fmt: skip
    uct.check_settings(**settings)
    settings |= {"rule": None if prior is None else uct.PUCT(), "belief": guessing}
    return Searcher(partial(openloop.search, **settings), known)


@player
def pmc(
    game: rules.Game,
    rollouts: int = 100,
    policy: str | None = None,
    cut: int | None = None,
    judge: str | None = None,
) -> Player:
    """Flat Monte Carlo: so many rollouts after each legal move; plays the one with the best mean.

    policy      the game's knowledge that plays the rollouts; by default a random draw
    cut, judge  a rollout ends after so many turns, worth what this knowledge of the game says
    """
    from tesuji.search import montecarlo

    montecarlo.check_settings(rollouts, cut)
    policies, judges = find(game, "choose", policy), find(game, "rewards", judge)

    def search(view: rules.State, rng: Rng, report: Any) -> Any:
        return montecarlo.search(
            view, rollouts=rollouts, policy=policies, cut=cut, judge=judges, rng=rng
        )

    return Searcher(search)


@player
def policy(game: rules.Game, name: str = "default") -> Player:
    """Plays by a playout policy of the game's knowledge, without a search; default is the draw.

    name  the policy
    """
    from tesuji.search import montecarlo

    known = None if name == "default" else find(game, "choose", name)

    class Policy(Player):
        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            return Decision(montecarlo.one_move(view, rng, known))

    return Policy()
