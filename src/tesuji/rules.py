"""The contract between games and everything that plays them. Read this first.

A game is a Python file that declares a state (`state`, a NumPy record type), answers the verbs
below as plain functions over one record of it, and calls `register`. A search is a `@kernel` that
calls the same verbs, imported from here. In compiled code a verb is resolved by the *type* of the
state, so each pair of search and game becomes one piece of native code; in plain Python it is
resolved by `state.dtype`, so the same files run un-compiled for debugging.

What holds for every game:

- A state is a value: one record, no pointers, copied by `target[0] = source[0]`. Outside kernels
  and verbs a state is a one-element record array; a verb gets its record, `state[0]`.
- A move is an int, with a lossless text form. A turn may take several moves of one player.
- Two players, 0 and 1, whose interests are opposed. `CHANCE` moves when the rules draw lots.
- Randomness is an argument (`tesuji.rng`), never part of the state.
"""

import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from tesuji import plain_text, spec
from tesuji.errors import BadInput
from tesuji.kernels import compiled_as, helper, kernel
from tesuji.rng import Rng, below, uniform

CHANCE: Final = -1
"""`player_to_move` when the next move is drawn by lot."""

SECRET: Final = -2
"""`public_move` of a move that only its player knows."""

State = np.recarray[Any, Any]
"""A state outside kernels: a record array of one element."""

Moves = npt.NDArray[np.int32]
"""A buffer for moves, as long as the game's bound."""

# --- Verbs ---------------------------------------------------------------------------------------

_answers_by_dtype: dict[Any, SimpleNamespace] = {}
_answers_by_type: dict[Any, SimpleNamespace] = {}
_verbs: dict[str, Callable[..., Any]] = {}
_required: set[str] = set()


def _dispatched(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a verb's description into the function that finds the game's own answer to it."""
    name = stub.__name__

    def plain(state: Any, *arguments: Any) -> Any:
        try:
            answers = _answers_by_dtype[state.dtype]
        except (KeyError, AttributeError):
            raise BadInput(
                f"rules.{name} needs a record of a registered game, such as game.new()[0]"
            ) from None
        return getattr(answers, name)(state, *arguments)

    plain.__name__ = plain.__qualname__ = name
    plain.__doc__ = stub.__doc__
    plain.__signature__ = inspect.signature(stub)  # type: ignore[attr-defined]

    def compiled(state: Any, *arguments: Any) -> Any:
        answers = _answers_by_type.get(state)
        return getattr(answers, name, None)

    compiled_as(plain, compiled)
    _verbs[name] = stub
    return plain


def _required_verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    _required.add(stub.__name__)
    return _dispatched(stub)


@_required_verb
def legal_moves(state: Any, moves: Any) -> int:
    """Write every legal move into `moves`, each once, and return how many; 0 when the game is over.

    At a chance event these are the possible outcomes.
    """


@_required_verb
def play(state: Any, move: int) -> None:
    """Make a legal move, in place. Whether it is legal is not checked: `Game.play` does that."""


@_required_verb
def player_to_move(state: Any) -> int:
    """0, 1, or `CHANCE`. Unspecified when the game is over."""


@_required_verb
def is_over(state: Any) -> bool:
    """Whether the game has ended."""


@_required_verb
def outcome(state: Any) -> float:
    """The result of a game that is over: 1 if player 0 won, -1 if player 1 won, 0 for a draw."""


@_required_verb
def turn(state: Any) -> int:
    """How many whole turns have been completed since the game began."""


@_required_verb
def position_hash(state: Any) -> int:
    """A uint64 that is equal for equal positions, however they were reached.

    Everything that `position_text` tells belongs in it, except counters of moves and turns.
    """


@_dispatched
def random_move(state: Any, moves: Any, rng: Any) -> int:
    """A move for a playout; `moves` is a buffer to work in.

    Without an answer of the game's own: uniform over the legal moves, and by `chance_odds` at a
    chance event. A game whose own answer is not uniform over all legal moves says so in `playouts`.
    """
    return uniform_move(state, moves, rng)


@_dispatched
def chance_odds(state: Any, move: int) -> float:
    """The probability of an outcome of the present chance event. For games with chance."""
    return 0.0


@_dispatched
def observe(state: Any, player: int) -> None:
    """Forget, in place, everything that `player` may not know. For games with hidden information.

    Two states that differ only in what the player cannot see become equal, byte for byte.
    """


@_dispatched
def public_move(state: Any, move: int) -> int:
    """The move as the other player sees it: itself, or `SECRET` for one made behind a screen.

    For games with hidden information. After any two secret moves the other player sees the same.
    """
    return move


@_dispatched
def sample_world(state: Any, player: int, rng: Any) -> None:
    """Fill in, in place, what `player` does not know: one draw, each consistent world alike.

    Knowledge that holds some worlds likelier than others is a belief of the player's own and
    takes this verb's place in a search.
    """


@_dispatched
def map_move(state: Any, symmetry: int, move: int) -> int:
    """The image of a move under symmetry number 1 .. `symmetries` - 1 (0 is the identity).

    A game played with the images of its moves is the image of the game: same length, same result.
    """
    return move


@helper
def uniform_move(state: Any, moves: Any, rng: Any) -> int:
    """A legal move, each alike, or a chance event's outcome by its odds."""
    count = legal_moves(state, moves)
    if player_to_move(state) == CHANCE:
        return moves[draw_outcome(state, moves, count, rng)]  # type: ignore[no-any-return]
    return moves[below(rng, count)]  # type: ignore[no-any-return]


@helper
def draw_outcome(state: Any, outcomes: Any, count: int, rng: Any) -> int:
    """Draw an outcome of the present chance event: its index among `outcomes[:count]`."""
    left = uniform(rng)
    for i in range(count - 1):
        left -= chance_odds(state, outcomes[i])
        if left < 0:
            return i
    return count - 1


# --- What a game declares ------------------------------------------------------------------------


NO_STATE = "this is not a state of a registered game, such as game.new() gives"


class Bounds(NamedTuple):
    """What a search must make room for: legal moves at once, and moves in a whole game."""

    moves: int
    length: int


@dataclass(frozen=True)
class Game:
    """A registered game: what it declares, and the way to use it from Python.

    The methods that take a state check what they are given; the verbs above do not.
    """

    name: str
    module: ModuleType
    title: str
    version: int
    bounds_by_dtype: Mapping[Any, Bounds]
    text: SimpleNamespace
    players: tuple[str, str] = ("first", "second")
    moves_per_turn: int = 1
    chance: bool = False
    hidden: bool = False
    symmetries: int = 1
    playouts: str = "uniform over the legal moves"
    chosen: Mapping[str, Any] = field(default_factory=dict)

    def new(self, **options: Any) -> State:
        """The starting state, by the game's own `new_game` and its options."""
        state = self.module.new_game(**{**self.chosen, **options})
        self.bounds(state)  # refuses what is not a state
        return state  # type: ignore[no-any-return]

    def with_options(self, options: Mapping[str, Any]) -> "Game":
        """The same game, with other defaults for `new`."""
        return replace(self, chosen={**self.chosen, **options})

    @property
    def spec(self) -> str:
        """The text that names this game with its options: `go:size=13,komi=6.5`."""
        return spec.text(self.name, self.chosen)

    def bounds(self, state: State) -> Bounds:
        try:
            if state.ndim == 1:
                return self.bounds_by_dtype[state.dtype]
        except (KeyError, AttributeError):
            pass
        raise BadInput(NO_STATE)

    def moves_buffer(self, state: State) -> Moves:
        """Room for the legal moves, and some to spare: too many moves are to be found out."""
        return np.empty(2 * self.bounds(state).moves + 64, dtype=np.int32)

    def legal_moves(self, state: State) -> list[int]:
        return self._legal(state).tolist()  # type: ignore[no-any-return]

    def _legal(self, state: State) -> Moves:
        buffer = self.moves_buffer(state)
        count = compiled_legal_moves(state, buffer)
        if count > self.bounds(state).moves:
            raise BadInput(
                f"{self.name} has {count} legal moves here, more than the "
                f"{self.bounds(state).moves} that its file declares"
            )
        return buffer[:count]

    def play(self, state: State, move: int) -> None:
        """Make a move in place; an illegal one is refused and changes nothing."""
        if move not in self._legal(state):
            raise BadInput(f"{self.describe(state, move)} is not a legal move here")
        compiled_play(state, move)

    def describe(self, state: State, move: int) -> str:
        """A move's text, or its number where it has none."""
        try:
            return self.move_text(state, move)
        except Exception:  # whatever a game does with a number that is no move of its
            return f"move {move}"

    def player_to_move(self, state: State) -> int:
        return int(compiled_player_to_move(state))

    def is_over(self, state: State) -> bool:
        return bool(compiled_is_over(state))

    def outcome(self, state: State) -> float:
        if not self.is_over(state):
            raise BadInput("the game is not over, so it has no outcome yet")
        return float(compiled_outcome(state))

    def turn(self, state: State) -> int:
        return int(compiled_turn(state))

    def position_hash(self, state: State) -> int:
        return int(compiled_position_hash(state))

    def random_move(self, state: State, rng: Rng) -> int:
        return int(compiled_random_move(state, self.moves_buffer(state), rng))

    def view(self, state: State, player: int) -> State:
        """A copy of the state with everything hidden from `player` forgotten."""
        copy = copied(state)
        if self.hidden:
            compiled_observe(copy, player)
        return copy

    def sample_world(self, view: State, player: int, rng: Rng) -> State:
        """A full state that is consistent with what `player` sees."""
        copy = view.copy()
        compiled_sample_world(copy, player, rng)
        return copy

    def move_text(self, state: State, move: int) -> str:
        return self.text.move_text(state[0], move)  # type: ignore[no-any-return]

    def parse_move(self, state: State, text: str) -> int:
        """The legal move that `text` names, or a sentence that says why there is none."""
        move = int(self.text.parse_move(state[0], text.strip()))
        if move not in self.legal_moves(state):
            raise BadInput(f"{text.strip()} is not a legal move here")
        return move

    def parse_turn(self, state: State, text: str) -> list[int]:
        """The legal moves of a turn written as one word, such as Amazons' `d1-d7/g7`."""
        split = getattr(self.module, "parse_turn", lambda state, text: [text])
        ahead, moves = state.copy(), []
        for word in split(state[0], text.strip()):
            moves.append(self.parse_move(ahead, word))
            compiled_play(ahead, moves[-1])
        return moves

    def public_text(self, state: State, move: int) -> str:
        """What the other player sees of a move: its text, unless the move is itself a secret."""
        return "a move in secret" if self.is_secret(state, move) else self.move_text(state, move)

    def is_secret(self, state: State, move: int) -> bool:
        """Whether the other player may not know that this move is made."""
        return bool(compiled_public_move(state, move) == SECRET)

    def position_text(self, state: State) -> str:
        return self.text.position_text(state[0])  # type: ignore[no-any-return]

    def parse_position(self, text: str) -> State:
        return self.text.parse_position(text.strip())  # type: ignore[no-any-return]

    def draw(self, state: State, marks: Mapping[int, str] | None = None) -> str:
        """The board in Rich console markup; `marks` puts a short label where a move would go."""
        return self.text.draw(state[0], marks or {})  # type: ignore[no-any-return]

    def player_name(self, player: int) -> str:
        return "chance" if player == CHANCE else self.players[player]


# The functions of a game that only Python calls; `plain_text` stands in for those it leaves out.
_TEXT = {
    "move_text": ["state", "move"],
    "parse_move": ["state", "text"],
    "position_text": ["state"],
    "parse_position": ["text"],
    "draw": ["state", "marks"],
}
_games: dict[str, Game] = {}


def state(file: str, fields: Sequence[tuple[Any, ...]]) -> np.dtype[Any]:
    """The record type of a game's state: `State = rules.state(__file__, [("cells", "i1", (9,))])`.

    A digest of the game's file becomes part of the type, so that code compiled for an older version
    of the file is never used again, and two games of the same layout are two types.
    """
    path = Path(file)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    if not fields:
        raise BadInput(f"{path.name}: a state needs at least one field")
    unusable = set(dir(np.record))
    for name, *_ in fields:
        if name in unusable:
            raise BadInput(
                f"{path.name}: the field {name!r} has the name of a NumPy attribute; choose another"
            )
    (first, *rest), others = fields[0], fields[1:]
    try:
        layout = np.dtype([((f"{path.stem}:{digest}", first), *rest), *others], align=True)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{path.name}: the fields of the state are not usable: {error}") from None
    return np.dtype((np.record, _without_gaps(layout)))


def _without_gaps(layout: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout with its alignment gaps as fields: NumPy copies fields, and states are
    compared byte by byte."""
    fields: list[tuple[Any, ...]] = []
    end = 0
    for name in layout.names or ():
        kind, offset, *title = layout.fields[name]  # type: ignore[index]
        if offset > end:
            fields.append((f"_gap{offset}", "u1", (offset - end,)))
        fields.append(((title[0], name) if title else name, kind))
        end = offset + kind.itemsize
    if layout.itemsize > end:
        fields.append((f"_gap{layout.itemsize}", "u1", (layout.itemsize - end,)))
    return np.dtype(fields, align=True)


def new(dtype: np.dtype[Any]) -> State:
    """A state of this type with every byte 0."""
    return np.zeros(1, dtype=dtype).view(np.recarray)


def copied(state: State) -> State:
    """The same as `state.copy()`, in a fifth of the time: NumPy's copies field by field."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype).view(np.recarray)


def register(
    module_name: str,
    states: Mapping[np.dtype[Any], Bounds],
    *,
    name: str,
    title: str,
    version: int,
    players: tuple[str, str] = ("first", "second"),
    moves_per_turn: int = 1,
    chance: bool = False,
    hidden: bool = False,
    symmetries: int = 1,
    playouts: str = "uniform over the legal moves",
) -> Game:
    """Make a game known; call it at the end of the game's file, with `__name__`.

    states          each record type of the game (one per board size) and its bounds
    name, title     the word that users type, and the name that they read
    version         raised whenever the rules behave differently, so that results never mix
    players         what the two sides are called
    moves_per_turn  the most moves that one turn can take
    chance, hidden  whether the rules draw lots; whether a player may not see everything
    symmetries      how many symmetries `map_move` knows, the identity included
    playouts        how `random_move` differs from a uniform draw, if it does
    """
    if module_name not in sys.modules:
        raise BadInput(
            f"register is called with __name__ as its first argument, not {module_name!r}"
        )
    module = sys.modules[module_name]
    where = Path(module.__file__ or module_name).name

    def refuse(reason: str) -> None:
        raise BadInput(f"{where}: {reason}")

    if not name.replace("_", "").isalnum():
        refuse(f"the game's name {name!r} may have letters, digits and underscores only")
    if name in _games and _games[name].module.__file__ != module.__file__:
        refuse(f"a game called {name!r} is registered already, by {_games[name].module.__file__}")
    if not states:
        refuse("the game registers no state")
    counts = (version, moves_per_turn, symmetries)
    if not all(isinstance(count, int) and count >= 1 for count in counts):
        refuse("version, moves_per_turn and symmetries are whole numbers from 1")
    if len(players) != 2:
        refuse(f"there are two players, not {len(players)}")
    for verb, stub in _verbs.items():
        answer = getattr(module, verb, None)
        imported = inspect.isfunction(answer) and answer.__module__ == __name__
        if answer is None or imported:
            if verb in _required:
                refuse(f"the function {verb}{inspect.signature(stub)} is missing")
            continue
        _check_parameters(refuse, verb, answer, list(inspect.signature(stub).parameters))
    if not callable(getattr(module, "new_game", None)):
        refuse("the function new_game(...) is missing")
    for option in inspect.signature(module.new_game).parameters.values():
        if option.default is option.empty:
            refuse(f"the option {option.name!r} of new_game needs a default")
    for function, parameters in _TEXT.items():
        if hasattr(module, function):
            _check_parameters(refuse, function, getattr(module, function), parameters)
    for one, other in (("move_text", "parse_move"), ("position_text", "parse_position")):
        if hasattr(module, one) != hasattr(module, other):
            refuse(f"{one} and {other} belong together: define both or neither")
    secrets = [(hidden, verb) for verb in ("observe", "public_move", "sample_world")]
    for declared, verb in [(chance, "chance_odds"), *secrets]:
        if declared != (verb in vars(module)):
            refuse(f"{verb} is needed just when the game declares chance or hidden information")
    if (symmetries > 1) != ("map_move" in vars(module)):
        refuse("map_move is needed just when the game declares symmetries")

    for dtype, bounds in states.items():
        if dtype.type is not np.record or dtype.fields is None:
            refuse("each state must be made by rules.state(__file__, [...])")
        if bounds.moves < 1 or bounds.length < 1:
            refuse(f"the bounds {tuple(bounds)} must be positive")
        known = _answers_by_dtype.get(dtype)
        if known is not None and known.file != module.__file__:
            refuse(f"its state is the same type as that of {known.file}")

    for function in list(vars(module).values()):
        if inspect.isfunction(function) and function.__module__ == module_name:
            helper(function)  # so that a game's functions may call each other
    text = SimpleNamespace(
        **{function: getattr(module, function, getattr(plain_text, function)) for function in _TEXT}
    )
    if text.parse_position is plain_text.parse_position:
        text.parse_position = partial(plain_text.parse_position, dtypes=list(states))
    game = Game(
        name=name, module=module, title=title, version=version, bounds_by_dtype=dict(states),
        text=text, players=players, moves_per_turn=moves_per_turn, chance=chance, hidden=hidden,
        symmetries=symmetries, playouts=playouts,
    )  # fmt: skip
    answers = SimpleNamespace(file=module.__file__, game=game)
    for verb, stub in _verbs.items():
        setattr(answers, verb, vars(module).get(verb, stub))
    for dtype in states:
        _answers_by_dtype[dtype] = answers
        _answers_by_type[numba.from_dtype(dtype)] = answers
    _games[name] = game
    return game


def _check_parameters(
    refuse: Callable[[str], None], name: str, answer: Any, expected: list[str]
) -> None:
    given = list(inspect.signature(answer).parameters)
    if given != expected:
        refuse(f"{name} must take ({', '.join(expected)}), not ({', '.join(given)})")


def registered() -> Mapping[str, Game]:
    """Every game registered so far, by name. `tesuji.games.load` finds and registers more."""
    return _games


def game_of(state: State) -> Game:
    """The game that a state belongs to."""
    try:
        if state.ndim == 1:
            return _answers_by_dtype[state.dtype].game  # type: ignore[no-any-return]
    except (KeyError, AttributeError):
        pass
    raise BadInput(NO_STATE)


# --- The verbs, compiled, for callers in Python --------------------------------------------------


@kernel
def compiled_legal_moves(state: Any, moves: Any) -> Any:
    return legal_moves(state[0], moves)


@kernel
def compiled_play(state: Any, move: int) -> None:
    play(state[0], move)


@kernel
def compiled_player_to_move(state: Any) -> Any:
    return player_to_move(state[0])


@kernel
def compiled_is_over(state: Any) -> Any:
    return is_over(state[0])


@kernel
def compiled_outcome(state: Any) -> Any:
    return outcome(state[0])


@kernel
def compiled_turn(state: Any) -> Any:
    return turn(state[0])


@kernel
def compiled_position_hash(state: Any) -> Any:
    return position_hash(state[0])


@kernel
def compiled_random_move(state: Any, moves: Any, rng: Any) -> Any:
    return random_move(state[0], moves, rng)


@kernel
def compiled_public_move(state: Any, move: int) -> Any:
    return public_move(state[0], move)


@kernel
def compiled_observe(state: Any, player: int) -> None:
    observe(state[0], player)


@kernel
def compiled_sample_world(state: Any, player: int, rng: Any) -> None:
    sample_world(state[0], player, rng)
