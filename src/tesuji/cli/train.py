"""Commands that train weights: `tesuji train ...`. A training that was stopped goes on from its
checkpoint, and ends like one that was not."""

import time
from pathlib import Path
from typing import Annotated

import typer

from tesuji.cli.common import JsonOption, SeedOption, app, print_json, terminal
from tesuji.errors import BadInput

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
    alpha: Annotated[float, typer.Option(help="The step size.", min=0.0)] = 0.001,
    weights: Annotated[
        Path | None, typer.Option(help="Also write the weights alone here (.npz) at the end.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn Geister by policy gradient in self-play, one update after every game."""
    from rich.progress import Progress

    from tesuji.learn import gradient

    training = gradient.begin(seed, alpha)
    if checkpoint.exists():
        training = gradient.resume(checkpoint)
        if (training.seed, training.alpha) != (seed, alpha):
            raise BadInput(
                f"{checkpoint} is a training with seed {training.seed} and alpha "
                f"{training.alpha}, not {seed} and {alpha}"
            )
    gradient.save(training, checkpoint)  # a place that cannot be written is found out now
    start, before, saved = time.perf_counter(), training.games, time.perf_counter()
    with Progress(console=terminal(), disable=as_json) as progress:
        task = progress.add_task("hayazashi", total=games, completed=training.games)
        chunks = gradient.train(training, games)
        for training in chunks:
            progress.update(
                task,
                completed=training.games,
                description=f"{training.games:,} games, {training.length:.0f} moves each",
            )
            if time.perf_counter() - saved > SECONDS_BETWEEN_CHECKPOINTS:
                gradient.save(training, checkpoint)
                saved = time.perf_counter()
    gradient.save(training, checkpoint)
    if weights is not None:
        gradient.export(training, weights)
    seconds = time.perf_counter() - start
    report = {
        "checkpoint": str(checkpoint),
        "games": training.games,
        "games_per_second": (training.games - before) / seconds,
        "seconds": seconds,
    }
    if as_json:
        return print_json(report)
    terminal().print(f"{training.games:,} games in {checkpoint}", soft_wrap=True)
