"""Commands that train weights: `tesuji train ...`. A training that was stopped goes on from its
checkpoint, and ends like one that was not."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tesuji.cli.common import JsonOption, SeedOption, app, print_json, terminal
from tesuji.errors import BadInput

if TYPE_CHECKING:
    from tesuji.learn import temporal

train_app = typer.Typer(no_args_is_help=True, help="Learn weights from games.")
app.add_typer(train_app, name="train")

SECONDS_BETWEEN_CHECKPOINTS = 20.0


@train_app.command("hayazashi")
def hayazashi(
    checkpoint: Annotated[
        Path, typer.Argument(help="Where the training is kept (.npz); one that is there goes on.")
    ],
    games: Annotated[int, typer.Option(help="Games in all.", min=1)] = 9_000_000,
    seed: SeedOption = 1,
    alpha: Annotated[float, typer.Option(help="The step size.")] = 0.001,
    weights: Annotated[
        Path | None, typer.Option(help="Also write the weights alone here (.npz) at the end.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn Geister by policy gradient in self-play, one update after every game."""
    from tesuji.learn import gradient

    training = gradient.begin(seed, alpha)
    if checkpoint.exists():
        training = gradient.resume(checkpoint)
        if (training.seed, training.alpha) != (seed, alpha):
            raise BadInput(
                f"{checkpoint} is a training with seed {training.seed} and alpha "
                f"{training.alpha}, not {seed} and {alpha}"
            )
    start, before = time.perf_counter(), training.games
    training = _keep_training(gradient, training, gradient.train(training, games), checkpoint,
                              games, not as_json)  # fmt: skip
    if weights is not None:
        gradient.export(training, weights)
    seconds = time.perf_counter() - start
    won, _ = gradient.wins_against(training.theta, None, 1000)
    report = {
        "checkpoint": str(checkpoint),
        "games": training.games,
        "games_per_second": (training.games - before) / seconds,
        "seconds": seconds,
        "wins_against_random": won / 1000,
    }
    if as_json:
        return print_json(report)
    terminal().print(
        f"{training.games:,} games in {checkpoint}; beats random moves in {won / 1000:.1%}",
        soft_wrap=True,
    )


def _keep_training(
    learning: Any, training: Any, chunks: Iterable[Any], checkpoint: Path, games: int, show: bool
) -> Any:
    """Go through a training's chunks to its end, with a progress bar, saving now and then."""
    from rich.progress import Progress

    learning.save(training, checkpoint)  # a place that cannot be written is found out now
    saved = time.perf_counter()
    with Progress(console=terminal(), disable=not show) as progress:
        task = progress.add_task("", total=games, completed=training.games)
        for training in chunks:
            progress.update(task, completed=training.games, description=training.progress)
            if time.perf_counter() - saved > SECONDS_BETWEEN_CHECKPOINTS:
                learning.save(training, checkpoint)
                saved = time.perf_counter()
    learning.save(training, checkpoint)
    return training


@train_app.command("outlook")
def outlook(
    checkpoint: Annotated[
        Path, typer.Argument(help="Where the training is kept (.npz); one that is there goes on.")
    ],
    games: Annotated[int, typer.Option(help="Games in all.", min=1)] = 1_000_000,
    simulations: Annotated[
        int, typer.Option(help="Of the search that makes a move; 0: the policy makes it.", min=0)
    ] = 0,
    first: Annotated[
        str | None, typer.Option(help="An outlook to begin with, not from nothing.")
    ] = None,
    seed: SeedOption = 1,
    alpha: Annotated[float, typer.Option(help="The step size; falls to 0.")] = 0.0005,
    weights: Annotated[str, typer.Option(help="Hayazashi's weights.")] = "hayazashi-1",
    as_json: JsonOption = False,
) -> None:
    """Learn the chance to win a position of Geister whose colours are known."""
    from tesuji.knowledge import geister
    from tesuji.learn import outlook as learning

    policy = geister.hayazashi(geister.read_weights(weights))
    begun = None if first is None else geister.read_outlook(first).pairs
    training = learning.begin(seed, games, simulations, alpha, begun)
    if checkpoint.exists():
        found = learning.resume(checkpoint)
        settings = ("seed", "planned", "simulations", "alpha")
        changed = [name for name in settings if getattr(found, name) != getattr(training, name)]
        if changed:
            raise BadInput(f"{checkpoint} is a training with another {' and '.join(changed)}")
        training = found
    chunks = learning.train(training, policy)
    training = _keep_training(learning, training, chunks, checkpoint, games, not as_json)
    report = {"checkpoint": str(checkpoint), "games": training.games, "error": training.error}
    if as_json:
        return print_json(report)
    terminal().print(
        f"{training.games:,} games in {checkpoint}; squared error {training.error:.4f}",
        soft_wrap=True,
    )


@train_app.command("redness")
def redness(
    out: Annotated[Path, typer.Argument(help="Where the weights go (.npz).")],
    games: Annotated[int, typer.Option(help="Games of Hayazashi against itself.", min=2)] = 2000,
    seed: SeedOption = 1,
    weights: Annotated[str, typer.Option(help="Hayazashi's weights.")] = "hayazashi-1",
    as_json: JsonOption = False,
) -> None:
    """Learn to tell red ghosts of Geister from blue ones by what they do."""
    from rich.progress import track

    from tesuji import arrays
    from tesuji.knowledge import geister
    from tesuji.learn import redness as learning
    from tesuji.rng import seeded

    policy = geister.hayazashi(geister.read_weights(weights))
    played = learning.collect(policy, games, seeded(seed, "redness"))
    parts = list(track(played, "playing", games, console=terminal(), disable=as_json))
    tested = learning.joined(parts[: max(1, games // 10)])  # one game in ten is for the test
    learned = learning.fit(learning.joined(parts[max(1, games // 10) :]))
    arrays.write(out, {"redness": learned})
    report: dict[str, Any] = {
        "games": games,
        "bits": learning.loss(tested, learned),
        "bits_of_prior": learning.loss(tested, 0 * learned),
        "weights": dict(zip(geister.TRAITS, learned.tolist(), strict=True)),
    }
    if as_json:
        return print_json(report)
    for trait, weight in report["weights"].items():
        terminal().print(f"{trait:16} {weight:+.3f}")
    terminal().print(f"{report['bits']:.3f} bits a ghost; {report['bits_of_prior']:.3f} by count")


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
