"""A slow Amazons, written to be right at a glance, to check the fast one against.

A board is a dict from (column, row), both counted from 0 at a1, to 'W', 'B' or 'x'; what is not in
it is empty. A queen's rays are walked cell by cell, and nothing is kept up to date from move to
move.
"""

import random
import re

Cell = tuple[int, int]

STARTS = {
    6: ("b1 e1 a2 f2", "a5 f5 b6 e6"),
    8: ("c1 f1 a3 h3", "a6 h6 c8 f8"),
    10: ("d1 g1 a4 j4", "d10 g10 a7 j7"),
}
ENEMY = {"W": "B", "B": "W"}
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def name(cell: Cell) -> str:
    return f"{'abcdefghij'[cell[0]]}{cell[1] + 1}"


def named(text: str) -> Cell:
    return "abcdefghij".index(text[0]), int(text[1:]) - 1


class NaiveAmazons:
    """A game in progress; `rows`, from the top, are the board if it is not the starting one."""

    def __init__(
        self,
        size: int,
        rows: list[str] | None = None,
        mover: str = "W",
        shooter: str | None = None,
        turns: int = 0,
    ) -> None:
        self.size = size
        self.mover = mover
        self.shooter = named(shooter) if shooter else None
        self.turns = turns
        self.board: dict[Cell, str] = {}
        if rows is None:
            for side, cells in zip("WB", STARTS[size], strict=True):
                self.board |= {named(cell): side for cell in cells.split()}
        else:
            for y, row in enumerate(reversed(rows)):
                self.board |= {(x, y): symbol for x, symbol in enumerate(row) if symbol != "."}

    @property
    def rows(self) -> list[str]:
        return [
            "".join(self.board.get((x, y), ".") for x in range(self.size))
            for y in reversed(range(self.size))
        ]

    @property
    def text(self) -> str:
        rows = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(self.rows))
        return f"{rows} {self.mover} {name(self.shooter) if self.shooter else '-'} {self.turns}"

    def amazons(self, side: str) -> set[Cell]:
        return {cell for cell, symbol in self.board.items() if symbol == side}

    def reach(self, start: Cell) -> set[Cell]:
        """Where a queen on a cell can go, or an arrow shot from there can land."""
        found = set()
        for right, up in STEPS:
            x, y = start[0] + right, start[1] + up
            while 0 <= x < self.size and 0 <= y < self.size and (x, y) not in self.board:
                found.add((x, y))
                x, y = x + right, y + up
        return found

    def moves_by_amazon(self) -> dict[str, set[str]]:
        """For each amazon of the mover that can move, its moves."""
        moves = {
            name(origin): {f"{name(origin)}-{name(target)}" for target in self.reach(origin)}
            for origin in self.amazons(self.mover)
        }
        return {origin: found for origin, found in moves.items() if found}

    def legal_moves(self) -> set[str]:
        if self.shooter:
            return {f"/{name(cell)}" for cell in self.reach(self.shooter)}
        return {move for moves in self.moves_by_amazon().values() for move in moves}

    def play(self, move: str) -> None:
        if self.shooter:
            self.board[named(move[1:])] = "x"
            self.shooter = None
            self.mover = ENEMY[self.mover]
            self.turns += 1
        else:
            origin, target = (named(cell) for cell in move.split("-"))
            self.board[target] = self.board.pop(origin)
            self.shooter = target

    def is_over(self) -> bool:
        return not self.legal_moves()

    def winner(self) -> str:
        return ENEMY[self.mover]


def random_game(size: int, seed: int, plies: int) -> NaiveAmazons:
    """A game after so many random moves, or at its end."""
    dice, model = random.Random(seed), NaiveAmazons(size)
    for _ in range(plies):
        if not model.is_over():
            model.play(dice.choice(sorted(model.legal_moves())))
    return model
