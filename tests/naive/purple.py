"""Negamax over Geister with purple enemies, on sets of places, straight from its description."""

from dataclasses import dataclass, replace

Place = tuple[int, int]
EXITS, ENEMY_EXITS = {(0, 0), (5, 0)}, {(0, 5), (5, 5)}
WON = 1_000_000


@dataclass(frozen=True)
class Board:
    """Places in the searcher's frame; `colours` has r, b or p (purple) for each enemy."""

    reds: frozenset[Place]
    blues: frozenset[Place]
    colours: frozenset[tuple[Place, str]]
    red_left: int
    blue_left: int

    @property
    def enemies(self) -> dict[Place, str]:
        return dict(self.colours)


def around(place: Place) -> list[Place]:
    x, y = place
    near = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
    return [(x, y) for x, y in near if 0 <= x <= 5 and 0 <= y <= 5]


def after(board: Board, mine: bool, origin: Place, target: Place) -> Board:
    if mine:
        own = board.reds if origin in board.reds else board.blues
        moved = own - {origin} | {target}
        taken = board.enemies.get(target)
        return replace(
            board,
            reds=moved if own is board.reds else board.reds,
            blues=moved if own is board.blues else board.blues,
            colours=frozenset(c for c in board.colours if c[0] != target),
            red_left=board.red_left - (taken in ("r", "p")),
            blue_left=board.blue_left - (taken == "b"),
        )
    enemies = board.enemies
    colour = enemies.pop(origin)
    return replace(
        board,
        reds=board.reds - {target},
        blues=board.blues - {target},
        colours=frozenset({**enemies, target: colour}.items()),
    )


def value(board: Board, mine: bool, depth: int) -> int:
    """What the side to move gets, winning soon rather than late."""
    leavers = {place for place, colour in board.colours if colour != "r"}
    winner = None
    if not board.reds or board.blue_left == 0:
        winner = True
    elif not board.blues or board.red_left == 0:
        winner = False
    elif (board.blues & EXITS) if mine else (leavers & ENEMY_EXITS):
        winner = mine
    if winner is not None:
        return WON + depth if winner == mine else -WON - depth
    if depth == 0:
        worth = 1000 * len(board.blues) - 1000 * board.blue_left
        worth -= sum(y + min(x, 5 - x) for x, y in board.reds | board.blues)
        worth += sum(5 - y + min(x, 5 - x) for x, y in board.enemies)
        return worth if mine else -worth
    own = board.reds | board.blues if mine else set(board.enemies)
    return max(
        -value(after(board, mine, origin, target), not mine, depth - 1)
        for origin in own
        for target in around(origin)
        if target not in own
    )
