"""Smart Game Format, FF[4]: one game as a root node of properties and a move in each further node.

A point is two letters: the column from the left, the row from the top. In Amazons (GM[18]) the
value of a turn is three points: where the amazon was, where it went, where its arrow landed.
sgfmill reads and writes the file.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sgfmill import sgf_grammar

from tesuji.errors import BadInput
from tesuji.plain_text import is_number, pack_rows

GO, AMAZONS = 1, 18  # GM
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def point(column: int, row_from_top: int) -> str:
    return LETTERS[column] + LETTERS[row_from_top]


def write(root: Mapping[str, Sequence[str]], moves: Sequence[tuple[str, str]]) -> str:
    """A game from its root's properties (those without values are left out) and (colour, move)s."""
    tree = sgf_grammar.Coarse_game_tree()
    first = {"FF": ["4"], "CA": ["UTF-8"], "AP": ["tesuji"], **root}
    nodes: list[Mapping[str, Sequence[str]]] = [
        first,
        *({colour: [move]} for colour, move in moves),
    ]
    tree.sequence = [
        {name: [_escape(value) for value in values] for name, values in node.items() if values}
        for node in nodes
    ]
    return str(sgf_grammar.serialise_game_tree(tree).decode("utf-8"))


def _escape(value: str) -> bytes:
    return bytes(sgf_grammar.escape_text(value.encode("utf-8")))


class Record(NamedTuple):
    """A game: `moves` are pairs of a colour, B or W, and a value in SGF's own notation."""

    kind: int
    size: int
    moves: Sequence[tuple[str, str]]
    black: str = ""
    white: str = ""
    result: str = ""
    comment: str = ""
    setup: Mapping[str, Sequence[str]] = {}
    """What AB, AW, AA and PL say at the root, as far as they are there."""


def read(text: str) -> Record:
    """The main line of an SGF file's first game."""
    try:
        tree = sgf_grammar.parse_sgf_game(text.encode())
    except ValueError as error:
        raise BadInput(f"this is not an SGF file: {error}") from None
    nodes = list(sgf_grammar.main_sequence_iter(tree))

    def root(key: str, default: str) -> str:
        values = nodes[0].get(key, [default.encode()])
        return str(sgf_grammar.text_value(values[0]).decode("utf-8", "replace"))

    kind, size = root("GM", "1"), root("SZ", "19")
    for key, value in (("GM", kind), ("SZ", size)):
        if not (is_number(value) and 0 < int(value) < 100):
            raise BadInput(f"{key}[{value[:30]}] is not a number that SGF allows")
    moves = [
        (colour, str(node[colour][0].decode("ascii", "replace")))
        for node in nodes
        for colour in ("B", "W")
        if colour in node
    ]
    setup = {
        key: [str(value.decode("ascii", "replace")) for value in nodes[0][key]]
        for key in ("AB", "AW", "AA", "PL")
        if key in nodes[0]
    }
    return Record(
        int(kind), int(size), moves, root("PB", ""), root("PW", ""), root("RE", ""), root("GC", ""),
        setup,
    )  # fmt: skip


def amazons_start(record: Record) -> str | None:
    """The position of Amazons that the root sets up, if it does."""
    if not record.setup:
        return None
    last = LETTERS[record.size - 1]
    rows = [["."] * record.size for _ in range(record.size)]
    for key, symbol in (("AW", "W"), ("AB", "B"), ("AA", "x")):
        for value in record.setup.get(key, ()):
            if len(value) != 2 or any(letter not in LETTERS[: record.size] for letter in value):
                raise BadInput(f"{key}[{value}] is not a point from aa to {last}{last}")
            column, row = (LETTERS.index(letter) for letter in value)
            if rows[row][column] != ".":
                raise BadInput(f"{key}[{value}] is a point that is taken already")
            rows[row][column] = symbol
    mover = record.setup.get("PL", [record.moves[0][0] if record.moves else "W"])[0]
    board = pack_rows("".join(row) for row in rows)
    return f"{board} {mover} - {len(record.setup.get('AA', ()))}"


def amazons_turn(value: str, size: int) -> str:
    """Three points as `d1-d7/g7`."""
    if len(value) != 6 or any(letter not in LETTERS[:size] for letter in value):
        raise BadInput(f"{value!r} is not three points from a to {LETTERS[size - 1]}")
    cells = [f"{x}{size - LETTERS.index(y)}" for x, y in zip(value[::2], value[1::2], strict=True)]
    return f"{cells[0]}-{cells[1]}/{cells[2]}"
