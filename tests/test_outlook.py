"""The chance to win at Geister: the bits of a position, learning from games, and its training."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.examples import FAST
from tests.naive.geister import random_game
from tesuji import knowledge, players, rng
from tesuji.cli import app
from tesuji.errors import BadInput
from tesuji.games.geister import BLUE, RED, game
from tesuji.knowledge import geister
from tesuji.learn import outlook as learning

SIZE = geister.ALL_BITS


def weights(seed: int) -> Any:
    return np.tril(np.random.default_rng(seed).normal(size=(SIZE, SIZE)))


def naive_bits(state: Any, mirror: bool = False) -> set[int]:
    """The bits by their description: cells counted from the mover's left, far row first."""
    mover, found = int(state[0].ply) % 2, {SIZE - 1}
    for player in range(2):
        for ghost in range(8):
            colour, fate = state[0].colour[player, ghost], state[0].fate[player, ghost]
            kind = 2 * (player != mover) + (colour == RED)
            if fate == 0:
                (cell,) = np.flatnonzero(state[0].label == 1 + 8 * player + ghost)
                x, y = cell % 8 - 1, cell // 8 - 1
                x, y = (x, y) if mover == 0 else (5 - x, 5 - y)
                found.add(36 * kind + (5 - x if mirror else x) + 6 * y)
    for kind in range(4):
        player, colour = (mover, 1 - mover)[kind // 2], (BLUE, RED)[kind % 2]
        gone = (state[0].fate[player] == 1) & (state[0].colour[player] == colour)
        if 1 <= gone.sum() <= 3:
            found.add(144 + 3 * kind + int(gone.sum()) - 1)
    return found


def worth(pairs: Any, bits: set[int]) -> float:
    return float(sum(pairs[i, j] for i in bits for j in bits if j <= i))


@pytest.mark.parametrize("seed", range(12))
def test_a_position_is_worth_the_pairs_of_its_bits_to_the_mover(seed: int) -> None:
    pairs = weights(seed)
    state = game.parse_position(random_game(seed, 2 * seed + 3).text())
    assert not game.is_over(state)
    sign = 1 if int(state[0].ply) % 2 == 0 else -1
    value = knowledge.evaluate(geister.Outlook(pairs), state[0])
    assert value == pytest.approx(sign * worth(pairs, naive_bits(state)))
    mirrored = {int(geister.MIRRORED[bit]) for bit in naive_bits(state)}
    assert mirrored == naive_bits(state, mirror=True)


def test_learning_from_one_game_is_as_described() -> None:
    policy = geister.hayazashi(np.random.default_rng(1).normal(0, 0.2, geister.FEATURES))
    begun = learning.begin(3, planned=1, alpha=0.01)
    pairs, state, stream = np.zeros((SIZE, SIZE)), game.new(limit=learning.LIMIT), begun.rng.copy()
    seen, moves = [], game.moves_buffer(state)
    while not game.is_over(state):
        if state[0].ply >= 2:
            seen.append((int(state[0].ply) % 2, naive_bits(state), naive_bits(state, mirror=True)))
        game.play(state, int(knowledge.choose(policy, state[0], moves, stream)))
    assert game.outcome(state) != 0
    for mover, *both in seen:
        target = 0.5 + 0.5 * game.outcome(state) * (1 - 2 * mover)
        for bits in both:
            step = 0.01 * (target - 1 / (1 + np.exp(-worth(pairs, bits))))
            for i in bits:
                for j in bits:
                    pairs[i, j] += step * (j <= i)
    (learned,) = learning.train(begun, policy)
    assert learned.outlook == pytest.approx(pairs)
    assert learned.games == 1
    assert 0 < learned.error < 1


@pytest.mark.skipif(not FAST, reason="games take too long un-compiled")
@pytest.mark.parametrize("simulations", [0, 8])
def test_a_training_that_was_interrupted_ends_like_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulations: int
) -> None:
    monkeypatch.setattr(learning, "CHUNK", 4)
    policy = geister.hayazashi(np.zeros(geister.FEATURES))
    file = tmp_path / "training.npz"
    begun = learning.begin(1, 10, simulations)
    *_, whole = learning.train(begun, policy)
    learning.save(next(learning.train(begun, policy)), file)
    *_, rest = learning.train(learning.resume(file), policy)
    assert rest.games == 10
    assert (rest.outlook == whole.outlook).all()
    assert np.any(rest.outlook)
    file.write_bytes(file.read_bytes()[:3000])
    with pytest.raises(BadInput, match="is not a checkpoint|is cut"):
        learning.resume(file)


@pytest.mark.skipif(not FAST, reason="games take too long un-compiled")
def test_the_command_trains_an_outlook_that_a_player_can_use(tmp_path: Path) -> None:
    run, file = CliRunner(), tmp_path / "outlook.npz"
    words = ["train", "outlook", str(file), "--games", "20", "--json"]
    assert json.loads(run.invoke(app, words).stdout)["games"] == 20
    result = run.invoke(app, [*words, "--seed", "2"])
    assert "is a training with another seed" in str(result.exception)
    view = game.view(game.parse_position(random_game(2, 14).text()), 0)
    side = players.build(f'aoki:method=B,playouts=50,outlook="{file}"', game)
    assert side.choose(view, rng.seeded(1)).move in game.legal_moves(view)
    np.savez(file, outlook=np.zeros((3, 3)))
    with pytest.raises(BadInput, match="needs 157x157 floating numbers"):
        players.build(f'aoki:outlook="{file}"', game)
