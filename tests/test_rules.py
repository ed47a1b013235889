"""Registration refuses what would go wrong later, in one sentence; Game checks what it is given."""

from pathlib import Path

import numpy as np
import pytest

from tesuji import games, rules
from tesuji.errors import BadInput

ROOT = Path(__file__).parent.parent
CONNECT_FOUR = ROOT / "examples" / "connect_four.py"

# name: (what to replace in connect four, what the refusal says)
REFUSED = {
    "no_verb": ({"def turn(": "def turns("}, r"no_verb\.py: the function turn\(state.*is missing"),
    "half_text": ({"def parse_move(": "def read("}, "move_text and parse_move belong together"),
    "no_start": ({"def new_game(": "def start("}, r"the function new_game\(...\) is missing"),
    "names": ({"def play(state, move)": "def play(state, column)"}, r"play must take \(state, move\)"),
    "numpy_name": ({'("ply", "i1")': '("size", "i1")'}, r"field 'size' has the name of a NumPy"),
    "bad_field": ({'("ply", "i1")': '("ply", "no")'}, r"fields of the state are not usable"),
    "two_fields": ({'("ply", "i1")': '("height", "i1")'}, r"fields of the state are not usable"),
    "no_bound": ({"moves=COLUMNS": "moves=0"}, r"bounds \(0, 42\) must be positive"),
    "no_state": ({"{State: rules.Bounds(moves=COLUMNS, length=COLUMNS * ROWS)}": "{}"}, "no state"),
    "version_0": ({"version=1": "version=0"}, "whole numbers from 1"),
    "three": ({'("Yellow", "Red")': '("Yellow", "Red", "Blue")'}, "there are two players, not 3"),
    "no_default": ({"def new_game()": "def new_game(size)"}, "option 'size' of new_game needs"),
    "no_name": ({"    __name__,": "    'foo',"}, "with __name__ as its first argument, not 'foo'"),
    "symmetric": ({"def map_move": "def mapped_move"}, "map_move is needed just when"),
    "hides": ({"symmetries=2": "symmetries=2, hidden=True"}, "observe is needed just when"),
    "lots": ({"symmetries=2": "symmetries=2, chance=True"}, "chance_odds is needed just when"),
    "spaces": ({'name="connect_four"': 'name="connect four"'}, "letters, digits and underscores"),
    "takes_go": ({'name="connect_four"': 'name="go"'}, r"a game called 'go' is registered already"),
    "plain_dtype": (
        {"State = rules.state(\n    __file__,\n": "State = np.dtype(\n", "from tesuji import rng": "import numpy as np\nfrom tesuji import rng"},
        r"must be made by rules.state",
    ),
    "crash": ({"COLUMNS, ROWS = 7, 6": "COLUMNS, ROWS = 7, 6 / 0"}, r"crash\.py: line \d+: ZeroDivisionError"),
    "syntax": ({"def play(": "def play(("}, r"syntax\.py: line \d+: SyntaxError"),
    "nothing": ({"game = rules.register(": "(lambda *a, **k: None)("}, "registers 0 games"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_registration_refuses(name: str, tmp_path: Path) -> None:
    games.load("go")
    changes, sentence = REFUSED[name]
    source = CONNECT_FOUR.read_text()
    for right, wrong in changes.items():
        assert right in source
        source = source.replace(right, wrong)
    if 'name="connect_four"' not in changes:
        source = source.replace('name="connect_four"', f'name="{name}"')
    file = tmp_path / f"{name}.py"
    file.write_text(source)
    known = set(rules.registered())
    with pytest.raises(BadInput, match=sentence) as refusal:
        games.load(str(file))
    assert "\n" not in str(refusal.value)
    assert set(rules.registered()) == known


def test_the_same_state_twice_is_refused(tmp_path: Path) -> None:
    """Two files of equal content and name in two folders would be one type."""
    source = CONNECT_FOUR.read_text()
    for folder, name in (("one", "twin"), ("two", "twin")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "twin.py").write_text(source.replace("connect_four", name))
    games.load(str(tmp_path / "one" / "twin.py"))
    with pytest.raises(BadInput, match="taken by another Python module|registered already"):
        games.load(str(tmp_path / "two" / "twin.py"))


def test_games_of_equal_layout_are_told_apart(tmp_path: Path) -> None:
    source = CONNECT_FOUR.read_text()
    twins = []
    for name in ("left_twin", "right_twin"):
        file = tmp_path / f"{name}.py"
        file.write_text(source.replace('name="connect_four"', f'name="{name}"'))
        twins.append(games.load(str(file)))
    states = [twin.new() for twin in twins]
    assert states[0].dtype != states[1].dtype
    assert [rules.game_of(state).name for state in states] == ["left_twin", "right_twin"]


def test_loading_a_file_twice_gives_the_same_game() -> None:
    assert games.load(str(CONNECT_FOUR)) == games.load(str(CONNECT_FOUR))
    assert games.load("connect_four").title == "Connect four"


def test_unknown_games_and_options() -> None:
    with pytest.raises(BadInput, match=r"no game called 'goo' \(did you mean 'go'\?\)"):
        games.load("goo")
    with pytest.raises(BadInput, match=r"game go has no setting 'komy' \(did you mean 'komi'\?\)"):
        games.load("go:komy=5")
    with pytest.raises(BadInput, match="size must be one of 9, 13, 19, not '10'"):
        games.load("go:size=10")
    with pytest.raises(BadInput, match="komi must be a number, not 'x'"):
        games.load("go:komi=x")
    with pytest.raises(BadInput, match="komi must be a multiple of 0.5"):
        games.load("go:komi=0.3").new()
    with pytest.raises(BadInput, match="no game file missing.py"):
        games.load("missing.py")


def test_game_refuses_what_the_verbs_would_not() -> None:
    game = games.load("go")
    state = game.new()
    with pytest.raises(BadInput, match="not a legal move"):
        game.play(state, 5)
    with pytest.raises(BadInput, match="not over"):
        game.outcome(state)
    with pytest.raises(BadInput, match="A10' is neither"):
        game.parse_move(state, "A10")
    with pytest.raises(BadInput, match="needs a record of a registered game"):
        rules.turn(np.zeros(1)[0])
    for wrong in (np.zeros(1), state[0], None):
        with pytest.raises(BadInput, match="not a state of a registered game"):
            rules.game_of(wrong)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="not a state of a registered game"):
            game.legal_moves(wrong)  # type: ignore[arg-type]


def test_spec_names_the_options() -> None:
    game = games.load("go:size=13,komi=6.5")
    assert game.spec == "go:komi=6.5,size=13"
    assert games.load(game.spec).new().dtype == game.new().dtype
    assert game.new(size=19).dtype == games.load("go:size=19").new().dtype


def test_a_copy_has_no_uninitialised_bytes() -> None:
    """NumPy copies fields, not the gaps between them; so a state has no gaps."""
    for spec in ("go", "go:size=13", "go:size=19", str(CONNECT_FOUR)):
        state = games.load(spec).new()
        fields = state.dtype.fields
        assert fields is not None
        named = sum(fields[name][0].itemsize for name in state.dtype.names or ())
        assert named == state.dtype.itemsize
