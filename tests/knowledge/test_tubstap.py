"""Kato's pruning in TUBSTAP, against its definition."""

import random

import pytest

from tesuji import games, rng, rules
from tesuji.kernels import kernel
from tesuji.knowledge import choose, prune
from tesuji.knowledge.tubstap import Pruned

GAME = games.load("tubstap")


@kernel
def kept(state, moves):  # type: ignore[no-untyped-def]
    return prune(Pruned(), state[0], moves, rules.legal_moves(state[0], moves))


@kernel
def chosen(state, moves, stream):  # type: ignore[no-untyped-def]
    return choose(Pruned(), state[0], moves, stream)


def expected(state: rules.State) -> set[int]:
    """All attacks, the end, and moves beside an enemy or as far as a unit's farthest."""
    record = state[0]
    side = len(record.army[0])
    moves = GAME.legal_moves(state)
    enemies = {int(cell) for cell, team, hp in zip(record.cell, record.team, record.hp, strict=True)
               if hp > 0 and team != record.mover}  # fmt: skip

    def parts(move: int) -> tuple[int, int, int]:
        return move // 128 // 1024, move // 128 % 1024, move % 128

    def far(unit: int, cell: int) -> int:
        home = int(record.cell[unit])
        return abs(home % side - cell % side) + abs(home // side - cell // side)

    end = 64 * 1024 * 128
    reach: dict[int, int] = {}
    for unit, cell, _ in (parts(move) for move in moves if move != end):
        reach[unit] = max(reach.get(unit, 0), far(unit, cell))
    left = {end}
    for move in moves:
        unit, cell, target = parts(move)
        if move == end:
            continue
        near = {cell - side, cell + side, cell - 1, cell + 1} & enemies
        if target or near or far(unit, cell) == reach[unit]:
            left.add(move)
    return left


@pytest.mark.parametrize("name", ["map01", "plains14"])
def test_pruning_is_as_defined_and_playouts_draw_the_same_moves(name: str) -> None:
    dice, stream = random.Random(1), rng.seeded(1)
    seen = 0
    for _ in range(4):
        state = GAME.new(map=name)
        for _ in range(60):
            if GAME.is_over(state):
                break
            if dice.random() < 0.2:
                wanted = expected(state)
                buffer = GAME.moves_buffer(state)
                count = kept(state, buffer)
                assert {int(move) for move in buffer[:count]} == wanted
                assert count == len(wanted)
                for _ in range(20):
                    assert int(chosen(state, buffer, stream)) in wanted
                seen += 1
            GAME.play(state, dice.choice(GAME.legal_moves(state)))
    assert seen > 20
