"""Aoki, Hashimoto: UCT with a policy-gradient policy for Geister, three ways; and beyond.

Hayazashi and the searches with its policy play with our own weights, or with those of the file that
the environment variable TESUJI_HAYAZASHI names (the published ones, which are not part of this
project). The players place their colours at random, as in the paper.
"""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tesuji import games, players, rules
from tesuji.arena.match import MatchResult
from tesuji.games.geister import UNKNOWN
from tesuji.knowledge import geister
from tesuji.papers import (
    VERSUS,
    Figure,
    Finding,
    Line,
    Paper,
    Published,
    Session,
    Verdict,
    beats,
    versus,
)
from tesuji.players import best
from tesuji.rng import Rng, seeded
from tesuji.search.uct import draw_world

paper = Paper(
    "aoki",
    "UCT with a policy learned by policy gradient for Geister",
    "Aoki, Hashimoto",
    "geister",
    "A policy learned by policy gradient (Hayazashi's) used in UCT in three ways: A in the tree "
    "and in playouts, B in the tree, C at the root only.",
)

GAME = "geister"


def weights() -> list[str]:
    """The setting that gives a player the published weights, if there are any here."""
    file = os.environ.get("TESUJI_HAYAZASHI")
    return [f'weights="{file}"'] if file else []


def hayazashi() -> str:
    return ":".join(["hayazashi", *weights()])


def which() -> str:
    published = "TESUJI_HAYAZASHI" in os.environ
    return f"Hayazashi's weights: {'the published ones' if published else 'ours, hayazashi-1'}"


def aoki(method: str, budget: str, *more: str) -> str:
    return f"aoki:{','.join([f'method={method}', budget, *more, *weights()])}"


def _three(
    session: Session, budget: str, opponent: str, published: dict[str, list[Published]]
) -> Finding:
    """The form of Tables 1 to 3: A, B and C, each as first and as second player."""
    rows, verdicts = [], []
    for method in "ABC":
        one = session.match(f"method {method}", GAME, aoki(method, budget), opponent, 200, quick=2)
        known = [*published.get(method, []), None, None]
        rows.append(versus(f"{method}, first", one.as_first, known[0]))
        rows.append(versus(f"{method}, second", one.as_second, known[1]))
        if method != "A":
            verdicts.append(beats(f"{method} beats its opponent", one.total))
    return Finding(VERSUS, rows, verdicts, [which()])


SECOND = {
    "A": [Published(32, 68, 0)],
    "B": [Published(61, 38, 1), Published(53, 44, 3)],
    "C": [Published(62, 36, 2), Published(50, 48, 2)],
}
TEN_SECONDS = {
    "A": [Published(35, 64, 1), Published(29, 69, 2)],
    "B": [Published(51, 40, 9), Published(62, 38, 0)],
    "C": [Published(56, 37, 7), Published(55, 43, 2)],
}
NAOTTI = {
    "A": [Published(31, 68, 1), Published(32, 67, 1)],
    "B": [Published(51, 45, 4), Published(52, 48, 0)],
    "C": [Published(58, 38, 4), Published(64, 32, 4)],
}
CLAIM = "B and C beat Hayazashi; A, whose playouts are few, loses."


@paper.experiment("1", "Against Hayazashi at 1 s per move", CLAIM, full_only=True)
def table_1(session: Session) -> Finding:
    return _three(session, "seconds=1", hayazashi(), SECOND)


@paper.experiment("1-tenth", "Against Hayazashi at 0.1 s per move (published: 1 and 10)",
                  "Ten times the time makes little difference.", full_only=True)  # fmt: skip
def table_1_tenth(session: Session) -> Finding:
    return _three(session, "seconds=0.1", hayazashi(), SECOND)


@paper.experiment("2", "Against Hayazashi at 10 s per move", CLAIM, full_only=True)
def table_2(session: Session) -> Finding:
    return _three(session, "seconds=10", hayazashi(), TEN_SECONDS)


@paper.experiment("3", "Against the purple search at 1 s per move", "B and C beat Naotti-2020.",
                  full_only=True)  # fmt: skip
def table_3(session: Session) -> Finding:
    return _three(session, "seconds=1", "naotti", NAOTTI)


@paper.experiment(
    "playouts",
    "A, B and C at equal playouts",
    "A loses because its playouts are few, not because they are bad.",
)
def playouts(session: Session) -> Finding:
    return _at_equal_playouts(session, [100, 1000] if session.scale.quick else [100, 1000, 10000])


@paper.experiment("playouts-large", "A, B and C at 100,000 playouts", "The same holds with many.",
                  full_only=True)  # fmt: skip
def playouts_large(session: Session) -> Finding:
    return _at_equal_playouts(session, [100_000])


def _at_equal_playouts(session: Session, budgets: list[int]) -> Finding:
    rows, lines, verdicts = [], [], []
    for method in "ABC":
        shares = []
        for count in budgets:
            label = f"{method}, {count} playouts"
            one = session.match(
                label, GAME, aoki(method, f"playouts={count}"), hayazashi(), 200, quick=2
            )
            rows.append(versus(label, one.total))
            shares.append(one.total.score)
            if method == "A":
                verdicts.append(beats(f"A beats Hayazashi with {count} playouts", one.total))
        lines.append(Line(f"method {method}", [float(count) for count in budgets], shares))
    figure = Figure("Score against Hayazashi (draws half)", "playouts per move", "score", lines,
                    log_x=True)  # fmt: skip
    return Finding(VERSUS, rows, verdicts, [which()], [figure] if len(budgets) > 1 else [])


@paper.experiment(
    "claims",
    "Method C at 10,000 playouts, against both opponents",
    "Method C beats Hayazashi and the purple search.",
)
def claims(session: Session) -> Finding:
    rows, verdicts = [], []
    player = aoki("C", f"playouts={1000 if session.scale.quick else 10_000}")
    for name, opponent in (("Hayazashi", hayazashi()), ("the purple search", "naotti")):
        one = session.match(name, GAME, player, opponent, 1000, quick=4)
        rows.append(versus(name, one.total))
        verdicts.append(beats(f"C beats {name}", one.total))
    return Finding(VERSUS, rows, verdicts, [which()])


@paper.experiment(
    "findings",
    "One world or many, and how it is drawn",
    "One determinisation per search beats one per playout; sampling by redness helps.",
)
def findings(session: Session) -> Finding:
    budget = "playouts=1000"
    pairs = {
        "one world per search against one per playout": (
            aoki("none", budget), aoki("none", budget, "worlds=0"),
        ),
        "redness against uniform colours": (
            aoki("C", budget), aoki("C", budget, "belief=uniform"),
        ),
        "learned redness against the rule": (
            aoki("C", budget, "belief=learned"), aoki("C", budget),
        ),
    }  # fmt: skip
    rows, verdicts = [], []
    for name, (one, other) in pairs.items():
        result = session.match(name, GAME, one, other, 400, quick=4)
        rows.append(versus(name, result.total))
        verdicts.append(beats(name, result.total))
    return Finding(VERSUS, rows, verdicts, [which()])


def _turns(
    session: Session, name: str, one: str, other: str, count: int
) -> Iterator[tuple[Any, rules.State, int, Rng]]:
    """Every turn of `one` in so many games: the player, the whole state, and the move it makes."""
    game = games.load(GAME)
    for number in range(count):
        order = (one, other) if number % 2 == 0 else (other, one)
        sides = [players.build(text, game) for text in order]
        sitting, rng = players.Sitting(game, sides), seeded(session.seed, name, number)
        while not game.is_over(sitting.state):
            mover = game.player_to_move(sitting.state)
            chosen = sitting.choose(rng).move
            if mover == number % 2 and game.turn(sitting.state) >= 2:
                yield sides[mover], sitting.state, chosen, rng
            sitting.play(chosen)
        sitting.close()


@paper.experiment(
    "agreement",
    "How often method C plays Hayazashi's move",
    "Most moves are the policy's own, whatever the time; UCT mainly stops escapes.",
)
def agreement(session: Session) -> Finding:
    game, count = games.load(GAME), session.games(100, quick=2)
    advisor = players.build(hayazashi(), game)
    rows = []
    for budget in (100, 1000) if session.scale.quick else (100, 1000, 10000):
        same = np.zeros((2, 2), int)  # moves, by whether a ghost may soon leave and they are alike
        texts = aoki("C", f"playouts={budget}"), hayazashi()
        for _, state, chosen, rng in _turns(session, "agree", *texts, count):
            mover = game.player_to_move(state)
            view = game.view(state, mover)
            soon = min(steps for _, steps, _ in geister.standing(view, 1 - mover)) <= 1
            same[int(soon), int(chosen == advisor.choose(view, rng).move)] += 1
        table = np.vstack([same.sum(axis=0), same[1], same[0]])
        shares = table[:, 1] / np.maximum(1, table.sum(axis=1))
        cells = [f"{share:.1%} of {row.sum()}" for share, row in zip(shares, table, strict=True)]
        rows.append([f"{budget} playouts", *cells])
    whole, threatened, quiet = shares
    verdicts = [
        Verdict("more than half of the moves are the policy's", whole > 0.5, f"{whole:.1%}"),
        Verdict(
            "it departs from the policy more often where an enemy's ghost may soon leave",
            threatened < quiet,
            f"the policy's there {threatened:.1%}, elsewhere {quiet:.1%}",
        ),
    ]
    columns = ["method C", "the policy's moves", "an enemy's ghost at most a step from an exit",
               "none so near"]  # fmt: skip
    return Finding(columns, rows, verdicts, [which(), f"{count} games each"])


@paper.experiment(
    "beliefs",
    "How many of the enemy's hidden colours are guessed right",
    "Redness tells more than chance.",
)
def beliefs(session: Session) -> Finding:
    game, count, draws = games.load(GAME), session.games(50, quick=1), 20
    opponents = {
        "Hayazashi": hayazashi(),
        "the purple search": "naotti",
        "method C": aoki("C", "playouts=100"),
    }
    rows, shares = [], {}
    for belief in ("uniform", "redness", "learned", "policy"):
        for name, opponent in opponents.items():
            right = hidden = 0
            player = aoki("C", "playouts=100", f"belief={belief}")
            for me, state, _, rng in _turns(session, "beliefs", player, opponent, count):
                mover = game.player_to_move(state)
                view = game.view(state, mover)
                unknown = view[0].colour[1 - mover] == UNKNOWN
                for _ in range(draws):
                    world = view.copy()
                    draw_world(world, mover, rng, me.belief(view, 1 - mover))
                    right += (world[0].colour == state[0].colour)[1 - mover][unknown].sum()
                    hidden += unknown.sum()
            shares[belief, name] = right / hidden
        rows.append([belief, *(f"{shares[belief, name]:.1%}" for name in opponents)])
    verdicts = [
        Verdict(
            f"redness tells more than chance about {name}",
            shares["redness", name] > shares["uniform", name],
            f"{shares['redness', name]:.1%} against {shares['uniform', name]:.1%}",
        )
        for name in opponents
    ]
    notes = [which(), f"{count} games each of method C at 100 playouts, {draws} draws at each turn"]
    return Finding(["belief", *(f"of {name}" for name in opponents)], rows, verdicts, notes)


BEYOND = {
    "information-set MCTS": ("none", "worlds=0"),
    "information-set MCTS with the policy": ("A", "worlds=0", "frame=mover"),
    "ten worlds": ("C", "worlds=10"),
    "learned redness": ("C", "belief=learned"),
    "colours by the policy": ("C", "belief=policy"),
    "certain wins first": ("C", "proof=7"),
    "the enemy judges its own moves": ("A", "frame=mover"),
    "a learned chance to win": ("B", "frame=mover", "outlook=outlook-1"),
}


@paper.experiment(
    "beyond",
    "Beyond the paper: what each idea is worth at equal time",
    "Each idea improves on method C.",
    full_only=True,
)
def beyond(session: Session) -> Finding:
    budget = "seconds=0.05"
    rows, verdicts = [], []
    for name, (method, *more) in BEYOND.items():
        for opponent, against in (("method C", aoki("C", budget)), ("Hayazashi", hayazashi())):
            label = f"{name}, against {opponent}"
            one = session.match(label, GAME, aoki(method, budget, *more), against, 200)
            rows.append(versus(label, one.total))
            if opponent == "method C":
                verdicts.append(beats(f"{name} beats method C", one.total))
    return Finding(VERSUS, rows, verdicts, [which(), "0.05 s per move"])


@paper.experiment(
    "strongest",
    "Beyond the paper: our strongest player at 1 s per move",
    "It takes three quarters of the points from Hayazashi and from the purple search.",
    full_only=True,
)
def strongest(session: Session) -> Finding:
    rows, verdicts = [], []
    for name, opponent in (("Hayazashi", hayazashi()), ("the purple search", "naotti")):
        one = session.match(name, GAME, "best:seconds=1", opponent, 200)
        rows.append(versus(name, one.total))
        verdicts.append(_three_quarters(name, one))
    return Finding(VERSUS, rows, verdicts, [which(), f"it is {best.STRONGEST[GAME]}"])


def _three_quarters(name: str, result: MatchResult) -> Verdict:
    score = result.total.score
    low, high = result.total.interval
    test = f"score {score:.1%} (draws half), 95 % {low:.1%} to {high:.1%}"
    return Verdict(f"75 % against {name}", score >= 0.75, test)
