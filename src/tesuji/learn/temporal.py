"""Temporal differences: weights of an Amazons evaluation from games against itself.

Start with `learn_from`, the update; `self_play` makes the games, `train` runs both and keeps
checkpoints. As published (Ota and Grimbergen): the probability that White wins in the position
before turn t is P_t = 1 / (1 + exp(-V_t / omega)), the last P is the result, and after every game

    W += alpha * sum over t of (P_{t+1} - P_t) * sum over i <= t of lambda^{t-i} * gradient of P_i

All weights begin at 1. Both sides play by alpha-beta with a budget in nodes and a small random term
in the evaluation. Our choices, where the paper leaves them open: alpha falls to 0 in a straight
line over the games; the first iteration of a search is always finished, so that a turn is never
chosen from a part of the board.

Beyond the paper: `target="leaf"` takes P and its gradient from the last position of the search's
principal variation (TDLeaf) instead of the position itself; `depth` fixes the depth of the search;
`phases` learns several rows of weights that are blended over the game.

A run is a function of its settings. A checkpoint holds everything the rest of a run depends on, and
replaces the one before it at once, so a run that was killed goes on and ends as if it had not been.
"""

import concurrent.futures
import json
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tesuji import __version__, arrays
from tesuji import rng as random_words
from tesuji.errors import BadInput
from tesuji.games.amazons import game as amazons
from tesuji.kernels import helper, kernel
from tesuji.knowledge.amazons import FEATURES, Domination, features, phase_of
from tesuji.rng import next_u64
from tesuji.rules import is_over, outcome, play, turn
from tesuji.search.alphabeta import MAX_DEPTH, Leaves, Memory, deepen, forget, new_memory


@helper
def predict(evaluation, state, gradient):
    """The probability that White wins; its gradient by the weights is written."""
    weights = evaluation.weights
    for row in range(weights.shape[0]):
        for i in range(9):
            gradient[row, i] = 0.0
    if is_over(state):
        return 0.5 + 0.5 * outcome(state)
    row, part = phase_of(weights, state)
    values = features(state)
    value = 0.0
    for i in range(9):
        gradient[row, i] = (1.0 - part) * values[i]
        value += (1.0 - part) * values[i] * weights[row, i]
        if part > 0.0:
            gradient[row + 1, i] = part * values[i]
            value += part * values[i] * weights[row + 1, i]
    probability = 1.0 / (1.0 + np.exp(-value / evaluation.omega))
    slope = probability * (1.0 - probability) / evaluation.omega
    for row in range(weights.shape[0]):
        for i in range(9):
            gradient[row, i] *= slope
    return probability


@helper
def self_play(memory, evaluation, noise, nodes, depth, from_leaf, work, line, rng, seen):
    """Play the game at `memory.states[0]` to its end; how many turns, and its result for White.

    `seen` are the predictions before each turn, and their gradients.
    """
    predictions, gradients = seen
    root, turns = memory.states[0], 0
    leaves = Leaves(evaluation, noise, next_u64(rng))
    while not is_over(root):
        work[0] = memory.states[0]
        forget(memory)
        _, _, length = deepen(memory, leaves, True, depth, nodes, line, rng)
        if from_leaf:
            for i in range(length):
                play(work[0], line[i])
        predictions[turns] = predict(evaluation, work[0], gradients[turns])
        turns += 1
        now = turn(root)
        for i in range(length):
            if turn(root) == now:
                play(root, line[i])
    return turns, 0.5 + 0.5 * outcome(root)


@helper
def learn_from(weights, seen, turns, result, alpha, decay, trace, change):
    """Move the weights towards predictions that agree with what came after them."""
    predictions, gradients = seen
    for row in range(weights.shape[0]):
        for i in range(9):
            trace[row, i] = 0.0
            change[row, i] = 0.0
    for t in range(turns):
        following = predictions[t + 1] if t + 1 < turns else result
        for row in range(weights.shape[0]):
            for i in range(9):
                trace[row, i] = decay * trace[row, i] + gradients[t, row, i]
                change[row, i] += alpha * (following - predictions[t]) * trace[row, i]
    for row in range(weights.shape[0]):
        for i in range(9):
            weights[row, i] += change[row, i]


@kernel
def play_and_learn(start, memory, evaluation, knobs, seen, work, line, trace, change, rng, games):
    """Play the games with the numbers in `games` and learn from each; how many turns they took."""
    noise, nodes, depth, from_leaf, first_alpha, decay, all_games = knobs
    total = 0
    for number in range(games[0], games[1]):
        memory.states[0] = start[0]
        turns, result = self_play(
            memory, evaluation, noise, nodes, depth, from_leaf, work, line, rng, seen
        )
        alpha = first_alpha * (1.0 - number / all_games)
        learn_from(evaluation.weights, seen, turns, result, alpha, decay, trace, change)
        total += turns
    return total


# --- Runs and their checkpoints ------------------------------------------------------------------


PATIENCE = 30.0  # seconds that a run waits for one that was killed to be gone


@dataclass(frozen=True)
class Settings:
    """All that a run depends on, besides tesuji itself."""

    games: int = 10_000
    nodes: int = 1000
    depth: int = MAX_DEPTH
    seed: int = 1
    alpha: float = 0.1
    decay: float = 0.95
    omega: float = 1.0
    noise: float = 0.01
    target: Literal["position", "leaf"] = "position"
    phases: int = 1
    size: Literal[10, 8, 6] = 10

    def check(self) -> None:
        for name, most in (("games", 10**9), ("nodes", 10**7), ("depth", MAX_DEPTH)):
            if not 1 <= getattr(self, name) <= most:
                raise BadInput(f"{name} must be from 1 to {most}, not {getattr(self, name)}")
        if not (0 < self.alpha <= 100 and 0 <= self.decay <= 1):
            raise BadInput("alpha is above 0 and at most 100, decay is from 0 to 1")
        if not (0.001 <= self.omega <= 1000 and 0 <= self.noise <= 1000):
            raise BadInput("omega is from 0.001 to 1000, noise from 0 to 1000")
        if not 1 <= self.phases <= 10:
            raise BadInput(f"there are 1 to 10 phases, not {self.phases}")


@dataclass
class Run:
    """A run in progress. `history` has a row of weights for the beginning and each checkpoint."""

    settings: Settings
    done: int
    weights: npt.NDArray[np.float64]
    rng: random_words.Rng
    history: npt.NDArray[np.float64]

    @classmethod
    def new(cls, settings: Settings) -> "Run":
        weights = np.ones((settings.phases, len(FEATURES)))
        stream = random_words.seeded(settings.seed, "ota")
        return cls(settings, 0, weights, stream, np.concatenate([[0], weights.ravel()])[None])

    def save(self, path: Path) -> None:
        """Replace the checkpoint at once: whoever is killed here leaves the old one or the new."""
        arrays.write(path, {
            "weights": self.weights, "omega": self.settings.omega, "rng": self.rng,
            "done": self.done, "history": self.history,
            "settings": json.dumps(asdict(self.settings)), "version": __version__,
        })  # fmt: skip

    @classmethod
    def load(cls, path: Path) -> "Run":
        data = arrays.read(path, "a checkpoint of this training")
        try:
            settings = Settings(**json.loads(str(data["settings"])))
            run = cls(
                settings,
                int(data["done"]),
                np.array(data["weights"], np.float64),
                np.array(data["rng"], np.uint64),
                np.array(data["history"], np.float64),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(
                f"{path} is not a checkpoint of this training ({error}); remove it to start again"
            ) from None
        expected = (settings.phases, len(FEATURES))
        if run.weights.shape != expected or run.rng.shape != (2,):
            raise BadInput(f"{path} is damaged: its weights are not {expected[0]} x {expected[1]}")
        if run.history.shape[1:] != (1 + run.weights.size,):
            raise BadInput(f"{path} is damaged: its history is not of {run.weights.size} weights")
        if not (np.isfinite(run.weights).all() and np.isfinite(run.history).all()):
            raise BadInput(f"{path} is damaged: it has weights that are not finite")
        if not 0 <= run.done <= settings.games:
            raise BadInput(f"{path} is damaged: it has {run.done} of {settings.games} games")
        return run


def train(
    settings: Settings,
    path: Path,
    *,
    every: int = 100,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Play and learn, from the checkpoint at `path` on if there is one; keeps it up to date."""
    from filelock import FileLock, Timeout

    settings.check()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=PATIENCE):
            return _train(settings, path, every, progress or (lambda done: None))
    except Timeout:
        raise BadInput(f"another process is training {path}") from None
    except OSError as error:
        raise BadInput(f"cannot keep the training in {path}: {error.strerror}") from None


def _train(settings: Settings, path: Path, every: int, tell: Callable[[int], None]) -> Run:
    run = Run.load(path) if path.exists() else Run.new(settings)
    if run.settings != settings:
        changed = [
            name for name, value in asdict(settings).items() if asdict(run.settings)[name] != value
        ]
        raise BadInput(
            f"{path} is a run with other settings ({', '.join(changed)}): "
            "use another file, or remove it"
        )
    start = amazons.new(size=settings.size)
    longest = amazons.bounds(start).length // 2 + 1
    shape = run.weights.shape
    memory: Memory = new_memory(start, settings.depth, max(10, settings.nodes.bit_length()))
    knobs = (
        settings.noise,
        settings.nodes,
        settings.depth,
        settings.target == "leaf",
        settings.alpha,
        settings.decay,
        settings.games,
    )
    seen: Any = (np.zeros(longest), np.zeros((longest, *shape)))
    line = np.zeros(len(memory.states), np.int32)
    while run.done < settings.games:
        tell(run.done)
        end = min(settings.games, (run.done // every + 1) * every)
        play_and_learn(
            start, memory, Domination(run.weights, settings.omega), knobs, seen, start.copy(),
            line, np.zeros(shape), np.zeros(shape), run.rng, (run.done, end),
        )  # fmt: skip
        run.done = end
        row = np.concatenate([[run.done], run.weights.ravel()])
        run.history = np.concatenate([run.history, row[None]])
        run.save(path)
    tell(run.done)
    return run


def train_side_by_side(
    settings: list[Settings],
    paths: list[Path],
    every: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> list[Run]:
    """Several runs, each in a process of its own, with the results that they have one by one."""
    tell = progress or (lambda run, done: None)
    if len(settings) == 1:
        return [train(settings[0], paths[0], every=every, progress=lambda done: tell(0, done))]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(len(settings), mp_context=context) as pool:
        jobs = [
            pool.submit(_train_in_child, one, path, every)
            for one, path in zip(settings, paths, strict=True)
        ]
        while True:
            _, waiting = concurrent.futures.wait(jobs, timeout=1.0)
            for number, path in enumerate(paths):
                if path.exists() and not jobs[number].done():
                    tell(number, Run.load(path).done)
            if not waiting:
                break
        return [job.result() for job in jobs]


def _train_in_child(settings: Settings, path: Path, every: int) -> Run:
    parent = os.getppid()

    def leave_with_parent(done: int) -> None:
        if os.getppid() != parent:  # it was killed: the next run goes on from the checkpoint
            os._exit(1)

    return train(settings, path, every=every, progress=leave_with_parent)


def write_card(run: Run, path: Path) -> None:
    """What the weights at `path` are and how they were made, in a JSON file beside them."""
    plain = Settings()
    options = [
        f"--{name} {value}"
        for name, value in asdict(run.settings).items()
        if value != getattr(plain, name)
    ]
    card = {
        "weights": dict(zip(FEATURES, run.weights.T.round(4).tolist(), strict=True)),
        "made by": " ".join(["tesuji train ota DIRECTORY", *options]),
        "settings": asdict(run.settings),
        "games": run.done,
        "tesuji": __version__,
        "rules of amazons": amazons.version,
        "strength": "not measured yet",
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")


def write_history(runs: list[Run], directory: Path) -> None:
    """How the weights moved, as a table and as a picture: `weights.csv` and `weights.svg`."""
    from matplotlib.figure import Figure

    names = [
        f"{name}, phase {phase}" if runs[0].settings.phases > 1 else name
        for phase in range(1, runs[0].settings.phases + 1)
        for name in FEATURES
    ]
    lines = [",".join(["run", "games", *(name.replace(",", "") for name in names)])]
    for run in runs:
        for done, *weights in run.history:
            words = [
                str(run.settings.seed),
                str(int(done)),
                *(f"{weight:.6f}" for weight in weights),
            ]
            lines.append(",".join(words))
    (directory / "weights.csv").write_text("\n".join(lines) + "\n")
    figure = Figure(figsize=(5 * len(runs), 4), layout="constrained")
    panels = figure.subplots(1, len(runs), sharey=True, squeeze=False)[0]
    for panel, run in zip(panels, runs, strict=True):
        for number, name in enumerate(names):
            panel.plot(run.history[:, 0], run.history[:, 1 + number], label=name)
        panel.set_title(f"run {run.settings.seed}")
        panel.set_xlabel("games")
    panels[0].set_ylabel("weight")
    panels[-1].legend(fontsize="x-small")
    figure.savefig(directory / "weights.svg")
