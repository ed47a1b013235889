"""Arrays in files: weights and checkpoints. Reading runs nothing, writing replaces at once.

Weights that tesuji ships lie in its directory `weights`, each file beside a card that tells how it
was made; they are known by their names.
"""

import os
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
    except Exception:  # a damaged file makes NumPy, zipfile and zlib raise nearly anything
        raise BadInput(f"{path} is not {what}, or is damaged or cut") from None


def need(path: Path, what: str, **wanted: tuple[str, tuple[int, ...]]) -> Arrays:
    """The arrays that a file must hold, each of a kind (NumPy's letters) and of a shape."""
    stored = read(path, what)
    for key, (kinds, shape) in wanted.items():
        array = stored.get(key)
        if array is None or array.shape != shape or array.dtype.kind not in kinds:
            size, kind = "x".join(map(str, shape)) or "1", "floating" if "f" in kinds else "whole"
            called = f" called {key!r}" if key else ""
            raise BadInput(f"{path} is not {what}: it needs {size} {kind} numbers{called}")
        if not _in_range(array):
            raise BadInput(f"{path} has numbers that are not finite, or too large")
    return {key: stored[key] for key in wanted}


def _in_range(array: npt.NDArray[Any]) -> bool:
    """Whether all numbers are finite and stay so in single precision."""
    return array.dtype.kind != "f" or bool((np.abs(array) <= np.finfo(np.float32).max).all())


def write(path: Path, values: Mapping[str, Any]) -> None:
    """Write an .npz file; one that is there is replaced at once or not at all."""
    arrays: dict[str, Any] = {key: np.asarray(value) for key, value in values.items()}
    for key, array in arrays.items():
        if array.ndim > 0 and not _in_range(array):
            raise BadInput(f"{path} was not written: {key!r} is not finite, or too large")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb") as file:
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None
