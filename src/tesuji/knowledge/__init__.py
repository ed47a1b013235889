"""What a player knows beyond the rules: the questions a search asks, and who answers them.

A piece of knowledge is a `NamedTuple` of arrays and numbers. Its class selects the code, its fields
are the weights: one search loop serves them all, and new weights never compile anew. The verbs
below work like those of `tesuji.rules`, but are resolved by the class of their first argument.
`None` knows nothing and gets the answer in the verb's own body, so a search has no branches for
features that are off. A class answers a verb by a plain function of the same name and parameters:

    class Bold(NamedTuple):
        courage: float

    @knows(Bold)
    def choose(policy, state, moves, rng): ...

`offer` gives a piece of knowledge the name by which players ask for it: `uct:policy=bold`. The
knowledge of a built-in game is the module of this package with the game's name; a game file of your
own may bring its knowledge along.
"""

import importlib
import inspect
import math
import pkgutil
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from numba import types

from tesuji import rules
from tesuji.errors import BadInput, nearest
from tesuji.kernels import compiled_as, helper

_answers: dict[type, SimpleNamespace] = {}
_verbs: dict[str, Callable[..., Any]] = {}


def verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function a question to its first argument; its own body is the answer of `None` and of
    every class that does not know better."""
    name = stub.__name__

    def plain(knowledge: Any, *arguments: Any) -> Any:
        answers = _answers.get(type(knowledge))
        return getattr(answers, name, stub)(knowledge, *arguments)

    plain.__name__ = plain.__qualname__ = name
    plain.__doc__ = stub.__doc__
    plain.__signature__ = inspect.signature(stub)  # type: ignore[attr-defined]

    def compiled(knowledge: Any, *arguments: Any) -> Any:
        if isinstance(knowledge, types.BaseNamedTuple):
            return getattr(_answers.get(knowledge.instance_class), name, stub)
        return stub if isinstance(knowledge, types.NoneType) else None

    compiled_as(plain, compiled)
    _verbs[name] = plain
    return plain


@verb
def choose(policy: Any, state: Any, moves: Any, rng: Any) -> Any:
    """The next move of a playout; `moves` is a buffer to work in. By default the game's own draw.

    Chance events are not asked about: a playout draws them by their odds.
    """
    return rules.random_move(state, moves, rng)


@verb
def prune(pruning: Any, state: Any, moves: Any, count: Any) -> Any:
    """Keep the moves worth a place in the tree at the front of `moves`, at least one; how many."""
    return count


@verb
def weigh(prior: Any, state: Any, moves: Any, count: Any, weights: Any) -> None:
    """Write how likely each of the moves is to be the right one: from 0, with sum 1."""
    for i in range(count):
        weights[i] = 1.0 / count


@helper
def soften(scores: Any, count: Any) -> None:
    """Turn scores into probabilities, in place."""
    most, total = scores[0], 0.0
    for i in range(1, count):
        most = max(most, scores[i])
    for i in range(count):
        scores[i] = math.exp(scores[i] - most)
        total += scores[i]
    for i in range(count):
        scores[i] /= total


@verb
def evaluate(evaluation: Any, state: Any) -> Any:
    """How much better player 0 stands than player 1, as a number without bounds."""
    return 0.0


@verb
def rewards(evaluation: Any, state: Any) -> Any:
    """What a playout that is cut here is worth to player 0 and to player 1, from 0 to 1 each.

    By default the evaluation, squashed: then the two have the sum 1. They need not.
    """
    probability = 1.0 / (1.0 + math.exp(-evaluate(evaluation, state)))
    return probability, 1.0 - probability


@verb
def guess(belief: Any, state: Any, player: Any, rng: Any) -> None:
    """Fill in what `player` does not know, likelier worlds more often; by default each alike."""
    rules.sample_world(state, player, rng)


@verb
def group(abstraction: Any, state: Any, move: Any) -> Any:
    """A number that is the same for moves that are alike; by default no two are."""
    return move


def knows(kind: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function the answer of a class to the verb of the same name.

    The name goes on to mean the verb, so that one file can answer it for several classes.
    """

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__
        if name not in _verbs:
            raise BadInput(f"{kind.__name__} answers {name}{nearest(name, _verbs)}")
        expected = list(inspect.signature(_verbs[name]).parameters)
        given = list(inspect.signature(function).parameters)
        if given != expected:
            raise BadInput(
                f"{kind.__name__}: {name} must take ({', '.join(expected)}), "
                f"not ({', '.join(given)})"
            )
        setattr(_answers.setdefault(kind, SimpleNamespace()), name, helper(function))
        return _verbs[name]

    return add


# --- Knowledge by name ---------------------------------------------------------------------------

_offers: dict[tuple[str, str], dict[str, Callable[[], Any]]] = {}


def offer(game: str, question: str, name: str, make: Callable[[], Any]) -> None:
    """Let players of a game ask for knowledge by name; `make` (documented) is called when one does.

    A class with defaults for all its fields is a `make`, too.
    """
    if question not in _verbs:
        raise BadInput(f"{game} offers {name!r} for {question!r}{nearest(question, _verbs)}")
    _offers.setdefault((game, question), {})[name] = cache(make)


def offers(game: rules.Game, question: str) -> dict[str, str]:
    """The names that a game's knowledge has for a verb, each with its description."""
    return {name: inspect.getdoc(make) or "" for name, make in _offered(game, question).items()}


def find(game: rules.Game, question: str, name: str | None) -> Any:
    """The knowledge of a game that is called `name`; None for no name."""
    if name is None:
        return None
    offered = _offered(game, question)
    if name not in offered:
        raise BadInput(f"{game.name} has no {name!r} for {question}{nearest(name, offered)}")
    return offered[name]()


def _offered(game: rules.Game, question: str) -> dict[str, Callable[[], Any]]:
    if game.name in {module.name for module in pkgutil.iter_modules(__path__)}:
        importlib.import_module(f"{__name__}.{game.name}")
    found = _offers.get((game.name, question), {})
    if question == "rewards":  # an evaluation answers that, too
        found = _offers.get((game.name, "evaluate"), {}) | found
    return found
