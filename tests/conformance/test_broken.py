"""The checks can fail: each of these games is a wrong line or two away from a right one."""

from pathlib import Path

import numba
import pytest

from tesuji import conformance, games

ROOT = Path(__file__).parents[2]
CONNECT_FOUR = ROOT / "examples" / "connect_four.py"
AUCTION = ROOT / "tests" / "toys" / "auction.py"

# name: (a right game, the check that must fail, what to replace in it)
BROKEN: dict[str, tuple[Path, str, dict[str, str]]] = {
    "too_long": (CONNECT_FOUR, "bounds", {"length=COLUMNS * ROWS": "length=9"}),
    "too_wide": (CONNECT_FOUR, "bounds", {"moves=COLUMNS": "moves=6"}),
    "long_turns": (AUCTION, "bounds", {"moves_per_turn=2": "moves_per_turn=1"}),
    "odd_outcome": (CONNECT_FOUR, "bounds", {"return 1.0 if": "return 3.0 if"}),
    "listed_twice": (CONNECT_FOUR, "legality", {"moves[count] = column": "moves[count] = 0"}),
    "nothing_played": (AUCTION, "legality", {"    state.ply += 1\n": ""}),
    "same_text": (CONNECT_FOUR, "text", {'return "abcdefg"[move]': 'return "aacdefg"[move]'}),
    "bad_markup": (CONNECT_FOUR, "text", {"[dim]· [/]": "[dim]· [/dimm]"}),
    "no_drawing": (CONNECT_FOUR, "text", {'return "\\n".join([*lines,': 'print("\\n", [*lines,'}),
    "lost_mover": (AUCTION, "text", {"state.wins, state.ply]": "state.wins, 3]"}),
    "path_in_hash": (
        CONNECT_FOUR,
        "hash",
        {
            '("ply", "i1"),': '("ply", "i1"),\n        ("latest", "i1"),',
            "    state.ply += 1\n    if": "    state.ply += 1\n    state.latest = move\n    if",
            "key = ZOBRIST[0, 0, 0]": "key = ZOBRIST[0, state.latest, 0]",
        },
    ),
    "weak_hash": (CONNECT_FOUR, "hash", {"range(state.height[column])": "range(1)"}),
    "crooked": (CONNECT_FOUR, "symmetries", {"COLUMNS - 1 - move": "(COLUMNS - 2 - move) % 7"}),
    "open_secret": (AUCTION, "hidden", {"state.secret[1 - player] = UNKNOWN": "pass"}),
    "one_world": (AUCTION, "hidden", {"below(rng, 4)": "2"}),
    "unfair_odds": (AUCTION, "chance", {"2 / 3 if": "1 / 2 if"}),
}


def rewritten(name: str, original: Path, changes: dict[str, str], folder: Path) -> str:
    source = original.read_text()
    for right, wrong in {**changes, f'name="{original.stem}"': f'name="{name}"'}.items():
        assert right in source, right
        source = source.replace(right, wrong)
    file = folder / f"{name}.py"
    file.write_text(source)
    return str(file)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_caught(name: str, tmp_path: Path) -> None:
    original, check, changes = BROKEN[name]
    game = games.load(rewritten(name, original, changes, tmp_path))
    with pytest.raises(conformance.Broken):
        getattr(conformance, f"check_{check}")(game, 1, 6)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled in this run")
def test_a_rule_that_reads_a_changing_global_is_caught(tmp_path: Path) -> None:
    """Numba freezes globals when it compiles, so such a rule is not one rule."""
    changes = {"stone = 1 + state.ply % 2": "stone = 1 + (state.ply + SHIFT) % 2"}
    spec = rewritten(
        "shifty",
        CONNECT_FOUR,
        {**changes, "COLUMNS, ROWS =": "SHIFT = 0\nCOLUMNS, ROWS ="},
        tmp_path,
    )
    game = games.load(spec)
    assert conformance.check_plain(game, 1, 6)
    game.module.SHIFT = 1
    with pytest.raises(conformance.Broken, match="different states"):
        conformance.check_plain(game, 1, 6)
