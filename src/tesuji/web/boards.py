"""Boards as JSON: what the page needs to draw a position and to let a person choose a move.

`draw` turns what a viewer sees into a board, `paths` turns legal moves into what is clicked. Each
of the built-in games has one small function for either; any other game gets its own text drawing
and a list of its moves.

A board is a grid, drawn from the top left. A cell is `row * columns + column`; cells beyond the
edge follow (`extra`: number, row, column, kind). A path is a list of steps, each a cell or the name
of a button, which begins with `!` (`BUTTONS`); no path is the beginning of another, so a move is
chosen when its path is complete.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tesuji import rules
from tesuji.formats import tbsmap
from tesuji.games import amazons, geister, go, skirmish, tubstap

Board = dict[str, Any]
Step = int | str
Path = list[Step]
_Draws = Callable[[rules.Game, Any], Board]
_Paths = Callable[[Any, Sequence[int]], list[Path]]

BUTTONS = {
    "!pass": "Pass",
    "!end": "End turn",
    "!attack": "Attack",
    "!fire": "Fire",
    "!charge": "Charge",
    "!confusion": "Confuse",
    "!hit": "It succeeds",
    "!miss": "It fails",
}


HOW = {
    "go": "Put stones on the points in turn. Stones without a free neighbour are captured. When "
    "both pass, who holds more of the board has won; White gets komi for moving second.",
    "amazons": "In a turn one of your amazons moves like a chess queen and then shoots an arrow, "
    "also like a queen, which stays and blocks. Who cannot move has lost.",
    "geister": "First choose in secret which four of your ghosts are red; the others are blue. "
    "You win by capturing all four enemy blues, by losing all your reds, or by leading a blue one "
    "out of a far corner. You see the colour of an enemy ghost only when you capture it.",
    "tubstap": "In a turn each of your units may move and attack once; then end the turn. The side "
    "without units has lost; after the last turn the side with clearly more HP wins.",
    "skirmish": "In a turn each of your pieces may walk once and act once: attack a neighbour, or "
    "use its ability. An attack hurts the attacker, too. Who is left alone has won; after the last "
    "round the larger sum of HP wins.",
}  # what a newcomer needs to know


def draw(game: rules.Game, view: rules.State) -> Board:
    """The board of a position as somebody sees it."""
    draws = _OF[game.module.__name__][0] if game.module.__name__ in _OF else _text_board
    return draws(game, view[0])


def paths(game: rules.Game, view: rules.State, moves: Sequence[int]) -> list[Path]:
    """What is clicked for each of the moves, which are all those one can choose from."""
    if game.module.__name__ in _OF:
        return _OF[game.module.__name__][1](view[0], moves)
    return [[f"!{game.move_text(view, move)}"] for move in moves]


def cells(path: Path) -> list[int]:
    return [step for step in path if isinstance(step, int)]


# --- Go ------------------------------------------------------------------------------------------


def _go_board(game: rules.Game, state: Any) -> Board:
    size = int(go.board_size(state))
    pieces = []
    for row in range(size):
        for column in range(size):
            colour = int(state.colour[go.cell(size, row, column)])
            if colour != go.EMPTY:
                at, side = row * size + column, colour - go.BLACK
                name = f"{game.players[side].lower()} stone"
                pieces.append({"id": at, "at": at, "kind": "stone", "side": side, "label": name})
    komi = int(state.double_komi) / 2
    facts = [f"Komi {komi:g}"]
    if go.is_over(state):
        lead = int(go.area(state.copy())) - komi
        leader = game.players[0 if lead > 0 else 1]
        facts.append(f"{leader} is ahead by {abs(lead):g}" if lead else "Even")
    elif state.passes:
        facts.append("One pass: another ends the game")
    stars = [row * size + column for row in go.STARS[size] for column in go.STARS[size]]
    if size == 9:
        stars = [20, 24, 40, 56, 60]
    return {
        "style": "go", "prompt": "Place a stone, or pass",
        "rows": size, "columns": size, "pieces": pieces, "stars": stars,
        "facts": facts, "column_labels": list(go.COLUMNS[:size]),
        "row_labels": [str(size - row) for row in range(size)],
    }  # fmt: skip


def _go_paths(state: Any, moves: Sequence[int]) -> list[Path]:
    size = int(go.board_size(state))

    def path(move: int) -> Path:
        row, column = move // (size + 1) - 1, move % (size + 1) - 1
        return ["!pass"] if move == go.PASS else [row * size + column]

    return [path(move) for move in moves]


# --- Amazons -------------------------------------------------------------------------------------


def _amazons_board(game: rules.Game, state: Any) -> Board:
    size = int(amazons.board_size(state))
    pieces = []
    for row in range(size):
        for column in range(size):
            piece, at = int(state.cells[size - 1 - row, column]), row * size + column
            if piece == amazons.ARROW:
                arrow = {"id": f"x{at}", "at": at, "kind": "arrow", "label": "arrow"}
                pieces.append(arrow)
            elif piece != amazons.EMPTY:
                side = piece - amazons.WHITE
                bit = amazons.bit_of(size, size - 1 - row, column)
                number = list(state.amazons[side]).index(bit)
                pieces.append(
                    {"id": f"{side}{number}", "at": at, "kind": "amazon", "side": side,
                     "label": f"{game.players[side].lower()} amazon"}
                )  # fmt: skip
    facts = [f"{int(state.turns)} arrows shot"] if state.turns else []
    if amazons.is_over(state):
        facts.append(f"{game.players[amazons.player_to_move(state)]} cannot move")
    return {
        "style": "checker",
        "prompt": "Shoot an arrow" if state.shooter else "Move an amazon; then it shoots an arrow",
        "rows": size, "columns": size, "pieces": pieces,
        "facts": facts,
        "column_labels": list(amazons.COLUMNS[:size]),
        "row_labels": [str(size - row) for row in range(size)],
    }  # fmt: skip


def _amazons_paths(state: Any, moves: Sequence[int]) -> list[Path]:
    size = int(amazons.board_size(state))

    def cell(bit: int) -> int:
        row, column = divmod(bit - 1, size + 1)
        return (size - 1 - row) * size + column

    if state.shooter:
        return [[cell(move)] for move in moves]
    return [[cell(move // 128), cell(move % 128)] for move in moves]


# --- Geister -------------------------------------------------------------------------------------

_EXITS = {1: 36, 6: 37, 57: 38, 62: 39}  # a bit beyond a corner -> the cell that stands for it


def _geister_board(game: rules.Game, state: Any) -> Board:
    pieces, taken = [], []
    place = {int(state.label[bit]) - 1: bit for bit in range(64) if state.label[bit]}
    for index in range(16):
        side, ghost = divmod(index, 8)
        tone = ("unknown", "blue", "red")[state.colour[side, ghost]]
        placed = state.ply > side
        letter = geister.LETTERS[ghost]
        owner = game.players[side]
        piece = {
            "id": index, "kind": "ghost", "side": side, "tone": tone, "letter": letter,
            "label": f"{owner}'s {tone if placed else 'uncoloured'} ghost {letter}",
        }  # fmt: skip
        if index in place:
            pieces.append({**piece, "at": _geister_cell(place[index])})
        else:
            taken.append(piece)
    trays = [
        {"label": f"Lost by {game.players[side]}", "pieces": lost}
        for side in (0, 1)
        if (lost := [piece for piece in taken if piece["side"] == side])
    ]
    moves = max(0, int(state.ply) - 2)
    return {
        "style": "room", "rows": 6, "columns": 6, "pieces": pieces, "trays": trays,
        "extra": [[36, -1, 0, "exit"], [37, -1, 5, "exit"], [38, 6, 0, "exit"], [39, 6, 5, "exit"]],
        "facts": [_geister_end(game, state) or f"Move {moves} of {int(state.limit)}; then a draw"],
        "column_labels": list("012345"), "row_labels": list("012345"), "separator": ",",
        "turned": True, "unordered": bool(state.ply < 2),
        "prompt": "Choose your four red ghosts" if state.ply < 2 else "Move a ghost one step",
    }  # fmt: skip


def _geister_end(game: Any, state: Any) -> str | None:
    """Why a game is over."""
    names = [name.capitalize() for name in game.players]
    for side, name in enumerate(names):
        other = names[1 - side]
        taken = [
            int(c) for c, f in zip(state.colour[side], state.fate[side], strict=True) if f == 1
        ]
        if geister.ESCAPED in state.fate[side]:
            return f"A blue ghost of {name}'s has left the board"
        if taken.count(geister.BLUE) == 4:
            return f"{other} has captured all blue ghosts of {name}'s"
        if taken.count(geister.RED) == 4:
            return f"{other} has captured all red ghosts of {name}'s, which loses"
    return None


def _geister_cell(bit: int) -> int:
    return _EXITS.get(bit, (bit // 8 - 1) * 6 + bit % 8 - 1)


def _geister_paths(state: Any, moves: Sequence[int]) -> list[Path]:
    mover = int(state.ply) % 2
    home = {int(state.label[bit]) - 1 - 8 * mover: bit for bit in range(64) if state.label[bit]}

    def path(move: int) -> Path:
        if move < geister.PLACEMENT:
            return [_geister_cell(move // 64), _geister_cell(move % 64)]
        reds = move - geister.PLACEMENT
        return [_geister_cell(home[ghost]) for ghost in range(8) if reds >> ghost & 1]

    return [path(move) for move in moves]


# --- TUBSTAP -------------------------------------------------------------------------------------

_TERRAIN = ("wall", "plain", "sea", "forest", "mountain", "road", "fortress")


def _tubstap_board(game: rules.Game, state: Any) -> Board:
    side, rows, columns = tubstap.side_of(state), int(state.height) - 2, int(state.width) - 2
    ground = [
        _TERRAIN[state.terrain[(row + 1) * side + column + 1]]
        for row in range(rows)
        for column in range(columns)
    ]
    pieces = []
    for unit in range(int(state.n_units)):
        hp, team = int(state.hp[unit]), int(state.team[unit])
        if hp == 0:
            continue
        kind, done = tbsmap.UNITS[state.kind[unit]], bool(state.acted[unit])
        word = f"{game.players[team]} {kind}, {hp} HP{', has acted' if done else ''}"
        pieces.append(
            {"id": unit, "at": _tubstap_cell(state, int(state.cell[unit])), "kind": kind,
             "side": team, "hp": [hp, 10], "done": done, "label": word}
        )  # fmt: skip
    total = [int(tubstap.total_hp(state, team)) for team in (0, 1)]
    return {
        "style": "map", "prompt": "Move a unit: where to, and whom to attack",
        "rows": rows, "columns": columns, "ground": ground, "pieces": pieces,
        "facts": [f"Turn {int(state.turns)} of {int(state.limit)}",
                  f"Red {total[0]} HP, Blue {total[1]} HP",
                  f"At the end a lead of more than {int(state.threshold)} HP wins"],
        "column_labels": [str(1 + column) for column in range(columns)],
        "row_labels": [str(1 + row) for row in range(rows)], "separator": ",",
    }  # fmt: skip


def _tubstap_cell(state: Any, cell: int) -> int:
    y, x = divmod(cell, int(tubstap.side_of(state)))
    return (y - 1) * (int(state.width) - 2) + x - 1


def _tubstap_paths(state: Any, moves: Sequence[int]) -> list[Path]:
    """Unit, where it goes, whom it attacks; the same cell again where it could attack but won't."""
    targets = tubstap.TARGETS
    attacks = {move // targets for move in moves if move != tubstap.END and move % targets}

    def path(move: int) -> Path:
        if move == tubstap.END:
            return ["!end"]
        unit, target = move // targets // tubstap.CELLS, move % targets - 1
        goal = _tubstap_cell(state, move // targets % tubstap.CELLS)
        steps: Path = [_tubstap_cell(state, int(state.cell[unit])), goal]
        if target >= 0:
            steps.append(_tubstap_cell(state, int(state.cell[target])))
        elif move // targets in attacks:
            steps.append(goal)
        return steps

    return [path(move) for move in moves]


# --- Skirmish ------------------------------------------------------------------------------------


def _skirmish_board(game: rules.Game, state: Any) -> Board:
    rows, columns = int(state.rows), int(state.columns)
    pieces, roster = [], []
    for piece in range(len(state.hp)):
        side, hp = int(skirmish.owner(state, piece)), -(-int(state.hp[piece]) // 100)
        ability, letter = skirmish.ABILITIES[state.ability[piece]], skirmish.LETTERS[piece]
        three = f"{state.attack[piece]}/{state.defence[piece]}/{state.intelligence[piece]}"
        moved, acted = bool(state.moved[piece]), bool(state.acted[piece])
        flags = [("moved", moved), ("acted", acted), ("confused", bool(state.confused[piece]))]
        words = [word for word, flag in flags if flag]
        row = {
            "id": piece, "kind": ability, "side": side, "letter": letter, "hp": [hp, 100],
            "done": moved and acted, "confused": flags[2][1], "three": three,
            "label": ", ".join([f"{game.players[side]}'s {letter} ({ability})", f"{hp} HP",
                                f"attack/defence/intelligence {three}", *words]),
            "note": ", ".join(words) if hp else "gone",
        }  # fmt: skip
        roster.append(row)
        if hp:
            at = _skirmish_cell(state, int(state.row[piece]), int(state.column[piece]))
            pieces.append({**row, "at": at})
    turns = int(state.turns)
    total = [int(skirmish.hp_sum(state, player)) / 100 for player in (0, 1)]
    return {
        "style": "field", "prompt": "Each piece may walk once and act once",
        "rows": rows, "columns": columns, "pieces": pieces, "roster": roster,
        "facts": [f"Round {min(turns // 2 + 1, int(state.rounds))} of {int(state.rounds)}",
                  f"HP: {game.players[0]} {total[0]:g}, {game.players[1]} {total[1]:g}"],
        "column_labels": list(skirmish.COLUMNS[:columns]),
        "row_labels": [str(rows - row) for row in range(rows)],
    }  # fmt: skip


def _skirmish_cell(state: Any, row: int, column: int) -> int:
    return (int(state.rows) - 1 - row) * int(state.columns) + column


def _skirmish_paths(state: Any, moves: Sequence[int]) -> list[Path]:
    """Piece, then a cell to walk to or an enemy, then the deed where there are two to choose."""

    def at(piece: int) -> int:
        return _skirmish_cell(state, int(state.row[piece]), int(state.column[piece]))

    deeds = [move - skirmish.ATTACK for move in moves if skirmish.ATTACK <= move < skirmish.SPECIAL]
    specials = [m - skirmish.SPECIAL for m in moves if skirmish.SPECIAL <= m < skirmish.WALK]

    def path(move: int) -> Path:
        if move < skirmish.ATTACK:
            return [f"!{skirmish.move_text(state, move)}"]
        if move >= skirmish.WALK:
            piece, cell = divmod(move - skirmish.WALK, 256)
            row, column = divmod(cell, int(state.columns) + 1)
            return [at(piece), _skirmish_cell(state, row, column)]
        special = move >= skirmish.SPECIAL
        pair = move - (skirmish.SPECIAL if special else skirmish.ATTACK)
        steps: Path = [at(pair // 16), at(pair % 16)]
        if pair in deeds and pair in specials:
            ability = skirmish.ABILITIES[state.ability[pair // 16]]
            steps.append(f"!{ability}" if special else "!attack")
        return steps

    return [path(move) for move in moves]


# --- Any other game ------------------------------------------------------------------------------


def _text_board(game: rules.Game, state: Any) -> Board:
    """The game's own drawing for the terminal: lines of (text, colour, background)."""
    from rich.color import Color
    from rich.console import Console
    from rich.style import Style
    from rich.text import Text

    def colour(of: Color | None) -> str | None:
        return of.get_truecolor().hex if of is not None else None

    console = Console(color_system="truecolor", width=200)
    lines: list[list[tuple[str, str | None, str | None]]] = [[]]
    for segment in Text.from_markup(game.text.draw(state, {})).render(console, end=""):
        style = segment.style or Style()
        for number, part in enumerate(segment.text.split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append((part, colour(style.color), colour(style.bgcolor)))
    return {"style": "text", "prompt": "Choose a move", "lines": lines, "pieces": [], "facts": []}


_OF: dict[str, tuple[_Draws, _Paths]] = {
    go.__name__: (_go_board, _go_paths),
    amazons.__name__: (_amazons_board, _amazons_paths),
    geister.__name__: (_geister_board, _geister_paths),
    tubstap.__name__: (_tubstap_board, _tubstap_paths),
    skirmish.__name__: (_skirmish_board, _skirmish_paths),
}
