"""The built-in games, one file each, and how to find a game by name or by file."""

import importlib
import importlib.util
import pkgutil
import re
import sys
import traceback
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
        raise BadInput(explain(error, path)) from error
    finally:
        new = [rules.registered()[name] for name in set(rules.registered()) - before]
        if not new:
            del sys.modules[path.stem]
    if len(new) != 1:
        raise BadInput(f"{path}: registers {len(new)} games instead of one")
    return new[0]


def explain(error: BaseException, path: Path) -> str:
    """An error in a game's file as one sentence: the file, the line, and what went wrong there."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename == str(path):
            line = frame.lineno
    source = path.read_text().splitlines()
    if isinstance(error, KeyError) and line is None:  # how Numba meets an unknown field
        for number, code in enumerate(source, 1):
            if re.search(rf"\.{re.escape(str(error.args[0]))}\b", code):
                return f"{path}: line {number}: the state has no field {error}"
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    # Numba's message is a page long: the innermost reason comes last, then the place.
    for place in re.finditer(rf'File "[^"]*{re.escape(path.name)}", line (\d+)', text):
        line = int(place[1])
    *_, innermost = text.split("(step: nopython frontend)")
    reason = re.sub(r"found for signature:\s*>>>", "for", innermost).strip().partition("\n")[0]
    reason = re.sub(r"Record\(.*?;\d+;(True|False)\)", "state", reason)
    unknown = re.search(r"name '(\w+)' is not defined", reason)
    if unknown and line is None:
        uses = (n for n, code in enumerate(source, 1) if re.search(rf"\b{unknown[1]}\b", code))
        line = next(uses, None)
    return f"{path}: {f'line {line}: ' if line else ''}{type(error).__name__}: {reason}"
