"""The built-in games, one file each, and how to find a game by name or by file."""

import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path

from tesuji import rules, spec
from tesuji.errors import BadInput, nearest


def names() -> list[str]:
    """The built-in games."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load(text: str) -> rules.Game:
    """The game that `text` names, with its options: `go`, `go:size=13,komi=6.5`, `my_game.py`."""
    name, options = spec.parse(text)
    if name.endswith(".py"):
        game = load_file(Path(name))
    elif name in names():
        game = importlib.import_module(f"{__name__}.{name}").game
    elif name in rules.registered():
        game = rules.registered()[name]
    else:
        known = {*names(), *rules.registered()}
        raise BadInput(f"there is no game called {name!r}{nearest(name, known)}")
    return game.with_options(spec.fit(game.module.new_game, options, f"game {name}"))


def load_file(path: Path) -> rules.Game:
    """Import a game from a file anywhere and return what it registered."""
    for game in rules.registered().values():
        if game.module.__file__ and Path(game.module.__file__).resolve() == path.resolve():
            return game
    if not path.is_file():
        raise BadInput(f"there is no game file {path}")
    description = importlib.util.spec_from_file_location(path.stem, path)
    if description is None or description.loader is None:
        raise BadInput(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(description)
    if path.stem in sys.modules:
        raise BadInput(f"{path}: the name {path.stem!r} is taken by another Python module")
    sys.modules[path.stem] = module
    before = set(rules.registered())
    try:
        description.loader.exec_module(module)
    except BadInput:
        raise
    except Exception as error:
        raise BadInput(f"{path}: {_place(error, path)}{type(error).__name__}: {error}") from error
    finally:
        new = [rules.registered()[name] for name in set(rules.registered()) - before]
        if not new:
            del sys.modules[path.stem]
    if len(new) != 1:
        raise BadInput(f"{path}: registers {len(new)} games instead of one")
    return new[0]


def _place(error: Exception, path: Path) -> str:
    """'line N: ' for the deepest line of the file that an error passed through."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"line {line}: " if line else ""
