"""Where games start: an opening for each pair of games, so that both players get both sides of it.

`start`      the game's own starting position
`random:N`   N random whole turns from there, drawn from the seed, another draw for each pair
a file       one opening a line, in turn: moves in the game's notation, or `position ...`

A game whose set-up is random (it has an option `seed`) is set up anew for each pair.
"""

from dataclasses import dataclass
from pathlib import Path

from tesuji import rules, spec
from tesuji.arena.record import game_text
from tesuji.errors import BadInput
from tesuji.plain_text import is_number
from tesuji.rng import Rng, below, next_u64, seeded

TRIES = 100  # random openings that end the game at once are drawn again, so many times
LONGEST = 1000


@dataclass(frozen=True)
class Opening:
    """A game, a position of it, and the moves that both players are made to play from there."""

    game: str
    start: str
    moves: tuple[str, ...] = ()


class Openings:
    """The openings that `text` describes for a game, one for each pair."""

    def __init__(self, text: str, game: rules.Game) -> None:
        self.text, self.game = text, game
        self.turns = 0
        self.lines: list[Opening] = []
        kind, _, count = text.partition(":")
        if kind == "random":
            if not (is_number(count) and int(count) <= LONGEST):
                raise BadInput(f"openings {text[:40]!r}: random:N needs a number N up to {LONGEST}")
            self.turns = int(count)
        elif text != "start":
            self.lines = _read(Path(text), game)

    def of_pair(self, seed: int, pair: int) -> Opening:
        """The opening of a pair of games; the same seed and pair give the same opening."""
        if self.lines:
            return self.lines[pair % len(self.lines)]
        rng = seeded(seed, "opening", pair)
        game = self.game
        if "seed" in spec.settings_of(game.module.new_game) and "seed" not in game.chosen:
            game = game.with_options({"seed": int(next_u64(rng) >> 33)})
        for _ in range(TRIES):
            # Through the text and back, as every game of the arena starts.
            start = game.position_text(game.new())
            state = game.parse_position(start)
            moves = _random_turns(game, state, self.turns, rng)
            if not game.is_over(state):
                return Opening(game_text(game), start, tuple(moves))
        raise BadInput(f"openings {self.text!r}: {game.name} is over after so many random turns")


def _random_turns(game: rules.Game, state: rules.State, turns: int, rng: Rng) -> list[str]:
    """Play whole turns, every legal move alike, and lots as they fall."""
    moves: list[str] = []
    while game.turn(state) < turns and not game.is_over(state):
        if game.player_to_move(state) == rules.CHANCE:
            move = game.random_move(state, rng)
        else:
            legal = game.legal_moves(state)
            move = legal[below(rng, len(legal))]
        moves.append(game.move_text(state, move))
        game.play(state, move)
    return moves


def _read(path: Path, game: rules.Game) -> list[Opening]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise BadInput(
            f"openings {str(path)!r}: there is no such file (and it is not start or random:N)"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"openings {path}: cannot be read: {error}") from None
    openings = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                openings.append(_parse(line.strip(), game))
            except BadInput as error:
                raise BadInput(f"{path}: line {number}: {error}") from None
    if not openings:
        raise BadInput(f"openings {path}: there is no opening in this file")
    return openings


def _parse(line: str, game: rules.Game) -> Opening:
    word, _, position = line.partition(" ")
    if word == "position":
        if game.chosen:
            raise BadInput(f"a position brings its own settings: leave out those of {game.spec}")
        state, words = game.parse_position(position), []
    else:
        state, words = game.parse_position(game.position_text(game.new())), line.split()
    start = game.position_text(state)
    moves = []
    for turn in words:
        for move in game.parse_turn(state, turn):
            moves.append(game.move_text(state, move))
            game.play(state, move)
    if game.is_over(state):
        raise BadInput("the game is over after this opening")
    return Opening(game_text(game), start, tuple(moves))
