"""Players by name: what they are told, what they can play, and what they refuse."""

import inspect
from pathlib import Path

import pytest

from tesuji import games, players, rng, rules
from tesuji.errors import BadInput
from tesuji.players import Decision, Player, Report, Sitting

GEISTER = games.load("geister")
CONNECT_FOUR = games.load(str(Path(__file__).parent.parent / "examples" / "connect_four.py"))


class Notes(Player):
    """Plays the first legal move and writes down what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[bytes, int | None]] = []
        self.closed = False

    def choose(self, view: rules.State, rng: rng.Rng, report: Report | None = None) -> Decision:
        return Decision(rules.game_of(view).legal_moves(view)[0])

    def watch(self, view: rules.State, move: int | None) -> None:
        self.heard.append((view.tobytes(), move))

    def close(self) -> None:
        self.closed = True


def test_a_sitting_tells_each_side_what_it_may_know() -> None:
    sides = Notes(), Notes()
    sitting = Sitting(GEISTER, sides)
    views = []
    for _ in range(6):
        views.append([GEISTER.view(sitting.state, side).tobytes() for side in (0, 1)])
        sitting.play(sitting.choose(rng.seeded(1)).move)
    first, second = sides
    assert first.heard[1][1] is None  # the other's placement
    assert second.heard[0][1] is None
    assert [move for _, move in first.heard][2:] == sitting.moves[2:]
    for side, notes in enumerate(sides):
        assert [view for view, _ in notes.heard] == [both[side] for both in views]
    sitting.close()
    assert first.closed
    assert second.closed


def test_a_sitting_refuses_illegal_moves_and_absent_sides() -> None:
    sitting = Sitting(CONNECT_FOUR, (None, None))
    with pytest.raises(BadInput, match="not a legal move"):
        sitting.play(99)
    assert sitting.moves == []
    with pytest.raises(BadInput, match="plays from outside"):
        sitting.choose(rng.seeded(1))


def test_the_best_player_is_known_by_what_it_is() -> None:
    """A store never mixes games of what was the strongest player at different times."""
    identities = {name: players.build("best", games.load(name)).identity for name in games.names()}
    assert identities["go"].startswith("uct:")
    assert "haste=0.02" in identities["skirmish"]
    assert identities["geister"].startswith("aoki:")
    assert "seconds=3" in players.build("best:seconds=3", GEISTER).identity
    with pytest.raises(BadInput, match="some time"):
        players.build("best:seconds=0", CONNECT_FOUR)


@pytest.mark.parametrize("name", ["uct", "ismcts", "pmc", "policy", "random"])
def test_general_players_play_every_game(name: str) -> None:
    assert players.playable(name) == games.names()


def test_every_player_is_described() -> None:
    for name in players.names():
        text = inspect.getdoc(players.maker(name))
        assert text
        assert text.partition("\n")[0].endswith("."), name


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "policy",
        "pmc:rollouts=3",
        "ismcts:playouts=30",
        "uct:playouts=30,reuse=true",
        "uct:playouts=30,rule=puct,final=prior",
        "uct:playouts=30,rule=rave,final=mean",
        "uct:playouts=30,widening=0.5,threads=2",
    ],
)
def test_a_whole_game(text: str) -> None:
    sides = [players.build(text, CONNECT_FOUR) for _ in range(2)]
    sitting, stream = Sitting(CONNECT_FOUR, sides), rng.seeded(1)
    while not CONNECT_FOUR.is_over(sitting.state):
        decision = sitting.choose(stream)
        if decision.candidates:
            assert decision.move in [candidate.move for candidate in decision.candidates]
        sitting.play(decision.move)
    sitting.close()


@pytest.mark.parametrize(
    ("text", "game", "sentence"),
    [
        ("uct:playouts=0", "go", "at least one simulation"),
        ("uct:reuse=true", "geister", "cannot reuse its tree in geister"),
        ("uct:policy=prunde", "skirmish", "did you mean 'pruned'"),
        ("uct:policy=pruned", "go", "go has no 'pruned' for choose"),
        ("uct:rule=ucb2", "go", "must be one of ucb1, puct, rave"),
        ("ismcts:threshold=0", "go", "threshold of at least 1"),
        ("pmc:rollouts=0", "go", "at least one rollout"),
    ],
)
def test_what_is_refused(text: str, game: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        players.build(text, games.load(game))


def test_a_reused_tree_follows_the_game() -> None:
    """The tree that is taken over is that of the position, whatever the other side played."""
    player = players.build("uct:playouts=500,reuse=true", CONNECT_FOUR)
    sitting, stream = Sitting(CONNECT_FOUR, (player, None)), rng.seeded(2)
    first = sitting.choose(stream)
    sitting.play(first.move)
    sitting.play(first.line[1])
    second = sitting.choose(stream)
    assert sum(candidate.visits for candidate in second.candidates) > 500
    assert {candidate.move for candidate in second.candidates} == set(
        CONNECT_FOUR.legal_moves(sitting.state)
    )
