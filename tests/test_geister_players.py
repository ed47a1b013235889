"""What Geister's players make of the enemy's moves, and AokiUCT."""

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from typer.testing import CliRunner

from tests.naive.geister import random_game
from tests.test_geister import at
from tesuji import games, knowledge, players, rng
from tesuji.cli import app
from tesuji.errors import BadInput
from tesuji.games.geister import BLUE, LAYOUTS, RED, UNKNOWN, game
from tesuji.kernels import kernel
from tesuji.knowledge import geister
from tesuji.learn import redness

FAST = not numba.config.DISABLE_JIT


@kernel
def guess(belief: Any, state: Any, player: int, stream: Any) -> None:
    knowledge.guess(belief, state[0], player, stream)


def drawn(belief: Any, view: Any, stream: Any) -> tuple[int, ...]:
    """The enemy's reds in a world that a belief draws, having checked that it is a world."""
    world = view.copy()
    guess(belief, world, 0, stream)
    colours = [int(colour) for colour in world[0].colour[1]]
    assert colours.count(RED) == colours.count(BLUE) == 4
    for ghost in range(8):
        known = int(view[0].colour[1, ghost])
        assert known in (UNKNOWN, colours[ghost])
    assert game.position_text(game.view(world, 0)) == game.position_text(view)
    assert game.position_text(game.parse_position(game.position_text(world))) == (
        game.position_text(world)
    )
    assert world[0].blues[1] == game.parse_position(game.position_text(world))[0].blues[1]
    return tuple(ghost for ghost in range(8) if colours[ghost] == RED)


def one_by_one(weights: list[float], reds: int) -> Counter[frozenset[int]]:
    """The probabilities of draws without replacement."""
    found: Counter[Any] = Counter()
    for order in permutations(range(len(weights)), reds):
        chance, left = 1.0, sum(weights)
        for ghost in order:
            chance *= weights[ghost] / left
            left -= weights[ghost]
        found[frozenset(order)] += chance
    return found


def test_reds_are_drawn_by_redness_one_by_one() -> None:
    view = game.view(at("A00B B11R a22B b33R c44B d55R"), 0)
    on_board = [ghost for ghost in range(8) if view[0].colour[1, ghost] == UNKNOWN]
    assert on_board == [0, 1, 2, 3]
    weights = np.array([1.0, 2.0, 4.0, 8.0, 9.0, 9.0, 9.0, 9.0])
    expected = one_by_one([1.0, 2.0, 4.0, 8.0], 2)
    stream, draws = rng.seeded(1), 600 if FAST else 100
    counts: Counter[Any] = Counter()
    for _ in range(draws):
        reds = drawn(geister.Redness(weights), view, stream)
        counts[frozenset(ghost for ghost in reds if ghost < 4)] += 1
    error = sum((counts[key] - draws * p) ** 2 / (draws * p) for key, p in expected.items())
    assert error < 20.5  # chi-square with 5 degrees of freedom: p < 0.001


def test_layouts_are_drawn_by_their_weights() -> None:
    view = game.view(at("A00B B11R a22B b33R c44B d55R"), 0)
    weights = np.zeros(len(LAYOUTS))
    gone = sum(1 << ghost for ghost in range(8) if view[0].colour[1, ghost] == RED)
    chances = {0b0011 | gone: 1.0, 0b0101 | gone: 3.0, 0b1100 | gone: 4.0}
    for reds, weight in chances.items():
        weights[reds == LAYOUTS] = weight
    stream, draws = rng.seeded(1), 400 if FAST else 80
    found = Counter(drawn(geister.Layouts(weights), view, stream) for _ in range(draws))
    counts = {sum(1 << ghost for ghost in reds): count for reds, count in found.items()}
    assert counts.keys() <= chances.keys()
    expected = {reds: draws * weight / 8 for reds, weight in chances.items()}
    error = sum((counts.get(reds, 0) - e) ** 2 / e for reds, e in expected.items())
    assert error < 13.8  # chi-square with 2 degrees of freedom: p < 0.001


@kernel
def weigh(policy: Any, state: Any, moves: Any, count: int, weights: Any) -> None:
    knowledge.weigh(policy, state[0], moves, count, weights)


def test_suspicion_is_the_chance_of_a_move_with_each_layout() -> None:
    """A ghost is on its exit and does not leave, another is known, and the evidence is Bayes'."""
    whole = at("A33B B13R a55B b42R c20B d31R", ply=3)
    view, move = game.view(whole, 0), game.parse_move(whole, "B,W")
    theta = np.random.default_rng(3).normal(0, 0.3, (2, geister.FEATURES))
    policies = [geister.hayazashi(row) for row in theta]
    suspicion = geister.Suspicion(policies)
    for _ in range(2):  # the second time nothing new is learned
        suspicion.watch(view, move)
    redness = geister.Redness(np.arange(1.0, 9.0))
    weights = suspicion.belief(view, 1, redness).weights
    expected = np.zeros(len(LAYOUTS))
    for i, reds in enumerate(LAYOUTS):
        colours = [RED if reds >> ghost & 1 else BLUE for ghost in range(8)]
        if any(colours[ghost] != view[0].colour[1, ghost] for ghost in range(4, 8)):
            continue
        names = "".join(f" {'abcd'[g]}{cell}{'BR'[colours[g] == RED]}"
                        for g, cell in enumerate(("55", "42", "20", "31")))  # fmt: skip
        world = at(f"A33B B13R{names}", ply=3)
        moves = game.moves_buffer(world)
        legal = game.legal_moves(world)
        moves[: len(legal)] = legal
        chance = 0.0
        for policy in policies:
            chances = np.zeros(len(legal))
            weigh(policy, world, moves, len(legal), chances)
            share = dict(zip(legal, chances, strict=True))[move]
            chance += (0.8 * share + 0.2 / len(legal)) / len(policies)
        red = [ghost for ghost in range(8) if colours[ghost] == RED]
        expected[i] = chance**suspicion.STRENGTH * np.prod(redness.weights[red])
    assert np.count_nonzero(expected) == 6
    assert weights / weights.sum() == pytest.approx(expected / expected.sum(), rel=1e-5)


# --- Signs ---------------------------------------------------------------------------------------


def seen(text: str, move: str, ply: int = 3) -> geister.Signs:
    whole = at(text, ply=ply)
    return geister.signs(game.view(whole, (ply + 1) % 2), game.parse_move(whole, move))


def test_signs_of_coming_near_and_going_away() -> None:
    assert seen("A33B B55R a31B b00R", "A,N") == (0, True, False, (), ())
    assert seen("A33B B55R a32B b00R", "A,S") == (0, False, True, (), ())
    assert seen("A33B B55R a32B b00R", "A,E") == (0, False, True, (), ())
    assert seen("A33B B23R a32B b00R", "A,E") == (0, False, False, (), ())  # from one to another
    assert seen("A33B B42R a32B b00R", "A,W") == (0, False, False, (), ())  # it captures
    assert seen("A05B B11R a30B b42R", "A,N", ply=2) == (0, False, False, (), ())


def test_signs_of_who_does_not_leave() -> None:
    assert seen("A33B B30R a55B b05R", "B,W") == (1, False, False, (), (1, 0))
    assert seen("A33B B30R a55B b00R", "B,N") == (1, False, False, (), (0,))
    assert seen("A00B B50R a55B b33R", "A,S", ply=2).stayed == (0, 1)


def test_signs_of_who_waits_next_to_one_of_ours() -> None:
    assert seen("A33B B55R C01B a32B b00R c54R", "C,S").waited == (1, 0)
    assert seen("A33B B55R C01B a32B b00R c54R", "A,E").waited == (1, 2)


def test_redness_doubles_halves_and_has_bounds() -> None:
    weights = np.full(8, 2.0)
    geister.redder(weights, geister.Signs(1, True, False, (), ()))
    geister.redder(weights, geister.Signs(2, False, True, (), ()))
    geister.redder(weights, geister.Signs(2, False, True, (), ()))
    geister.redder(weights, geister.Signs(0, False, False, (3,), (5, 6)))
    geister.redder(weights, geister.Signs(5, True, False, (), ()))
    assert list(weights) == [2, 4, 1, 2.4, 2, 65536, 65536, 2]


def test_trails_count_what_ghosts_do_and_see_where_they_are() -> None:
    trails = geister.Trails()
    whole = at("A33B B55R a31B b15R", ply=3)
    view = game.view(whole, 0)
    trails.watch(view, game.parse_move(whole, "A,N"))
    assert trails.counts[0].tolist() == [1, 0, 0, 1, 0, 0, 0, 0]
    assert not trails.counts[1].any()
    game.play(whole, game.parse_move(whole, "A,N"))
    game.play(whole, game.parse_move(whole, "B,W"))
    view = game.view(whole, 0)
    assert set(trails.traits(view, 1)) == {0, 1}
    assert trails.traits(view, 1)[0] == pytest.approx(
        [np.log(2), 0, 0, np.log(2), 0, 0, 0, 0, 0.5, 1, 1]
    )
    trails.watch(view, game.parse_move(whole, "B,E"))  # the other one waits next to ours
    assert trails.counts[0, 6] == 1
    assert trails.counts[1].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert geister.prior_odds(view, 1) == 1.0


def test_regression_finds_the_weights_that_made_the_colours() -> None:
    dice = np.random.default_rng(1)
    traits, truth = dice.normal(size=(20_000, 3)), np.array([1.0, -2.0, 0.0])
    offsets = dice.normal(size=20_000)
    red = dice.random(20_000) < 1 / (1 + np.exp(-(traits @ truth + offsets)))
    samples = redness.Samples(traits, offsets, red)
    learned = redness.fit(samples)
    assert learned == pytest.approx(truth, abs=0.1)
    assert redness.loss(samples, learned) < redness.loss(samples, 0 * learned) < 1.5


def test_the_command_learns_redness_that_a_player_can_use(tmp_path: Path, weights: str) -> None:
    file = tmp_path / "redness.npz"
    theta = weights.removeprefix('weights="').rstrip('"')
    words = ["train", "redness", str(file), "--games", "3", "--weights", theta, "--json"]
    report = json.loads(CliRunner().invoke(app, words).stdout)
    assert set(report["weights"]) == set(geister.TRAITS)
    assert geister.read_redness(str(file)).tolist() == list(report["weights"].values())
    with pytest.raises(BadInput, match="needs 11 floating numbers"):
        geister.read_redness(theta)


# --- AokiUCT -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("weights") / "theta.npy"
    np.save(file, np.random.default_rng(7).normal(0, 0.1, 8128))
    return f'weights="{file}"'


def is_safe(state: Any, move: int) -> bool:
    """Whether no ghost can leave or be captured next, for that tells colours."""
    ahead = state.copy()
    game.play(ahead, move)
    for answer in game.legal_moves(ahead):
        after = ahead.copy()
        game.play(after, answer)
        if after[0].fate.any() or game.is_over(after):
            return False
    return True


@pytest.mark.parametrize(
    "settings",
    [
        "method=A", "method=B", "method=C", "method=none", "method=none,worlds=0", "worlds=3",
        "method=A,worlds=0,frame=mover", "method=B,worlds=0,outlook=outlook-1",
        "belief=uniform", "belief=learned", "belief=learned,worlds=5,proof=4",
        "belief=policy",
    ],
)  # fmt: skip
def test_aoki_plays_and_the_same_whatever_the_hidden_colours_are(
    settings: str, weights: str
) -> None:
    """The enemy's colours change, but not what is seen of it, and not what is done about it."""

    def decisions(reds: str, seed: int) -> list[int]:
        side = players.build(f"aoki:playouts=20,{settings},{weights}", game)
        sitting = players.Sitting(game, (side, None))
        stream, dice = rng.seeded(5), rng.seeded(seed)
        found = []
        for _ in range(2):
            sitting.play(sitting.choose(stream).move)
            if sitting.state[0].ply == 1:
                sitting.play(game.parse_move(sitting.state, reds))
        for _ in range(8):
            legal = [m for m in game.legal_moves(sitting.state) if is_safe(sitting.state, m)]
            if not legal:
                break
            sitting.play(legal[rng.below(dice, len(legal))])
            decision = sitting.choose(stream)
            assert decision.move in game.legal_moves(sitting.state)
            found.append(decision.move)
            sitting.play(decision.move)
        return found

    games_found = [decisions("ABCD", seed) for seed in (6, 7, 8)]
    assert max(len(found) for found in games_found) >= 4
    assert games_found == [decisions("EFGH", seed) for seed in (6, 7, 8)]


def test_the_first_playout_goes_to_the_policys_favourite(weights: str) -> None:
    view = game.view(game.parse_position(random_game(2, 14).text()), 0)
    favourite = players.build(f"hayazashi:{weights}", game).choose(view, rng.seeded(1)).move
    for method in "ABC":
        side = players.build(f"aoki:playouts=1,method={method},{weights}", game)
        assert side.choose(view, rng.seeded(1)).move == favourite


def test_it_tells_what_it_thinks_after_each_world(weights: str) -> None:
    view = game.view(game.parse_position(random_game(2, 14).text()), 0)
    told: list[players.Decision] = []
    side = players.build(f"aoki:playouts=30,worlds=3,{weights}", game)
    decision = side.choose(view, rng.seeded(1), told.append)
    assert [one.simulations for one in told] == [10, 20, 30]
    assert told[-1] == decision


def test_a_certain_win_is_played_at_once(weights: str) -> None:
    view = game.view(at("A02B B55R a50B b40R"), 0)
    side = players.build(f"aoki:playouts=1,proof=4,{weights}", game)
    assert game.move_text(view, side.choose(view, rng.seeded(1)).move) == "A,NORTH"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("aoki:worlds=0", "needs method A, B or none"),
        ("aoki:worlds=30,playouts=20", "needs worlds from 0"),
        ("aoki:worlds=-1", "needs worlds from 0"),
        ("aoki:proof=13", "proof from 0 to 12"),
        ("aoki:playouts=0", "budget"),
        ("aoki:method=D", "must be one of A, B, C, none"),
        ("naotti:depth=0", "depth from 1 to 12"),
    ],
)
def test_settings_that_make_no_sense_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        players.build(text, game)


def test_other_games_are_refused() -> None:
    for name in ("aoki", "naotti", "hayazashi"):
        with pytest.raises(BadInput, match=f"{name} plays Geister, not Go"):
            players.build(name, games.load("go"))
