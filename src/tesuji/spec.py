"""How games and players are named in text: `name` or `name:key=value,key=value`.

A value in double quotes may contain commas and colons; in quotes and without a key it belongs to
the first setting: `gtp:"gnugo --mode gtp",seconds=5`.

The settings a name takes are the keyword parameters of a function: their annotations (or else the
types of their defaults) say what kind of value each is, their defaults what it is when left out.
"""

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from typing import Any

from tesuji.errors import BadInput, nearest

FIRST = ""  # stands for the name of the first setting


def parse(text: str) -> tuple[str, dict[str, str]]:
    """Split `name:key=value,...` into the name and its settings, still as text."""
    name, _, rest = text.strip().partition(":")
    settings: dict[str, str] = {}
    for part in _parts(text, rest) if rest else []:
        bare = part.strip().startswith('"')
        key, equals, value = (FIRST, "=", part) if bare else part.partition("=")
        key, value = key.strip(), value.strip().strip('"')
        if not ((key or bare) and equals and value):
            raise BadInput(f"{text!r}: the setting {part!r} is not of the form name=value")
        if key in settings:
            raise BadInput(f"{text!r}: {key or 'the first setting'} is set twice")
        settings[key] = value
    if not name.strip():
        raise BadInput(f"{text!r}: a name is missing before the settings")
    return name.strip(), settings


def _parts(text: str, rest: str) -> list[str]:
    """The settings, split at the commas that are outside quotes."""
    if rest.count('"') % 2:
        raise BadInput(f"{text!r}: a quotation mark is missing")
    return re.findall(r'(?:^|(?<=,))(?:[^,"]|"[^"]*")*', rest)


def text(name: str, values: Mapping[str, Any]) -> str:
    """A name with its settings as text again, in the order of the alphabet."""
    words = []
    for key, value in sorted(values.items()):
        word = str(value).lower() if isinstance(value, bool) else str(value)
        quoted = f'"{word}"' if not key or {",", ":"} & set(word) else word
        words.append(f"{key}={quoted}" if key else quoted)  # the first may be a value alone
    return f"{name}:{','.join(words)}" if words else name


def settings_of(function: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """The settings of a function: name -> (kind, default)."""
    kinds = typing.get_type_hints(function)
    return {
        name: (kinds.get(name, type(parameter.default)), parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is not parameter.empty
    }


def fit(function: Callable[..., Any], settings: Mapping[str, str], owner: str) -> dict[str, Any]:
    """Turn textual settings into the values that `function` takes, or say which one is wrong."""
    known = settings_of(function)
    values = {}
    for key, text in settings.items():
        if key == FIRST:
            key = next(iter(known), FIRST)
        if key in values:
            raise BadInput(f"{owner}: {key} is set twice")
        if key not in known:
            raise BadInput(f"{owner} has no setting {key!r}{nearest(key, known)}")
        values[key] = _value(known[key][0], text, f"{owner}: {key}")
    return values


def _value(kind: Any, text: str, where: str) -> Any:
    if typing.get_origin(kind) is typing.Literal:
        for choice in typing.get_args(kind):
            if str(choice) == text:
                return choice
        choices = ", ".join(str(choice) for choice in typing.get_args(kind))
        raise BadInput(f"{where} must be one of {choices}, not {text!r}")
    alternatives = [one for one in typing.get_args(kind) if one is not type(None)] or [kind]
    if type(None) in typing.get_args(kind) and text.lower() == "none":
        return None
    if bool in alternatives and text.lower() in ("true", "false", "yes", "no", "on", "off"):
        return text.lower() in ("true", "yes", "on")
    for name, number in (("a whole number", int), ("a number", float)):
        if number in alternatives:
            try:
                value = number(text)
            except ValueError:
                raise BadInput(f"{where} must be {name}, not {text!r}") from None
            if value != value or value in (float("inf"), float("-inf")):
                raise BadInput(f"{where} must be finite, not {text!r}")
            return value
    if bool in alternatives:
        raise BadInput(f"{where} must be true or false, not {text!r}")
    return text
