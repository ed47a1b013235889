"""Knowledge: dispatched by class, compiled and plain; offered by name; edits are noticed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import pytest

from tesuji import games, knowledge, rng
from tesuji.errors import BadInput
from tesuji.search import montecarlo

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = games.load(str(ROOT / "examples" / "connect_four.py"))


class Stubborn(NamedTuple):
    """Always the same column."""

    column: int


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "_answers", dict(knowledge._answers))
    monkeypatch.setattr(knowledge, "_offers", {key: dict(one) for key, one in
                                               knowledge._offers.items()})  # fmt: skip

    @knowledge.knows(Stubborn)
    def choose(policy, state, moves, rng):  # type: ignore[no-untyped-def]
        return policy.column

    assert choose is knowledge.choose  # the name still means the verb


def test_the_class_selects_the_code_and_the_fields_are_weights() -> None:
    state, stream = CONNECT_FOUR.new(), rng.seeded(1)
    for column in (2, 5):
        assert montecarlo.one_move(state, stream, Stubborn(column)) == column
        assert knowledge.choose(Stubborn(column), state[0], None, stream) == column


def test_none_knows_nothing() -> None:
    state = CONNECT_FOUR.new()
    drawn = {montecarlo.one_move(state, rng.seeded(seed)) for seed in range(60)}
    assert drawn == set(range(7))
    assert knowledge.rewards(None, state[0]) == (0.5, 0.5)
    assert knowledge.group(None, state[0], 3) == 3
    assert knowledge.prune(None, state[0], None, 7) == 7


def test_answers_are_checked() -> None:
    with pytest.raises(BadInput, match="did you mean 'choose'"):

        @knowledge.knows(Stubborn)
        def chose(policy, state, moves, rng):  # type: ignore[no-untyped-def]
            return 0

    with pytest.raises(BadInput, match=r"must take \(policy, state, moves, rng\)"):

        @knowledge.knows(Stubborn)
        def choose(policy, state):  # type: ignore[no-untyped-def]
            return 0


def test_offers_have_names() -> None:
    knowledge.offer("connect_four", "choose", "stubborn", lambda: Stubborn(3))
    assert knowledge.find(CONNECT_FOUR, "choose", "stubborn") == Stubborn(3)
    assert knowledge.find(CONNECT_FOUR, "choose", None) is None
    with pytest.raises(BadInput, match="did you mean 'stubborn'"):
        knowledge.find(CONNECT_FOUR, "choose", "stuborn")
    with pytest.raises(BadInput, match="did you mean 'choose'"):
        knowledge.offer("connect_four", "chose", "stubborn", lambda: None)


# A game's file outside the package that brings a policy along, and plays it.
POLICY = """
import sys
from typing import NamedTuple
from tesuji import games, rng
from tesuji.knowledge import knows
from tesuji.search import montecarlo

class Mine(NamedTuple):
    offset: int

@knows(Mine)
def choose(policy, state, moves, rng):
    return COLUMN + policy.offset
"""
USE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tesuji import games, rng
from tesuji.search import montecarlo
import {module}
state = games.load(sys.argv[2]).new()
move = montecarlo.one_move(state, rng.seeded(1), {module}.Mine(1))
stats = montecarlo._one_move.stats
print(json.dumps([move, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")
def test_edited_knowledge_runs_anew_and_is_nobody_elses_business(tmp_path: Path) -> None:
    """Numba alone would run the old policy, and would import both modules to read its index."""

    def run(module: str) -> list[int]:
        code = USE.format(module=module)
        game = str(ROOT / "examples" / "connect_four.py")
        output = subprocess.check_output(
            [sys.executable, "-c", code, str(tmp_path), game], text=True,
            env={**os.environ, "TESUJI_HOME": str(tmp_path / "home")},
        )  # fmt: skip
        found: list[int] = json.loads(output)
        return found

    mine, other = tmp_path / "mine.py", tmp_path / "other.py"
    mine.write_text(POLICY.replace("COLUMN", "2"))
    assert run("mine") == [3, 0, 1]
    assert run("mine") == [3, 1, 0]
    mine.write_text(POLICY.replace("COLUMN", "4"))
    assert run("mine") == [5, 0, 1]
    mine.rename(other)
    assert run("other") == [5, 0, 1]  # and the index, which knows `mine`, can still be read
