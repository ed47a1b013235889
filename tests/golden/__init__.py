"""Golden playthroughs: whole games written down once, so that no change of a rule goes unseen.

`python -m tests.golden` writes the files again after a rule has changed on purpose (and its
version has been raised); the difference then shows in review.
"""

from pathlib import Path

from tesuji import rng, rules

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PLAYTHROUGHS = {
    "go": "go",
    "go-13": "go:size=13,komi=6.5",
    "amazons": "amazons",
    "amazons-6": "amazons:size=6",
    "geister": "geister",
    "skirmish": "skirmish:abilities=dash.fire.charge-bravery.confusion.fire",
    "tubstap": "tubstap:map=tesuji05",
    "connect-four": str(ROOT / "examples" / "connect_four.py"),
    "windy-nim": str(ROOT / "tests" / "toys" / "windy_nim.py"),
}


def playthrough(game: rules.Game, seed: int) -> str:
    """A random game from a seed: each position with its hash, legal moves and the move made."""
    state, stream = game.new(), rng.seeded(seed)
    lines = [f"# {game.title}, rules version {game.version}, seed {seed}"]
    while moves := game.legal_moves(state):
        move = game.random_move(state, stream)
        lines += [
            f"{game.position_text(state)}",
            f"  {game.position_hash(state):016x} {game.player_name(game.player_to_move(state))}: "
            f"{' '.join(sorted(game.move_text(state, m) for m in moves))}",
            f"  -> {game.move_text(state, move)}",
        ]
        game.play(state, move)
    lines += [game.position_text(state), f"  outcome {game.outcome(state):g}", ""]
    return "\n".join(lines)
