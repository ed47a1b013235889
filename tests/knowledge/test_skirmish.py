"""Kato's pruning and players, against the naive rules of the game."""

import random

import numpy as np
import pytest

from tests.naive.skirmish import NaiveSkirmish, around
from tests.naive.skirmish import Piece as NaivePiece
from tests.test_skirmish import model_of
from tesuji import games, knowledge, players, rng, rules
from tesuji.kernels import kernel
from tesuji.knowledge import choose, group, prune, rewards
from tesuji.knowledge.skirmish import FIXED, MOVING, Alike, Destroyed, Rules, Walks

GAME = games.load("skirmish:abilities=random")


@kernel
def kept(state, moves, pruning):  # type: ignore[no-untyped-def]
    count = rules.legal_moves(state[0], moves)
    return prune(pruning, state[0], moves, count)


@kernel
def chosen(state, moves, stream, policy):  # type: ignore[no-untyped-def]
    return choose(policy, state[0], moves, stream)


@kernel
def worth(state, judge):  # type: ignore[no-untyped-def]
    return rewards(judge, state[0])


@kernel
def kind(state, move, abstraction):  # type: ignore[no-untyped-def]
    return group(abstraction, state[0], move)


def positions(count: int, seed: int = 1, **options: str) -> list[rules.State]:
    """Positions in which a player is to move, from random games with some fighting."""
    dice, found = random.Random(seed), []
    for number in range(count):
        state = GAME.new(seed=number, **options)
        for _ in range(dice.randrange(60)):
            moves = GAME.legal_moves(state)
            deeds = [move for move in moves if 16 <= move < 512]
            GAME.play(state, dice.choice(deeds if deeds and dice.random() < 0.5 else moves))
            if GAME.is_over(state):
                break
        if not GAME.is_over(state) and GAME.player_to_move(state) in (0, 1):
            found.append(state)
    return found


def steps_to(model: NaiveSkirmish, piece: NaivePiece) -> dict[str, int]:
    """How many steps each cell that a piece can walk to takes, by breadth-first search."""
    zone = {c for other in model.pieces.values() if other.player != piece.player
            for c in around(other.cell)}  # fmt: skip
    reached, front = {piece.cell: 0}, [piece.cell]
    for step in range(1, 6 if piece.ability == "dash" else 5):
        entered = {c for old in front if old == piece.cell or old not in zone
                   for c in model.walks(piece) & around(old) if c not in reached}  # fmt: skip
        reached |= dict.fromkeys(entered, step)
        front = sorted(entered)
    return reached


def expected(state: rules.State) -> set[str]:
    """What the paper's pruning leaves, from its definition."""
    model, left = model_of(GAME.position_text(state)), set()
    for move in model.legal_moves():
        name, sign, cell = move[:1], move[1:2], move[2:]
        if sign != ":":
            left.add(move)
            continue
        piece = model.pieces[name]
        enemies = {p.cell for p in model.pieces.values() if p.player != piece.player}
        full = steps_to(model, piece)[cell] == (5 if piece.ability == "dash" else 4)
        if full or around(cell) & enemies:
            left.add(move)
    return left


def texts(state: rules.State, pruning: Walks) -> set[str]:
    buffer = GAME.moves_buffer(state)
    count = kept(state, buffer, pruning)
    moves = [GAME.move_text(state, int(move)) for move in buffer[:count]]
    assert len(moves) == len(set(moves))
    return set(moves)


def test_pruning_is_as_defined_and_playouts_draw_the_same_moves() -> None:
    stream = rng.seeded(1)
    for state in positions(60):
        wanted = expected(state)
        assert texts(state, Walks()) == wanted
        buffer = GAME.moves_buffer(state)
        drawn = {int(chosen(state, buffer, stream, Walks())) for _ in range(300)}
        assert {GAME.move_text(state, move) for move in drawn} <= wanted


def test_focus_acts_after_an_approach_and_does_not_approach_after_acting() -> None:
    state = GAME.parse_position(
        "6x7 1/10 first - a:c3:100:50/50/50:dash:m b:a1:100:50/50/50:dash:a "
        "c:a6:100:50/50/50:dash:- d:d3:100:50/50/50:dash:- e:g6:100:50/50/50:dash:- "
        "f:g1:100:50/50/50:dash:-"
    )
    assert texts(state, Walks(focus=1)) == {"a*d"}
    stream, buffer = rng.seeded(1), GAME.moves_buffer(state)
    drawn = {int(chosen(state, buffer, stream, Walks(focus=1))) for _ in range(50)}
    assert {GAME.move_text(state, move) for move in drawn} == {"a*d"}
    GAME.play(state, GAME.parse_move(state, "a*d"))
    walks = texts(state, Walks(focus=1))
    beside_d = {"b:d2", "b:c2", "b:e3", "b:d4"}
    assert not walks & beside_d
    assert texts(state, Walks()) & beside_d


@pytest.mark.parametrize("field", [FIXED, MOVING])
def test_a_battlefield_leaves_out_who_is_far_away(field: int) -> None:
    state = GAME.parse_position(
        "12x14 1/10 first - a:c3:100:50/50/50:fire:- b:a12:100:50/50/50:fire:- "
        "c:a11:100:50/50/50:fire:- d:a10:100:50/50/50:fire:- e:a9:100:50/50/50:fire:- "
        "f:b12:100:50/50/50:fire:- g:e3:100:50/50/50:fire:- h:n12:100:50/50/50:fire:- "
        "i:n11:100:50/50/50:fire:- j:n10:100:50/50/50:fire:- k:n9:100:50/50/50:fire:- "
        "l:m12:100:50/50/50:fire:-"
    )
    prepared = Walks(field=field).prepare(state)
    assert prepared.top < 11
    assert {move[0] for move in texts(state, prepared)} <= {"a", "e"}  # a's moves, and end
    if field == FIXED:
        far = GAME.new(board="12x14")
        assert prepared.prepare(far) == prepared  # it stays where it was first
        assert Walks(field=field).prepare(far) == Walks(field=field)  # no contact yet


def test_groups_tell_whom_a_walk_leads_to_and_which_way() -> None:
    state = GAME.parse_position(
        "6x7 1/10 first - a:b3:100:50/50/50:fire:- b:a1:100:50/50/50:fire:- "
        "c:a6:100:50/50/50:fire:- d:e3:100:50/50/50:fire:- e:e5:100:50/50/50:fire:- "
        "f:g1:100:50/50/50:fire:-"
    )

    def of(text: str) -> int:
        return int(kind(state, GAME.parse_move(state, text), Alike()))

    assert of("a:d3") == of("a:e2")  # both up to d alone
    assert of("a:d3") != of("a:e4")  # which is between d and e
    assert of("a:a2") == of("a:a4")  # both away
    assert of("a:a2") != of("a:c3")
    assert of("a:a2") != of("b:a2")
    assert of("end") != of("a:a2")


def test_the_rule_based_player_attacks_first_and_never_uses_a_special() -> None:
    stream = rng.seeded(3)
    for state in positions(60, seed=2):
        moves = GAME.legal_moves(state)
        attacks = {move for move in moves if 16 <= move < 256}
        walks = {move for move in moves if move >= 512}
        buffer = GAME.moves_buffer(state)
        for _ in range(20):
            assert int(chosen(state, buffer, stream, Rules())) in (attacks or walks or {0})


def test_the_reward_of_a_cut_is_each_sides_share_of_destroyed_pieces() -> None:
    state = GAME.new(seed=1)
    assert tuple(worth(state, Destroyed())) == (0.0, 0.0)
    text = GAME.position_text(state).split()
    for number in (4, 7, 8):  # a, d and e
        name, _, _, three, ability, _ = text[number].split(":")
        text[number] = f"{name}:-:0:{three}:{ability}:-"
    assert tuple(worth(GAME.parse_position(" ".join(text)), Destroyed())) == (
        pytest.approx(2 / 3),
        pytest.approx(1 / 3),
    )


def test_the_offers_are_described_and_play() -> None:
    for question in ("choose", "prune", "group", "rewards"):
        offered = knowledge.offers(GAME, question)
        assert offered
        assert all(offered.values())
    text = "uct:playouts=20,policy=field-moving,pruning=field-moving,cut=4,judge=destroyed"
    large = games.load("skirmish:board=12x14")
    player = players.build(text, large)
    assert player.choose(large.new(), rng.seeded(1)).move in large.legal_moves(large.new())
    assert np.isfinite(player.choose(large.new(), rng.seeded(2)).candidates[0].value)
