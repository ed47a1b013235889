"""Information-set search and shared nodes, on games whose answers are known; and flat search."""

import time
from pathlib import Path
from typing import NamedTuple

import numba
import pytest

from tesuji import games, knowledge
from tesuji.errors import BadInput
from tesuji.search import montecarlo, openloop, uct
from tesuji.search.budget import spend

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = games.load(str(ROOT / "examples" / "connect_four.py"))
WINDY_NIM = games.load(str(ROOT / "tests" / "toys" / "windy_nim.py"))
AUCTION = games.load(str(ROOT / "tests" / "toys" / "auction.py"))
SLOW = bool(numba.config.DISABLE_JIT)
FEW = 500 if SLOW else 20_000


def auction(*moves: str) -> openloop.rules.State:
    state = AUCTION.new()
    for move in moves:
        AUCTION.play(state, AUCTION.parse_move(state, move))
    return state


def test_it_agrees_with_the_closed_search_where_nothing_is_hidden() -> None:
    state = CONNECT_FOUR.parse_position("OOO/XX/XX////")
    result = openloop.search(state, simulations=FEW // 4, rng=1)
    assert CONNECT_FOUR.move_text(state, result.best) == "a"
    assert sum(candidate.visits for candidate in result.candidates) == FEW // 4
    assert result.principal_variation()[0] == result.best


def test_lots_are_drawn_by_their_odds() -> None:
    """Player 1 has picked 3 and the higher number will win twice out of three times."""
    state = WINDY_NIM.new(pile=5)
    closed = uct.search(state, simulations=FEW, c=0.5, rng=1)
    opened = openloop.search(state, simulations=FEW, c=0.5, rng=1)
    assert opened.candidates[0].value == pytest.approx(closed.candidates[0].value, abs=0.06)


def test_the_value_is_that_over_all_worlds_not_of_one() -> None:
    """The high number wins; the mover has 3 and may add 2, the other has 0 to 3 and may add 2.

    Adding both times wins against 0 to 2 and draws against 3: seven eighths over all worlds.
    """
    state = auction("3", "0", "high")
    result = openloop.search(state, simulations=FEW, c=0.5, rng=1)
    assert result.best == 1
    assert result.candidates[0].value == pytest.approx(7 / 8, abs=0.08)


class Leftmost(NamedTuple):
    """A prior that is in favour of the first move."""


def test_a_prior_is_followed_until_results_speak_against_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(knowledge, "_answers", dict(knowledge._answers))

    @knowledge.knows(Leftmost)
    def weigh(prior, state, moves, count, weights):  # type: ignore[no-untyped-def]
        for i in range(count):
            weights[i] = 0.6 if i == 0 else 0.4 / (count - 1)

    known, rule = uct.Knowledge(prior=Leftmost()), uct.PUCT(unvisited=0.0)

    def search(state: openloop.rules.State, simulations: int) -> openloop.Result:
        return openloop.search(state, simulations=simulations, rule=rule, knowledge=known, rng=1)

    few = search(CONNECT_FOUR.new(), 20)
    assert few.best == 0
    assert sum(candidate.visits for candidate in few.candidates) == 20
    threat = CONNECT_FOUR.parse_position("//XX/XX///OOO")
    assert CONNECT_FOUR.move_text(threat, search(threat, max(500, FEW // 10)).best) == "g"
    lots = search(WINDY_NIM.new(pile=5), FEW)  # chance has no prior
    closed = uct.search(WINDY_NIM.new(pile=5), simulations=FEW, c=0.5, rng=1)
    assert lots.candidates[0].value == pytest.approx(closed.candidates[0].value, abs=0.06)


def test_a_secret_makes_no_difference() -> None:
    results = [
        openloop.search(auction("1", secret, "low"), simulations=300, rng=3) for secret in "03"
    ]
    assert results[0].candidates == results[1].candidates


def test_secret_moves_of_the_other_share_a_node() -> None:
    """After its own pick the first player sees one event, the other's pick."""
    tree = openloop.search(AUCTION.new(), simulations=200, rng=1).tree
    picks = [node for node in range(int(tree.used[0])) if tree.player[node] == 1]
    own = [node for node in range(1, int(tree.used[0])) if tree.player[node] == 0]
    assert picks
    assert len([node for node in picks if tree.key[node] == -2]) <= len(own)


class Parity(NamedTuple):
    """Columns a, c, e, g are alike, and so are b, d, f."""


def test_alike_moves_share_a_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "_answers", dict(knowledge._answers))

    @knowledge.knows(Parity)
    def group(abstraction, state, move):  # type: ignore[no-untyped-def]
        return move % 2

    known = uct.Knowledge(abstraction=Parity())
    shared = openloop.search(CONNECT_FOUR.new(), simulations=100, knowledge=known, rng=1)
    assert sorted(candidate.move % 2 for candidate in shared.candidates) == [0, 1]
    represented = uct.search(CONNECT_FOUR.new(), simulations=100, knowledge=known, rng=1)
    assert sorted(candidate.move % 2 for candidate in represented.candidates) == [0, 1]


def test_it_is_reproducible_and_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    state = auction("1", "2")
    state = auction("1", "2", "high")
    one = openloop.search(state, simulations=400, rng=5)
    monkeypatch.setattr(openloop, "FIRST_NODES", 1)
    two = openloop.search(state, simulations=400, rng=5)
    assert one.candidates == two.candidates
    full = openloop.search(CONNECT_FOUR.new(), simulations=10_000, max_nodes=100, rng=1)
    assert full.simulations < 10_000


def test_bad_settings_are_refused() -> None:
    with pytest.raises(BadInput, match="needs a budget"):
        openloop.search(AUCTION.new())
    over = CONNECT_FOUR.parse_position("XXXX/OO/O////")
    for search in (openloop.search, montecarlo.search):
        with pytest.raises(BadInput, match="the game is over"):
            search(over, **({"simulations": 5} if search is openloop.search else {}))
    with pytest.raises(BadInput, match="at least one rollout"):
        montecarlo.search(CONNECT_FOUR.new(), rollouts=0)


def test_flat_search_finds_the_only_move_and_shares_evenly() -> None:
    state = CONNECT_FOUR.parse_position("OOO/XX/XX////")
    result = montecarlo.search(state, rollouts=20 if SLOW else 200, rng=1)
    assert CONNECT_FOUR.move_text(state, result.best) == "a"
    assert {candidate.visits for candidate in result.candidates} == {20 if SLOW else 200}


def test_flat_search_knows_no_secrets() -> None:
    results = [
        montecarlo.search(auction("1", secret, "low"), rollouts=50, rng=3) for secret in "03"
    ]
    assert results[0].candidates == results[1].candidates


def test_a_search_may_end_when_time_cannot_change_its_choice() -> None:
    state = CONNECT_FOUR.parse_position("OOO/XX/XX////")
    for early in (False, True):
        result = openloop.search(state, seconds=2.0, early=early, rng=1)
        assert CONNECT_FOUR.move_text(state, result.best) == "a"
        assert (result.seconds < 1.9) == early


def test_what_the_time_left_allows_is_asked_for() -> None:
    asked: list[int] = []

    def settled(left: int) -> bool:
        asked.append(left)
        return len(asked) == 3

    done = spend(lambda count: count, None, time.perf_counter() + 60, settled=settled)
    assert done >= 48
    assert len(asked) == 3
    assert min(asked) > 0
