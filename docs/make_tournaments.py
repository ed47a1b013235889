"""Make docs/tournaments.md: a round robin of five players or more on each of the five games.

    .venv/bin/python docs/make_tournaments.py

The games are kept in TESUJI_HOME; killed and started again, only what is missing is played.
"""

from pathlib import Path

from tesuji.arena import Store
from tesuji.arena.runners import Processes
from tesuji.arena.tournament import Tournament, TournamentResult, run
from tesuji.cli.arena import progress_bar

EVERYWHERE = ("random", "greedy", "pmc:rollouts=20", "uct:playouts=500", "ismcts:playouts=500")
LOOKING = "alphabeta:nodes=5000"
KATO = "uct:playouts=500,c=0.15,threshold=30,cut=4,judge=destroyed,pruning=pruned,policy=pruned"
FIELDS = {
    "amazons": (*EVERYWHERE, LOOKING),
    "geister": (*EVERYWHERE, "hayazashi"),
    "go": (*EVERYWHERE, LOOKING),
    "skirmish:abilities=random": (*EVERYWHERE, KATO),
    "tubstap": (*EVERYWHERE, LOOKING),
}
GAMES = 20

HEAD = f"""# Round robins

Every meeting has {GAMES} games, in pairs with the same opening (two random turns, seed 1) and
swapped sides. Ratings are Elo by maximum likelihood over all games of a table (see [the
arena](arena.md)), with 95 % intervals; a cell is wins-draws-losses of the row against the column.
The budgets are small and differ in kind: the tables compare settings, not algorithms at equal cost.

Made by `python docs/make_tournaments.py`, which was killed with `kill -9` on the way and started
again.
"""


def table(result: TournamentResult) -> str:
    ratings = result.ratings.ratings
    numbers = [str(number) for number in range(1, len(ratings) + 1)]
    rows = [["", "player", "Elo", "95 %", "games", *numbers], ["---"] * (5 + len(numbers))]
    for number, rating in zip(numbers, ratings, strict=True):
        low, high = rating.interval
        cells = []
        for other in ratings:
            count = result.between(rating.name, other.name) if other != rating else None
            cells.append(f"{count.wins}-{count.draws}-{count.losses}" if count else "·")
        rows.append(
            [number, f"`{rating.name}`", f"{rating.elo:+.0f}", f"{low:+.0f} to {high:+.0f}",
             str(result.total(rating.name).games), *cells]
        )  # fmt: skip
    text = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    if not result.ratings.bounded:
        text += (
            "\n\nSomebody lost no point to the others: each pair counts half a win and half a loss "
            "more, so that ratings are finite."
        )
    return text


def main() -> None:
    parts = [HEAD]
    with Store() as store:
        for game, players in FIELDS.items():
            contest = Tournament(game, players, GAMES)
            contest.check()
            with progress_bar(contest.number_of_games(), label=game) as told:
                result = run(contest, store, Processes(), *told)
            parts.append(f"## {game}\n\n{table(result)}\n")
    (Path(__file__).parent / "tournaments.md").write_text("\n".join(parts))


if __name__ == "__main__":
    main()
