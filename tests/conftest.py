"""Tests keep their compiled code under the pytest cache: it is keyed by source, so never stale."""

import os
from pathlib import Path

ROOT = Path(__file__).parent.parent
os.environ["TESUJI_HOME"] = str(ROOT / ".pytest_cache" / "tesuji-home")
