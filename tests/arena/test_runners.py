"""Every runner gives the same table, whoever dies on the way."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.arena.table import untimed
from tesuji.arena import Store, play_all, play_each
from tesuji.arena.match import Match, run
from tesuji.arena.runners import Died, Processes, Serial, Worker, make
from tesuji.errors import BadInput

MATCH = Match("amazons:size=6", "uct:playouts=20", "random", games=6)


def test_processes_play_what_one_process_plays() -> None:
    serial = play_all(MATCH.tasks, runner=Serial())
    assert untimed(play_all(MATCH.tasks, runner=Processes(2))) == untimed(serial)


def test_only_missing_games_are_played(store: Store) -> None:
    half = play_all(MATCH.tasks[:3], store, Serial())
    told: list[str] = []

    class Counting(Serial):
        def run(self, tasks: Any, report: Any) -> Any:
            told.extend(task.id for task in tasks)
            return super().run(tasks, report)

    everything = play_all(MATCH.tasks, store, Counting())
    assert everything[:3] == half
    assert told == [task.id for task in MATCH.tasks[3:]]
    assert store.count() == 6


def test_a_run_that_is_left_early_keeps_what_it_has(store: Store) -> None:
    playing = play_each(MATCH.tasks, store, Processes(2))
    next(playing)
    playing.close()
    assert store.count() == 1


@pytest.mark.usefixtures("misfits")
def test_the_game_of_a_dead_worker_is_played_again_and_reported(tmp_path: Path) -> None:
    counter = tmp_path / "deaths"
    mortal = f'dies:counter="{counter}",times=2'
    told: list[str] = []
    match = Match("amazons:size=6", mortal, "random", games=4)
    records = play_all(match.tasks, runner=Processes(2), report=told.append)
    assert counter.stat().st_size == 2
    # The first death was in a warm-up, which says nothing; the second cost a game.
    assert len(told) == 1
    assert "a worker died (signal 9)" in told[0]
    assert untimed(records) == untimed(play_all(match.tasks, runner=Serial()))


@pytest.mark.usefixtures("misfits")
def test_a_game_that_kills_every_worker_is_given_up_and_the_others_are_kept(
    tmp_path: Path, store: Store
) -> None:
    deadly = f'dies:counter="{tmp_path / "deaths"}",times=1000'
    tasks = [
        *Match("amazons:size=6", deadly, "random", games=1).tasks,
        *Match("amazons:size=6", "random", "random", games=3).tasks,
    ]
    told: list[str] = []
    with pytest.raises(BadInput, match="1 of 4 games could not be played, the others are kept"):
        play_all(tasks, store, Processes(1), report=told.append)
    assert len(told) == 2
    assert store.count() == 3


@pytest.mark.usefixtures("misfits")
def test_a_player_may_print_and_fail_in_a_worker() -> None:
    result = run(Match("amazons:size=6", "talks", "raises", games=2), runner=Processes(1))
    assert result.total.wins == 2


def test_a_worker_ends_with_its_input() -> None:
    worker = Worker()
    worker.questions.close()
    assert worker.process.wait(30) == 0
    with pytest.raises(Died, match="exit code 0"):
        worker.answer()
    worker.kill()


def test_what_a_worker_cannot_play_is_said() -> None:
    worker = Worker()
    worker.ask(play={})
    assert "not a game of the arena" in worker.answer()["error"]
    worker.kill()


@pytest.mark.parametrize("text", ["serail", "processes:0", "processes:x", "serial:2", ""])
def test_unknown_runners_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="runner"):
        make(text)


def test_runners_have_names() -> None:
    assert isinstance(make("serial"), Serial)
    processes = make("processes:3")
    assert isinstance(processes, Processes)
    assert processes.count == 3


def test_killed_and_repeated_the_table_is_that_of_an_uninterrupted_run(tmp_path: Path) -> None:
    """The command itself, killed with -9 in the middle."""
    path = tmp_path / "killed.sqlite"
    command = [
        sys.executable, "-m", "tesuji", "match", "uct:playouts=100", "uct:playouts=50",
        "--game", "amazons:size=6", "--games", "20", "--seed", "5", "--json",
        "--runner", "processes:1", "--store", str(path),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while _count(path) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert 3 <= _count(path) < 20
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    repeated = json.loads(done.stdout)
    contest = Match("amazons:size=6", "uct:playouts=100", "uct:playouts=50", games=20, seed=5)
    whole = json.loads(json.dumps(run(contest, runner=Serial()).as_json()))
    del repeated["pace"], whole["pace"]
    assert repeated == whole
    assert _count(path) == 20


def _count(path: Path) -> int:
    try:
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return 0
    try:
        return int(base.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        base.close()
