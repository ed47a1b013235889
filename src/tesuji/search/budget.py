"""How long a search goes on: so many simulations, so much time, or whichever ends first."""

import time
from collections.abc import Callable

import numpy as np

from tesuji.errors import BadInput

CHUNK_SECONDS = 0.005  # how often a search with a time limit looks at the clock
REPORT_SECONDS = 0.2  # how often a search tells how far it is


def check_budget(name: str, simulations: int | None, seconds: float | None) -> None:
    """Refuse a search without an end, or without a beginning."""
    if simulations is None and seconds is None:
        raise BadInput(f"{name} needs a budget: simulations, seconds or both")
    if (simulations is not None and simulations < 1) or (seconds is not None and seconds <= 0):
        raise BadInput(f"{name} needs a budget of at least one simulation or some time")


def spend(
    step: Callable[[int], int],
    simulations: int | None,
    deadline: float | None,
    report: Callable[[int], None] | None = None,
    settled: Callable[[int], bool] | None = None,
) -> int:
    """Call `step(count)`, which says how many simulations it made of these, until the budget is
    used up or it makes none; `report` hears now and then how many there were. Of those that the
    time still allows, `settled` says whether they cannot change anything. How many in all."""
    wanted = int(np.iinfo(np.int64).max) if simulations is None else simulations
    timed = deadline is not None or report is not None
    done, chunk = 0, min(wanted, 16 if timed else wanted)
    now = told = time.perf_counter()
    while done < wanted:
        before = now
        ran = step(chunk)
        done += ran
        now = time.perf_counter()
        if ran == 0 or (deadline is not None and now >= deadline):
            break
        if report is not None and now - told >= REPORT_SECONDS:
            report(done)
            told = now = time.perf_counter()
        rate = ran / max(now - before, 1e-9)
        if deadline is not None and settled is not None and settled(int(rate * (deadline - now))):
            break
        if timed:
            often = REPORT_SECONDS / 4  # for whoever listens without a clock
            left = often if deadline is None else min(CHUNK_SECONDS, deadline - now)
            chunk = max(1, int(rate * left))
        chunk = min(chunk, wanted - done)
    return done
