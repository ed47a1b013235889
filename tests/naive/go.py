"""A slow Go, written to be right at a glance, to check the fast one against.

A board is a string of '.', 'X' and 'O', row by row from the top; a point is an index into it.
Boards never change: a move makes a new string. Nothing is kept up to date from move to move,
everything is counted afresh. (Two functions remember their latest answers: they are asked for the
same thing several times per move.)
"""

from functools import cache, lru_cache
from itertools import pairwise

COLUMNS = "ABCDEFGHJKLMNOPQRST"
ENEMY = {"X": "O", "O": "X"}


# --- Points --------------------------------------------------------------------------------------


def name(size: int, point: int) -> str:
    row, column = divmod(point, size)
    return f"{COLUMNS[column]}{size - row}"


def point_named(size: int, text: str) -> int:
    return (size - int(text[1:])) * size + COLUMNS.index(text[0])


@cache
def points_at(size: int, point: int, steps: tuple[tuple[int, int], ...]) -> list[int]:
    """The points of the board that are these (row, column) steps away."""
    row, column = divmod(point, size)
    places = [(row + down, column + right) for down, right in steps]
    return [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]


def neighbours(size: int, point: int) -> list[int]:
    return points_at(size, point, ((-1, 0), (0, -1), (0, 1), (1, 0)))


def diagonals(size: int, point: int) -> list[int]:
    return points_at(size, point, ((-1, -1), (-1, 1), (1, -1), (1, 1)))


# --- Boards --------------------------------------------------------------------------------------


def replaced(board: str, point: int, symbol: str) -> str:
    return board[:point] + symbol + board[point + 1 :]


def region(size: int, board: str, start: int) -> set[int]:
    """All points that are connected to `start` by points that look the same (flood fill)."""
    found, to_visit = {start}, [start]
    while to_visit:
        for point in neighbours(size, to_visit.pop()):
            if board[point] == board[start] and point not in found:
                found.add(point)
                to_visit.append(point)
    return found


def has_liberty(size: int, board: str, chain: set[int]) -> bool:
    return any(board[n] == "." for stone in chain for n in neighbours(size, stone))


def captures(size: int, board: str, point: int, colour: str) -> set[int]:
    """The enemy stones that a stone of this colour at an empty point takes off the board."""
    board = replaced(board, point, colour)
    taken: set[int] = set()
    for neighbour in neighbours(size, point):
        if board[neighbour] == ENEMY[colour]:
            chain = region(size, board, neighbour)
            if not has_liberty(size, board, chain):
                taken |= chain
    return taken


@lru_cache(maxsize=4096)
def board_after(size: int, board: str, point: int, colour: str) -> str:
    """The board after a stone at an empty point and its captures."""
    taken = captures(size, board, point, colour)
    board = replaced(board, point, colour)
    for stone in taken:
        board = replaced(board, stone, ".")
    return board


@lru_cache(maxsize=4096)
def is_suicide(size: int, board: str, point: int, colour: str) -> bool:
    after = board_after(size, board, point, colour)
    return not has_liberty(size, after, region(size, after, point))


def area(size: int, board: str) -> int:
    """Black's points minus White's: stones, and empty regions that touch one colour only."""
    difference = board.count("X") - board.count("O")
    empty = {point for point in range(len(board)) if board[point] == "."}
    while empty:
        here = region(size, board, min(empty))
        empty -= here
        touched = {board[n] for point in here for n in neighbours(size, point)} - {"."}
        if touched == {"X"}:
            difference += len(here)
        if touched == {"O"}:
            difference -= len(here)
    return difference


# --- The game ------------------------------------------------------------------------------------


class NaiveGo:
    """A game in progress. `rows`, from the top, are the board to start from if it is not empty."""

    def __init__(
        self, size: int, komi: float = 7.5, rows: list[str] | None = None, mover: str = "X"
    ) -> None:
        self.size = size
        self.komi = komi
        self.board = "".join(rows) if rows else "." * (size * size)
        self.mover = mover
        self.ko: str | None = None
        self.moves: list[str] = []
        self.boards = {self.board}
        assert len(self.board) == size * size

    @property
    def rows(self) -> list[str]:
        return [self.board[i : i + self.size] for i in range(0, len(self.board), self.size)]

    def after(self, move: str) -> str:
        point = point_named(self.size, move)
        return board_after(self.size, self.board, point, self.mover)

    def captured_by(self, move: str) -> set[str]:
        point = point_named(self.size, move)
        taken = captures(self.size, self.board, point, self.mover)
        return {name(self.size, stone) for stone in taken}

    def without_suicide(self) -> set[str]:
        """The points where a stone could be put if there were no ko rule."""
        return {
            name(self.size, point)
            for point, symbol in enumerate(self.board)
            if symbol == "." and not is_suicide(self.size, self.board, point, self.mover)
        }

    def repeating(self) -> set[str]:
        """The points that positional superko forbids: the board has been like that before."""
        return {move for move in self.without_suicide() if self.after(move) in self.boards}

    def legal_moves(self) -> set[str]:
        if self.is_over():
            return set()
        return (self.without_suicide() - self.repeating()) | {"pass"}

    def playout_moves(self) -> set[str]:
        """What a playout draws from: simple ko instead of superko, no own eye, pass if need be."""
        points = {m for m in self.without_suicide() if m != self.ko and not self.is_own_eye(m)}
        return points or {"pass"}

    def is_own_eye(self, move: str) -> bool:
        """All neighbours are the mover's; of the diagonals, the enemy has at most one in the middle
        of the board and none at its edge."""
        point = point_named(self.size, move)
        if any(self.board[n] != self.mover for n in neighbours(self.size, point)):
            return False
        corners = diagonals(self.size, point)
        enemies = sum(self.board[d] == ENEMY[self.mover] for d in corners)
        at_edge = len(corners) < 4
        return enemies == 0 if at_edge else enemies <= 1

    def play(self, move: str) -> None:
        self.ko = None
        if move != "pass":
            taken = self.captured_by(move)
            self.board = self.after(move)
            self.boards.add(self.board)
            if len(taken) == 1 and self.is_lone_stone_in_atari(move):
                (self.ko,) = taken
        self.mover = ENEMY[self.mover]
        self.moves.append(move)

    def is_lone_stone_in_atari(self, move: str) -> bool:
        around = [self.board[n] for n in neighbours(self.size, point_named(self.size, move))]
        return self.board[point_named(self.size, move)] not in around and around.count(".") == 1

    @property
    def passes(self) -> int:
        """How many passes the game ends in, so far."""
        stones = [i for i, move in enumerate(self.moves, start=1) if move != "pass"]
        return len(self.moves) - max(stones, default=0)

    def is_over(self) -> bool:
        two_passes = any(pair == ("pass", "pass") for pair in pairwise(self.moves))
        return two_passes or len(self.moves) >= 3 * self.size * self.size

    def area(self) -> int:
        return area(self.size, self.board)

    def outcome(self) -> int:
        score = self.area() - self.komi
        return (score > 0) - (score < 0)
