"""What can be played: the games with their options, the players with their settings, as JSON.

The page sends names and settings as text, and this module decides which text is let through. A
setting that is a number, a switch or one of a list is harmless. Free text is not: `map=` reads a
file, and other settings may one day start a program. So a text must be a plain word, and may name
neither a file here nor a program (`_check_word`); what a game can list, it lists (`_LISTS`).
"""

import shutil
import typing
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tesuji import games, players, rules, spec
from tesuji.errors import BadInput, nearest
from tesuji.games import tubstap
from tesuji.web import boards

HUMAN = "human"
FAVOURITE = "best"  # who sits opposite, and who gives hints, unless the person chooses otherwise
LONGEST_SPEC = 400
_LISTS: dict[tuple[str, str], Callable[[], list[str]]] = {("tubstap", "map"): tubstap.map_names}


def game_names() -> list[str]:
    """The built-in games, then those that the user's own files registered."""
    builtin = games.names()
    return [*builtin, *sorted(set(rules.registered()) - set(builtin))]


def load_game(text: str) -> rules.Game:
    """The game that a page names."""
    name, options = _parsed(text)
    if name not in game_names():
        raise BadInput(f"there is no game called {name!r}{nearest(name, game_names())}")
    game = games.load(name)
    for option in _settings(name, game.module.new_game):
        if option["name"] in options:
            _check(option, options[option["name"]], f"game {name}")
    return games.load(text)


def check_player(text: str) -> str:
    """The canonical text of a player that a page names; the game is not asked yet."""
    if text == HUMAN:
        return HUMAN
    name, settings = _parsed(text)
    for setting in _settings(name, players.maker(name)):
        if setting["name"] in settings:
            _check(setting, settings[setting["name"]], f"player {name}")
    spec.fit(players.maker(name), settings, f"player {name}")
    return text


def describe_game(name: str) -> dict[str, Any]:
    game = games.load(name)
    return {
        "name": name, "title": game.title, "players": list(game.players), "hidden": game.hidden,
        "options": _settings(name, game.module.new_game),
        "how": boards.HOW.get(name) or _first_line(game.module),
    }  # fmt: skip


def describe_player(name: str) -> dict[str, Any]:
    maker = players.maker(name)
    return {"name": name, "text": _first_line(maker), "settings": _settings(name, maker)}


def _first_line(described: Any) -> str:
    return (described.__doc__ or "").strip().partition("\n\n")[0].replace("\n", " ")


def _parsed(text: str) -> tuple[str, dict[str, str]]:
    if len(text) > LONGEST_SPEC:
        raise BadInput(f"a name with settings has at most {LONGEST_SPEC} characters")
    name, settings = spec.parse(text)
    if spec.FIRST in settings:
        raise BadInput(f"{name}: each setting needs its name here")
    return name, settings


def _settings(owner: str, function: Callable[..., Any]) -> list[dict[str, Any]]:
    """Name, kind, default and choices of each setting."""
    rows = []
    for name, (kind, default) in spec.settings_of(function).items():
        row: dict[str, Any] = {"name": name, "kind": _kind(kind), "default": _plain(default)}
        if typing.get_origin(kind) is typing.Literal:
            row |= {"kind": "choice", "choices": [str(one) for one in typing.get_args(kind)]}
        elif (owner, name) in _LISTS:
            row |= {"kind": "choice", "choices": _LISTS[owner, name]()}
        rows.append(row)
    return rows


def _kind(kind: Any) -> str:
    alternatives = {one for one in typing.get_args(kind) if one is not type(None)} or {kind}
    for word, one in (("switch", bool), ("whole", int), ("number", float)):
        if one in alternatives:
            return word
    return "text"


def _plain(default: Any) -> str | None:
    if default is None:
        return None
    return str(default).lower() if isinstance(default, bool) else str(default)


def _check(setting: dict[str, Any], value: str, owner: str) -> None:
    where = f"{owner}: {setting['name']}"
    if "choices" in setting:
        _check_choice(value, setting["choices"], where)
    elif setting["kind"] == "text" and value != setting["default"]:
        _check_word(value, where)


def _check_choice(value: str, choices: Iterable[str], where: str) -> None:
    if value not in choices:
        raise BadInput(f"{where} must be one of {', '.join(choices)}, not {value!r}")


def _check_word(value: str, where: str) -> None:
    if not all(sign.isalnum() or sign in "_.+-/" for sign in value) or value.startswith((".", "/")):
        raise BadInput(f"{where}: {value!r} is not a plain word")
    if ".." in value or Path(value).exists() or shutil.which(value):
        raise BadInput(f"{where}: {value!r} names a file or a program, which a page may not")
