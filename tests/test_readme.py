"""The code in the README and the documentation runs as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "```python" in page.read_text()
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_on_a_page_runs(page: Path, tmp_path: Path) -> None:
    """A block that begins with `# name.py` is saved under that name; the others run in order."""
    script = []
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
        name = re.match(r"# (\w+\.py)\n", block)
        if name:
            (tmp_path / name[1]).write_text(block)
        else:
            script.append(block)
    (tmp_path / "page_script.py").write_text("\n".join(script))
    done = subprocess.run(
        [sys.executable, "page_script.py"],
        cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ), check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for file in tmp_path.glob("*.py"):
        if "rules.register(" in file.read_text():
            checked = subprocess.run(
                [sys.executable, "-m", "tesuji", "check", file.name, "--count", "4"],
                cwd=tmp_path, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert target.startswith("http") or (page.parent / target).exists(), target
