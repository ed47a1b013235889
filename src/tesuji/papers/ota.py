"""Ota, Grimbergen: weights of domination distances in Amazons, learned by temporal differences.

The three runs A, B and C are `tesuji train ota`, whose weights tesuji ships as ota-a, ota-b, ota-c.
The paper's matches are at 1 s per move; here most are at a number of nodes, small or large, from
paired random openings, because a search at a number of nodes repeats itself.
"""

from importlib import resources

import numpy as np
import numpy.typing as npt

from tesuji import games, players
from tesuji.arena.match import Count
from tesuji.arena.ratings import rate
from tesuji.knowledge import find, offers
from tesuji.knowledge.amazons import FEATURES, count_distances
from tesuji.papers import (
    VERSUS,
    Figure,
    Finding,
    Line,
    Paper,
    Published,
    Session,
    Verdict,
    agrees,
    beats,
    versus,
)
from tesuji.players import best
from tesuji.rng import seeded

paper = Paper(
    "ota",
    "Learning domination distances of Amazons with temporal differences",
    "Ota, Grimbergen",
    "amazons",
    "An evaluation by how many moves earlier one side reaches a cell, its nine weights learned by "
    "TD(lambda) from games against itself, in alpha-beta.",
)
GAME = "amazons"
RUNS = ("a", "b", "c")
SMALL, LARGE, PUBLISHED = "nodes=1000", "nodes=20000", "seconds=1"  # for a turn
PUBLISHED_WEIGHTS = {
    "a": [5.342, 1.091, 3.205, 3.507, 4.155, 1.169, 3.312, 3.656, 4.244],
    "b": [5.865, 1.123, 3.481, 3.564, 4.236, 1.158, 3.331, 3.683, 4.112],
    "c": [6.105, 1.135, 3.455, 3.212, 4.711, 1.211, 3.674, 3.555, 4.789],
}


def player(evaluation: str, budget: str) -> str:
    return f"alphabeta:evaluation={evaluation},{budget}"


def learned(run: str) -> list[float]:
    """The nine weights of a run that tesuji ships."""
    weights = find(games.load(GAME), "evaluate", f"ota-{run}").weights
    return [float(weight) for weight in weights[0]]


def shipped(runs: tuple[str, ...] = RUNS) -> list[str]:
    """Which of some runs have their weights here."""
    names = offers(games.load(GAME), "evaluate")
    return [run for run in runs if f"ota-{run}" in names]


def history(run: str) -> npt.NDArray[np.float64]:
    """A row for each checkpoint of a run: how many games, and the weights."""
    with (
        resources.as_file(resources.files("tesuji") / "weights" / f"ota-{run}.npz") as path,
        np.load(path, allow_pickle=False) as data,
    ):
        rows: npt.NDArray[np.float64] = data["history"]
    return rows


SHARES = {
    "queen": [29.30, 34.57, 5.21, 1.58, 1.03, 28.31],
    "king": [19.21, 32.32, 11.85, 4.54, 3.77, 28.31],
}


@paper.experiment(
    "1",
    "How often each domination distance occurs",
    "Domains and distances 0 to 3 are nearly all cells, for queens and for kings.",
)
def table_1(session: Session) -> Finding:
    game = games.load(GAME)
    count = session.games(100, quick=4)
    counts, distances = np.zeros((2, 6), np.int64), np.zeros((4, 128), np.int8)
    for number in range(count):
        sides = [players.build(player("fixed", "nodes=300"), game) for _ in range(2)]
        sitting, rng = players.Sitting(game, sides), seeded(session.seed, "shares", number)
        while not game.is_over(sitting.state):
            random = game.turn(sitting.state) < 2
            state = sitting.state
            if not state[0].shooter:
                count_distances(state, distances, counts)  # type: ignore[no-untyped-call]
            sitting.play(game.random_move(state, rng) if random else sitting.choose(rng).move)
    rows = []
    for kind, name in enumerate(("queen", "king")):
        for column, label in enumerate(("0", "1", "2", "3", "4 or more", "domain")):
            share = 100 * counts[kind, column] / counts[kind].sum()
            rows.append([f"{name} {label}", f"{SHARES[name][column]:.2f} %", f"{share:.2f} %"])
    few = [1 - counts[kind, 4] / counts[kind].sum() for kind in range(2)]
    verdict = Verdict(
        "0 to 3 and domains are more than 96 % of the cells",
        min(few) > 0.96,
        f"{few[0]:.1%} for queens, {few[1]:.1%} for kings",
    )
    note = f"{count} games of the fixed evaluation against itself at 300 nodes, 2 random turns"
    return Finding(["distance", "published", "ours"], rows, [verdict], [note])


@paper.experiment(
    "3",
    "Learned weights, and their ratios to queen 0 (Tables 3 and 4)",
    "The weights rise with the distance: 0 < {1, 2} < 3 or more < domain.",
)
def table_3(session: Session) -> Finding:
    rows, verdicts = [], []
    for run in shipped():
        weights = learned(run)
        for name, ours, theirs in zip(FEATURES, weights, PUBLISHED_WEIGHTS[run], strict=True):
            base, published_base = weights[1], PUBLISHED_WEIGHTS[run][1]
            rows.append(
                [f"{run.upper()}, {name}", f"{theirs:.3f}", f"{theirs / published_base:.2f}",
                 f"{ours:.3f}", f"{ours / base:.2f}"]
            )  # fmt: skip
        domain, q0, q1, q2, q3, k0, k1, k2, k3 = weights
        ordered = max(q0, k0) < min(q1, q2, k1, k2) and max(q1, q2, k1, k2) < min(q3, k3) < domain
        test = (
            f"queen {q0:.2f} {q1:.2f} {q2:.2f} {q3:.2f}, king {k0:.2f} {k1:.2f} {k2:.2f} {k3:.2f}"
        )
        claim = f"run {run.upper()}: 0 < {{1, 2}} < 3 or more < domain"
        verdicts.append(Verdict(claim, ordered, f"{test}, domain {domain:.2f}"))
    columns = ["weight", "published", "ratio to queen 0", "ours", "ratio to queen 0 "]
    return Finding(columns, rows, verdicts, ["only ratios are comparable: omega is 1 in both"])


@paper.experiment("figure-3", "Weights over the games", "The weights part early and settle.")
def figure_3(session: Session) -> Finding:
    figures, rows = [], []
    for run in shipped():
        past = history(run)
        lines = [
            Line(name, past[:, 0].tolist(), past[:, column + 1].tolist())
            for column, name in enumerate(FEATURES)
        ]
        figures.append(Figure(f"Run {run.upper()}", "games", "weight", lines))
        for games_played in (0, 1000, 3000, 10_000):
            (row,) = past[past[:, 0] == games_played][:1, 1:]
            rows.append([run.upper(), f"{games_played:,}", *(f"{weight:.2f}" for weight in row)])
    return Finding(["run", "games", *FEATURES], rows, figures=figures)


def _against_fixed(
    session: Session, suffix: str, published: dict[str, Published], budget: str, count: int
) -> Finding:
    rows, total = [], Count(0, 0, 0)
    for run in shipped():
        one = session.match(
            f"run {run.upper()}{suffix}", GAME, player(f"ota-{run}{suffix}", budget),
            player("fixed", budget), count, openings="random:2", quick=2,
        )  # fmt: skip
        rows.append(versus(f"run {run.upper()}{suffix}", one.total, published[run]))
        total = total + one.total
    pooled = Published(*(sum(numbers) for numbers in zip(*published.values(), strict=True)))
    rows.append(versus("all runs", total, pooled))
    verdicts = [agrees("the share is as published", total, pooled)]
    if not suffix:
        verdicts.insert(0, beats("learned beats fixed", total))
    return Finding(VERSUS, rows, verdicts, [f"{budget} for a turn (published: 1 s)"])


WHOLE = {"a": Published(168, 132, 0), "b": Published(164, 136, 0), "c": Published(166, 134, 0)}
QUEEN = {"a": Published(153, 147, 0), "b": Published(143, 157, 0), "c": Published(147, 153, 0)}
KING = {"a": Published(155, 145, 0), "b": Published(152, 148, 0), "c": Published(140, 160, 0)}


@paper.experiment("5", "Learned against fixed weights", "Learned weights beat the fixed ones.")
def table_5(session: Session) -> Finding:
    return _against_fixed(session, "", WHOLE, SMALL, 700)


@paper.experiment("5-large", "Learned against fixed weights, more nodes",
                  "Learned weights beat the fixed ones.", full_only=True)  # fmt: skip
def table_5_large(session: Session) -> Finding:
    return _against_fixed(session, "", WHOLE, LARGE, 300)


@paper.experiment("5-second", "Learned against fixed weights, 1 s for a turn",
                  "Learned weights beat the fixed ones.", full_only=True)  # fmt: skip
def table_5_second(session: Session) -> Finding:
    return _against_fixed(session, "", WHOLE, PUBLISHED, 300)


def _in_part(session: Session, part: str, published: dict[str, Published]) -> Finding:
    """Tables 6 and 7: the other weights are the fixed ones, or 0 where `part` stands alone."""
    likely = _against_fixed(session, f"-{part}", published, SMALL, 300)
    alone = _against_fixed(session, f"-{part}-alone", published, SMALL, 300)
    likely.rows += alone.rows
    for verdict in alone.verdicts:
        likely.verdicts.append(verdict._replace(claim=f"{verdict.claim} ({part}-alone)"))
    likely.notes.append(
        f"-{part}: the learned weights of domains and of the {part}, the others fixed; "
        f"-{part}-alone: the others 0; the paper's words allow both"
    )
    return likely


@paper.experiment("6", "Learned weights for queens only", "No gain from queens alone.")
def table_6(session: Session) -> Finding:
    return _in_part(session, "queen", QUEEN)


@paper.experiment("7", "Learned weights for kings only", "No gain from kings alone.")
def table_7(session: Session) -> Finding:
    return _in_part(session, "king", KING)


def _round(session: Session, pairs: list[tuple[str, str]], budget: str, games: int) -> Finding:
    """Evaluations that meet with equal budgets; the first of each pair should win."""
    rows, verdicts = [], []
    for one, other in pairs:
        label = f"{one} against {other}"
        result = session.match(
            label, GAME, player(one, budget), player(other, budget), games,
            openings="random:2", quick=2,
        )  # fmt: skip
        rows.append(versus(label, result.total))
        verdicts.append(beats(f"{one} beats {other}", result.total))
    return Finding(VERSUS, rows, verdicts, [f"{budget} for a turn"])


@paper.experiment(
    "references",
    "Learned weights against Lieberum's evaluations",
    "Learned domination distances beat the evaluations that they come from.",
)
def references(session: Session) -> Finding:
    pairs = [(f"ota-{run}", other) for run in shipped()[:1] for other in ("classic", "lieberum")]
    return _round(session, pairs, SMALL, 400)


FUTURE = {
    "leaf": "learned about the end of the search's best line (TDLeaf)",
    "phases": "three rows of weights, blended over the game",
    "deep": "learned in 600 games from searches of depth 3, or 30,000 nodes",
    "few": "learned in 600 games as published, to compare with ota-deep",
}


@paper.experiment(
    "future",
    "What the authors propose: other ways to learn",
    "Deeper targets and weights by phase improve on the published form.",
)
def future(session: Session) -> Finding:
    names = [name for name in FUTURE if name in shipped(tuple(FUTURE))]
    others = ["fixed", *(f"ota-{run}" for run in shipped()[:1])]
    pairs = [(f"ota-{name}", other) for name in names for other in others]
    pairs.append(("ota-deep", "ota-few"))
    finding = _round(session, pairs, SMALL, 600)
    finding.notes += [f"ota-{name}: {FUTURE[name]}" for name in names]
    return finding


BEST = "ota-b"  # by table 5-large: more nodes, as in a second
IN_UCT = {
    "rollouts cut at once": "c=0.1,cut=0",
    "rollouts cut after 2 turns": "c=0.1,cut=2",
    "rollouts cut after 4 turns": "c=0.1,cut=4",
    "cut at once, widened by the evaluation": "c=0.1,cut=0,prior=WEIGHTS,widening=0.5",
}


def in_uct(settings: str, weights: str, seconds: float) -> str:
    """A player that has so many seconds for a turn, half of them for each of its moves."""
    return f"uct:seconds={seconds / 2},judge={weights},{settings.replace('WEIGHTS', weights)}"


@paper.experiment(
    "uct",
    "The same evaluation in UCT against alpha-beta, at equal time",
    "The evaluation is stronger in UCT.",
    full_only=True,
)
def uct(session: Session) -> Finding:
    rows, verdicts, weights = [], [], "ota-a"
    for name, settings in IN_UCT.items():
        one = session.match(
            name, GAME, in_uct(settings, weights, 0.02), player(weights, "seconds=0.02"), 40,
            openings="random:2",
        )  # fmt: skip
        rows.append(versus(name, one.total))
        verdicts.append(beats(name, one.total))
    return Finding(VERSUS, rows, verdicts, [f"0.02 s for a turn, {weights}"])


@paper.experiment(
    "strongest",
    "The strongest player at 1 s for a turn",
    "UCT that widens by the learned evaluation is stronger than other players.",
    full_only=True,
)
def strongest(session: Session) -> Finding:
    """The default player against each of the others; its rating is held at 0."""
    others = {
        "alpha-beta, learned weights": player(BEST, PUBLISHED),
        "alpha-beta, fixed weights": player("fixed", PUBLISHED),
        "alpha-beta, Lieberum's evaluation": player("lieberum", PUBLISHED),
        "UCT, rollouts cut at once": in_uct(IN_UCT["rollouts cut at once"], BEST, 1),
    }
    default = f"{best.STRONGEST[GAME]},seconds=0.5"  # for each of the two moves of a turn
    rows, verdicts, met = [], [], {}
    for name, other in others.items():
        total = session.match(name, GAME, default, other, 100, openings="random:2").total
        met["the default", name] = (total.wins, total.draws, total.losses)
        rows.append(versus(f"against {name}", total))
        verdicts.append(beats(f"it beats {name}", total))
    rated = rate(["the default", *others], met, {"the default": 0.0})
    notes = [f"it is {default}, at 0 Elo"]
    for rating in rated.ratings:
        if not rating.anchored:
            low, high = rating.interval
            notes.append(f"{rating.name}: {rating.elo:+.0f} Elo ({low:+.0f} to {high:+.0f})")
    return Finding(VERSUS, rows, verdicts, notes)
