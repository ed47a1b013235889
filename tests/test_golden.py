"""Every golden playthrough is played again, move by move."""

import pytest

from tests.golden import FOLDER, PLAYTHROUGHS, playthrough
from tesuji import games


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text()
    assert len(expected.splitlines()) > 20
    assert playthrough(games.load(PLAYTHROUGHS[name]), 2026) == expected
