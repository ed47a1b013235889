"""A slow Geister, written to be right at a glance, to check the fast one against.

Each player has a dict from letters to ghosts; a ghost knows its place as its own player sees the
board, with the own side at y = 5 and the exits at (0, 0) and (5, 0). What a player does is told
without a word about who that is: the other one sees (5 - x, 5 - y).
"""

import random
from dataclasses import dataclass

LETTERS = "ABCDEFGH"
STEPS = {"NORTH": (0, -1), "EAST": (1, 0), "SOUTH": (0, 1), "WEST": (-1, 0)}
EXITS = ((0, 0), (5, 0))
Place = tuple[int, int]


@dataclass
class Ghost:
    place: Place | None  # in its own player's frame; None when it has gone
    colour: str = "u"  # R, B, or u before the placement
    escaped: bool = False


def turned(place: Place) -> Place:
    """The same place as the other player sees it."""
    return 5 - place[0], 5 - place[1]


class NaiveGeister:
    """A game in progress; `moves` are all texts so far, the placements included."""

    def __init__(self, limit: int = 300) -> None:
        self.limit = limit
        self.moves: list[str] = []
        self.players = [
            {letter: Ghost((1 + i % 4, 4 + i // 4)) for i, letter in enumerate(LETTERS)}
            for _ in range(2)
        ]

    @property
    def mover(self) -> int:
        return len(self.moves) % 2

    @property
    def placing(self) -> bool:
        return len(self.moves) < 2

    def ghost_at(self, player: int, place: Place) -> Ghost | None:
        """A player's ghost at a place in that player's frame."""
        return next((g for g in self.players[player].values() if g.place == place), None)

    def targets(self) -> dict[str, Place]:
        """Where each legal move of the mover leads; a corner's exits lead to y = -1."""
        found = {}
        for letter, ghost in self.players[self.mover].items():
            for name, (right, down) in STEPS.items():
                if ghost.place is None:
                    continue
                x, y = ghost.place[0] + right, ghost.place[1] + down
                inside = 0 <= x <= 5 and 0 <= y <= 5
                if inside and self.ghost_at(self.mover, (x, y)) is None:
                    found[f"{letter},{name}"] = (x, y)
                if ghost.place in EXITS and ghost.colour == "B" and name == "NORTH":
                    found[f"{letter},{name}"] = (x, y)
        return found

    def legal_moves(self) -> set[str]:
        if self.ending():
            return set()
        if self.placing:
            layouts = (bits for bits in range(256) if bits.bit_count() == 4)
            return {"".join(LETTERS[i] for i in range(8) if bits >> i & 1) for bits in layouts}
        return set(self.targets())

    def play(self, move: str) -> str | None:
        """Make a move; the colour of the ghost it captures, if it does."""
        own, enemy, captured = self.players[self.mover], 1 - self.mover, None
        if self.placing:
            for letter, ghost in own.items():
                ghost.colour = "R" if letter in move else "B"
        else:
            target, ghost = self.targets()[move], own[move[0]]
            if target[1] < 0:
                ghost.place, ghost.escaped = None, True
            else:
                ghost.place = target
                taken = self.ghost_at(enemy, turned(target))
                if taken:
                    taken.place, captured = None, taken.colour
        self.moves.append(move)
        return captured

    def lost(self, player: int, colour: str) -> int:
        """How many ghosts of a colour a player had captured."""
        ghosts = self.players[player].values()
        return sum(g.place is None and not g.escaped and g.colour == colour for g in ghosts)

    def ending(self) -> tuple[str, int] | None:
        """What ended the game, and the result for player 0; None while it goes on."""
        for player, won in ((0, 1), (1, -1)):
            if any(ghost.escaped for ghost in self.players[player].values()):
                return "escape", won
            if self.lost(1 - player, "B") == 4:
                return "blues captured", won
            if self.lost(player, "R") == 4:
                return "reds captured", won
        return ("limit", 0) if len(self.moves) - 2 >= self.limit else None

    def text(self, viewer: int | None = None) -> str:
        """The position in player 0's frame; with what one player sees only, or everything."""
        parts = []
        for player in (0, 1):
            for ghost in self.players[player].values():
                if ghost.place is None:
                    parts.append(("88" if ghost.escaped else "99") + ghost.colour.lower())
                    continue
                x, y = turned(ghost.place) if player else ghost.place
                parts.append(f"{x}{y}{'u' if viewer == 1 - player else ghost.colour}")
        return f"{''.join(parts)} {len(self.moves)} {self.limit}"


def greedy(model: NaiveGeister, dice: random.Random) -> str:
    """Any move, or rather one that captures, leaves, or leads to the exits, so that games end."""
    if not model.placing and dice.random() < 0.6:
        targets, enemy = model.targets(), 1 - model.mover
        taking = [m for m, to in targets.items() if model.ghost_at(enemy, turned(to))]
        leaving = [m for m, to in targets.items() if to[1] < 0]
        onward = [m for m, to in targets.items() if m.endswith("NORTH") or to[1] == 0]
        for wish in dice.sample([taking, leaving, onward], 3):
            if wish:
                return dice.choice(wish)
    return dice.choice(sorted(model.legal_moves()))


def random_game(seed: int, plies: int, limit: int = 300) -> NaiveGeister:
    """A game after so many moves, or at its end."""
    dice, model = random.Random(seed), NaiveGeister(limit)
    for _ in range(plies):
        if not model.ending():
            model.play(greedy(model, dice))
    return model
