"""UCT against games that can be solved, and the promises of its interface."""

import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from tesuji import games, knowledge, rng
from tesuji.errors import BadInput
from tesuji.search import uct
from tesuji.search.tree import new_tree

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = games.load(str(ROOT / "examples" / "connect_four.py"))
WINDY_NIM = games.load(str(ROOT / "tests" / "toys" / "windy_nim.py"))
AUCTION = games.load(str(ROOT / "tests" / "toys" / "auction.py"))
SLOW = bool(numba.config.DISABLE_JIT)


@cache
def chance_to_win(pile: int, stage: int) -> float:
    """The probability that the mover takes the last stone of windy nim, from first principles."""
    values = []
    for take in (1, 2):
        left = pile - take
        if left == 0:
            values.append(1.0)
        elif left > 0 and stage == 0:
            values.append(chance_to_win(left, 1))
        elif left > 0:
            windy = 0.25 if left > 1 else 0.0
            values.append((1 - windy) * (1 - chance_to_win(left, 0)))
            if windy:
                values[-1] += windy * (1 - chance_to_win(left - 1, 0))
    return max(values)


@pytest.mark.parametrize("pile", [3, 5, 6] if SLOW else [3, 5, 6, 8, 11])
def test_values_belong_to_players_through_long_turns_and_lots(pile: int) -> None:
    """A search that negated values at every move, or chose the wind, would be far off here."""
    state = WINDY_NIM.new(pile=pile)
    result = uct.search(state, simulations=2000 if SLOW else 50_000, c=0.5, rng=1)
    assert result.candidates[0].value == pytest.approx(chance_to_win(pile, 0), abs=0.05)


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("XXX/O/O/O///", "a"),  # X makes four in a column
        ("XO/XO/XO////", "d"),  # and in a row
        ("OOO/XX/XX////", "a"),  # X has no four yet and must stop O's column
        ("X/OX/XOX/OXO/O//", "d"),  # the diagonal from a1
        ("/X/X//O/O/", "d"),  # an open three, or the same for O
    ],
)
def test_connect_four_tactics(position: str, moves: str) -> None:
    state = CONNECT_FOUR.parse_position(position)
    result = uct.search(state, simulations=600 if SLOW else 20_000, rng=3)
    assert CONNECT_FOUR.move_text(state, result.best) in moves


@pytest.mark.skipif(SLOW, reason="too few simulations in plain Python to see it")
def test_go_captures_the_large_chain() -> None:
    """White's thirty stones have one liberty: everything else is nonsense for Black."""
    game = games.load("go")
    text = "X8/XXXXXXXXX/XOOOOOOOO/XOOOOOOOO/XOOOOOOO1/XXXXXXXXO/9/9/9 X - 0 60 7.5"
    state = game.parse_position(text)
    result = uct.search(state, simulations=4000, rng=1)
    assert game.move_text(state, result.best) == "J5"


def test_the_same_seed_gives_the_same_tree_and_leaves_the_state_alone() -> None:
    game = games.load("go")
    state = game.new()
    before = state.tobytes()
    count = 5 if SLOW else 3000
    one, two, other = (uct.search(state, simulations=count, rng=seed) for seed in (7, 7, 8))
    assert state.tobytes() == before
    used = int(one.tree.used[0])
    for first, second in zip(one.tree, two.tree, strict=True):
        if first is None:
            continue
        assert np.array_equal(first[:used], second[:used])
    assert one.candidates != other.candidates


def test_a_tree_that_grows_in_steps_is_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enlarging the arrays in the middle of a search changes nothing."""
    state = CONNECT_FOUR.new()
    count = 100 if SLOW else 5000
    whole = uct.search(state, simulations=count, rng=5)
    enlarge, sizes = uct.enlarged, []

    def by_little(tree: uct.Tree, nodes: int) -> uct.Tree:
        sizes.append(len(tree.move) + 50)
        return enlarge(tree, sizes[-1])

    monkeypatch.setattr(uct, "FIRST_NODES", 1)
    monkeypatch.setattr(uct, "enlarged", by_little)
    stepwise = uct.search(state, simulations=count, rng=5)
    assert len(sizes) > 1
    assert stepwise.simulations == whole.simulations == count
    assert stepwise.candidates == whole.candidates
    assert stepwise.principal_variation() == whole.principal_variation()


def test_counts_add_up() -> None:
    state = CONNECT_FOUR.new()
    count = 200 if SLOW else 4000
    tree = uct.search(state, simulations=count, threshold=3, rng=2).tree
    used = int(tree.used[0])
    assert tree.visits[0] == count
    assert (tree.reward[:used] <= tree.visits[:used]).all()
    for node in range(used):
        if tree.children[node]:
            children = slice(tree.first[node], tree.first[node] + tree.children[node])
            inside = tree.visits[children].sum()
            # What a node saw before it had children is at most its threshold; the root's none.
            assert tree.visits[node] - 3 <= inside <= tree.visits[node]
            assert tree.visits[node] >= 3 or node == 0
    assert tree.visits[1 : 1 + tree.children[0]].sum() == count


def test_principal_variation_is_playable() -> None:
    state = CONNECT_FOUR.new()
    for move in uct.search(state, simulations=300, rng=2).principal_variation():
        CONNECT_FOUR.play(state, move)
    assert CONNECT_FOUR.turn(state) >= 1


def test_budgets() -> None:
    state = CONNECT_FOUR.new()
    assert uct.search(state, simulations=1).simulations == 1
    timed = uct.search(state, seconds=0.05)
    assert timed.simulations > 10
    assert timed.seconds >= 0.05
    both = uct.search(state, seconds=60.0, simulations=50)
    assert both.simulations == 50
    full = uct.search(state, simulations=10**6, max_nodes=200)
    assert full.simulations < 10**6
    assert full.tree.used[0] <= 200


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "needs a budget"),
        ({"simulations": 0}, "at least one simulation"),
        ({"seconds": -1.0}, "at least one simulation or some time"),
        ({"simulations": 5, "threshold": 0}, "threshold of at least 1"),
        ({"simulations": 5, "c": -1.0}, "c >= 0"),
        ({"simulations": 5, "max_nodes": 3}, "max_nodes"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        uct.search(CONNECT_FOUR.new(), **settings)  # type: ignore[arg-type]


def test_a_hidden_secret_makes_no_difference() -> None:
    """Searches of two states that look alike to the mover are the same search."""
    results = []
    for secret in ("0", "3"):
        state = AUCTION.new()
        for move in (secret, "2", "high"):
            AUCTION.play(state, AUCTION.parse_move(state, move))
        if AUCTION.player_to_move(state) == 0:
            for move in ("0", "0"):
                AUCTION.play(state, AUCTION.parse_move(state, move))
        assert AUCTION.player_to_move(state) == 1
        results.append(uct.search(state, simulations=500, rng=4).candidates)
    assert results[0] == results[1]


def test_a_game_that_is_over_is_refused() -> None:
    over = CONNECT_FOUR.parse_position("XXXX/OO/O////")
    with pytest.raises(BadInput, match="the game is over"):
        uct.search(over, simulations=10)


def test_a_stream_moves_on_between_searches() -> None:
    stream = rng.seeded(1)
    state = CONNECT_FOUR.new()
    first = uct.search(state, simulations=50, rng=stream)
    second = uct.search(state, simulations=50, rng=stream)
    assert first.candidates != second.candidates


def test_memory_per_child() -> None:
    tree = new_tree(1000)
    arrays = [array for array in tree if array is not None and array is not tree.used]
    assert sum(array.itemsize for array in arrays) <= 32


# --- What the papers vary ------------------------------------------------------------------------

MUST_BLOCK = "OOO/XX/XX////"  # X must stop O's column
FEW = 600 if SLOW else 6000


class Centre(NamedTuple):
    """A prior that likes one column."""

    column: int


class OneColumn(NamedTuple):
    """A pruning, a policy and a judge that know one column only."""

    column: int


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers of the classes above, taken away again after each test."""
    monkeypatch.setattr(knowledge, "_answers", dict(knowledge._answers))

    @knowledge.knows(Centre)
    def weigh(prior, state, moves, count, weights):  # type: ignore[no-untyped-def]
        for i in range(count):
            weights[i] = 0.9 if moves[i] == prior.column else 0.1 / (count - 1)

    @knowledge.knows(OneColumn)
    def prune(pruning, state, moves, count):  # type: ignore[no-untyped-def]
        for i in range(count):
            if moves[i] == pruning.column:
                moves[0] = moves[i]
                return 1
        return count

    @knowledge.knows(OneColumn)
    def rewards(evaluation, state):  # type: ignore[no-untyped-def]
        return 0.25, 0.5


RULES = [uct.RAVE(0.7, 100.0), uct.PUCT(), uct.AtRoot(uct.PUCT(), uct.UCB1(0.7))]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_finds_the_only_move(rule: Any) -> None:
    state = CONNECT_FOUR.parse_position(MUST_BLOCK)
    result = uct.search(state, simulations=FEW, rule=rule, rng=1)
    assert CONNECT_FOUR.move_text(state, result.best) == "a"
    assert result.tree.visits[0] == FEW


def test_priors_are_normalised_sorted_and_trusted() -> None:
    state = CONNECT_FOUR.new()
    known = uct.Knowledge(prior=Centre(5))
    result = uct.search(state, simulations=40, rule=uct.PUCT(), knowledge=known, rng=1)
    assert result.priors()[5] == pytest.approx(0.9)
    assert sum(result.priors().values()) == pytest.approx(1.0)
    assert int(result.tree.move[1]) == 5
    assert result.best == 5
    below = uct.AtRoot(uct.UCB1(), uct.PUCT())
    result = uct.search(state, simulations=40, rule=below, knowledge=known, rng=1)
    assert set(result.priors().values()) == {0.0}  # the root was not weighed


def test_widening_looks_at_the_likely_moves_first() -> None:
    known = uct.Knowledge(prior=Centre(5))
    result = uct.search(
        CONNECT_FOUR.new(), simulations=50, widening=0.3, knowledge=known, threshold=100, rng=1
    )
    tried = [candidate for candidate in result.candidates if candidate.visits]
    assert len(tried) == math.ceil(50**0.3)
    assert 5 in [candidate.move for candidate in tried]


def test_pruning_keeps_moves_out_of_the_tree() -> None:
    known = uct.Knowledge(pruning=OneColumn(2))
    result = uct.search(CONNECT_FOUR.new(), simulations=50, knowledge=known, rng=1)
    assert [candidate.move for candidate in result.candidates] == [2]


def test_a_cut_playout_is_worth_what_the_judge_says_to_each_player() -> None:
    known = uct.Knowledge(judge=OneColumn(0))
    result = uct.search(
        CONNECT_FOUR.new(), simulations=50, cut=0, knowledge=known, threshold=50, rng=1
    )
    assert {candidate.value for candidate in result.candidates} == {0.25}
    deeper = uct.search(CONNECT_FOUR.new(), simulations=500, cut=0, knowledge=known, rng=1)
    first = int(deeper.tree.first[0])
    grandchild = int(deeper.tree.first[first])
    assert deeper.tree.player[grandchild] == 1
    visits = deeper.tree.visits[grandchild]
    assert deeper.tree.reward[grandchild] == pytest.approx(0.5 * visits)


def test_haste_prefers_the_shorter_win() -> None:
    """All moves win in the end; only one wins at once."""
    state = CONNECT_FOUR.parse_position("XXX/O/O/O///")
    plain = {c.move: c.value for c in uct.search(state, simulations=FEW, rng=1).candidates}
    hasty = {
        c.move: c.value for c in uct.search(state, simulations=FEW, haste=0.2, rng=1).candidates
    }
    assert plain[0] == 1.0
    assert hasty[0] == pytest.approx(0.9)  # one turn: half of a fifth
    assert all(abs(value - 0.5) < 0.4 for move, value in hasty.items() if move != 0)


def test_a_tree_is_taken_over() -> None:
    state = CONNECT_FOUR.new()
    before = uct.search(state, simulations=400 if SLOW else 2000, rng=1)
    moves = before.principal_variation()[:2]
    rest = before.after(moves)
    assert rest is not None
    for move in moves:
        CONNECT_FOUR.play(state, move)
    had = int(rest.visits[0])
    assert had > 10
    count = int(rest.used[0])
    for node in range(count):
        children = slice(rest.first[node], rest.first[node] + rest.children[node])
        assert rest.visits[children].sum() <= rest.visits[node]
    result = uct.search(state, simulations=100, tree=rest, rng=1)
    assert result.simulations == 100
    assert result.tree.visits[0] == had + 100
    assert before.after([*moves, -1]) is None


def test_threads_share_the_simulations() -> None:
    state = CONNECT_FOUR.parse_position(MUST_BLOCK)
    one = uct.search(state, simulations=FEW + 1, threads=3, rng=1)
    two = uct.search(state, simulations=FEW + 1, threads=3, rng=1)
    assert one.simulations == FEW + 1
    assert one.candidates == two.candidates
    assert sum(candidate.visits for candidate in one.candidates) == FEW + 1
    assert CONNECT_FOUR.move_text(state, one.best) == "a"


def test_reports_come_while_it_thinks() -> None:
    seen: list[int] = []
    uct.search(CONNECT_FOUR.new(), seconds=0.4, report=lambda one: seen.append(one.simulations))
    assert seen
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"widening": 0.0}, "0 < widening <= 1"),
        ({"haste": 1.0}, "0 <= haste < 1"),
        ({"threads": 0}, "one thread or more"),
        ({"cut": -1}, "cut of 0 or more turns"),
    ],
)
def test_impossible_variants_are_refused(settings: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        uct.search(CONNECT_FOUR.new(), simulations=5, **settings)  # type: ignore[arg-type]
