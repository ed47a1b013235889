"""Commands about games: list, show, count, check, play, watch, measure; and the compile cache."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tesuji.cli.common import (
    FreshSeedOption,
    GameArgument,
    JsonOption,
    PositionArgument,
    SeedOption,
    app,
    fresh,
    print_json,
    starting_state,
    terminal,
)
from tesuji.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from tesuji.players import Decision
    from tesuji.rules import Game, State

cache_app = typer.Typer(no_args_is_help=True, help="The compiled code that tesuji keeps on disk.")
app.add_typer(cache_app, name="cache")


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games with what they declare and the options they take."""
    from tesuji import games as collection
    from tesuji import spec

    rows: list[dict[str, Any]] = []
    for name in collection.names():
        game = collection.load(name)
        bounds = game.bounds(game.new())
        options = {
            key: str(default)
            for key, (_, default) in spec.settings_of(game.module.new_game).items()
        }
        rows.append(
            {
                "name": name,
                "title": game.title,
                "version": game.version,
                "players": list(game.players),
                "max_moves": bounds.moves,
                "max_length": bounds.length,
                "moves_per_turn": game.moves_per_turn,
                "chance": game.chance,
                "hidden": game.hidden,
                "symmetries": game.symmetries,
                "playouts": game.playouts,
                "options": options,
            }
        )
    if as_json:
        return print_json({"games": rows})
    from rich.table import Table

    table = Table("game", "title", "options", "moves", "length", "hidden", "chance")
    for row in rows:
        given = ", ".join(f"{key}={default}" for key, default in row["options"].items())
        table.add_row(
            f"[bold cyan]{row['name']}[/]",
            row["title"],
            given,
            f"≤ {row['max_moves']}",
            f"≤ {row['max_length']}",
            "yes" if row["hidden"] else "-",
            "yes" if row["chance"] else "-",
        )
    terminal().print(table)


@app.command()
def show(
    game: GameArgument, position: PositionArgument = None, as_json: JsonOption = False
) -> None:
    """Draw a position."""
    from tesuji import games as collection

    rules = collection.load(game)
    state = starting_state(rules, position)
    over = rules.is_over(state)
    if as_json:
        return print_json(
            {
                "game": rules.spec,
                "position": rules.position_text(state),
                "hash": f"{rules.position_hash(state):016x}",
                "turn": rules.turn(state),
                "to_move": None if over else rules.player_name(rules.player_to_move(state)),
                "over": over,
                "outcome": rules.outcome(state) if over else None,
                "legal_moves": [rules.move_text(state, move) for move in rules.legal_moves(state)],
            }
        )
    console = terminal()
    console.print(rules.draw(state))
    console.print(f"[bold]{_status(rules, state)}[/]")
    console.print(f"[dim]{rules.position_text(state)}[/]", soft_wrap=True)


@app.command()
def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(help="How many whole turns.", min=0)],
    position: PositionArgument = None,
    as_json: JsonOption = False,
) -> None:
    """Count the ways to play a number of whole turns: the proof of a move generator."""
    from tesuji import games as collection
    from tesuji.perft import perft as count

    rules = collection.load(game)
    state = starting_state(rules, position)
    rows = []
    for turns in range(1, depth + 1) if depth else [0]:
        start = time.perf_counter()
        paths = count(state, turns)
        rows.append({"depth": turns, "paths": paths, "seconds": time.perf_counter() - start})
        if not as_json:
            terminal().print(f"{turns:3d}  [bold]{paths:,}[/]  [dim]{rows[-1]['seconds']:.2f} s[/]")
    if as_json:
        print_json({"game": rules.spec, "position": rules.position_text(state), "perft": rows})


@app.command()
def check(
    game: GameArgument,
    seed: SeedOption = 1,
    count: Annotated[int, typer.Option(help="Random games for each check.", min=1)] = 8,
    as_json: JsonOption = False,
) -> None:
    """Put a game through every conformance check; exit code 1 if it breaks one."""
    from tesuji import conformance
    from tesuji import games as collection

    rules = collection.load(game)
    console = terminal()
    rows = []
    for run in conformance.CHECKS:
        name = run.__name__.removeprefix("check_")
        try:
            kept, saw = True, run(rules, seed, count)
        except conformance.Broken as broken:
            kept, saw = False, str(broken)
        except Exception as error:
            kept, saw = False, collection.explain(error, Path(str(rules.module.__file__)))
        rows.append({"check": name, "kept": kept, "saw": saw})
        unusable = not kept and (name == "bounds" or "Error: " in saw)
        if not as_json:
            sign = "[green]✓[/]" if kept else "[bold red]✗[/]"
            console.print(f"{sign} [bold]{name:11}[/] ", end="")
            console.print(saw, markup=False)
        if unusable:  # the other checks would run over memory, run for ever, or say the same
            break
    kept = all(row["kept"] for row in rows)
    if as_json:
        print_json({"game": rules.spec, "conforms": kept, "checks": rows})
    raise typer.Exit(0 if kept else 1)


@app.command()
def play(
    game: GameArgument,
    position: PositionArgument = None,
    against: Annotated[
        str, typer.Option(help="Your opponent: uct, uct:seconds=1, random; see tesuji players.")
    ] = "uct",
    second: Annotated[bool, typer.Option("--second", help="Let the opponent move first.")] = False,
    seed: FreshSeedOption = None,
) -> None:
    """Play against the computer in the terminal."""
    from tesuji import games as collection
    from tesuji.players import Sitting, build
    from tesuji.rng import seeded

    rules = collection.load(game)
    stream = seeded(fresh(seed), "play")
    state = starting_state(rules, position)
    you = 1 if second else 0

    def sit_down() -> Sitting:
        opponent = build(against, rules)
        return Sitting(rules, (opponent, None) if second else (None, opponent), state)

    sitting = sit_down()
    console = terminal()
    earlier: list[list[int]] = []
    console.print(
        f"You are [bold]{rules.players[you]}[/] against [bold]{against}[/]. "
        "Type a move, or: [cyan]moves[/], [cyan]hint[/], [cyan]undo[/], [cyan]quit[/]."
    )
    while not rules.is_over(sitting.state):
        mover = rules.player_to_move(sitting.state)
        seen = rules.view(sitting.state, you)
        if mover == you:
            console.print(rules.draw(seen))
            answer = _ask(rules, seen, console, bool(earlier) and not rules.hidden)
            if answer == "quit":
                console.print("\nThe position, to go on from later:")
                console.print(f"[dim]{rules.position_text(seen)}[/]")
                return
            if answer == "hint":
                decision = build("uct", rules).choose(seen, stream)
                _print_decision(console, rules, seen, decision)
            elif answer == "undo":
                moves = earlier.pop()
                sitting.close()
                sitting = sit_down()
                for move in moves:
                    sitting.play(move)
            elif isinstance(answer, list):
                earlier.append(list(sitting.moves))
                for move in answer:
                    sitting.play(move)
        elif mover in (0, 1):
            decision = sitting.choose(stream)
            console.print(f"{rules.players[mover]} plays ", end="")
            if rules.hidden:  # its thoughts may tell what you must not know
                told = rules.public_text(sitting.state, decision.move)
                console.print(f"[bold cyan]{told}[/]")
            else:
                _print_decision(console, rules, sitting.state, decision, few=1)
            sitting.play(decision.move)
        else:
            sitting.play(rules.random_move(sitting.state, stream))
    state = sitting.state
    sitting.close()
    console.print(rules.draw(state))
    console.print(f"[bold]{_status(rules, state)}[/]")


def _ask(rules: "Game", state: "State", console: "Console", can_undo: bool) -> list[int] | str:
    """Legal moves, or one of the words; explains what is wrong and asks again."""
    while True:
        console.print(f"[bold]{rules.players[rules.player_to_move(state)]}[/]> ", end="")
        line = sys.stdin.readline()
        word = line.strip()
        if not line or word in ("quit", "q"):
            return "quit"
        if word == "hint" or (word == "undo" and can_undo):
            return word
        if word in ("", "help", "?", "moves", "undo"):
            if word == "undo":
                seen = "what was seen stays seen" if rules.hidden else "no move was made yet"
                console.print(f"There is nothing to undo: {seen}.")
            moves = [rules.move_text(state, move) for move in rules.legal_moves(state)]
            console.print("Legal moves: " + " ".join(sorted(moves)))
            continue
        try:
            return rules.parse_turn(state, word)
        except BadInput as error:
            console.print(f"[red]{error}[/]; type [cyan]moves[/] to see what is legal.")


@app.command()
def watch(
    game: GameArgument = "go",
    position: PositionArgument = None,
    against: Annotated[str, typer.Option(help="The player of both sides.")] = "uct",
    second: Annotated[str | None, typer.Option(help="Another player for the second side.")] = None,
    moves: Annotated[int | None, typer.Option(help="Stop after this many moves.", min=1)] = None,
    seed: SeedOption = 0,
) -> None:
    """Watch the computer play itself, with the moves it considers."""
    from rich.columns import Columns

    from tesuji import games as collection
    from tesuji.players import Sitting, build
    from tesuji.rng import seeded

    rules = collection.load(game)
    stream = seeded(seed, "watch")
    sides = build(against, rules), build(second or against, rules)
    sitting = Sitting(rules, sides, starting_state(rules, position))
    state = sitting.state
    console = terminal()
    made = 0
    while not rules.is_over(state) and (moves is None or made < moves):
        mover = rules.player_to_move(state)
        if mover not in (0, 1):
            sitting.play(rules.random_move(state, stream))
            continue
        start = time.perf_counter()
        decision = sitting.choose(stream)
        seconds = time.perf_counter() - start
        best = decision.candidates[:9]
        marks = {candidate.move: str(place) for place, candidate in enumerate(best, 1)}
        made += 1
        console.rule(
            f"move {made}: [bold]{rules.players[mover]}[/] "
            f"plays [bold cyan]{rules.move_text(state, decision.move)}[/] "
            f"[dim]{decision.simulations:,} simulations in {seconds:.2f} s[/]"
        )
        board = rules.draw(rules.view(state, mover), marks)
        console.print(Columns([board, _candidates(rules, state, decision, 9)], padding=(0, 4)))
        sitting.play(decision.move)
    sitting.close()
    console.rule(_status(rules, state))
    console.print(rules.draw(state))


def _candidates(rules: "Game", state: "State", decision: "Decision", few: int) -> "RenderableType":
    from rich.table import Table

    if not decision.candidates:
        return ""
    table = Table("", "move", "visits", "value", "", box=None, header_style="dim")
    most = max((candidate.visits for candidate in decision.candidates), default=1)
    for place, candidate in enumerate(decision.candidates[:few], 1):
        table.add_row(
            f"[red]{place}[/]",
            f"[bold]{rules.move_text(state, candidate.move)}[/]",
            f"{candidate.visits:,}",
            f"{candidate.value:.1%}",
            f"[cyan]{'█' * round(20 * candidate.visits / most)}[/]",
        )
    return table


def _print_decision(
    console: "Console", rules: "Game", state: "State", decision: "Decision", few: int = 5
) -> None:
    """A move with the value its player gives it and the line it expects."""
    console.print(f"[bold cyan]{rules.move_text(state, decision.move)}[/]", end="")
    if decision.candidates:
        line, ahead = [], state.copy()
        for move in decision.line[:6]:
            line.append(rules.move_text(ahead, move))
            rules.play(ahead, move)
        console.print(
            f" [dim]value {decision.candidates[0].value:.1%}, "
            f"{decision.simulations:,} simulations, expects {' '.join(line)}[/]",
            end="",
        )
    console.print()
    if few > 1 and decision.candidates:
        console.print(_candidates(rules, state, decision, few))


def _status(rules: "Game", state: "State") -> str:
    if not rules.is_over(state):
        return f"{rules.player_name(rules.player_to_move(state))} to move"
    result = rules.outcome(state)
    return "draw" if result == 0 else f"{rules.players[0 if result > 0 else 1]} wins"


@app.command()
def bench(
    game: Annotated[
        list[str] | None, typer.Argument(help="Games to measure. [default: all built-in]")
    ] = None,
    repeats: Annotated[int, typer.Option(help="Interleaved repeats of each row.", min=1)] = 7,
    seconds: Annotated[float, typer.Option(help="Length of one measurement.", min=0.01)] = 0.5,
    start: Annotated[bool, typer.Option(help="Also time compiling and starting.")] = True,
    arena: Annotated[bool, typer.Option(help="Also time matches.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Measure speed on one core, beside other people's programs in the same run."""
    from tesuji import bench as benchmarks
    from tesuji import games as collection

    console = terminal()
    report = benchmarks.run(
        [collection.load(name) for name in game or collection.names()],
        repeats=repeats,
        seconds=seconds,
        start=start,
        arena=arena,
        progress=None if as_json else lambda text: console.print(f"[dim]{text} …[/]"),
    )
    if as_json:
        return print_json(report)
    from rich.table import Table

    table = Table("game", "measure", "tesuji", "peer", "its rate", "ratio", "range")
    for row in report["rates"]:
        peer = row["peer_rate"]
        table.add_row(
            row["game"],
            row["measure"],
            f"{row['rate']:,.0f}/s",
            row["peer"] or "-",
            f"{peer:,.0f}/s" if peer else "-",
            f"[bold green]{row['ratio']:.1f}×[/]" if peer else "-",
            f"{row['ratio_low']:.1f}-{row['ratio_high']:.1f}" if peer else "-",
        )
    console.print(table)
    if report["start"]:
        table = Table("start", "seconds")
        for row in report["start"]:
            table.add_row(row["measure"], f"{row['seconds']:.2f}")
        console.print(table)
    if report["arena"]:
        table = Table("arena, 9x9 Go", "median", "range")
        for row in report["arena"]:
            table.add_row(
                row["measure"],
                f"[bold green]{row['value']:.2f} {row['unit']}[/]",
                f"{row['low']:.2f} - {row['high']:.2f}",
            )
        console.print(table)
    for note in report["notes"]:
        console.print(f"[dim]· {note}[/]")


@cache_app.command("show")
def cache_show(as_json: JsonOption = False) -> None:
    """Where the compiled code is, and how much of it there is."""
    from tesuji.kernels import cache_root

    files = [file for file in cache_root().rglob("*") if file.is_file()]
    size = sum(file.stat().st_size for file in files)
    if as_json:
        return print_json({"directory": str(cache_root()), "files": len(files), "bytes": size})
    terminal().print(f"{cache_root()}: {len(files)} files, {size / 1e6:.1f} MB", soft_wrap=True)


@cache_app.command("clear")
def cache_clear(as_json: JsonOption = False) -> None:
    """Remove all compiled code; the next use of a game and a search compiles again."""
    import shutil

    from tesuji.kernels import cache_root

    root: Path = cache_root()
    files = sum(1 for file in root.rglob("*") if file.is_file())
    if root.exists():
        shutil.rmtree(root)
    if as_json:
        return print_json({"directory": str(root), "removed": files})
    terminal().print(f"{root}: {files} files removed", soft_wrap=True)
