"""Commands of the arena: match, tournament, ladder, replay, export."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tesuji.cli.common import JsonOption, app, print_json, terminal

if TYPE_CHECKING:
    from tesuji.arena import Record, Store
    from tesuji.arena.experiment import Progress
    from tesuji.arena.match import Count, MatchResult
    from tesuji.arena.runners import Report

GameOption = Annotated[str, typer.Option("--game", help="The game, with options: go:size=13.")]
SeedOption = Annotated[int, typer.Option(help="The same seed gives the same games.")]
OpeningsOption = Annotated[
    str, typer.Option(help="start, random:N (N random turns from the seed), or a file.")
]
RunnerOption = Annotated[
    str, typer.Option(help="Who plays: serial, processes, processes:N, ray, ray:ADDRESS.")
]
StoreOption = Annotated[
    Path | None, typer.Option(help="Where games are kept. [default: TESUJI_HOME/games.sqlite]")
]


@app.command()
def match(
    a: Annotated[str, typer.Argument(help="A player: uct:playouts=1000.")],
    b: Annotated[str, typer.Argument(help="Its opponent.")],
    game: GameOption = "go",
    games: Annotated[int, typer.Option(help="How many games, in pairs.", min=1)] = 100,
    seed: SeedOption = 1,
    openings: OpeningsOption = "random:2",
    runner: RunnerOption = "processes",
    sprt: Annotated[
        str | None,
        typer.Option(help="Stop as soon as Elo elo0 or elo1 is accepted: elo0,elo1[,alpha,beta]."),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match: the sides swapped, the games kept; repeat the command to go on after a stop."""
    from tesuji.arena import match as matches
    from tesuji.arena import runners
    from tesuji.arena.stats import Sprt

    contest = matches.Match(game, a, b, games, seed, openings, Sprt.parse(sprt) if sprt else None)
    chosen = runners.make(runner)
    with _open(store) as base, _progress(len(contest.tasks), contest.tasks[0].players[0]) as told:
        result = matches.run(contest, base, chosen, *told)
    if as_json:
        return print_json(result.as_json())
    _print_match(result)


def _open(path: Path | None) -> "Store":
    from tesuji.arena import Store

    return Store(path)


@contextmanager
def _progress(total: int, a: str | None = None) -> Iterator["tuple[Progress, Report]"]:
    """A bar on standard error: games done, the score of A so far, and the time left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True, highlight=False)
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games  [bold]{task.description}[/]"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    points = [0, 0, 0]

    def step(record: "Record") -> None:
        score = ""
        if a is not None:
            a_first = record.task.number % 2 == 0
            points[round(1 - record.outcome) if a_first else round(1 + record.outcome)] += 1
            score = "+{} ={} -{}".format(*points)
        bar.update(task, advance=1, description=score)

    with bar:
        task = bar.add_task("", total=total)
        yield step, lambda sentence: console.print(f"[yellow]{sentence}[/]")


def _print_match(result: "MatchResult") -> None:
    from rich.table import Table

    console = terminal()
    match, total = result.match, result.total
    console.print(f"[bold cyan]{match.a}[/] against [bold cyan]{match.b}[/] at {match.game}")
    table = Table("A plays", "games", "wins", "draws", "losses", "score", "95 %")
    for name, count in (("both", total), ("first", result.as_first), ("second", result.as_second)):
        table.add_row(name, *_cells(count))
    table.add_section()
    table.add_row("[dim]first side[/]", *_cells(result.first_side))
    console.print(table)
    low, high = result.elo_interval
    error = "" if result.elo_error is None else f" ± {result.elo_error:.0f}"
    console.print(f"Elo of A: [bold]{result.elo:+.0f}{error}[/]  (95 %: {low:+.0f} to {high:+.0f})")
    low, high = total.decisive_interval
    console.print(
        f"of the {total.wins + total.losses} decisive games A won between {low:.1%} and {high:.1%}"
        f"; {result.distinct} of {total.games} games are distinct"
    )
    table = Table("player", "seconds/move", "longest", "simulations/move", "simulations/s")
    for name, pace in ((match.a, result.pace(True)), (match.b, result.pace(False))):
        table.add_row(
            name,
            f"{pace.seconds_per_move:.4f}",
            f"{pace.longest:.3f}",
            f"{pace.simulations_per_move:,.0f}",
            f"{pace.simulations_per_second:,.0f}",
        )
    console.print(table)
    if match.sprt:
        sprt = match.sprt
        low, high = sprt.bounds
        verdict = {"elo0": f"Elo {sprt.elo0:g}", "elo1": f"Elo {sprt.elo1:g}", None: "neither yet"}
        console.print(
            f"SPRT of Elo {sprt.elo0:g} against {sprt.elo1:g}: log ratio "
            f"{sprt.ratio(result.pairs):+.2f} in ({low:.2f}, {high:.2f}), "
            f"accepted: [bold]{verdict[result.decision]}[/]"
        )
    for record in result.forfeits[:5]:
        console.print(f"[red]{record.ending}[/] in game {record.id}: {record.note}", markup=True)
    if len(result.forfeits) > 5:
        console.print(f"[red]and {len(result.forfeits) - 5} more forfeits[/]")


def _cells(count: "Count") -> list[str]:
    low, high = count.interval
    return [
        str(count.games),
        f"[green]{count.wins}[/]",
        str(count.draws),
        f"[red]{count.losses}[/]",
        f"[bold]{count.score:.1%}[/]",
        f"{low:.1%} - {high:.1%}",
    ]
