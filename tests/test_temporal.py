"""Learning by temporal differences: the update by hand, and runs that are killed and go on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from tests.naive.amazons import random_game
from tesuji import games
from tesuji.errors import BadInput
from tesuji.kernels import kernel
from tesuji.knowledge.amazons import Domination
from tesuji.learn import temporal
from tesuji.learn.temporal import Run, Settings

GAME = games.load("amazons")
SLOW = bool(numba.config.DISABLE_JIT)
SMALL = Settings(games=12, nodes=60, size=6, seed=5)


@kernel
def compiled_predict(evaluation: Any, state: Any, gradient: Any) -> Any:
    return temporal.predict(evaluation, state[0], gradient)


@kernel
def compiled_learn(
    weights: Any, seen: Any, turns: Any, result: Any, alpha: Any, decay: Any
) -> None:
    trace, change = np.zeros_like(weights), np.zeros_like(weights)
    temporal.learn_from(weights, seen, turns, result, alpha, decay, trace, change)


def test_the_gradient_is_that_of_the_prediction() -> None:
    evaluation = Domination(np.linspace(-1, 3, 27).reshape(3, 9), 1.5)
    state = GAME.parse_position(random_game(6, 4, 20).text)
    gradient, ignored = np.zeros((3, 9)), np.zeros((3, 9))
    before = compiled_predict(evaluation, state, gradient)
    for index in np.ndindex(3, 9):
        moved = evaluation.weights.copy()
        moved[index] += 1e-6
        after = compiled_predict(Domination(moved, 1.5), state, ignored)
        assert (after - before) / 1e-6 == pytest.approx(gradient[index], abs=1e-6)


def test_the_update_as_published() -> None:
    """W += alpha * sum over t of (P_{t+1} - P_t) * sum over i <= t of lambda^{t-i} gradient_i."""
    dice = np.random.default_rng(1)
    predictions, gradients = dice.random(7), dice.normal(size=(7, 1, 9))
    turns, result, alpha, decay = 5, 1.0, 0.3, 0.9
    expected = np.ones((1, 9))
    for t in range(turns):
        following = predictions[t + 1] if t < turns - 1 else result
        inner = sum(decay ** (t - i) * gradients[i] for i in range(t + 1))
        expected += alpha * (following - predictions[t]) * inner
    weights = np.ones((1, 9))
    compiled_learn(weights, (predictions, gradients), turns, result, alpha, decay)
    assert weights == pytest.approx(expected)


@pytest.mark.skipif(SLOW, reason="games take too long in plain Python")
@pytest.mark.parametrize("changes", [{}, {"target": "leaf", "depth": 2}, {"phases": 3}])
def test_a_run_in_parts_is_the_same_run(tmp_path: Path, changes: dict[str, Any]) -> None:
    settings = Settings(**{**SMALL.__dict__, **changes})
    whole = temporal.train(settings, tmp_path / "whole.npz", every=5)
    path = tmp_path / "parts.npz"

    class Killed(Exception):
        pass

    def kill(done: int) -> None:
        if done == stop:
            raise Killed

    for stop in (5, 10):
        with pytest.raises(Killed):
            temporal.train(settings, path, every=5, progress=kill)
        assert Run.load(path).done == stop
    parts = temporal.train(settings, path, every=5)
    assert whole.weights.tobytes() == parts.weights.tobytes()
    assert whole.history.tobytes() == parts.history.tobytes()
    assert not np.array_equal(whole.weights, np.ones_like(whole.weights))


@pytest.mark.skipif(SLOW, reason="games take too long in plain Python")
def test_a_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    """By the command: kill -9, the same command again, the same weights as without."""
    command = [sys.executable, "-m", "tesuji", "train", "ota", "OUT", "--json", "--size", "6"]
    command += ["--games", "400", "--nodes", "60", "--every", "5"]

    def run(out: str) -> "subprocess.Popen[str]":
        words = [out if word == "OUT" else word for word in command]
        return subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, text=True)

    whole = run("whole")
    killed = run("killed")
    while not (tmp_path / "killed" / "run-1.npz").exists():
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert Run.load(tmp_path / "killed" / "run-1.npz").done < 400
    again = run("killed")
    reports = [json.loads(process.communicate()[0]) for process in (whole, again)]
    assert reports[0]["runs"][0]["weights"] == reports[1]["runs"][0]["weights"]
    assert (tmp_path / "whole" / "weights.svg").exists()
    table = (tmp_path / "whole" / "weights.csv").read_text().splitlines()
    assert len(table) == 1 + 81
    assert table[0].startswith("run,games,domain,queen 0")


@pytest.mark.skipif(SLOW, reason="games take too long in plain Python")
def test_runs_side_by_side(tmp_path: Path) -> None:
    settings = [Settings(games=3, nodes=30, size=6, seed=seed) for seed in (1, 2)]
    paths = [tmp_path / f"{one.seed}.npz" for one in settings]
    one, two = temporal.train_side_by_side(settings, paths)
    alone = temporal.train(settings[1], tmp_path / "alone.npz")
    assert np.array_equal(two.weights, alone.weights)
    assert not np.array_equal(one.weights, two.weights)


def test_damaged_and_foreign_checkpoints(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    Run.new(SMALL).save(path)
    with pytest.raises(BadInput, match=r"other settings .games, seed."):
        temporal.train(Settings(games=13, nodes=60, size=6, seed=6), path)
    good = path.read_bytes()
    for damaged in (good[:100], b"", b"nonsense", good[:-50]):
        path.write_bytes(damaged)
        with pytest.raises(BadInput, match="is not a checkpoint of this training"):
            temporal.train(SMALL, path)
        assert path.read_bytes() == damaged  # nothing is thrown away
    np.savez(path, weights=np.ones((1, 9)))
    with pytest.raises(BadInput, match="is not a checkpoint"):
        Run.load(path)
    for key, value, reason in (
        ("weights", np.full((1, 9), np.nan), "not finite"),
        ("history", np.zeros((3, 4)), "history is not of 9 weights"),
        ("done", -5, "it has -5 of 12 games"),
        ("done", 1000, "it has 1000 of 12 games"),
    ):
        path.write_bytes(good)
        with np.load(path) as stored:
            np.savez(path, **{**stored, key: value})
        with pytest.raises(BadInput, match=f"is damaged: .*{reason}"):
            Run.load(path)


def test_a_place_where_nothing_can_be_kept_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot keep the training in .*File exists"):
        temporal.train(SMALL, tmp_path / "file" / "run.npz")


@pytest.mark.parametrize(
    "changes",
    [
        {"games": 0},
        {"depth": 65},
        {"alpha": 0.0},
        {"decay": 1.1},
        {"noise": -1.0},
        {"phases": 0},
        {"games": 10**20},
        {"nodes": 10**13},
        {"alpha": np.inf},
        {"alpha": np.nan},
        {"noise": np.inf},
        {"omega": 1e-320},
        {"omega": np.inf},
    ],
)
def test_impossible_settings_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        temporal.train(Settings(**changes), tmp_path / "run.npz")
