"""The compile cache: never a stale rule, never a broken file, and hits in a second process."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import tesuji
from tesuji import games, rules
from tesuji.errors import BadInput
from tesuji.home import private_directory

pytestmark = pytest.mark.skipif(
    bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run"
)
ROOT = Path(__file__).parent.parent
CONNECT_FOUR = ROOT / "examples" / "connect_four.py"

# Play column a until the game ends; how many moves it took, and whether code came from the cache.
PLAY = """
import json, sys
from tesuji import games, rules
game = games.load(sys.argv[1])
state = game.new()
count = 0
while not game.is_over(state):
    game.play(state, game.legal_moves(state)[0])
    count += 1
stats = rules.compiled_play.stats
print(json.dumps([count, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
"""


def run(
    code: str, *arguments: str, home: Path, package: Path | None = None, **variables: str
) -> str:
    environment = {**os.environ, "TESUJI_HOME": str(home), **variables}
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    first = json.loads(run(PLAY, str(CONNECT_FOUR), home=tmp_path))
    second = json.loads(run(PLAY, str(CONNECT_FOUR), home=tmp_path))
    assert first[1:] == [0, 1]
    assert second[1:] == [1, 0]
    assert first[0] == second[0]


def test_a_search_does_not_wait_for_scipy(tmp_path: Path) -> None:
    """Numba would import SciPy's linear algebra with the first kernel."""
    asked = "print('scipy.linalg' in sys.modules)"
    assert run(PLAY + asked, str(CONNECT_FOUR), home=tmp_path).split()[-1] == "False"


def test_kernels_still_multiply_matrices(tmp_path: Path) -> None:
    file = tmp_path / "product.py"
    file.write_text(
        "import numpy as np\n"
        "from tesuji.kernels import kernel\n"
        "@kernel\n"
        "def product(a, b):\n"
        "    return a @ b\n"
        "print(product(np.eye(2) * 3, np.ones((2, 2))).sum())\n"
    )
    assert run(f"import runpy; runpy.run_path({str(file)!r})", home=tmp_path) == "12.0\n"


def test_an_edited_game_outside_the_package_runs_its_new_rule(tmp_path: Path) -> None:
    file = tmp_path / "edited.py"
    source = CONNECT_FOUR.read_text().replace('name="connect_four"', 'name="edited"')
    file.write_text(source)
    before = json.loads(run(PLAY, str(file), home=tmp_path / "home"))
    file.write_text(source.replace("in_row >= 4", "in_row >= 3"))
    after = json.loads(run(PLAY, str(file), home=tmp_path / "home"))
    file.write_text(source)
    again = json.loads(run(PLAY, str(file), home=tmp_path / "home"))
    assert after[0] < before[0]
    assert again == [before[0], 1, 0]  # and the old rule's code is still there for the old file


def test_an_edited_game_inside_the_package_runs_its_new_rule(tmp_path: Path) -> None:
    package = tmp_path / "package"
    shutil.copytree(Path(tesuji.__file__).parent, package / "tesuji")
    code = (
        "from tesuji import games; game = games.load('go'); state = game.new();"
        "[game.play(state, game.parse_move(state, move)) for move in ('A1', 'pass', 'pass')];"
        "print(game.outcome(state))"
    )
    assert float(run(code, home=tmp_path / "home", package=package)) == 1.0
    go = package / "tesuji" / "games" / "go.py"
    source = go.read_text()
    assert "2.0 * area(state)" in source
    go.write_text(source.replace("2.0 * area(state)", "-2.0 * area(state)"))
    assert float(run(code, home=tmp_path / "home", package=package)) == -1.0


def test_an_edited_search_runs_its_new_code(tmp_path: Path) -> None:
    """A helper in another file than the kernel, which Numba alone would not notice."""
    package = tmp_path / "package"
    shutil.copytree(Path(tesuji.__file__).parent, package / "tesuji")
    code = (
        "import sys; from tesuji import games; from tesuji.search import uct;"
        "print(len(uct.search(games.load(sys.argv[1]).new(), simulations=5).candidates),"
        "uct.simulate.stats.cache_hits.total())"
    )

    def search() -> list[str]:
        return run(code, str(CONNECT_FOUR), home=tmp_path / "home", package=package).split()

    assert search() == ["7", "0"]
    assert search() == ["7", "1"]
    file = package / "tesuji" / "search" / "montecarlo.py"
    file.write_text(file.read_text() + "\n# another comment\n")
    assert search() == ["7", "0"]


def test_two_processes_compiling_different_games_at_once(tmp_path: Path) -> None:
    """Both entries must survive: Numba's own index can lose one, or give both the same file."""
    files = []
    for name in ("one_game", "other_game"):
        file = tmp_path / f"{name}.py"
        source = CONNECT_FOUR.read_text().replace('name="connect_four"', f'name="{name}"')
        file.write_text(source.replace("in_row >= 4", f"in_row >= {len(files) + 3}"))
        files.append(file)
    environment = {**os.environ, "TESUJI_HOME": str(tmp_path / "home")}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", PLAY, str(file)], env=environment, stdout=subprocess.PIPE
        )
        for file in files
    ]
    outputs = [json.loads(process.communicate()[0]) for process in both]
    assert outputs[0][0] < outputs[1][0]
    for file, (count, _, _) in zip(files, outputs, strict=True):
        assert json.loads(run(PLAY, str(file), home=tmp_path / "home")) == [count, 1, 0]


def test_bounds_checked_code_has_its_own_cache(tmp_path: Path) -> None:
    """Else a checked run over a warm cache would check nothing, and leak into normal runs."""
    code = "from tesuji.kernels import cache_directory; print(cache_directory())"
    plain = run(code, home=tmp_path, NUMBA_BOUNDSCHECK="0")
    checked = run(code, home=tmp_path, NUMBA_BOUNDSCHECK="1")
    assert plain != checked


def test_the_users_own_cache_directory_is_left_alone() -> None:
    before = numba.config.CACHE_DIR
    rules.kernel(games.load("go").module.points)
    assert before == numba.config.CACHE_DIR


def test_the_cache_is_private(tmp_path: Path) -> None:
    made = private_directory(tmp_path / "mine")
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o777)
    with pytest.raises(BadInput, match="must belong to you alone"):
        private_directory(made)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot use the directory"):
        private_directory(tmp_path / "file" / "below")


def test_what_we_rely_on_in_numba() -> None:
    """Titles of fields are part of a record's type; a plain and a record array are one type."""
    one, other = (np.dtype([((f"game:{digest}", "cells"), "i1", (9,))]) for digest in "ab")
    assert numba.from_dtype(one) != numba.from_dtype(other)
    state = games.load("go").new()
    assert numba.typeof(state) == numba.typeof(np.asarray(state))
