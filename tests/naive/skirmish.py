"""A slow skirmish, written to be right at a glance, to check the fast one against.

Moves, cells and pieces are text, as people write them. A walk is a search over paths, nothing is
kept up to date from move to move, and damages are fractions, rounded down at the end of each step
of the rule. The constants are written out again here: the fast game cannot change unnoticed.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor

COLUMNS = "abcdefghijklmnop"
START_HP = 10000
ATTACK = 5500
FIRE = 2500
CONFUSION = Fraction(1, 2)


@dataclass
class Piece:
    name: str
    player: int
    cell: str
    attack: int
    defence: int
    intelligence: int
    ability: str
    hp: int = START_HP
    moved: bool = False
    acted: bool = False
    confused: bool = False


@cache
def place(cell: str) -> tuple[int, int]:
    return COLUMNS.index(cell[0]), int(cell[1:])


@cache
def steps(one: str, other: str) -> int:
    (x, y), (u, v) = place(one), place(other)
    return abs(x - u) + abs(y - v)


@cache
def around(cell: str) -> frozenset[str]:
    """The cells next to one, whether or not a board is that large."""
    x, y = place(cell)
    near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return frozenset(f"{COLUMNS[u]}{v}" for u, v in near if 0 <= u < len(COLUMNS))


class NaiveSkirmish:
    """A game in progress. Dead pieces are not in `pieces` any more."""

    def __init__(self, rows: int, columns: int, pieces: list[Piece], rounds: int = 10) -> None:
        self.cells = {f"{x}{y + 1}" for x in COLUMNS[:columns] for y in range(rows)}
        self.pieces = {piece.name: piece for piece in pieces}
        self.rounds = rounds
        self.mover = 0
        self.round = 1
        self.lot: tuple[str, str] | None = None  # who tries to confuse whom
        self.events: list[str] = []  # what has happened that is worth counting

    # --- What may be done ------------------------------------------------------------------------

    def pieces_of(self, player: int) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.player == player]

    def taken(self) -> set[str]:
        return {piece.cell for piece in self.pieces.values()}

    def walks(self, piece: Piece) -> set[str]:
        """The cells that a piece can walk to, one step after another."""
        free = self.cells - self.taken()
        zone = {cell for enemy in self.pieces_of(1 - piece.player) for cell in around(enemy.cell)}
        found: set[str] = set()
        last = {piece.cell}
        for _ in range(5 if piece.ability == "dash" else 4):
            last = {near for cell in last for near in around(cell)} & free
            found |= last
            last -= zone
        return found

    def behind(self, piece: Piece, target: Piece) -> str | None:
        """The cell that a charge would push the target to, if it is free."""
        (x, y), (u, v) = place(piece.cell), place(target.cell)
        column, row = 2 * u - x, 2 * v - y
        cell = f"{COLUMNS[column]}{row}" if 0 <= column < len(COLUMNS) else ""
        return cell if cell in self.cells - self.taken() else None

    def can_use_special(self, piece: Piece, target: Piece) -> bool:
        away = steps(piece.cell, target.cell)
        if piece.ability == "fire":
            return away in (1, 2)
        if piece.ability == "confusion":
            return away in (1, 2) and not target.confused
        if piece.ability == "charge":
            return away == 1 and self.behind(piece, target) is not None
        return False

    def actions(self) -> set[str]:
        """Everything that the mover's pieces can do now."""
        found = set()
        for piece in self.pieces_of(self.mover):
            if piece.confused:
                continue
            if not piece.moved:
                found |= {f"{piece.name}:{cell}" for cell in self.walks(piece)}
            if not piece.acted:
                for target in self.pieces_of(1 - self.mover):
                    if steps(piece.cell, target.cell) == 1:
                        found.add(f"{piece.name}*{target.name}")
                    if self.can_use_special(piece, target):
                        found.add(f"{piece.name}!{target.name}")
        return found

    def legal_moves(self) -> set[str]:
        if self.is_over():
            return set()
        return {"hit", "miss"} if self.lot else self.actions() | {"end"}

    def odds(self) -> Fraction:
        """The probability that the confusion under way succeeds."""
        assert self.lot
        own, other = (self.pieces[name].intelligence for name in self.lot)
        return CONFUSION * 2 * own / (own + other)

    # --- Doing it --------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        assert move in self.legal_moves()
        if move == "end":
            self.end_turn()
            return
        if move in ("hit", "miss"):
            assert self.lot
            self.pieces[self.lot[1]].confused = move == "hit"
            self.lot = None
            self.events.append(move)
        else:
            piece, sign, rest = self.pieces[move[0]], move[1], move[2:]
            if sign == ":":
                self.events.append("walk after acting" if piece.acted else "walk")
                piece.cell, piece.moved = rest, True
            else:
                self.events.append("act after walking" if piece.moved else "act")
                piece.acted = True
                self.act(piece, sign, self.pieces[rest])
        if not self.lot and not self.is_over() and not self.actions():
            self.events.append("turn ends by itself")
            self.end_turn()

    def act(self, piece: Piece, sign: str, target: Piece) -> None:
        if sign == "*":
            self.events.append("attack")
            self.strike(piece, target)
        elif piece.ability == "fire":
            self.events.append("fire")
            self.wound(target, self.damage(FIRE, piece.intelligence, target.intelligence))
        elif piece.ability == "confusion":
            self.lot = (piece.name, target.name)
        else:
            self.events.append("charge")
            pushed_to = self.behind(piece, target)
            self.strike(piece, target)
            if target.hp > 0 and pushed_to:
                target.cell = pushed_to

    def damage(self, between_equals: int, own: int, other: int) -> int:
        return floor(between_equals * Fraction(own, own + other) * 2)

    def strike(self, piece: Piece, target: Piece) -> None:
        damage = self.damage(ATTACK, piece.attack, target.defence)
        if piece.ability == "bravery":
            self.events.append("bravery")
            damage = floor(damage * Fraction("1.02"))
        self.wound(target, damage)
        self.wound(piece, floor(Fraction(damage, 3)))
        if piece.hp == 0:
            self.events.append("attacker dies")
        if piece.hp == target.hp == 0:
            self.events.append("both die")

    def wound(self, piece: Piece, damage: int) -> None:
        piece.hp = max(0, piece.hp - damage)
        if piece.hp == 0:
            self.events.append("death")
            del self.pieces[piece.name]

    def end_turn(self) -> None:
        for piece in self.pieces_of(self.mover):
            if piece.confused:
                self.events.append("turn lost by confusion")
            piece.moved = piece.acted = piece.confused = False
        if self.mover == 1:
            self.round += 1
        self.mover = 1 - self.mover

    # --- The end ---------------------------------------------------------------------------------

    def is_over(self) -> bool:
        return self.round > self.rounds or not self.pieces_of(0) or not self.pieces_of(1)

    def outcome(self) -> int:
        """1 if player 0 has won, -1 if player 1 has, 0 for a draw."""
        first, second = (sum(piece.hp for piece in self.pieces_of(player)) for player in (0, 1))
        return (first > second) - (first < second)

    def annihilated(self) -> bool:
        return not self.pieces_of(0) or not self.pieces_of(1)
