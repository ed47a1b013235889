"""Speed, measured on one core beside other people's programs in the same run.

Machines differ and are noisy, so a row is a ratio: tesuji and its peer take turns, a fraction of a
second each, and the median of the ratios of neighbouring measurements counts. Nothing here runs in
the tests; `tesuji bench` and `benchmarks/run.py` do.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numba

from tesuji import __version__, rng, rules
from tesuji.arena import Store, match, play_all, play_each, runners
from tesuji.arena.match import Match
from tesuji.games import names as built_in_names
from tesuji.kernels import kernel
from tesuji.players import Sitting, build
from tesuji.rules import Game, is_over, play, uniform_move
from tesuji.search import montecarlo, uct

OPENSPIEL = {
    "go": "go(board_size=9,komi=7.5)",
    "amazons": "amazons",
    "connect_four": "connect_four",
}
SEARCH_SIMULATIONS = 2000

NOTES = {
    "": [
        "One core, from the starting position; tesuji and its peer take turns in one run.",
        "playouts: games finished at random. OpenSpiel's rate is that of MCTSBot with 2 "
        "simulations of many rollouts each; they draw uniformly from all legal moves.",
        "uct: simulations of one playout each, 2,000 per search, a new tree for each search; "
        "OpenSpiel's is MCTSBot with RandomRolloutEvaluator(n_rollouts=1).",
    ],
    "go": [
        "Go: 9x9, komi 7.5. Our playouts never fill an own eye and pass only when nothing else is "
        "left; OpenSpiel's draw from all legal moves, and are cut at 162 moves.",
        "Go, uniform playouts: ours, too, draw from all legal moves (superko checked at each), and "
        "are cut at 243 moves: like for like but for the length.",
    ],
    "amazons": [
        "Amazons: 10x10. Both draw an amazon, then its move, then its arrow. Our tree has two "
        "levels for a turn, OpenSpiel's has three.",
    ],
}

Report = dict[str, Any]
Run = Callable[[int], int]
"""Does about so many of something, and says how many it really did."""


@kernel
def _uniform_playouts(root, state, moves, rng, count):
    for _ in range(count):
        state[0] = root[0]
        while not is_over(state[0]):
            play(state[0], uniform_move(state[0], moves, rng))
    return count


def _rate(run: Run, seconds: float, count: int) -> tuple[float, int]:
    """Runs per second over about `seconds`, and the count to start with next time."""
    done, calls, start = 0, 0, time.perf_counter()
    while True:
        done += run(count)
        spent = time.perf_counter() - start
        calls += 1
        if spent >= seconds:
            return done / spent, max(1, int(count * calls * seconds / spent / 4))


def _ours(game: Game) -> dict[str, Run]:
    state = game.new()
    work, moves, stream = state.copy(), game.moves_buffer(state), rng.seeded(1)

    def playouts(count: int) -> int:
        montecarlo.playouts(state, work, moves, stream, count)
        return count

    def search(_: int) -> int:
        return uct.search(state, simulations=SEARCH_SIMULATIONS, rng=stream).simulations

    def moves_in_playouts(count: int) -> int:
        return int(montecarlo.playouts(state, work, moves, stream, count)[1])

    measures: dict[str, Run] = {"playouts": playouts, "moves in playouts": moves_in_playouts}
    if "random_move" in vars(game.module):
        measures["uniform playouts"] = lambda count: _uniform_playouts(
            state, work, moves, stream, count
        )
    measures["uct"] = search
    return measures


def _openspiel(game: Game) -> dict[str, Run]:
    """The same measures by OpenSpiel's C++, where it has the game and is installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    if game.name not in OPENSPIEL:
        return {}
    peer = pyspiel.load_game(OPENSPIEL[game.name])
    state = peer.new_initial_state()

    def bot(simulations: int, rollouts: int) -> Any:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
        return pyspiel.MCTSBot(peer, evaluator, 1.4, simulations, 1000, False, 1, False)

    def rollouts(count: int) -> int:
        each = max(1, count // 2)
        bot(2, each).mcts_search(state)
        return 2 * each

    def search(_: int) -> int:
        bot(SEARCH_SIMULATIONS, 1).mcts_search(state)
        return SEARCH_SIMULATIONS

    return {"playouts": rollouts, "uniform playouts": rollouts, "uct": search}


def _measure(
    ours: Run,
    peer: Run | None,
    repeats: int,
    seconds: float,
) -> dict[str, Any]:
    ours(10)  # compiles, and warms up
    rates, peer_rates = [], []
    count = peer_count = 100
    for _ in range(repeats):
        rate, count = _rate(ours, seconds, count)
        rates.append(rate)
        if peer is not None:
            rate, peer_count = _rate(peer, seconds, peer_count)
            peer_rates.append(rate)
    ratios = [one / other for one, other in zip(rates, peer_rates, strict=False)]
    return {
        "rate": statistics.median(rates),
        "peer_rate": statistics.median(peer_rates) if peer_rates else None,
        "ratio": statistics.median(ratios) if ratios else None,
        "ratio_low": min(ratios, default=None),
        "ratio_high": max(ratios, default=None),
        "repeats": repeats,
    }


FIRST_SEARCH = """
import sys, time
from tesuji import games
from tesuji.search import uct
state = games.load(sys.argv[1]).new()
start = time.perf_counter()
uct.search(state, simulations=100)
print(time.perf_counter() - start)
"""


def _starts(game: Game) -> list[dict[str, Any]]:
    """Seconds of the first search in a new process, with an empty cache and with a full one."""
    name = game.spec if game.name in built_in_names() else game.module.__file__
    rows = []
    with tempfile.TemporaryDirectory() as empty:
        environment = {**os.environ, "TESUJI_HOME": os.path.join(empty, "home")}

        def first_search() -> float:
            command = [sys.executable, "-c", FIRST_SEARCH, str(name)]
            return float(subprocess.check_output(command, env=environment, text=True))

        cold = first_search()
        warm = statistics.median(first_search() for _ in range(5))
    rows.append({"measure": f"{game.name}: first search, compiling (empty cache)", "seconds": cold})
    rows.append({"measure": f"{game.name}: first search of a new process", "seconds": warm})
    return rows


def _help() -> dict[str, Any]:
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "tesuji", "--help"], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return {"measure": "tesuji --help, whole process", "seconds": statistics.median(times)}


MATCH = Match("go", "uct:playouts=200", "uct:playouts=200", games=24)
THINKING = Match("go", "uct:playouts=1000", "uct:playouts=1000", games=2)
SECONDS = 0.05
HURRIED = Match("go", f"uct:seconds={SECONDS}", f"uct:seconds={SECONDS}", games=1)


def _games_per_second(runner: runners.Runner) -> float:
    """Of a match, from its first finished game on: processes that start are not counted."""
    playing = play_each(MATCH.tasks, runner=runner)
    next(playing)
    start = time.perf_counter()
    return sum(1 for _ in playing) / (time.perf_counter() - start)


def _outside() -> float:
    """The share of a match's time that its players do not have; one process, with a store."""
    with tempfile.TemporaryDirectory() as directory, Store(f"{directory}/games") as store:
        start = time.perf_counter()
        result = match.run(THINKING, store, runners.Serial())
        spent = time.perf_counter() - start
    return 1 - (result.pace(True).seconds + result.pace(False).seconds) / spent


def _overruns() -> list[float]:
    """The seconds by which each move of a game exceeded its budget."""
    game = HURRIED.tasks[0].load()
    players = [build(text, game) for text in HURRIED.tasks[0].players]
    sitting, stream, overruns = Sitting(game, players), rng.seeded(1), []
    while not game.is_over(sitting.state):
        start = time.perf_counter()
        decision = sitting.choose(stream)
        overruns.append(time.perf_counter() - start - SECONDS)
        sitting.play(decision.move)
    return overruns[2:]  # the first move of each side loads the compiled search


def _arena(repeats: int) -> list[dict[str, Any]]:
    """What a match costs beside its players, and what a second process brings."""
    play_all(THINKING.tasks, runner=runners.Serial())  # compiles, and warms up
    ratios, shares = [], []
    for _ in range(repeats):
        one = _games_per_second(runners.Processes(1))
        ratios.append(_games_per_second(runners.Processes(2)) / one)
        shares.append(100 * _outside())
    overruns = [1000 * overrun for overrun in _overruns()]

    def row(measure: str, unit: str, values: list[float]) -> dict[str, Any]:
        median = statistics.median(values)
        return {
            "measure": measure, "value": median, "unit": unit,
            "low": min(values), "high": max(values),
        }  # fmt: skip

    return [
        row(f"two processes against one, {MATCH.a}", "×", ratios),
        row(f"time outside the players, {THINKING.a}", "%", shares),
        row(f"a move longer than {HURRIED.a}", "ms", overruns),
    ]


def run(
    games: list[Game],
    *,
    repeats: int,
    seconds: float,
    start: bool = True,
    arena: bool = True,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Measure the games; the rates with their peers', the times of starting, and what they mean."""
    tell = progress or (lambda text: None)
    rates = []
    for game in games:
        peers = _openspiel(game)
        for name, ours in _ours(game).items():
            tell(f"{game.name}: {name}")
            peer = peers.get(name)
            row = _measure(ours, peer, repeats, seconds)
            what = "simulations" if name == "uct" else ""
            rates.append(
                {
                    "game": game.spec,
                    "measure": f"{name} {what}".strip(),
                    "peer": "OpenSpiel" if peer else None,
                    **row,
                }
            )
    starts = []
    if start:
        for game in games:
            tell(f"{game.name}: starting")
            starts += _starts(game)
        starts.append(_help())
    matches = []
    if arena:
        tell("arena")
        matches = _arena(repeats)
    return {
        "rates": rates,
        "start": starts,
        "arena": matches,
        "notes": [
            note for name in ["", *(game.name for game in games)] for note in NOTES.get(name, [])
        ],
        "versions": {
            "tesuji": __version__,
            "rules": {game.name: rules.registered()[game.name].version for game in games},
            "python": platform.python_version(),
            "numba": numba.__version__,
            "open_spiel": _version("open_spiel"),
        },
    }


def _version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None
