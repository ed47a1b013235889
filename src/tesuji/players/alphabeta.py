"""The players that look ahead move by move and evaluate what they see."""

from typing import Any

import numpy as np

from tesuji import knowledge, rules
from tesuji.players import Candidate, Decision, Player, Report, digest, player
from tesuji.rng import Rng


def find_evaluation(game: rules.Game, name: str) -> Any:
    """A game's evaluation by its name; `default` is None where a game has no evaluation at all."""
    if name == "default" and not knowledge.offers(game, "evaluate"):
        return None
    return knowledge.find(game, "evaluate", name)


@player
def alphabeta(
    game: rules.Game,
    nodes: int | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    evaluation: str = "default",
    noise: float = 0.0,
) -> Player:
    """Alpha-beta with iterative deepening: 100,000 nodes unless nodes, seconds or depth are set.

    depth is in whole turns, or in moves where turns have more than two; noise is the size of a
    random term in the evaluation. One search decides a whole turn as far as its line goes.
    """
    from tesuji.search import alphabeta as search

    if nodes is None and seconds is None and depth is None:
        nodes = 100_000
    search.check_settings(nodes, seconds, depth)
    search.check_game(game)
    knows = find_evaluation(game, evaluation)

    def decide(result: search.Result) -> Decision:
        candidates = tuple(
            Candidate(move, spent, search.chance_to_win(value))
            for move, spent, value in result.candidates
        )
        return Decision(result.best, candidates, tuple(result.line), result.nodes)

    class AlphaBeta(Player):
        identity = digest(knows)
        plan: tuple[int, ...] = ()  # the rest of the line of the last search
        expected = -1  # the position in which it begins

        def __init__(self) -> None:
            self.stop = np.zeros(2, np.int8)

        def interrupt(self) -> None:
            self.stop[search.CALLER] = 1

        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            if self.plan and game.position_hash(view) == self.expected:
                decision = Decision(self.plan[0], line=self.plan)
            else:
                telling = None if report is None else lambda result: report(decide(result))
                decision = decide(
                    search.search(
                        view, knows, nodes=nodes, seconds=seconds, depth=depth, noise=noise,
                        rng=rng, stop=self.stop, report=telling,
                    )
                )  # fmt: skip
            ahead = view.copy()
            game.play(ahead, decision.move)
            same = not game.is_over(ahead) and game.turn(ahead) == game.turn(view)
            self.plan = decision.line[1:] if same else ()
            self.expected = game.position_hash(ahead)
            return decision

    return AlphaBeta()


@player
def greedy(game: rules.Game, evaluation: str = "default") -> Player:
    """Looks one move ahead and takes the best by the game's evaluation; ties are drawn by lot.

    Where a game has no evaluation it takes a move that wins, if there is one. What is hidden or
    drawn by lot is drawn once.
    """
    from tesuji.search.greedy import values_of

    knows = find_evaluation(game, evaluation)

    class Greedy(Player):
        identity = digest(knows)

        def choose(self, view: rules.State, rng: Rng, report: Report | None = None) -> Decision:
            mover = game.player_to_move(view)
            state = game.sample_world(view, mover, rng) if game.hidden else view
            found = values_of(state, knows, rng)
            candidates = tuple(Candidate(move, 1, value) for move, value in found)
            return Decision(candidates[0].move, candidates, (), len(candidates))

    return Greedy()
