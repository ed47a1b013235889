"""How many random examples a test tries."""

import os
from collections.abc import Iterable
from typing import TypeVar

import numba
from hypothesis import HealthCheck, settings

FAST = not numba.config.DISABLE_JIT
THOROUGH = bool(os.environ.get("TESUJI_THOROUGH"))

Case = TypeVar("Case")


def cases(usual: Iterable[Case], thorough: Iterable[Case]) -> list[Case]:
    """What to try in `make test`, and what besides in `make thorough`."""
    return [*usual, *thorough] if THOROUGH else list(usual)


def examples(thorough: int, slow: int) -> settings:
    """The same examples in every run: a third of them, all in `make thorough`, few in plain Python.

    Still, Hypothesis draws on the constants of whatever modules the process has imported, and that
    depends on which tests ran before: what must occur has to be a lot likelier than not.
    """
    compiled = thorough if THOROUGH else (thorough + 2) // 3
    return settings(
        max_examples=compiled if FAST else slow,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
