"""How a paper is reproduced: one file per paper, one function per table or figure.

A paper's file makes a `Paper` and decorates a function for each table or figure with
`@paper.experiment(...)`, which declares its name, its title and the claim it supports. The function
gets a `Session`, asks it for matches (`session.match`), and returns a `Finding`: rows with the
published numbers beside ours, verdicts on the claims with their tests, what was scaled and why,
figures and boards. Games go through the arena: they have ids, are kept, and are played once.

    tesuji reproduce kato --table 1 --scale paper
"""

import dataclasses
import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tesuji import __version__
from tesuji.arena import Store
from tesuji.arena.experiment import Progress
from tesuji.arena.match import Count, Match, MatchResult
from tesuji.arena.match import run as run_match
from tesuji.arena.record import Task
from tesuji.arena.runners import Report, Runner
from tesuji.arena.stats import wilson
from tesuji.errors import BadInput, nearest

# --- What an experiment finds --------------------------------------------------------------------


class Verdict(NamedTuple):
    """Whether a claim holds here, and the test that says so."""

    claim: str
    holds: bool
    test: str


class Line(NamedTuple):
    """One line of a figure."""

    label: str
    x: list[float]
    y: list[float]


class Figure(NamedTuple):
    """A plot: lines over a common axis."""

    title: str
    x_label: str
    y_label: str
    lines: list[Line]
    log_x: bool = False


class Board(NamedTuple):
    """A position, with a caption: Rich markup as a game draws it."""

    caption: str
    drawing: str


@dataclass
class Finding:
    """What an experiment found: a table, verdicts, what was scaled, figures and boards."""

    columns: list[str]
    rows: list[list[str]]
    verdicts: list[Verdict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    boards: list[Board] = field(default_factory=list)


class Published(NamedTuple):
    """A result as the papers print it."""

    wins: int
    losses: int
    draws: int


VERSUS = ["", "published W-L-D", "published %", "ours W-L-D", "ours %", "95 %"]


def versus(label: str, ours: Count, published: Published | None = None) -> list[str]:
    """A row of a table of matches; the shares are of the games that were not drawn."""
    share = "-"
    if published is not None and published.wins + published.losses > 0:
        share = f"{published.wins / (published.wins + published.losses):.1%}"
    low, high = ours.decisive_interval
    return [
        label,
        "-".join(str(number) for number in published) if published else "-",
        share,
        f"{ours.wins}-{ours.losses}-{ours.draws}",
        f"{ours.wins / max(1, ours.wins + ours.losses):.1%}",
        f"{low:.1%} to {high:.1%}",
    ]


def beats(claim: str, ours: Count, least: float = 0.5) -> Verdict:
    """The claim that more than a share of the decisive games are won, with 95 % confidence."""
    low, _ = ours.decisive_interval
    return Verdict(claim, low > least, f"95 % lower bound {low:.1%}, must be above {least:.0%}")


def agrees(claim: str, ours: Count, published: Published) -> Verdict:
    """The claim that ours and the published share of decisive games could be the same."""
    from scipy.stats import fisher_exact

    table = [[ours.wins, ours.losses], [published.wins, published.losses]]
    p = float(fisher_exact(table).pvalue)
    shown = f"= {p:.3f}" if p >= 0.001 else "< 0.001"
    return Verdict(claim, p >= 0.05, f"Fisher's exact test, p {shown}, must be at least 0.05")


def pace_row(label: str, result: MatchResult, a: bool) -> list[str]:
    """A player's speed in a match: label, simulations and seconds per move, simulations per s."""
    pace = result.pace(a)
    return [
        label,
        f"{pace.simulations_per_move:,.0f}",
        f"{pace.seconds_per_move:.3f}",
        f"{pace.simulations_per_second:,.0f}",
    ]


# --- Running -------------------------------------------------------------------------------------


class Scale(NamedTuple):
    """How much of the published number of games is played: a fraction, or `quick`."""

    text: str
    fraction: float

    @property
    def quick(self) -> bool:
        return self.text == "quick"


def parse_scale(text: str) -> Scale:
    if text in ("quick", "paper"):
        return Scale(text, 1.0)
    try:
        fraction = float(text)
    except ValueError:
        fraction = 0.0
    if not 0 < fraction <= 1:
        raise BadInput(f"the scale is quick, paper or a fraction up to 1, not {text!r}")
    return Scale(text, fraction)


Watch = Callable[[str, Sequence[Task]], AbstractContextManager[tuple[Progress | None, Report]]]


@contextmanager
def in_silence(label: str, tasks: Sequence[Task]) -> Iterator[tuple[Progress | None, Report]]:
    yield None, lambda sentence: None


@dataclass
class Session:
    """What an experiment runs with; `notes` collects what was scaled."""

    scale: Scale
    store: Store | None = None
    runner: Runner | None = None
    watch: Watch = in_silence
    seed: int = 1
    notes: list[str] = field(default_factory=list)

    def games(self, published: int, quick: int = 8) -> int:
        """How many games to play where the paper (or our plan) has so many: an even number."""
        if self.scale.quick:
            return min(quick, published)
        return max(2, 2 * round(published * self.scale.fraction / 2))

    def match(
        self, label: str, game: str, a: str, b: str, games: int,
        openings: str = "start", quick: int = 8,
    ) -> MatchResult:  # fmt: skip
        """Play a match of so many games at full scale, and note how it was scaled."""
        count = self.games(games, quick)
        if count != games:
            self.notes.append(f"{label}: {count} games instead of {games}")
        match = Match(game, a, b, count, self.seed, openings)
        with self.watch(label, match.tasks) as (progress, report):
            return run_match(match, self.store, self.runner, progress, report)


@dataclass(frozen=True)
class Experiment:
    """A table or figure: its name, what it claims, and how it is run."""

    paper: str
    name: str
    title: str
    claim: str
    find: Callable[[Session], Finding]
    full_only: bool = False

    def run(self, session: Session) -> dict[str, Any]:
        """Run it; what it found, with all that is needed to find it again, as JSON."""
        session.notes.clear()
        finding = self.find(session)
        finding.notes = [*session.notes, *finding.notes]
        return {
            "paper": self.paper,
            "table": self.name,
            "title": self.title,
            "claim": self.claim,
            "command": f"tesuji reproduce {self.paper} --table {self.name} "
            f"--scale {session.scale.text} --seed {session.seed}",
            "scale": session.scale.text,
            "seed": session.seed,
            "version": __version__,
            **dataclasses.asdict(finding),
            "verdicts": [
                {**verdict._asdict(), "holds": bool(verdict.holds)} for verdict in finding.verdicts
            ],
            "figures": [
                {**figure._asdict(), "lines": [line._asdict() for line in figure.lines]}
                for figure in finding.figures
            ],
            "boards": [board._asdict() for board in finding.boards],
        }


@dataclass
class Paper:
    """A paper and its experiments, in the order of its tables."""

    name: str
    title: str
    authors: str
    game: str
    about: str
    experiments: list[Experiment] = field(default_factory=list)

    def experiment(
        self, name: str, title: str, claim: str, full_only: bool = False
    ) -> Callable[[Callable[[Session], Finding]], Callable[[Session], Finding]]:
        """Declare the function of a table or figure; `full_only` leaves it out of `quick`."""

        def add(find: Callable[[Session], Finding]) -> Callable[[Session], Finding]:
            self.experiments.append(Experiment(self.name, name, title, claim, find, full_only))
            return find

        return add

    def choose(self, table: str | None, scale: Scale) -> list[Experiment]:
        """The experiment of a name, or all that belong to a scale."""
        if table is None:
            return [one for one in self.experiments if not (scale.quick and one.full_only)]
        known = {one.name: one for one in self.experiments}
        if table not in known:
            raise BadInput(f"{self.name} has no table {table!r}{nearest(table, known)}")
        return [known[table]]


def names() -> list[str]:
    """The papers, each a module of this package that has a `paper`."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name for name in found if name != "report")


def load(name: str) -> Paper:
    if name not in names():
        raise BadInput(f"there is no paper called {name!r}{nearest(name, names())}")
    paper: Paper = importlib.import_module(f"{__name__}.{name}").paper
    return paper


# --- Results on disk -----------------------------------------------------------------------------


def save(result: dict[str, Any], directory: Path) -> Path:
    """Keep a result as `paper-table.json`, replacing an earlier one."""
    path = directory / f"{result['paper']}-{result['table']}.json"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None
    return path


KEPT = (
    "title", "claim", "command", "version", "columns", "rows", "verdicts", "notes", "figures",
    "boards",
)  # fmt: skip


def read(directory: Path) -> list[dict[str, Any]]:
    """All results in a directory, in the order of the papers and their tables."""
    order = [(one.paper, one.name) for name in names() for one in load(name).experiments]
    found = {}
    for path in sorted(directory.glob("*.json")):
        try:
            result = json.loads(path.read_text())
            for key in KEPT:
                result[key]
            found[result["paper"], result["table"]] = result
        except (OSError, ValueError, KeyError, TypeError):
            raise BadInput(f"{path} is not a result of `tesuji reproduce`") from None
    return [found[key] for key in order if key in found]


__all__ = [
    "VERSUS",
    "Board",
    "Figure",
    "Finding",
    "Line",
    "Paper",
    "Published",
    "Session",
    "Verdict",
    "agrees",
    "beats",
    "load",
    "names",
    "pace_row",
    "parse_scale",
    "read",
    "save",
    "versus",
    "wilson",
]
