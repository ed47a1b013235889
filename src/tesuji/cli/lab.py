"""The command that opens the lab in the browser."""

import webbrowser
from typing import Annotated

import typer

from tesuji.cli.common import app, terminal


@app.command()
def lab(
    game: Annotated[
        list[str] | None, typer.Argument(help="Game files of your own to play there as well.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="[default: 8037, or the next that is free]", min=1, max=65535)
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Play any game against any player in the browser."""
    from tesuji import games
    from tesuji.web import server

    files = list(game or [])
    for file in files:
        games.load(file)
    listener = server.listen(port)
    address = f"{server.address(listener)}/"

    def ready() -> None:
        terminal().print(
            f"The lab is open at [bold cyan]{address}[/] (Ctrl-C closes it).", soft_wrap=True
        )
        if browser:
            webbrowser.open(address)

    server.serve(listener, files, ready)
