"""What Kato's players know of skirmish: which walks are worth a look, what a cut playout is worth.

Start with `Walks`, the paper's pruning: a piece walks only to cells beside an enemy, or as far as
it can. It prunes the tree (`prune`) and playouts (`choose`), whose draw is that of the game's own
`random_move` with fewer walks. Its fields are what the authors name as future work:

- `focus`: whoever has walked up to an enemy acts before anything else happens, and nobody walks up
  to an enemy after having acted (the paper's redundant approach without an attack);
- the four bounds: a local battlefield, outside of which nothing is looked at. `prepare` sets them
  for the position to be searched: once at the first contact (`field` FIXED), or for every search as
  all that an enemy could attack next turn (`field` MOVING).

`Alike` groups walks that mean the same: up to the same enemies, or the same way away from them.
`Rules` is the paper's rule-based player, `Destroyed` its reward of a playout that is cut.
"""

from typing import Any, NamedTuple

import numpy as np

from tesuji.bits import lowest, nth_bit, popcount
from tesuji.games.skirmish import (
    ATTACK,
    DASH_MOVEMENT,
    END,
    MOVEMENT,
    RANGE,
    WALK,
    count_reach,
    distance,
    flood,
    has_deed,
    list_deeds,
    nth_walk,
    own_pieces,
    owner,
    pieces_of,
)
from tesuji.kernels import helper
from tesuji.knowledge import knows, offer
from tesuji.rng import below

EVERYWHERE, FIXED, MOVING = 0, 1, 2


class Walks(NamedTuple):
    """The paper's pruning: walks to cells beside an enemy, or as far as a piece can walk."""

    focus: int = 0
    field: int = EVERYWHERE
    bottom: int = 0
    top: int = 127
    left: int = 0
    right: int = 127

    def prepare(self, view: Any) -> "Walks":
        """The same for a search of this position, which the mover sees."""
        state = view[0]
        if self.field == EVERYWHERE or (self.field == FIXED and self.top < 127):
            return self
        cells = list(_battle(state))
        if not cells:
            return Walks(self.focus, self.field)
        rows, columns = zip(*cells, strict=True)
        room = MARGIN if self.field == FIXED else 0
        return Walks(
            self.focus,
            self.field,
            max(0, min(rows) - room),
            min(int(state.rows) - 1, max(rows) + room),
            max(0, min(columns) - room),
            min(int(state.columns) - 1, max(columns) + room),
        )


MARGIN = MOVEMENT
"""How far a fixed battlefield reaches beyond those who meet: one walk."""


def _battle(state: Any) -> list[tuple[int, int]]:
    """Where the pieces stand that could be in a fight by the end of the enemy's next turn."""
    found = set()
    for piece in pieces_of(state, 0):
        for enemy in pieces_of(state, 1):
            if state.hp[piece] > 0 and state.hp[enemy] > 0:
                if distance(state, piece, enemy) <= DASH_MOVEMENT + RANGE:
                    found |= {(int(state.row[p]), int(state.column[p])) for p in (piece, enemy)}
    return sorted(found)


@knows(Walks)
def choose(policy, state, moves, rng):
    """A piece that can do something, then one of its deeds, a walk worth it, or the end."""
    ready = state.ready
    if policy.focus:
        eager = has_to_act(state)
        if eager >= 0:
            ready = np.uint64(1) << np.uint64(eager)
    if policy.field != EVERYWHERE:
        ready = inside(policy, state, ready)
    if ready == 0:
        return END
    piece = nth_bit(ready, below(rng, popcount(ready)))
    deeds = list_deeds(state, piece, moves, 0)
    walks = 0
    if not state.moved[piece]:
        mark_walks(policy, state, piece)
        walks = count_reach(state)
    ends = 0 if policy.focus and deeds > 0 and state.moved[piece] else 1
    chosen = below(rng, deeds + walks + ends)
    if chosen < deeds:
        return moves[chosen]
    chosen -= deeds
    if chosen == walks:
        return END
    return nth_walk(state, piece, chosen)


@knows(Walks)
def prune(pruning, state, moves, count):
    """The same moves as in a playout, all of them, and always the end of the turn."""
    if pruning.focus:
        eager = has_to_act(state)
        if eager >= 0:
            return list_deeds(state, eager, moves, 0)
    ready = state.ready
    if pruning.field != EVERYWHERE:
        ready = inside(pruning, state, ready)
    kept = 0
    while ready != 0:
        piece = lowest(ready)
        ready &= ready - np.uint64(1)
        if not state.moved[piece]:
            mark_walks(pruning, state, piece)
            for i in range(len(state.reach)):
                cells = state.reach[i]
                while cells != 0:
                    moves[kept] = WALK + 256 * piece + 64 * i + lowest(cells)
                    cells &= cells - np.uint64(1)
                    kept += 1
        kept = list_deeds(state, piece, moves, kept)
    moves[kept] = END
    return kept + 1


@helper
def mark_walks(pruning, state, piece):
    """Leave in `reach` the cells that a piece may walk to under the pruning."""
    flood(state, piece)
    for i in range(len(state.reach)):
        wanted = state.rim[i]
        if pruning.focus and state.acted[piece]:
            wanted &= ~state.zone[i]
        else:
            wanted |= state.zone[i]
        state.reach[i] &= wanted
    if pruning.field != EVERYWHERE:
        stride = int(state.columns) + 1
        for i in range(len(state.reach)):
            cells = state.reach[i]
            while cells != 0:
                bit = lowest(cells)
                cells &= cells - np.uint64(1)
                row, column = (64 * i + bit) // stride, (64 * i + bit) % stride
                if not on_field(pruning, row, column):
                    state.reach[i] ^= np.uint64(1) << np.uint64(bit)


@helper
def on_field(pruning, row, column):
    inner_row = pruning.bottom <= row and row <= pruning.top
    return inner_row and pruning.left <= column and column <= pruning.right


@helper
def inside(pruning, state, ready):
    """Those of the ready pieces that stand on the battlefield; all, if there are none."""
    found = np.uint64(0)
    left = ready
    while left != 0:
        piece = lowest(left)
        left &= left - np.uint64(1)
        if on_field(pruning, state.row[piece], state.column[piece]):
            found |= np.uint64(1) << np.uint64(piece)
    return found if found != 0 else ready


@helper
def has_to_act(state):
    """The piece that has walked up to an enemy and not acted yet, or -1."""
    for piece in own_pieces(state):
        if state.moved[piece] and not state.acted[piece] and state.hp[piece] > 0:
            if has_deed(state, piece):
                return piece
    return -1


class Alike(NamedTuple):
    """Walks of a piece are alike if they lead up to the same enemies, or else if they lead to the
    same side of the nearest enemy: nearer to it, away from it, or neither."""


@knows(Alike)
def group(abstraction, state, move):
    if move < WALK:
        return move
    piece, cell = (move - WALK) // 256, (move - WALK) % 256
    stride = int(state.columns) + 1
    row, column = cell // stride, cell % stride
    near, nearest, before = 0, 1000, 1000
    for enemy in pieces_of(state, 1 - owner(state, piece)):
        if state.hp[enemy] > 0:
            steps = abs(row - int(state.row[enemy])) + abs(column - int(state.column[enemy]))
            nearest = min(nearest, steps)
            before = min(before, distance(state, piece, enemy))
            if steps == 1:
                near |= 1 << (enemy % 8)
    way = 0 if near else 1 + int(nearest > before) + int(nearest >= before)
    return WALK + (piece * 4 + way) * 256 + near


class Rules(NamedTuple):
    """The paper's rule-based player: it attacks whenever it can, else walks anywhere, else ends."""


@knows(Rules)
def choose(policy, state, moves, rng):
    attacks = 0
    for piece in own_pieces(state):
        if state.hp[piece] == 0 or state.acted[piece] or state.confused[piece]:
            continue
        for target in pieces_of(state, 1 - owner(state, piece)):
            if state.hp[target] > 0 and distance(state, piece, target) == 1:
                moves[attacks] = ATTACK + 16 * piece + target
                attacks += 1
    if attacks > 0:
        return moves[below(rng, attacks)]
    walks = 0
    for piece in own_pieces(state):
        if state.hp[piece] == 0 or state.moved[piece] or state.confused[piece]:
            continue
        flood(state, piece)
        for i in range(len(state.reach)):
            cells = state.reach[i]
            while cells != 0:
                moves[walks] = WALK + 256 * piece + 64 * i + lowest(cells)
                cells &= cells - np.uint64(1)
                walks += 1
    return moves[below(rng, walks)] if walks > 0 else END


class Destroyed(NamedTuple):
    """What a cut playout is worth to a player: the share of the enemy's pieces that are gone."""


@knows(Destroyed)
def rewards(evaluation, state):
    each = len(state.hp) // 2
    first, second = 0, 0
    for piece in range(each):
        second += state.hp[piece] == 0
        first += state.hp[each + piece] == 0
    return first / each, second / each


def pruned() -> Walks:
    """Walks to cells beside an enemy, or as far as a piece can walk (Kato et al.)."""
    return Walks()


def focused() -> Walks:
    """Pruned, and nobody walks up to an enemy without acting."""
    return Walks(focus=1)


def field_fixed() -> Walks:
    """Pruned to a local battlefield, fixed at the first contact."""
    return Walks(field=FIXED)


def field_moving() -> Walks:
    """Pruned to a local battlefield: all that an enemy could attack next turn."""
    return Walks(field=MOVING)


for walks in (pruned, focused, field_fixed, field_moving):
    for question in ("choose", "prune"):
        offer("skirmish", question, walks.__name__.replace("_", "-"), walks)
offer("skirmish", "choose", "rules", Rules)
offer("skirmish", "group", "alike", Alike)
offer("skirmish", "rewards", "destroyed", Destroyed)
