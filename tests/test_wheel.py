"""The wheel works where nothing but the wheel and what it asks for is installed."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_wheel_in_an_empty_environment(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation",
         "--outdir", str(tmp_path), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("tesuji-*.whl")
    venv.create(tmp_path / "empty")
    bin_folder = tmp_path / "empty" / "bin"
    pip = [sys.executable, "-m", "pip", "--python", str(bin_folder / "python")]
    constraints = ["--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", *constraints, wheel], check=True)
    environment = {**os.environ, "TESUJI_HOME": str(tmp_path / "home")}
    environment.pop("PYTHONPATH", None)

    def tesuji(*arguments: str) -> str:
        return subprocess.run(
            [bin_folder / "tesuji", *arguments],
            cwd=tmp_path, env=environment, check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip

    assert tesuji("--version").startswith("tesuji ")
    assert "Go" in tesuji("games")
    assert "Black to move" in tesuji("show", "go")
    watched = tesuji("watch", "go", "--against", "uct:playouts=50", "--moves", "1")
    assert "Black plays" in watched
    installed = subprocess.run(
        [*pip, "list", "--format", "freeze"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    assert "torch" not in installed
    assert "open_spiel" not in installed
    assert list((tmp_path / "empty").rglob("tesuji/py.typed"))
