"""The players that search."""

from collections.abc import Callable

from tesuji import rules
from tesuji.players import Candidate, Decision, Player, player
from tesuji.rng import Rng


@player
def uct(
    game: rules.Game,
    playouts: int | None = None,
    seconds: float | None = None,
    c: float = 0.7,
    threshold: int = 1,
) -> Player:
    """UCT with random playouts: 2000 playouts unless playouts, seconds or both are set.

    Where information is hidden it searches one world, drawn from those it may be in.
    """
    from tesuji.search import uct as search

    if playouts is None and seconds is None:
        playouts = 2000
    search.check_settings(playouts, seconds, c, threshold)

    class Uct(Player):
        def choose(
            self,
            view: rules.State,
            rng: Rng,
            report: Callable[[Decision], None] | None = None,
        ) -> Decision:
            def tell(result: search.Result) -> None:
                if report is not None:
                    report(decision(result))

            result = search.search(
                view,
                simulations=playouts,
                seconds=seconds,
                c=c,
                threshold=threshold,
                rng=rng,
                report=tell if report is not None else None,
            )
            return decision(result)

    def decision(result: search.Result) -> Decision:
        candidates = tuple(Candidate(*candidate) for candidate in result.candidates)
        line = tuple(result.principal_variation())
        return Decision(result.best, candidates, line, result.simulations)

    return Uct()
