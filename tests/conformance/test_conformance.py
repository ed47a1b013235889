"""Every game passes every check. A new built-in game is here as soon as its file is."""

from pathlib import Path

import pytest

from tests.examples import FAST, THOROUGH, cases
from tesuji import conformance, games

ROOT = Path(__file__).parents[2]
GAMES = [
    *games.names(),
    str(ROOT / "examples" / "connect_four.py"),
    *sorted(str(file) for file in (ROOT / "tests" / "toys").glob("[a-z]*.py")),
]
SLOW_IN_GO = (conformance.check_hash, conformance.check_symmetries, conformance.check_text)
COUNT = 6 if THOROUGH else 3 if FAST else 1


@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: Path(spec).stem)
def test_game_keeps_the_contract(spec: str, check: conformance.Check) -> None:
    if not (FAST or THOROUGH) and spec == "go" and check in SLOW_IN_GO:
        pytest.skip("takes minutes un-compiled")
    assert check(games.load(spec), 1, COUNT)


@pytest.mark.skipif(not FAST, reason="takes minutes un-compiled")
@pytest.mark.parametrize("size", cases([19], [13]))
def test_larger_boards_keep_the_contract(size: int) -> None:
    game = games.load(f"go:size={size}")
    for check in (conformance.check_bounds, conformance.check_legality, conformance.check_seed):
        assert check(game, 2, 2)


def test_one_line_in_a_users_test_suite() -> None:
    saw = conformance.conforms(str(ROOT / "examples" / "connect_four.py"), count=COUNT)
    assert set(saw) == {check.__name__.removeprefix("check_") for check in conformance.CHECKS}
