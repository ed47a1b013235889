"""Commands that run the papers' experiments again and report what came out."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.cli.arena import RunnerOption, StoreOption, open_store, progress_bar
from tesuji.cli.common import JsonOption, SeedOption, app, print_json, terminal
from tesuji.errors import BadInput

if TYPE_CHECKING:
    from tesuji.arena.experiment import Progress
    from tesuji.arena.record import Task
    from tesuji.arena.runners import Report

ResultsOption = Annotated[
    Path | None, typer.Option(help="Where results are kept. [default: TESUJI_HOME/results]")
]


def _results(chosen: Path | None) -> Path:
    from tesuji.home import home

    return chosen or home() / "results"


@app.command()
def reproduce(
    paper: Annotated[str | None, typer.Argument(help="A paper: kato. [default: all]")] = None,
    table: Annotated[str | None, typer.Option(help="One table or figure only.")] = None,
    scale: Annotated[
        str, typer.Option(help="quick, paper (everything), or a fraction of the games.")
    ] = "quick",
    show: Annotated[bool, typer.Option("--list", help="List what there is.")] = False,
    runner: RunnerOption = "processes",
    store: StoreOption = None,
    results: ResultsOption = None,
    seed: SeedOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Run a paper's experiments; repeat the command to go on after a stop."""
    from tesuji import papers
    from tesuji.arena import runners

    chosen = [papers.load(name) for name in ([paper] if paper else papers.names())]
    if show:
        return _list(chosen, as_json)
    if table and not paper:
        raise BadInput("a table belongs to a paper: name the paper, too")
    size = papers.parse_scale(scale)
    made = runners.make(runner)
    console = terminal()
    found = []
    with open_store(store) as base:
        session = papers.Session(size, base, made, _watch, seed)
        for one in chosen:
            for experiment in one.choose(table, size):
                if not as_json:
                    console.rule(f"[bold]{one.name} {experiment.name}[/]: {experiment.title}")
                result = experiment.run(session)
                papers.save(result, _results(results))
                found.append(result)
                if not as_json:
                    _print(result)
    if as_json:
        print_json({"results": found})


@contextmanager
def _watch(label: str, tasks: "Sequence[Task]") -> "Iterator[tuple[Progress | None, Report]]":
    with progress_bar(len(tasks), tasks[0].players[0], label) as told:
        yield told


def _list(chosen: list[Any], as_json: bool) -> None:
    from rich.table import Table

    rows = [
        {"paper": one.paper, "table": one.name, "title": one.title, "claim": one.claim,
         "quick": not one.full_only}
        for paper in chosen
        for one in paper.experiments
    ]  # fmt: skip
    if as_json:
        return print_json({"experiments": rows})
    table = Table("paper", "table", "title", "claim", "in quick")
    for row in rows:
        table.add_row(
            f"[cyan]{row['paper']}[/]", f"[bold]{row['table']}[/]", str(row["title"]),
            str(row["claim"]), "yes" if row["quick"] else "-",
        )  # fmt: skip
    terminal().print(table)


def _print(result: dict[str, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    console = terminal()
    for board in result["boards"]:
        console.print(board["drawing"])
        console.print(f"[dim]{escape(board['caption'])}[/]\n")
    table = Table(*result["columns"])
    for row in result["rows"]:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)
    for verdict in result["verdicts"]:
        sign = "[bold green]holds[/]" if verdict["holds"] else "[bold red]does not hold[/]"
        console.print(f"{sign} {escape(verdict['claim'])} [dim]({escape(verdict['test'])})[/]")
    for note in result["notes"]:
        console.print(f"[dim]· {escape(note)}[/]")


@app.command()
def report(
    results: ResultsOption = None,
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("tesuji-report.html"),
    markdown: Annotated[
        Path | None, typer.Option(help="Write the pages of the documentation here instead.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make one page of all that has been reproduced, to look at in a browser."""
    from tesuji import papers
    from tesuji.papers import report as pages

    directory = _results(results)
    found = papers.read(directory)
    if not found:
        raise BadInput(f"there are no results in {directory}: run tesuji reproduce first")
    written = []
    if markdown is None:
        pages.write(pages.as_html(found), out)
        written.append(out)
    else:
        for name in dict.fromkeys(result["paper"] for result in found):
            own = [result for result in found if result["paper"] == name]
            path = markdown / f"{name}.md"
            pages.write(pages.as_markdown(papers.load(name), own, markdown / "images"), path)
            written.append(path)
    if as_json:
        return print_json({"written": [str(path) for path in written]})
    for path in written:
        terminal().print(f"written: [bold]{path}[/]", soft_wrap=True)
