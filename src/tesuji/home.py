"""Where tesuji keeps what it keeps: one directory, `TESUJI_HOME`, private to the user."""

import os
from pathlib import Path

from tesuji.errors import BadInput


def home() -> Path:
    """The directory for all of tesuji's files: `$TESUJI_HOME`, or the platform's usual place."""
    chosen = os.environ.get("TESUJI_HOME")
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path  # imported late: most runs of a test set TESUJI_HOME

    return user_data_path("tesuji", appauthor=False)


def private_directory(path: Path) -> Path:
    """Make `path` (and its parents) readable by its owner only, or say why it cannot be used.

    The compile cache is made of pickles, which run code when they are read, so a directory that
    somebody else can write to is refused.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError as error:
        raise BadInput(f"cannot use the directory {path}: {error.strerror}") from None
    if os.name == "posix" and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        raise BadInput(f"{path} must belong to you alone: other users can write to it")
    return path
