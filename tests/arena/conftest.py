import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tesuji import players
from tesuji.arena import Store


@pytest.fixture
def misfits() -> Iterator[None]:
    """The misbehaving players, for one test."""
    before = dict(players._makers)
    module = importlib.import_module("tests.arena.misfits")
    players._makers.update(module.MAKERS)
    yield
    players._makers.clear()
    players._makers.update(before)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.sqlite") as store:
        yield store
