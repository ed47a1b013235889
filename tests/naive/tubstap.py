"""TUBSTAP, slow and obvious: units are objects, movement is a search for the cheapest way."""

from dataclasses import dataclass

# By letter: movement, and power against F, A, P, U, R, I in this order.
MOVEMENT = {"F": 9, "A": 7, "P": 6, "U": 5, "R": 6, "I": 3}
POWER = {
    "F": dict(zip("FAPURI", (55, 65, 0, 0, 0, 0), strict=True)),
    "A": dict(zip("FAPURI", (0, 0, 105, 105, 85, 115), strict=True)),
    "P": dict(zip("FAPURI", (0, 0, 55, 70, 75, 75), strict=True)),
    "U": dict(zip("FAPURI", (0, 0, 60, 75, 65, 90), strict=True)),
    "R": dict(zip("FAPURI", (70, 70, 15, 50, 45, 105), strict=True)),
    "I": dict(zip("FAPURI", (0, 0, 5, 10, 3, 55), strict=True)),
}
FORBIDDEN, PLAIN, SEA, FOREST, MOUNTAIN, ROAD, FORTRESS = range(7)
STARS = {PLAIN: 1, SEA: 0, FOREST: 3, MOUNTAIN: 4, ROAD: 0, FORTRESS: 4}


def cost(kind: str, terrain: int) -> int | None:
    """Steps to enter a cell, or None."""
    if terrain == FORBIDDEN:
        return None
    if kind in "FA":
        return 1
    if kind in "PUR":
        return {PLAIN: 1, ROAD: 1, FORTRESS: 1, FOREST: 2}.get(terrain)
    return {PLAIN: 1, ROAD: 1, FORTRESS: 1, FOREST: 1, MOUNTAIN: 2}.get(terrain)


@dataclass
class Unit:
    team: int
    kind: str
    hp: int
    place: tuple[int, int]
    acted: bool = False


def damage(kind: str, hp: int, target: str, target_hp: int, stars: int) -> int:
    """What an attacker takes from a target, by the published formula."""
    if target in "FA":
        stars = 0
    return min(target_hp, (POWER[kind][target] * hp + 70) // (100 + stars * target_hp))


class NaiveTubstap:
    """A position: terrain by (x, y) from (1, 1), units in the order of their ids."""

    def __init__(
        self, terrain: dict[tuple[int, int], int], units: list[Unit], limit: int, threshold: int
    ) -> None:
        self.terrain, self.units = terrain, units
        self.limit, self.threshold = limit, threshold
        self.mover, self.turns = 0, 0
        self.result: int | None = None  # 1 red, -1 blue, 0 draw

    def living(self, team: int) -> list[Unit]:
        return [unit for unit in self.units if unit.team == team and unit.hp > 0]

    def at(self, place: tuple[int, int]) -> Unit | None:
        return next((unit for unit in self.units if unit.hp > 0 and unit.place == place), None)

    def destinations(self, unit: Unit) -> set[tuple[int, int]]:
        """Where it can stop: cheapest ways, through friends but not through enemies."""
        cheapest = {unit.place: 0}
        frontier = [unit.place]
        while frontier:
            x, y = frontier.pop(0)
            for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                step = cost(unit.kind, self.terrain.get(place, FORBIDDEN))
                other = self.at(place)
                if step is None or (other is not None and other.team != unit.team):
                    continue
                total = cheapest[x, y] + step
                if total <= MOVEMENT[unit.kind] and total < cheapest.get(place, 99):
                    cheapest[place] = total
                    frontier.append(place)
        return {place for place in cheapest if place == unit.place or self.at(place) is None}

    def moves(self) -> set[str]:
        if self.result is not None:
            return set()
        found = {"end"}
        for unit in self.living(self.mover):
            if unit.acted:
                continue
            origin = f"{unit.place[0]},{unit.place[1]}"
            stops = self.destinations(unit)
            found |= {f"{origin}-{x},{y}" for x, y in stops}
            for enemy in self.living(1 - self.mover):
                if POWER[unit.kind][enemy.kind] == 0:
                    continue
                for x, y in [unit.place] if unit.kind == "U" else stops:
                    away = abs(x - enemy.place[0]) + abs(y - enemy.place[1])
                    if (2 <= away <= 3) if unit.kind == "U" else away == 1:
                        found.add(f"{origin}-{x},{y}x{enemy.place[0]},{enemy.place[1]}")
        return found

    def play(self, move: str) -> None:
        if move == "end":
            self.end_turn()
            return
        origin, rest = move.split("-")
        goal, _, target = rest.partition("x")
        unit = self.at(place_of(origin))
        assert unit is not None
        unit.place, unit.acted = place_of(goal), True
        if target:
            enemy = self.at(place_of(target))
            assert enemy is not None
            self.hit(unit, enemy)
            if enemy.hp > 0 and "U" not in (unit.kind, enemy.kind):
                self.hit(enemy, unit)
        if not self.living(0) or not self.living(1):
            self.result = 1 if self.living(0) else -1
        elif all(own.acted for own in self.living(self.mover)):
            self.end_turn()

    def hit(self, unit: Unit, target: Unit) -> None:
        stars = STARS[self.terrain[target.place]]
        target.hp -= damage(unit.kind, unit.hp, target.kind, target.hp, stars)

    def end_turn(self) -> None:
        self.turns += 1
        self.mover = 1 - self.mover
        for unit in self.units:
            unit.acted = False
        if self.turns >= self.limit:
            red, blue = (sum(unit.hp for unit in self.living(team)) for team in (0, 1))
            self.result = 0
            if abs(red - blue) > self.threshold:
                self.result = 1 if red > blue else -1


def place_of(text: str) -> tuple[int, int]:
    x, y = text.split(",")
    return int(x), int(y)
