"""Commands of the Geister competition: `tesuji geister client` and `tesuji geister server`."""

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tesuji.cli.common import FreshSeedOption, JsonOption, app, fresh, print_json, terminal
from tesuji.errors import BadInput

if TYPE_CHECKING:
    from tesuji.competition import Record

geister_app = typer.Typer(no_args_is_help=True, help="The Geister competition's protocol.")
app.add_typer(geister_app, name="geister")

LimitOption = Annotated[int, typer.Option(help="Moves until a game is a draw.", min=1)]


@geister_app.command("client")
def client(
    host: Annotated[str, typer.Argument(help="Where the server runs.")],
    port: Annotated[int, typer.Argument(help="10000 moves first, 10001 second.", min=1, max=65535)],
    player: Annotated[str, typer.Option(help="Who plays: best, best:seconds=5, naotti.")] = "best",
    games: Annotated[int, typer.Option(help="How many games, one after the other.", min=1)] = 1,
    limit: LimitOption = 300,
    seed: FreshSeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a series on a competition server, connecting anew for every game."""
    from tesuji import competition
    from tesuji import games as collection
    from tesuji.players import build
    from tesuji.rng import seeded

    geister = collection.load("geister").with_options({"limit": limit})
    geister.new()  # refuses a limit that is out of range
    build(player, geister).close()  # refuses a player that cannot play, before anybody waits for it
    counts = {"WON": 0, "LST": 0, "DRW": 0}
    refused = 0
    series = competition.play_series(
        geister, host, port, lambda: build(player, geister), games,
        seeded(fresh(seed), "client", port),
    )  # fmt: skip
    if not as_json:
        terminal().print(f"[dim]connecting to port {port} of {host}[/]")
    try:
        for number, played in enumerate(series, 1):
            counts[played.result] += 1
            refused += played.refused
            if not as_json:
                terminal().print(f"game {number}: [bold]{played.result}[/]")
    finally:  # what was played counts, even if the server is lost
        if as_json:
            won, lost, drawn = counts.values()
            print_json({
                "games": won + lost + drawn, "won": won, "lost": lost, "drawn": drawn,
                "refused": refused,
            })  # fmt: skip


@geister_app.command("server")
def server(
    ports: Annotated[
        tuple[int, int], typer.Option(help="For the first and the second player; 0: any.")
    ] = (10000, 10001),
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    games: Annotated[
        int | None, typer.Option(help="Stop after so many games. [default: go on]", min=1)
    ] = None,
    limit: LimitOption = 300,
    total: Annotated[float, typer.Option(help="Seconds each player has in all.", min=0)] = 600,
    each: Annotated[float, typer.Option(help="And then seconds for a move.", min=0)] = 10,
    retry: Annotated[
        bool, typer.Option("--retry", help="Let an illegal move be tried again; else it loses.")
    ] = False,
    log: Annotated[
        Path | None, typer.Option(help="Add each game to this file when it is over (JSON lines).")
    ] = None,
) -> None:
    """Referee games between two clients; colours are revealed when a game is over."""
    from tesuji import competition
    from tesuji import games as collection

    geister = collection.load("geister").with_options({"limit": limit})
    console = terminal()

    def opened(ports: tuple[int, int]) -> None:
        console.print(f"first player: port {ports[0]}, second player: port {ports[1]}")

    def over(number: int, record: "Record") -> None:
        won = "drawn" if record.winner is None else f"{geister.players[record.winner]} won"
        console.print(f"game {number}: [bold]{won}[/] [dim]({record.reason})[/]")
        if log is not None:
            _append(log, json.dumps(competition.log_line(number, record)))

    if log is not None:
        _append(log, "")  # a file that cannot be written is found out now
    referee = competition.Server(geister, total=total, each=each, retry=retry)
    with contextlib.suppress(KeyboardInterrupt):
        competition.serve(referee, host, ports, games, opened, over)


def _append(file: Path, line: str) -> None:
    try:
        with open(file, "a", encoding="utf-8") as log:
            log.write(f"{line}\n" if line else "")
    except OSError as error:
        raise BadInput(f"cannot write the log {file}: {error.strerror}") from None
