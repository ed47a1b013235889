"""Every game passes every check. A new built-in game is here as soon as its file is."""

from pathlib import Path

import numba
import pytest

from tesuji import conformance, games

ROOT = Path(__file__).parents[2]
GAMES = [
    *games.names(),
    str(ROOT / "examples" / "connect_four.py"),
    *sorted(str(file) for file in (ROOT / "tests" / "toys").glob("[a-z]*.py")),
]
COUNT = 1 if numba.config.DISABLE_JIT else 6


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: Path(spec).stem)
def test_game_keeps_the_contract(spec: str, check: conformance.Check) -> None:
    assert check(games.load(spec), 1, COUNT)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes un-compiled")
@pytest.mark.parametrize("size", [13, 19])
def test_larger_boards_keep_the_contract(size: int) -> None:
    game = games.load(f"go:size={size}")
    for check in (conformance.check_bounds, conformance.check_legality, conformance.check_seed):
        assert check(game, 2, 2)


def test_one_line_in_a_users_test_suite() -> None:
    saw = conformance.conforms(str(ROOT / "examples" / "connect_four.py"), count=COUNT)
    assert set(saw) == {check.__name__.removeprefix("check_") for check in conformance.CHECKS}
