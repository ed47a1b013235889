"""GNU Go against our UCT through the arena, and whether both programs count the games alike.

    python benchmarks/gnugo.py
    python benchmarks/gnugo.py --games 20 --ours gnugo    # level 0 in our place

Every game is then shown to GNU Go once more, which must find each move legal and count the final
board as we do. A board on which one side has lost everything says little, so the others are
counted; GNU Go against itself leaves more of them. The rules are made the same by GNU Go's options,
and dead stones are played out by both.
"""

import argparse
import sys

from tesuji.arena import Record, Store, match, replay
from tesuji.arena.export import area
from tesuji.cli.arena import print_match
from tesuji.formats.gtp import Engine
from tesuji.games import go

RULES = (
    "--chinese-rules --positional-superko --play-out-aftermath --capture-all-dead --never-resign"
)
SECONDS = 60.0


def command(level: int) -> str:
    return f"gnugo --mode gtp --level {level} {RULES}"


def score_here(record: Record) -> str:
    """Our count of a finished game: `B+3.5`."""
    state = replay(record)
    points = area(state) - state[0].double_komi / 2
    return f"{'B' if points > 0 else 'W'}+{abs(points):.1f}" if points else "0"


def both_alive(record: Record) -> bool:
    """Whether both colours are on the final board."""
    return {go.BLACK, go.WHITE} <= set(replay(record)[0].colour.tolist())


def score_there(record: Record) -> str:
    """GNU Go's count; an illegal move raises an EngineError."""
    state = replay(record, 0)
    engine = Engine(command(1))
    try:
        engine.ask(f"boardsize {int(len(state[0].empty) ** 0.5)}", SECONDS)
        engine.ask("clear_board", SECONDS)
        engine.ask(f"komi {state[0].double_komi / 2}", SECONDS)
        for number, move in enumerate((*record.task.opening, *record.moves)):
            engine.ask(f"play {('black', 'white')[number % 2]} {move}", SECONDS)
        return engine.ask("final_score", SECONDS)
    finally:
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--ours", default="uct:playouts=1000", help="a player, or gnugo")
    parser.add_argument("--level", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ours = f'gtp:"{command(0)}"' if options.ours == "gnugo" else f'played_out:"{options.ours}"'
    theirs = f'gtp:"{command(options.level)}"'
    with Store() as store:
        contest = match.Match("go", ours, theirs, options.games, options.seed)
        result = match.run(contest, store, progress=lambda _: print(".", end="", flush=True))
    print()
    print_match(result)
    unlike = mixed = 0
    for record in result.records:
        if record not in result.forfeits and score_here(record) != score_there(record):
            unlike += 1
            print(f"game {record.id}: here {score_here(record)}, there {score_there(record)}")
        mixed += both_alive(record)
    print(
        f"{len(result.records)} games, {len(result.forfeits)} forfeits, {unlike} counted unlike, "
        f"{mixed} boards with both colours"
    )
    sys.exit(1 if unlike or result.forfeits else 0)


if __name__ == "__main__":
    main()
