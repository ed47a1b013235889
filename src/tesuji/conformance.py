"""What every game must do: checks that any registered game can be put through.

`tesuji check my_game.py` runs them all. In a test suite one line does:

    def test_my_game(): assert conformance.conforms("my_game.py")

Each check plays random games from a seed, raises `Broken` with a sentence when the game breaks the
contract, and otherwise says what it saw.
"""

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
from rich.errors import MarkupError
from rich.text import Text

from tesuji import games, rng, rules
from tesuji.errors import BadInput
from tesuji.rules import CHANCE, Game, State


class Broken(AssertionError):
    """A promise of the contract that a game does not keep."""


def _require(kept: bool, sentence: str) -> None:
    if not kept:
        raise Broken(sentence)


def _walk(game: Game, seed: int, count: int) -> Iterator[tuple[State, list[int], rng.Rng]]:
    """Positions of random games, each with its legal moves; half of the games by `random_move`."""
    for number in range(count):
        stream = rng.seeded(seed, number)
        state = game.new()
        for _ in range(game.bounds(state).length + 1):
            # With room to spare: a game that has more moves than it declares is to be caught.
            buffer = np.empty(4 * game.bounds(state).moves + 4096, np.int32)
            moves = [int(move) for move in buffer[: rules.compiled_legal_moves(state, buffer)]]
            yield state, moves, stream
            if not moves:
                break
            if number % 2 or game.player_to_move(state) == CHANCE:
                game.play(state, game.random_move(state, stream))
            else:
                game.play(state, moves[rng.below(stream, len(moves))])


def _is_markup(drawing: object) -> bool:
    try:
        return isinstance(drawing, str) and bool(Text.from_markup(drawing))
    except MarkupError:
        return False


def _same(one: State, other: State) -> bool:
    return one.tobytes() == other.tobytes()


def check_bounds(game: Game, seed: int, count: int) -> str:
    """Games end within the declared bounds, with an outcome; turns count up as declared."""
    ended = 0
    length = in_turn = turn = 0
    for state, moves, _ in _walk(game, seed, count):
        where = f"after {length} moves"
        bounds = game.bounds(state)
        _require(len(moves) <= bounds.moves, f"{len(moves)} legal moves {where}, over the bound")
        _require(game.is_over(state) == (not moves), f"is_over and legal_moves disagree {where}")
        now = game.turn(state)
        if length == 0:
            turn, in_turn = now, 0
        _require(turn <= now <= turn + 1, f"turn goes from {turn} to {now} {where}")
        in_turn = in_turn + 1 if now == turn else 1
        turn = now
        _require(
            in_turn <= game.moves_per_turn + (length == 0) or not moves,
            f"a turn of more than the declared {game.moves_per_turn} moves {where}",
        )
        if moves:
            player = game.player_to_move(state)
            _require(
                player in (0, 1) or (player == CHANCE and game.chance),
                f"player_to_move is {player} {where}",
            )
            length += 1
            _require(length <= bounds.length, f"a game of more than {bounds.length} moves")
        else:
            result = game.outcome(state)
            _require(result in (-1.0, 0.0, 1.0), f"the outcome is {result} {where}")
            ended, length = ended + 1, 0
    _require(ended == count, f"only {ended} of {count} games ended within the declared length")
    return f"{ended} games ended"


def check_legality(game: Game, seed: int, count: int) -> str:
    """Legal moves are distinct and playable; every other number is refused and changes nothing."""
    refused = 0
    for state, moves, stream in _walk(game, seed, count):
        _require(len(set(moves)) == len(moves), f"a legal move is listed twice: {sorted(moves)}")
        others = {*range(-1, 4), *(int(rng.below(stream, 1 << 12)) for _ in range(4))}
        if moves:
            others |= {min(moves) - 1, max(moves) + 1}
        for move in others - set(moves):
            before = state.copy()
            try:
                game.play(state, move)
            except BadInput:
                refused += 1
                _require(_same(before, state), f"refusing {move} changed the state")
            else:
                raise Broken(f"the illegal move {move} was played")
        for move in moves[:3]:
            copy = state.copy()
            game.play(copy, move)
            _require(
                not _same(copy, state), f"playing {move} changes nothing, or not the copy only"
            )
    return f"{refused} illegal moves refused"


def check_text(game: Game, seed: int, count: int) -> str:
    """Moves and positions survive the way to text and back; rubbish is refused in a sentence."""
    seen = 0
    for state, moves, stream in islice(_walk(game, seed, count), 0, None, 3):
        texts = {move: game.move_text(state, move) for move in moves}
        _require(len(set(texts.values())) == len(moves), "two legal moves have the same text")
        for move in moves:
            back = game.parse_move(state, texts[move])
            _require(back == move, f"{texts[move]!r} reads as {back} instead of {move}")
        text = game.position_text(state)
        copy = game.parse_position(text)
        _require(game.position_text(copy) == text, f"the position {text!r} is not read back")
        for name, verb in {
            "legal moves": lambda s: sorted(game.legal_moves(s)),
            "hash": game.position_hash,
            "turn": game.turn,
            "end": game.is_over,
            "drawing": game.draw,
        }.items():
            _require(verb(copy) == verb(state), f"the {name} of {text!r} changes on reading it")
        if moves:
            _require(
                game.player_to_move(copy) == game.player_to_move(state), f"{text!r}: another mover"
            )
        _require("\n" not in text, "a position's text has more than one line")
        _require(_is_markup(game.draw(state)), "draw does not give a text in Rich markup")
        cut = int(rng.below(stream, len(text) + 1))
        for rubbish in ("", "?", "\x00", text[:cut] + "§" + text[cut:], text + " " + text):
            for parse in (lambda t: game.parse_move(state, t), game.parse_position):  # noqa: B023
                try:
                    parse(rubbish)
                except BadInput as error:
                    _require("\n" not in str(error), f"more than one sentence on {rubbish!r}")
        seen += 1
    return f"{seen} positions read back"


def check_seed(game: Game, seed: int, count: int) -> str:
    """The same seed gives the same game, another seed another one."""
    one, again, other = (
        [state.tobytes() for state, _, _ in _walk(game, s, count)] for s in (seed, seed, seed + 1)
    )
    _require(one == again, "the same seed gave two different games")
    _require(one != other, "another seed gave the same games")
    return f"{len(one)} positions repeated"


def check_plain(game: Game, seed: int, count: int) -> str:
    """Compiled and plain Python agree, position by position, and byte by byte."""
    compared = 0
    for number in range(max(1, count // 8)):
        state, stream = game.new(), rng.seeded(seed, "plain", number)
        buffer = game.moves_buffer(state)
        while True:
            record = state[0]
            over = bool(rules.is_over(record))
            _require(over == game.is_over(state), "is_over differs")
            plain = [int(move) for move in buffer[: rules.legal_moves(record, buffer)]]
            _require(plain == game.legal_moves(state), "legal_moves differs")
            _require(int(rules.turn(record)) == game.turn(state), "turn differs")
            _require(
                int(rules.position_hash(record)) == game.position_hash(state), "the hash differs"
            )
            compared += 1
            if over:
                _require(float(rules.outcome(record)) == game.outcome(state), "outcome differs")
                break
            player = int(rules.player_to_move(record))
            _require(player == game.player_to_move(state), "player_to_move differs")
            twin, twin_stream = state.copy(), stream.copy()
            move = int(rules.random_move(record, buffer, stream))
            _require(move == game.random_move(twin, twin_stream), "random_move differs")
            _require(_same(twin, state), "random_move leaves different states")
            rules.compiled_play(twin, move)
            rules.play(record, move)
            _require(_same(twin, state), f"playing {move} leaves different states")
    return f"{compared} positions the same"


def check_hash(game: Game, seed: int, count: int) -> str:
    """`position_hash` is equal for equal positions on different paths, and differs otherwise."""
    by_text: dict[str, int] = {}
    by_hash: dict[tuple[int, int], str] = {}  # with the turn: counters are not in the hash
    joined = 0

    def note(state: State) -> None:
        nonlocal joined
        text, key = game.position_text(state), game.position_hash(state)
        joined += text in by_text
        _require(by_text.setdefault(text, key) == key, f"two paths to {text!r} hash differently")
        other = by_hash.setdefault((game.turn(state), key), text)
        _require(other == text, f"{text!r} and {other!r} have the same hash")

    for number in range(count * 8):
        stream = rng.seeded(seed, "paths", number)
        state = game.new()
        line: list[int] = []
        while len(line) < 12 and not game.is_over(state):
            moves = game.legal_moves(state)
            line.append(moves[rng.below(stream, len(moves))])
            game.play(state, line[-1])
        note(state)
        for first in range(len(line)):  # exchange two moves: often another path to the same place
            second = int(rng.below(stream, len(line)))
            other = line.copy()
            other[first], other[second] = other[second], other[first]
            if other != line and (swapped := _replay(game, other)) is not None:
                note(swapped)
    _require(joined > 0, "no position was reached on two paths, so nothing was compared")
    return f"{len(by_text)} positions, {joined} reached again"


def _replay(game: Game, line: list[int]) -> State | None:
    state = game.new()
    for move in line:
        if move not in game.legal_moves(state):
            return None
        game.play(state, move)
    return state


def check_symmetries(game: Game, seed: int, count: int) -> str:
    """A game played with the images of its moves is the image of the game."""
    images = 0
    for number in range(count):
        for symmetry in range(game.symmetries):
            stream = rng.seeded(seed, "symmetry", number)
            state, image = game.new(), game.new()
            while moves := game.legal_moves(state):
                mapped = [int(rules.map_move(state[0], symmetry, move)) for move in moves]
                _require(
                    sorted(mapped) == sorted(game.legal_moves(image)),
                    f"symmetry {symmetry} does not map legal moves to legal moves",
                )
                chosen = int(rng.below(stream, len(moves)))
                game.play(state, moves[chosen])
                game.play(image, mapped[chosen])
            _require(
                game.is_over(image) and game.outcome(image) == game.outcome(state),
                f"the image of a game under symmetry {symmetry} ends differently",
            )
            images += 1
    return f"{images} images"


def check_hidden(game: Game, seed: int, count: int) -> str:
    """Nothing hidden shows in an observation; sampled worlds are ones the player may be in."""
    worlds: set[bytes] = set()
    views = 0
    for state, moves, stream in _walk(game, seed, count):
        for player in (0, 1):
            view = game.view(state, player)
            if not game.hidden:
                _require(_same(view, state), "observe hides something, but nothing is declared")
                continue
            _require(_same(game.view(view, player), view), "observing an observation changes it")
            for _ in range(4):
                world = game.sample_world(view, player, stream)
                _require(
                    _same(game.view(world, player), view),
                    f"states that look alike to {game.players[player]} are observed differently",
                )
                if moves and game.player_to_move(state) == player:
                    _require(
                        sorted(game.legal_moves(world)) == sorted(moves),
                        "a player's own legal moves differ between worlds that look alike",
                    )
                worlds.add(view.tobytes() + world.tobytes())
        mover = game.player_to_move(state) if moves else CHANCE
        secret = [move for move in moves if mover != CHANCE and game.is_secret(state, move)]
        after = set()
        for move in secret[:4]:
            ahead = state.copy()
            game.play(ahead, move)
            after.add(game.view(ahead, 1 - mover).tobytes())
        _require(len(after) <= 1, "the other player can tell two secret moves from each other")
        views += 1
    if not game.hidden:
        return "nothing is hidden"
    _require(len(worlds) > 2 * views, "sample_world never draws another world")
    return f"{len(worlds)} worlds behind {2 * views} observations"


def check_chance(game: Game, seed: int, count: int) -> str:
    """The odds of a chance event are positive and sum to 1; there are events if declared."""
    events = 0
    for state, moves, _ in _walk(game, seed, count):
        if moves and game.player_to_move(state) == CHANCE:
            odds = [float(rules.chance_odds(state[0], move)) for move in moves]
            _require(min(odds) > 0 and abs(sum(odds) - 1) < 1e-9, f"the odds are {odds}")
            events += 1
    _require((events > 0) == game.chance, f"{events} chance events, declared: {game.chance}")
    return f"{events} chance events"


Check = Callable[[Game, int, int], str]
CHECKS: tuple[Check, ...] = (
    check_bounds,
    check_legality,
    check_text,
    check_seed,
    check_plain,
    check_hash,
    check_symmetries,
    check_hidden,
    check_chance,
)


def conforms(spec: str, *, seed: int = 1, count: int = 8) -> dict[str, str]:
    """Put a game through every check; what each one saw. For a test: `conforms("my_game.py")`."""
    game = games.load(spec)
    return {check.__name__.removeprefix("check_"): check(game, seed, count) for check in CHECKS}
