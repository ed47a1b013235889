"""A toy that a few lines of Python can solve: turns of two moves, and lots, but no secrets.

Players take 1 or 2 stones, twice in a turn; whoever takes the last stone wins. After each turn the
wind takes one stone away with probability 1/4, unless it is the last.
"""

from typing import Any

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.rng import table

LARGEST = 30
WIND_STAGE = 2
STILL, WIND = 0, 1
ZOBRIST = table(6, 3, LARGEST + 1)

State = rules.state(
    __file__,
    [("pile", "i1"), ("stage", "i1"), ("mover", "i1"), ("turns", "i1")],
)


def legal_moves(state, moves):
    if is_over(state):
        return 0
    if state.stage == WIND_STAGE:
        moves[0], moves[1] = STILL, WIND
        return 2 if state.pile > 1 else 1
    moves[0], moves[1] = 1, 2
    return min(2, state.pile)


def play(state, move):
    state.pile -= move
    if is_over(state):
        return
    if state.stage == WIND_STAGE:
        state.stage = 0
        state.mover = 1 - state.mover
        state.turns += 1
    else:
        state.stage += 1


def player_to_move(state):
    return rules.CHANCE if state.stage == WIND_STAGE else state.mover


def is_over(state):
    return state.pile == 0


def outcome(state):
    return 1.0 if state.mover == 0 else -1.0


def turn(state):
    return state.turns


def chance_odds(state, move):
    if state.pile == 1:
        return 1.0
    return 0.25 if move == WIND else 0.75


def position_hash(state):
    return ZOBRIST[0, state.pile] ^ ZOBRIST[1, state.stage] ^ ZOBRIST[2, state.mover]


def new_game(pile: int = 10) -> rules.State:
    if not 1 <= pile <= LARGEST:
        raise BadInput(f"pile must be 1 to {LARGEST}, not {pile}")
    game = rules.new(State)
    game[0].pile = pile
    return game


def move_text(state: Any, move: int) -> str:
    return ("still", "wind")[move] if state.stage == WIND_STAGE else str(move)


def parse_move(state: Any, text: str) -> int:
    words = {"still": STILL, "wind": WIND} if state.stage == WIND_STAGE else {"1": 1, "2": 2}
    if text not in words:
        raise BadInput(f"move {text!r} is not one of {', '.join(words)}")
    return words[text]


def position_text(state: Any) -> str:
    return f"{state.pile} {state.stage} {state.mover} {state.turns}"


def parse_position(text: str) -> rules.State:
    words = text.split()
    limits = (LARGEST, 2, 1, LARGEST)
    if len(words) != 4 or not all(
        word.isascii() and word.isdecimal() and int(word) <= limit
        for word, limit in zip(words, limits, strict=True)
    ):
        raise BadInput("a position is a pile, a stage, a mover and a number of turns")
    game = rules.new(State)
    state = game[0]
    state.pile, state.stage, state.mover, state.turns = (int(word) for word in words)
    return game


def draw(state: Any, marks: dict[int, str]) -> str:
    return "o" * int(state.pile)


game = rules.register(
    __name__,
    {State: rules.Bounds(moves=2, length=2 * LARGEST)},
    name="windy_nim",
    title="Nim in the wind",
    version=1,
    moves_per_turn=3,
    chance=True,
)
