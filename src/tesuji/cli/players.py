"""The command that lists the players, their settings, and the games each can play."""

import inspect
from typing import Annotated, Any

import typer

from tesuji.cli.common import JsonOption, app, print_json, terminal


@app.command()
def players(
    name: Annotated[str | None, typer.Argument(help="Describe this player only.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the players, with the games each can play; or describe one with its settings."""
    from tesuji import players as collection
    from tesuji import spec

    rows: list[dict[str, Any]] = []
    for one in [name] if name else collection.names():
        maker = collection.maker(one)
        rows.append(
            {
                "name": one,
                "games": collection.playable(one),
                "description": inspect.getdoc(maker) or "",
                "settings": {
                    key: None if default is None else str(default)
                    for key, (_, default) in spec.settings_of(maker).items()
                },
            }
        )
    if as_json:
        return print_json({"players": rows})
    console = terminal()
    if name:
        row = rows[0]
        console.print(f"[bold cyan]{row['name']}[/]  plays {', '.join(row['games'])}")
        console.print(row["description"], markup=False)
        given = [f"{key}={default}" for key, default in row["settings"].items()]
        return console.print(f"[dim]by default {', '.join(given)}[/]" if given else "")
    from rich.table import Table

    everything = max((len(row["games"]) for row in rows), default=0)
    table = Table("player", "what it does", "games", "settings")
    for row in rows:
        played = "all" if len(row["games"]) == everything else ", ".join(row["games"])
        first = row["description"].partition("\n")[0]
        table.add_row(f"[bold cyan]{row['name']}[/]", first, played, ", ".join(row["settings"]))
    console.print(table)
    console.print("[dim]tesuji players NAME explains the settings of one[/]")
