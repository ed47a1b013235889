"""The `tesuji` command: the only place that prints to a terminal.

Each module here has the commands of one part of tesuji. Heavy modules are imported inside the
commands, so that `tesuji --help` answers at once. Every command that reports takes `--json` and
then prints one object; `docs/command-line.md` lists the keys.
"""

import importlib
import pkgutil
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from tesuji import __version__
from tesuji.cli.common import app, fail
from tesuji.errors import BadInput

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")  # each adds its commands


def main() -> None:
    """Run the command; bad input ends in one sentence on standard error and exit code 2."""
    try:
        app()
    except BadInput as error:
        fail(str(error))
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; so do we, without a complaint
        sys.exit(1)
    except Exception as error:
        fail(_blame(error))


def _blame(error: Exception) -> str:
    """A sentence for an error inside a game's file of the user's own; any other is ours, a bug."""
    from tesuji import games as collection
    from tesuji.rules import registered

    compiling = isinstance(error, KeyError) or type(error).__module__.startswith("numba")
    for game in registered().values():
        path = Path(str(game.module.__file__))
        if game.name not in collection.names() and (
            compiling or path.name in traceback.format_exc()
        ):
            return collection.explain(error, path)
    raise error


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if show:
        print(f"tesuji {__version__}")
        raise typer.Exit
