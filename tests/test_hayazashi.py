"""Hayazashi's policy and its training against slow versions of both, and the published weights."""

import contextlib
import json
import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from typer.testing import CliRunner

from tests.naive.geister import NaiveGeister, random_game
from tests.naive.hayazashi import features, gradient, policy, vector
from tesuji import games, knowledge, players, rng
from tesuji.cli import app
from tesuji.errors import BadInput
from tesuji.games.geister import game
from tesuji.kernels import kernel
from tesuji.knowledge import geister
from tesuji.learn import gradient as learning

FAST = not numba.config.DISABLE_JIT
PUBLISHED = Path(
    os.environ.get("TESUJI_HAYAZASHI")
    or Path(__file__).parents[2] / "shared" / "data" / "hayazashi_9m_theta.npy"
)


@kernel
def weigh(prior: Any, state: Any, moves: Any, count: Any, weights: Any) -> None:
    knowledge.weigh(prior, state[0], moves, count, weights)


@kernel
def choose(prior: Any, state: Any, moves: Any, stream: Any) -> Any:
    return knowledge.choose(prior, state[0], moves, stream)


def weights_of(seed: int, scale: float = 0.2) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, scale, 8128)


def weighed(prior: Any, state: Any) -> dict[str, float]:
    moves = game.moves_buffer(state)
    count = len(legal := game.legal_moves(state))
    moves[:count] = legal
    weights = np.zeros(count)
    weigh(prior, state, moves, count, weights)
    return {game.move_text(state, move): w for move, w in zip(legal, weights, strict=True)}


@pytest.mark.parametrize("seed", range(40 if FAST else 5))
def test_the_policy_is_the_described_one_in_views_and_worlds(seed: int) -> None:
    theta = weights_of(seed)
    model = random_game(seed, 2 + 3 * seed)
    if model.ending():
        return
    moves = sorted(model.legal_moves())
    expected = dict(zip(moves, policy(model, moves, theta), strict=True))
    state = game.parse_position(model.text())
    prior = geister.hayazashi(theta)
    assert weighed(prior, state) == pytest.approx(expected, rel=1e-3, abs=1e-6)
    assert weighed(prior, game.view(state, model.mover)) == weighed(prior, state)


@pytest.mark.parametrize("seed", range(20 if FAST else 3))
def test_a_searcher_judges_the_enemys_moves_in_its_own_frame_with_the_sign_turned(
    seed: int,
) -> None:
    theta = weights_of(seed)
    model = random_game(seed, 3 + 5 * seed)
    if model.ending():
        return
    searcher = 1 - model.mover
    moves = sorted(model.legal_moves())
    scores = np.array([-theta @ vector(features(model, move, searcher)) for move in moves])
    odds = np.exp(scores - scores.max())
    expected = dict(zip(moves, odds / odds.sum(), strict=True))
    state = game.parse_position(model.text())
    assert weighed(geister.hayazashi(theta, searcher), state) == pytest.approx(
        expected, rel=1e-3, abs=1e-6
    )


def test_playouts_draw_by_the_policy() -> None:
    state = game.parse_position(random_game(5, 21).text())
    prior = geister.hayazashi(weights_of(5, 0.1))
    expected = weighed(prior, state)
    stream, moves, draws = rng.seeded(1), game.moves_buffer(state), 4000 if FAST else 400
    counts = dict.fromkeys(expected, 0)
    for _ in range(draws):
        counts[game.move_text(state, choose(prior, state, moves, stream))] += 1
    error = sum((counts[m] - draws * p) ** 2 / (draws * p) for m, p in expected.items())
    assert error < 3 * len(expected)


def test_placements_are_drawn_alike() -> None:
    prior = geister.hayazashi(weights_of(0))
    assert set(weighed(prior, game.new()).values()) == {1 / 70}


def test_matrix_and_vector_are_opposites() -> None:
    theta = weights_of(3)
    pairs = geister.matrix(theta)
    assert (pairs == pairs.T).all()
    assert (geister.vector(pairs) == theta).all()
    assert pairs[5, 3] == theta[5 * 6 // 2 + 3]


# --- Learning ------------------------------------------------------------------------------------


def learned(state: Any, model: NaiveGeister, theta: np.ndarray, dice: random.Random) -> Any:
    """A kernel's and the description's weights after one step on one random choice."""
    legal = game.legal_moves(state)
    texts = [game.move_text(state, move) for move in legal]
    odds = policy(model, texts, theta)
    choice = dice.randrange(len(legal))
    steps = -0.5 * odds
    steps[choice] += 0.5
    moves, pairs = game.moves_buffer(state), geister.matrix(theta)
    moves[: len(legal)] = legal
    assert not step(state, moves, len(legal), steps, pairs)
    return pairs, theta + 0.5 * gradient(model, texts[choice], texts, theta)


@kernel
def step(state: Any, moves: Any, count: Any, steps: Any, pairs: Any) -> Any:
    bits, touched = np.empty((2, geister.BITS), np.int64)
    push = np.zeros(geister.BITS)
    learning.reinforce(state[0], moves, count, steps, pairs, bits, touched, push)
    return push.any()


@pytest.mark.parametrize("seed", range(30 if FAST else 4))
def test_one_choice_moves_the_weights_along_its_gradient(seed: int) -> None:
    model = random_game(seed, 2 + 4 * seed)
    if model.ending():
        return
    state = game.parse_position(model.text())
    if model.mover == 1:  # the learner is player 0
        return
    pairs, expected = learned(state, model, weights_of(seed), random.Random(seed))
    assert geister.vector(pairs) == pytest.approx(expected, abs=1e-12)
    assert pairs == pytest.approx(pairs.T, abs=1e-12)
    assert not pairs[geister.NOTHING].any()


def replayed(seed: int, games: int, alpha: float) -> np.ndarray:
    """The same training as the kernel's, from the same random numbers, by the description."""
    theta, stream = np.zeros(8128), rng.seeded(seed, "hayazashi")
    for _ in range(games):
        model, state, choices = NaiveGeister(200), game.new(limit=200), []
        for _ in range(2):
            layout = int(geister_layouts()[rng.below(stream, 70)])
            text = game.move_text(state, layout)
            game.play(state, layout)
            model.play(text)
        slope = np.zeros(8128)
        while not model.ending():
            texts = [game.move_text(state, move) for move in game.legal_moves(state)]
            odds, left = policy(model, texts, theta), rng.uniform(stream)
            choice = int(np.searchsorted(np.cumsum(odds), left, side="right"))
            choice = min(choice, len(texts) - 1)
            if model.mover == 0:
                slope += gradient(model, texts[choice], texts, theta)
                choices.append(texts[choice])
            game.play(state, game.parse_move(state, texts[choice]))
            model.play(texts[choice])
        theta = theta + alpha * model.ending()[1] * slope
    return theta


def geister_layouts() -> list[int]:
    from tesuji.games.geister import LAYOUTS, PLACEMENT

    return [PLACEMENT + int(reds) for reds in LAYOUTS]


def test_training_is_the_described_one_game_by_game() -> None:
    games, alpha = (2, 0.02) if FAST else (1, 0.02)
    *_, trained = learning.train(learning.begin(3, alpha), games)
    assert trained.theta == pytest.approx(replayed(3, games, alpha), abs=1e-9)
    assert trained.theta.any()


def test_a_training_that_was_interrupted_ends_like_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "CHUNK", 8)
    *_, whole = learning.train(learning.begin(9), 24)
    file = tmp_path / "training.npz"
    for training in learning.train(learning.begin(9), 24):
        learning.save(training, file)
        break
    assert learning.resume(file).games == 8
    *_, rest = learning.train(learning.resume(file), 24)
    assert (rest.theta == whole.theta).all()
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("size", [0, 10, 3000])
def test_a_checkpoint_that_was_cut_is_refused(tmp_path: Path, size: int) -> None:
    file = tmp_path / "training.npz"
    learning.save(learning.begin(1), file)
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(BadInput, match="is not a checkpoint|is cut"):
        learning.resume(file)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("theta", np.full(8128, "x"), "8128 floating numbers called 'theta'"),
        ("theta", np.zeros(8128, complex), "8128 floating numbers"),
        ("theta", np.full(8128, np.nan), "not finite"),
        ("seed", np.nan, "1 whole numbers called 'seed'"),
        ("rng", np.array(["a", "b"]), "2 whole numbers called 'rng'"),
        ("games", -5, "it has -5 games"),
    ],
)
def test_a_checkpoint_of_other_values_is_refused(
    tmp_path: Path, key: str, value: Any, reason: str
) -> None:
    file = tmp_path / "training.npz"
    np.savez(file, **{**vars(learning.begin(1)), key: value})
    with pytest.raises(BadInput, match=reason):
        learning.resume(file)


@pytest.mark.parametrize("alpha", [-0.1, np.inf, np.nan, 1e300])
def test_a_step_size_that_cannot_teach_is_refused(alpha: float) -> None:
    with pytest.raises(BadInput, match="alpha must be from 0 to 1"):
        learning.begin(1, alpha)


def test_weights_that_are_not_finite_are_not_saved(tmp_path: Path) -> None:
    file, training = tmp_path / "training.npz", learning.begin(1)
    learning.save(training, file)
    with pytest.raises(BadInput, match="was not written: 'theta' is not finite"):
        learning.save(replace(training, theta=np.full(8128, np.inf)), file)
    assert learning.resume(file).games == 0


def test_damaged_files_are_refused_whatever_numpy_makes_of_them(tmp_path: Path) -> None:
    file, stream = tmp_path / "weights.npy", np.random.default_rng(1)
    np.save(file, np.zeros(8128, np.float32))
    plain = file.read_bytes()
    packed = tmp_path / "weights.npz"
    np.savez_compressed(packed, theta=stream.random(8128))
    for path, whole in ((file, plain), (packed, packed.read_bytes())):
        for _ in range(200):
            damaged = bytearray(whole)
            damaged[stream.integers(min(200, len(whole)))] = stream.integers(256)
            path.write_bytes(damaged)
            with contextlib.suppress(BadInput):  # some are still weights
                geister.read_weights(str(path))


def test_the_command_trains_goes_on_and_refuses_another_training(tmp_path: Path) -> None:
    run = CliRunner()
    file, weights = tmp_path / "training.npz", tmp_path / "weights.npz"
    words = ["train", "hayazashi", str(file), "--seed", "4"]
    assert run.invoke(app, [*words, "--games", "3"]).exit_code == 0
    result = run.invoke(app, [*words, "--games", "6", "--weights", str(weights), "--json"])
    assert json.loads(result.stdout)["games"] == 6
    assert geister.read_weights(str(weights)) == pytest.approx(
        geister.read_weights(str(file)), rel=1e-6
    )
    result = run.invoke(app, ["train", "hayazashi", str(file), "--seed", "5"])
    assert "is a training with seed 4" in str(result.exception)


# --- Weights and the player ----------------------------------------------------------------------


def written(directory: Path, theta: np.ndarray) -> str:
    np.save(directory / "theta.npy", theta)
    return str(directory / "theta.npy")


@pytest.mark.parametrize(
    ("theta", "reason"),
    [
        (np.zeros(8127), "needs 8128 floating numbers"),
        (np.zeros(8128, np.int64), "needs 8128 floating numbers"),
        (np.full(8128, np.nan), "not finite"),
        (np.full(8128, np.inf), "not finite"),
        (np.full(8128, 1e300), "too large"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(
    tmp_path: Path, theta: np.ndarray, reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        players.build(f'hayazashi:weights="{written(tmp_path, theta)}"', game)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "there is no file"),
        (b"", "is not a file of"),
        (b"PK\x03\x04rubbish", "is not a file"),
    ],
)
def test_files_that_are_no_weights_are_refused(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file = tmp_path / "weights.npz"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadInput, match=reason):
        geister.read_weights(str(file))
    np.savez(file, other=np.zeros(8128))
    with pytest.raises(BadInput, match="needs 8128 floating numbers"):
        geister.read_weights(str(file))
    np.save(tmp_path / "objects.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(BadInput, match="is not a file of"):
        geister.read_weights(str(tmp_path / "objects.npy"))
    with pytest.raises(BadInput, match="no weights called 'nobody'"):
        geister.read_weights("nobody")


def test_the_player_takes_the_likeliest_move_and_any_of_several(tmp_path: Path) -> None:
    theta = weights_of(8)
    hayazashi = players.build(f'hayazashi:weights="{written(tmp_path, theta)}"', game)
    state = game.parse_position(random_game(8, 12).text())
    odds = weighed(geister.hayazashi(theta), state)
    move = hayazashi.choose(game.view(state, 0), rng.seeded(1)).move
    assert game.move_text(state, move) == max(odds, key=lambda text: odds[text])
    other = players.build(f'hayazashi:weights="{written(tmp_path, 0 * theta)}"', game)
    drawn = {other.choose(state, rng.seeded(seed)).move for seed in range(200)}
    assert drawn == set(game.legal_moves(state))
    assert hayazashi.identity != other.identity
    with pytest.raises(BadInput, match="hayazashi plays Geister, not Go"):
        players.build("hayazashi", games.load("go"))


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published weights are not here")
@pytest.mark.skipif(not FAST, reason="200 games take too long un-compiled")
def test_the_published_weights_beat_random_play() -> None:
    won, lost = learning.wins_against(geister.read_weights(str(PUBLISHED)), None, 400)
    assert won >= 0.95 * 400
    assert won + lost <= 400


@pytest.mark.skipif(not FAST, reason="200 games take too long un-compiled")
def test_the_shipped_weights_beat_random_play() -> None:
    won, _ = learning.wins_against(geister.read_weights("hayazashi-1"), None, 400)
    assert won >= 0.95 * 400
