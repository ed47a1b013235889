"""Commands of the arena: match, tournament, ladder, replay, export."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tesuji.cli.common import JsonOption, SeedOption, app, print_json, terminal

if TYPE_CHECKING:
    from tesuji.arena import Record, Store
    from tesuji.arena.experiment import Progress
    from tesuji.arena.match import Count, MatchResult
    from tesuji.arena.runners import Report
    from tesuji.arena.tournament import TournamentResult

GameOption = Annotated[str, typer.Option("--game", help="The game, with options: go:size=13.")]
OpeningsOption = Annotated[
    str, typer.Option(help="start, random:N (N random turns from the seed), or a file.")
]
RunnerOption = Annotated[
    str, typer.Option(help="Who plays: serial, processes, processes:N, ray, ray:ADDRESS.")
]
StoreOption = Annotated[
    Path | None, typer.Option(help="Where games are kept. [default: TESUJI_HOME/games.sqlite]")
]

FEW = 5  # forfeits that are shown


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
    with (
        open_store(store) as base,
        progress_bar(len(contest.tasks), contest.tasks[0].players[0]) as told,
    ):
        result = matches.run(contest, base, chosen, *told)
    if as_json:
        return print_json(result.as_json())
    print_match(result)


def open_store(path: Path | None) -> "Store":
    from tesuji.arena import Store

    return Store(path)


@contextmanager
def progress_bar(
    total: int, a: str | None = None, label: str = ""
) -> Iterator["tuple[Progress, Report]"]:
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
        TextColumn(f"games  {label} [bold]{{task.description}}[/]"),
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
        yield step, lambda sentence: console.print(sentence, style="yellow", markup=False)


def print_match(result: "MatchResult") -> None:
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
    for name, pace in (("A", result.pace(True)), ("B", result.pace(False))):
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
    _print_forfeits(result.forfeits)


def _print_forfeits(records: "list[Record]") -> None:
    from rich.markup import escape

    console = terminal()
    for record in records[:FEW]:
        console.print(f"[red]{record.ending}[/] in game {record.id}: {escape(record.note)}")
    if len(records) > FEW:
        console.print(f"[red]and {len(records) - FEW} more forfeits[/]")


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


@app.command()
def tournament(
    players: Annotated[list[str], typer.Argument(help="Two or more players.")],
    game: GameOption = "go",
    games: Annotated[int, typer.Option(help="How many games in each meeting.", min=1)] = 20,
    format: Annotated[str, typer.Option(help="round-robin, gauntlet or swiss.")] = "round-robin",
    rounds: Annotated[
        int | None, typer.Option(help="Of a Swiss. [default: log2 of the players]")
    ] = None,
    anchor: Annotated[
        list[str] | None, typer.Option(help="PLAYER=ELO, a rating to hold; may be repeated.")
    ] = None,
    seed: SeedOption = 1,
    openings: OpeningsOption = "random:2",
    runner: RunnerOption = "processes",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament: a cross-table and ratings; repeat the command to go on after a stop."""
    from tesuji.arena import runners
    from tesuji.arena import tournament as tournaments

    contest = tournaments.Tournament(
        game, tuple(players), games, seed, openings, format, rounds,
        tuple(_anchor(text) for text in anchor or []),
    )  # fmt: skip
    contest.check()
    chosen = runners.make(runner)
    with open_store(store) as base, progress_bar(contest.number_of_games()) as told:
        result = tournaments.run(contest, base, chosen, *told)
    if as_json:
        return print_json(result.as_json())
    _print_tournament(result)


def _anchor(text: str) -> tuple[str, float]:
    from tesuji.errors import BadInput

    name, _, elo = text.rpartition("=")
    try:
        return name, float(elo)
    except ValueError:
        raise BadInput(f"anchor {text!r} is not of the form PLAYER=ELO") from None


def _print_tournament(result: "TournamentResult") -> None:
    from rich.table import Table

    console = terminal()
    ratings = result.ratings
    names = [rating.name for rating in ratings.ratings]
    numbers = [str(number) for number in range(1, len(names) + 1)]
    table = Table("", "player", "Elo", "games", "score", *numbers)
    table.columns[1].overflow = "fold"
    for number, rating in zip(numbers, ratings.ratings, strict=True):
        total = result.total(rating.name)
        error = rating.interval.high - rating.elo
        cells = []
        for other in names:
            count = result.between(rating.name, other) if other != rating.name else None
            cells.append(f"{count.wins}-{count.draws}-{count.losses}" if count else "[dim]·[/]")
        table.add_row(
            number,
            f"[bold cyan]{rating.name}[/]",
            f"[bold]{rating.elo:+.0f}[/] {'anchor' if rating.anchored else f'± {error:.0f}'}",
            str(total.games),
            f"{total.score:.1%}",
            *cells,
        )
    console.print(table)
    console.print("[dim]wins-draws-losses of the row against the column[/]")
    if not ratings.bounded:
        console.print(
            "[yellow]Some players lost no point to the others: each pair counts half a win and "
            "half a loss more, so that ratings are finite.[/]"
        )
    _print_forfeits([record for meeting in result.meetings for record in meeting.forfeits])


@app.command()
def ladder(
    player: Annotated[str, typer.Argument(help="A player with a budget: uct:c=0.5.")],
    game: GameOption = "go",
    games: Annotated[int, typer.Option(help="How many games between neighbours.", min=1)] = 40,
    low: Annotated[int, typer.Option(help="The lowest budget is 2 to this power.")] = 6,
    high: Annotated[int, typer.Option(help="The highest budget is 2 to this power.")] = 16,
    setting: Annotated[str, typer.Option(help="The setting that is the budget.")] = "playouts",
    plot: Annotated[
        Path | None, typer.Option(help="Where to write a plot: ladder.svg, ladder.png.")
    ] = None,
    seed: SeedOption = 1,
    openings: OpeningsOption = "random:2",
    runner: RunnerOption = "processes",
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure strength against budget: each budget plays the next, twice as large."""
    from tesuji.arena import ladder as ladders
    from tesuji.arena import runners

    contest = ladders.Ladder(game, player, games, seed, openings, low, high, setting)
    contest.tournament.check()
    chosen = runners.make(runner)
    with open_store(store) as base, progress_bar(games * (high - low)) as told:
        result = ladders.run(contest, base, chosen, *told)
    if plot:
        result.plot(plot)
    if as_json:
        return print_json(result.as_json())
    from rich.table import Table

    table = Table(setting, "Elo", "95 %", "")
    top = max(1.0, *(rating.elo for rating in result.ratings))
    for budget, rating in zip(contest.budgets, result.ratings, strict=True):
        low_end, high_end = rating.interval
        bar = "█" * max(0, round(40 * rating.elo / top))
        span = "anchor" if rating.anchored else f"{low_end:+.0f} to {high_end:+.0f}"
        table.add_row(f"{budget:,}", f"[bold]{rating.elo:+.0f}[/]", span, f"[cyan]{bar}[/]")
    terminal().print(table)


@app.command()
def replay(
    id: Annotated[str, typer.Argument(help="A game's id, or the beginning of it.")],
    move: Annotated[
        int | None, typer.Option(help="Show the position after so many moves.", min=0)
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a game that was played: who, how it ended, its moves, and the board."""
    from tesuji.arena.record import replay as position_of

    with open_store(store) as base:
        record = base.find(id)
    state = position_of(record, move)
    game = record.task.load()
    if as_json:
        return print_json({**record.as_json(), "position": game.position_text(state)})
    console = terminal()
    for side, name in enumerate(record.task.players):
        console.print(f"{game.players[side]}: [bold cyan]{name}[/]")
    moves = [*record.task.opening, *record.moves]
    opening = len(record.task.opening)
    console.print(
        f"[dim]{' '.join(moves[:opening])}[/] {' '.join(moves[opening:])}", soft_wrap=True
    )
    console.print(game.draw(state))
    shown = len(moves) if move is None else min(move, len(moves))
    console.print(f"after {shown} of {len(moves)} moves")
    winner = {1: f"{game.players[0]} won", -1: f"{game.players[1]} won", 0: "a draw"}
    console.print(f"[bold]{winner[round(record.outcome)]}[/] ({record.ending})")
    _print_forfeits([record] if record.note else [])


@app.command()
def export(
    ids: Annotated[list[str] | None, typer.Argument(help="Games. [default: all]")] = None,
    format: Annotated[
        str, typer.Option(help="json (one record a line), or sgf for Go and Amazons.")
    ] = "json",
    game: Annotated[str | None, typer.Option("--game", help="Only games of this name.")] = None,
    output: Annotated[Path | None, typer.Option(help="A file. [default: the terminal]")] = None,
    store: StoreOption = None,
) -> None:
    """Write games out."""
    from tesuji.arena import export as writer
    from tesuji.errors import BadInput, nearest

    formats = {"json": writer.as_json, "sgf": writer.as_sgf}
    if format not in formats:
        raise BadInput(f"there is no format {format!r}{nearest(format, formats)}")
    with open_store(store) as base:
        records = [base.find(id) for id in ids] if ids else list(base.all(game))
    text = formats[format](records)
    if output is None:
        print(text, end="")
        return
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from None


@app.command("import")
def import_(
    files: Annotated[
        list[Path], typer.Argument(help="What export wrote, or that compressed (.gz).")
    ],
    store: StoreOption = None,
) -> None:
    """Take in games that were played elsewhere; none is taken twice."""
    from tesuji.arena.export import from_json

    records = [record for file in files for record in from_json(file)]
    with open_store(store) as base:
        new = sum(base.add(record) for record in records)
    terminal().print(f"{new} games taken in, {len(records) - new} were there already")
