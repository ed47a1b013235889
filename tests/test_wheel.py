"""The wheel works where nothing but the wheel and what it asks for is installed."""

import os
import subprocess
import sys
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


def link_what_it_asks_for(package: Distribution, folder: Path) -> None:
    """Give a folder links to all packages that one needs, instead of installing them again."""
    for line in package.requires or []:
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        needed = distribution(requirement.name)
        tops = {file.parts[0] for file in needed.files or []} - {"..", "__pycache__"}
        missing = [top for top in tops if not (folder / top).exists()]
        for top in missing:
            (folder / top).symlink_to(Path(str(needed.locate_file(top))))
        if missing:
            link_what_it_asks_for(needed, folder)


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
    (packages,) = (tmp_path / "empty").glob("lib/python*/site-packages")
    subprocess.run([*pip, "install", "--quiet", "--no-compile", "--no-deps", wheel], check=True)
    (installed,) = Distribution.discover(name="tesuji", path=[str(packages)])
    link_what_it_asks_for(installed, packages)
    subprocess.run([*pip, "check"], check=True)
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
