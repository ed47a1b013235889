"""Arrays in files: weights and checkpoints. Reading runs nothing, writing replaces at once.

Weights that tesuji ships lie in its directory `weights`, each file beside a card that tells how it
was made; they are known by their names.
"""

import os
import zipfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tesuji.errors import BadInput, nearest

Arrays = dict[str, npt.NDArray[Any]]


def find(name: str) -> Path:
    """The file of shipped weights by their name, or else the file of that name."""
    shipped = Path(str(resources.files("tesuji"))) / "weights"
    if Path(name).suffix:
        return Path(name)
    names = [file.stem for file in shipped.glob("*.npz")]
    if name not in names:
        raise BadInput(f"there are no weights called {name!r}{nearest(name, names)}")
    return shipped / f"{name}.npz"


def read(path: Path, what: str) -> Arrays:
    """The arrays of an .npz file, or the one of an .npy file under the name ''."""
    try:
        with open(path, "rb") as file:
            stored = np.load(file, allow_pickle=False)
            if isinstance(stored, np.ndarray):
                return {"": stored}
            return dict(stored)
    except FileNotFoundError:
        raise BadInput(f"there is no file {path}") from None
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or 'it is cut'}") from None
    except (ValueError, KeyError, EOFError, NotImplementedError, zipfile.BadZipFile):
        raise BadInput(f"{path} is not {what}, or is cut") from None


def write(path: Path, values: Mapping[str, Any]) -> None:
    """Write an .npz file; one that is there is replaced at once or not at all."""
    arrays: dict[str, Any] = {key: np.asarray(value) for key, value in values.items()}
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb") as file:
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None
