"""Commands that train weights: `tesuji train ...`. A training that was stopped goes on from its
checkpoint, and ends like one that was not."""

import time
from pathlib import Path
from typing import Annotated, Any

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
