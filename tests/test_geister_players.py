"""What Geister's players make of the enemy's moves, and AokiUCT."""

from collections import Counter
from itertools import permutations
from typing import Any

import numba
import numpy as np
import pytest

from tests.naive.geister import LETTERS, random_game
from tests.naive.hayazashi import policy as naive_policy
from tests.test_geister import at
from tesuji import games, knowledge, players, rng
from tesuji.errors import BadInput
from tesuji.games.geister import BLUE, LAYOUTS, RED, UNKNOWN, game
from tesuji.kernels import kernel
from tesuji.knowledge import geister

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


def test_layouts_are_drawn_by_their_odds() -> None:
    view = game.view(game.parse_position(random_game(3, 12).text()), 0)
    odds = np.zeros(70)
    odds[[3, 40]] = 0.25, 0.75
    geister.consistent(odds, view, 1)
    possible = {
        tuple(g for g in range(8) if int(LAYOUTS[i]) >> g & 1) for i in np.flatnonzero(odds)
    }
    stream = rng.seeded(1)
    assert {drawn(geister.Worlds(odds), view, stream) for _ in range(100)} == possible


def test_layouts_that_contradict_what_is_known_are_ruled_out() -> None:
    view = game.view(at("A00B B11R a22B b33R c44B d55R"), 0)
    odds = np.full(70, 1 / 70)
    geister.consistent(odds, view, 1)
    assert np.count_nonzero(odds) == 6
    assert odds.sum() == pytest.approx(1)
    odds[:] = 0  # whatever was believed, something has to be true
    geister.consistent(odds, view, 1)
    assert np.count_nonzero(odds) == 6


# --- Signs ---------------------------------------------------------------------------------------


def seen(text: str, move: str, ply: int = 3) -> geister.Signs:
    whole = at(text, ply=ply)
    return geister.signs(game.view(whole, (ply + 1) % 2), game.parse_move(whole, move))


def test_signs_of_coming_near_and_going_away() -> None:
    assert seen("A33B B55R a31B b00R", "A,N") == (0, True, False, ())
    assert seen("A33B B55R a32B b00R", "A,S") == (0, False, True, ())
    assert seen("A33B B55R a32B b00R", "A,E") == (0, False, True, ())
    assert seen("A33B B23R a32B b00R", "A,E") == (0, False, False, ())  # from one to another
    assert seen("A33B B42R a32B b00R", "A,W") == (0, False, False, ())  # it captures
    assert seen("A05B B11R a30B b42R", "A,N", ply=2) == (0, False, False, ())


def test_signs_of_who_does_not_leave() -> None:
    assert seen("A33B B30R a55B b05R", "B,W") == (1, False, False, (1, 0))
    assert seen("A33B B30R a55B b00R", "B,N") == (1, False, False, (0,))
    assert seen("A00B B50R a55B b33R", "A,S", ply=2).stayed == (0, 1)


def test_redness_doubles_halves_and_has_bounds() -> None:
    weights = np.full(8, 2.0)
    geister.redder(weights, geister.Signs(1, True, False, ()))
    geister.redder(weights, geister.Signs(2, False, True, ()))
    geister.redder(weights, geister.Signs(2, False, True, ()))
    geister.redder(weights, geister.Signs(0, False, False, (5, 6)))
    geister.redder(weights, geister.Signs(5, True, False, ()))
    assert list(weights) == [2, 4, 1, 2, 2, 65536, 65536, 2]


@pytest.mark.parametrize("seed", range(6 if FAST else 1))
def test_bayes_rule_over_all_layouts(seed: int) -> None:
    """Against the same rule with the naive policy in every world."""
    theta = np.random.default_rng(seed).normal(0, 0.3, 8128)
    model = random_game(seed, 3 + 2 * seed)
    if model.mover == 0 or model.ending():
        return
    state = game.parse_position(model.text())
    view = game.view(state, 0)
    move = game.legal_moves(view)[seed]
    text, prior = game.move_text(view, move), np.arange(1.0, 71.0)
    geister.consistent(prior, view, 1)
    odds = prior.copy()
    geister.reconsider(
        odds, geister.hayazashi(theta), view, view.copy(), game.moves_buffer(view),
        np.empty(geister.MOST_MOVES), move, 0.25,
    )  # fmt: skip
    expected = np.zeros(70)
    for i in np.flatnonzero(prior):
        for ghost, letter in enumerate(LETTERS):
            model.players[1][letter].colour = "R" if int(LAYOUTS[i]) >> ghost & 1 else "B"
        texts = sorted(model.legal_moves())
        likely = naive_policy(model, texts, theta)[texts.index(text)]
        expected[i] = prior[i] * (0.75 * likely + 0.25 / len(texts))
    assert odds == pytest.approx(expected / expected.sum(), rel=1e-3)


# --- AokiUCT -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("weights") / "theta.npy"
    np.save(file, np.random.default_rng(7).normal(0, 0.1, 8128))
    return f'weights="{file}"'


@pytest.mark.parametrize(
    "settings",
    [
        "method=A", "method=B", "method=C", "method=none", "method=none,worlds=0", "worlds=3",
        "belief=uniform", "belief=policy", "belief=policy,worlds=5,proof=4",
    ],
)  # fmt: skip
def test_aoki_plays_and_the_same_whatever_the_hidden_colours_are(
    settings: str, weights: str
) -> None:
    """The enemy's colours change, but not what is seen of it, and not what is done about it."""

    def decisions(reds: str) -> list[int]:
        side = players.build(f"aoki:playouts=20,{settings},{weights}", game)
        sitting = players.Sitting(game, (side, None))
        stream, dice = rng.seeded(5), rng.seeded(6)
        found = []
        for _ in range(2):
            sitting.play(sitting.choose(stream).move)
            if sitting.state[0].ply == 1:
                sitting.play(game.parse_move(sitting.state, reds))
        for _ in range(8):
            legal = [m for m in game.legal_moves(sitting.state) if m % 64 in range(9, 55)]
            sitting.play(legal[rng.below(dice, len(legal))])
            decision = sitting.choose(stream)
            assert decision.move in game.legal_moves(sitting.state)
            found.append(decision.move)
            sitting.play(decision.move)
        assert not sitting.state[0].fate[1].any()
        return found

    assert decisions("ABCD") == decisions("EFGH")


def test_the_first_playout_goes_to_the_policys_favourite(weights: str) -> None:
    view = game.view(game.parse_position(random_game(2, 14).text()), 0)
    favourite = players.build(f"hayazashi:{weights}", game).choose(view, rng.seeded(1)).move
    for method in "ABC":
        side = players.build(f"aoki:playouts=1,method={method},{weights}", game)
        assert side.choose(view, rng.seeded(1)).move == favourite


def test_a_certain_win_is_played_at_once(weights: str) -> None:
    view = game.view(at("A02B B55R a50B b40R"), 0)
    side = players.build(f"aoki:playouts=1,proof=4,{weights}", game)
    assert game.move_text(view, side.choose(view, rng.seeded(1)).move) == "A,NORTH"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("aoki:worlds=0", "needs method=none"),
        ("aoki:worlds=30,playouts=20", "needs worlds from 0"),
        ("aoki:worlds=-1", "needs worlds from 0"),
        ("aoki:doubt=0", "needs 0 < doubt"),
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
