"""How fast Amazons is evaluated and searched, on one core: prints the numbers of the docs.

    .venv/bin/python benchmarks/amazons.py [seconds]

The positions are fixed: each third turn of random games, on 10x10. Time is that of the processor,
so that other programs on the machine disturb it little; run it on a quiet machine all the same.
"""

import statistics
import sys
import time
from typing import Any

import numpy as np

from tesuji import games, knowledge, rng, rules
from tesuji.kernels import kernel
from tesuji.search import alphabeta

EVALUATIONS = ("fixed", "ota-b", "lieberum")
GAME = games.load("amazons")


def positions() -> list[rules.State]:
    """Twenty positions, from the start to the 57th turn."""
    found = []
    for number in range(20):
        stream, state = rng.seeded(number, "benchmark"), GAME.new()
        while GAME.turn(state) < 3 * number:
            GAME.play(state, GAME.random_move(state, stream))
        found.append(state)
    return found


@kernel
def repeat(evaluation: Any, state: Any, times: int) -> Any:
    total = 0.0
    for _ in range(times):
        total += knowledge.evaluate(evaluation, state[0])
    return total


def microseconds(evaluation: Any, state: rules.State) -> float:
    """For one evaluation: the least of some repeats."""
    repeat(evaluation, state, 1)
    times = []
    for _ in range(7):
        start = time.thread_time()
        repeat(evaluation, state, 5000)
        times.append((time.thread_time() - start) / 5000 * 1e6)
    return min(times)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    states = positions()
    for name in EVALUATIONS:
        evaluation = knowledge.find(GAME, "evaluate", name)
        costs = [microseconds(evaluation, state) for state in states]
        mean, most = statistics.mean(costs), max(costs)
        print(f"evaluation {name}: {mean:.2f} µs in the mean, {most:.2f} µs at most")
    for name in EVALUATIONS:
        evaluation = knowledge.find(GAME, "evaluate", name)
        alphabeta.search(states[0], evaluation, depth=1)
        rates, depths = [], []
        for state in states:
            start = time.thread_time()
            result = alphabeta.search(state, evaluation, seconds=seconds)
            rates.append(result.nodes / (time.thread_time() - start))
            depths.append(result.depth)
        print(f"alphabeta {name}: {statistics.median(rates):,.0f} nodes/s; depth at {seconds:g} s:")
        print("  " + " ".join(str(depth) for depth in depths), f"(mean {np.mean(depths):.1f})")


if __name__ == "__main__":
    main()
