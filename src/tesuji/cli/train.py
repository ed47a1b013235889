"""`tesuji train`: weights from games."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tesuji.cli.common import JsonOption, SeedOption, app, print_json, terminal
from tesuji.errors import BadInput

if TYPE_CHECKING:
    from tesuji.learn import temporal

train_app = typer.Typer(no_args_is_help=True, help="Learn weights from games.")
app.add_typer(train_app, name="train")


@train_app.command()
def ota(
    directory: Annotated[Path, typer.Argument(help="Where checkpoints and plots are kept.")],
    runs: Annotated[int, typer.Option(help="Independent runs, side by side.", min=1)] = 1,
    games: Annotated[int, typer.Option(help="Games against itself in a run.")] = 10_000,
    nodes: Annotated[int, typer.Option(help="Nodes of the search for a turn.")] = 1000,
    depth: Annotated[int, typer.Option(help="The most turns that a search looks ahead.")] = 64,
    alpha: Annotated[float, typer.Option(help="The rate of learning; falls to 0.")] = 0.1,
    decay: Annotated[float, typer.Option(help="Lambda, the memory of TD(lambda).")] = 0.95,
    omega: Annotated[float, typer.Option(help="The scale of values in probabilities.")] = 1.0,
    noise: Annotated[float, typer.Option(help="Size of the random term.")] = 0.01,
    target: Annotated[
        Literal["position", "leaf"],
        typer.Option(help="Learn about the position, or the end of the search's best line."),
    ] = "position",
    phases: Annotated[int, typer.Option(help="Rows of weights, blended over the game.")] = 1,
    size: Annotated[int, typer.Option(help="The board: 10, 8 or 6.")] = 10,
    every: Annotated[int, typer.Option(help="Games between checkpoints.", min=1)] = 100,
    seed: SeedOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Learn weights of domination distances in Amazons by TD(lambda), as Ota and Grimbergen did.

    Run r has the seed plus r - 1. The same command goes on where it was interrupted.
    """
    from tesuji.knowledge.amazons import FEATURES
    from tesuji.learn import temporal

    if size not in (10, 8, 6):
        raise BadInput(f"size must be one of 10, 8, 6, not {size}")
    settings = [
        temporal.Settings(
            games=games, nodes=nodes, depth=depth, seed=seed + run, alpha=alpha, decay=decay,
            omega=omega, noise=noise, target=target, phases=phases, size=size,  # type: ignore[arg-type]
        )
        for run in range(runs)
    ]  # fmt: skip
    paths = [directory / f"run-{one.seed}.npz" for one in settings]
    finished = _with_progress(settings, paths, every, show=not as_json)
    temporal.write_history(finished, directory)
    for run, path in zip(finished, paths, strict=True):
        temporal.write_card(run, path)
    if as_json:
        return print_json(
            {
                "features": list(FEATURES),
                "runs": [
                    {
                        "seed": run.settings.seed,
                        "games": run.done,
                        "file": str(path),
                        "weights": run.weights.tolist(),
                    }
                    for run, path in zip(finished, paths, strict=True)
                ],
            }
        )
    from rich.table import Table

    table = Table("run", "phase", *FEATURES)
    for run in finished:
        for phase, row in enumerate(run.weights, 1):
            table.add_row(str(run.settings.seed), str(phase), *(f"{weight:.3f}" for weight in row))
    terminal().print(table)


def _with_progress(
    settings: list["temporal.Settings"], paths: list[Path], every: int, show: bool
) -> list["temporal.Run"]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from tesuji.learn import temporal

    columns = ("run {task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, disable=not show, transient=True) as bars:
        tasks = [bars.add_task(str(one.seed), total=one.games) for one in settings]
        return temporal.train_side_by_side(
            settings, paths, every, lambda run, done: bars.update(tasks[run], completed=done)
        )
