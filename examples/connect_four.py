"""Connect four, complete: the example of "Add a game in 15 minutes".

Two players drop stones into seven columns of six cells; the first to have four in a row wins.
A move is a column, 0 to 6.
"""

from typing import Any

from tesuji import rng, rules
from tesuji.errors import BadInput

COLUMNS, ROWS = 7, 6

State = rules.state(
    __file__,
    [
        (
            "cells",
            "i1",
            (COLUMNS, ROWS),
        ),  # 0 empty, 1 player 0's, 2 player 1's; row 0 is the bottom
        ("height", "i1", (COLUMNS,)),
        ("ply", "i1"),
        ("winner", "i1"),  # 0 nobody yet, 1 player 0, 2 player 1
    ],
)
ZOBRIST = rng.table(4, 3, COLUMNS, ROWS)


def legal_moves(state, moves):
    if is_over(state):
        return 0
    count = 0
    for column in range(COLUMNS):
        if state.height[column] < ROWS:
            moves[count] = column
            count += 1
    return count


def play(state, move):
    row = state.height[move]
    stone = 1 + state.ply % 2
    state.cells[move, row] = stone
    state.height[move] += 1
    state.ply += 1
    if makes_four(state, move, row, stone):
        state.winner = stone


def makes_four(state, column, row, stone):
    """Whether the stone just put there is part of four in a row."""
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        in_row = 1
        for side in (-1, 1):
            x, y = column + side * across, row + side * up
            while 0 <= x < COLUMNS and 0 <= y < ROWS and state.cells[x, y] == stone:
                in_row += 1
                x, y = x + side * across, y + side * up
        if in_row >= 4:
            return True
    return False


def player_to_move(state):
    return state.ply % 2


def is_over(state):
    return state.winner != 0 or state.ply == COLUMNS * ROWS


def outcome(state):
    if state.winner == 0:
        return 0.0
    return 1.0 if state.winner == 1 else -1.0


def turn(state):
    return state.ply


def position_hash(state):
    key = ZOBRIST[0, 0, 0]
    for column in range(COLUMNS):
        for row in range(state.height[column]):
            key ^= ZOBRIST[state.cells[column, row], column, row]
    return key


def map_move(state, symmetry, move):
    return COLUMNS - 1 - move if symmetry == 1 else move


def new_game() -> rules.State:
    return rules.new(State)


def move_text(state: Any, move: int) -> str:
    return "abcdefg"[move]


def parse_move(state: Any, text: str) -> int:
    if len(text) != 1 or text not in "abcdefg":
        raise BadInput(f"move {text!r} is not a column from a to g")
    return "abcdefg".index(text)


def position_text(state: Any) -> str:
    """The columns from a to g, each from the bottom up: `XO//XXO////`."""
    columns = ["".join("XO"[stone - 1] for stone in column if stone) for column in state.cells]
    return "/".join(columns)


def parse_position(text: str) -> rules.State:
    columns = text.split("/")
    if len(columns) != COLUMNS:
        raise BadInput(f"a position has {COLUMNS} columns, not {len(columns)}")
    if text.count("X") - text.count("O") not in (0, 1):
        raise BadInput("X must have as many stones as O, or one more")
    game = rules.new(State)
    state = game[0]
    for name, column in zip("abcdefg", columns, strict=True):
        if len(column) > ROWS or column.strip("XO"):
            raise BadInput(f"column {name}: {column!r} is not up to {ROWS} of X and O")
        for stone in column:
            x, y = "abcdefg".index(name), state.height["abcdefg".index(name)]
            state.cells[x, y] = "XO".index(stone) + 1
            state.height[x] += 1
            state.ply += 1
    for x in range(COLUMNS):
        for y in range(state.height[x]):
            if makes_four(state, x, y, state.cells[x, y]):
                state.winner = state.cells[x, y]
    return game


def draw(state: Any, marks: dict[int, str]) -> str:
    """Yellow and red stones; a mark shows where a stone would land."""
    lines = []
    for row in reversed(range(ROWS)):
        line = ""
        for column in range(COLUMNS):
            if state.cells[column, row]:
                line += ["[yellow]● [/]", "[red]○ [/]"][state.cells[column, row] - 1]
            elif column in marks and row == state.height[column]:
                line += f"[bold]{marks[column][:1]}[/] "
            else:
                line += "[dim]· [/]"
        lines.append(line.rstrip())
    return "\n".join([*lines, "a b c d e f g"])


game = rules.register(
    __name__,
    {State: rules.Bounds(moves=COLUMNS, length=COLUMNS * ROWS)},
    name="connect_four",
    title="Connect four",
    version=1,
    players=("Yellow", "Red"),
    symmetries=2,
)
