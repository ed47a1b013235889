"""A toy game with everything that Go does not have: secrets, lots, and turns of two moves.

Each player secretly picks a number from 0 to 3; then a lot decides, 2 to 1, whether the higher or
the lower number wins; then each player has one turn of two moves, in each of which it may add 1 to
its number, openly, or not. Equal numbers: a draw.
"""

from typing import Any

from tesuji import rules
from tesuji.errors import BadInput
from tesuji.rng import below, table

UNKNOWN = -1
HIGH, LOW = 10, 11

State = rules.state(
    __file__,
    [
        ("secret", "i1", (2,)),  # the number picked, UNKNOWN before that or to the other player
        ("added", "i1", (2,)),
        ("wins", "i1"),  # 0, HIGH or LOW
        ("ply", "i1"),  # 0, 1 pick; 2 the lot; 3, 4 player 0's turn; 5, 6 player 1's
    ],
)
ZOBRIST = table(5, 6, 16)


def legal_moves(state, moves):
    if is_over(state):
        return 0
    if state.ply < 2:
        for number in range(4):
            moves[number] = number
        return 4
    moves[0], moves[1] = (HIGH, LOW) if state.ply == 2 else (0, 1)
    return 2


def play(state, move):
    if state.ply < 2:
        state.secret[state.ply] = move
    elif state.ply == 2:
        state.wins = move
    else:
        state.added[(state.ply - 3) // 2] += move
    state.ply += 1


def player_to_move(state):
    if state.ply == 2:
        return rules.CHANCE
    return state.ply if state.ply < 2 else (state.ply - 3) // 2


def is_over(state):
    return state.ply == 7


def outcome(state):
    difference = state.secret[0] + state.added[0] - state.secret[1] - state.added[1]
    if difference == 0:
        return 0.0
    return 1.0 if (difference > 0) == (state.wins == HIGH) else -1.0


def turn(state):
    if state.ply <= 3:
        return state.ply
    return 3 + (state.ply - 3) // 2


def position_hash(state):
    key = ZOBRIST[4, state.wins] ^ ZOBRIST[5, state.ply]
    for player in range(2):
        key ^= ZOBRIST[player, state.secret[player] + 1]
        key ^= ZOBRIST[2 + player, state.added[player]]
    return key


def chance_odds(state, move):
    return 2 / 3 if move == HIGH else 1 / 3


def observe(state, player):
    state.secret[1 - player] = UNKNOWN


def public_move(state, move):
    return rules.SECRET if state.ply < 2 else move


def sample_world(state, player, rng):
    if state.ply > 1 - player:  # the other player has picked
        state.secret[1 - player] = below(rng, 4)


def new_game() -> rules.State:
    game = rules.new(State)
    game[0].secret[:] = UNKNOWN
    return game


def move_text(state: Any, move: int) -> str:
    return {HIGH: "high", LOW: "low"}.get(move, str(move))


def parse_move(state: Any, text: str) -> int:
    words = {"high": HIGH, "low": LOW, "0": 0, "1": 1, "2": 2, "3": 3}
    if text not in words:
        raise BadInput(f"move {text!r} is not one of {', '.join(words)}")
    return words[text]


def position_text(state: Any) -> str:
    numbers = [*state.secret, *state.added, state.wins, state.ply]
    return " ".join(str(number) for number in numbers)


def parse_position(text: str) -> rules.State:
    try:
        numbers = [int(word) for word in text.split()]
    except ValueError:
        raise BadInput("a position is six numbers") from None
    limits = [(-1, 3), (-1, 3), (0, 2), (0, 2), (0, 11), (0, 7)]
    if len(numbers) != 6 or any(
        not low <= number <= high for number, (low, high) in zip(numbers, limits, strict=True)
    ):
        raise BadInput("a position is six numbers within their limits")
    game = rules.new(State)
    state = game[0]
    state.secret[:], state.added[:] = numbers[:2], numbers[2:4]
    state.wins, state.ply = numbers[4], numbers[5]
    return game


def draw(state: Any, marks: dict[int, str]) -> str:
    return position_text(state)


game = rules.register(
    __name__,
    {State: rules.Bounds(moves=4, length=7)},
    name="auction",
    title="A toy with secrets and lots",
    version=1,
    moves_per_turn=2,
    chance=True,
    hidden=True,
)
