"""SGF records: a game as a list of (colour, value) under the number of its kind, such as GM[18].

sgfmill reads and writes the file; here is what it leaves to the kind of game. In Amazons a point is
a column and a row from the top, both letters, and the value of a turn is three points: where the
amazon was, where it went, where its arrow landed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sgfmill import sgf_grammar

from tesuji.errors import BadInput

GO, AMAZONS = 1, 18
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Record(NamedTuple):
    """A game: `moves` are pairs of a colour, B or W, and a value in SGF's own notation."""

    kind: int
    size: int
    moves: Sequence[tuple[str, str]]
    black: str = ""
    white: str = ""
    result: str = ""
    comment: str = ""


def write(record: Record) -> str:
    """The record as the text of an SGF file."""
    root = {
        "GM": str(record.kind),
        "FF": "4",
        "CA": "UTF-8",
        "AP": "tesuji",
        "SZ": str(record.size),
        "PB": record.black,
        "PW": record.white,
        "RE": record.result,
        "GC": record.comment,
    }
    nodes = [{key: text for key, text in root.items() if text}]
    nodes += [{colour: value} for colour, value in record.moves]
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [
        {key: [sgf_grammar.escape_text(text.encode())] for key, text in node.items()}
        for node in nodes
    ]
    return str(sgf_grammar.serialise_game_tree(tree).decode())


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
        if not (value.isascii() and value.isdecimal() and 0 < int(value) < 100):
            raise BadInput(f"{key}[{value}] is not a number that SGF allows")
    moves = [
        (colour, str(node[colour][0].decode("ascii", "replace")))
        for node in nodes
        for colour in ("B", "W")
        if colour in node
    ]
    return Record(
        int(kind), int(size), moves, root("PB", ""), root("PW", ""), root("RE", ""), root("GC", "")
    )


def amazons_value(turn: str, size: int) -> str:
    """`d1-d7/g7` as three points."""
    cells = turn.replace("/", "-").split("-")
    return "".join(f"{cell[0]}{LETTERS[size - int(cell[1:])]}" for cell in cells)


def amazons_turn(value: str, size: int) -> str:
    """Three points as `d1-d7/g7`."""
    if len(value) != 6 or any(letter not in LETTERS[:size] for letter in value):
        raise BadInput(f"{value!r} is not three points from a to {LETTERS[size - 1]}")
    cells = [f"{x}{size - LETTERS.index(y)}" for x, y in zip(value[::2], value[1::2], strict=True)]
    return f"{cells[0]}-{cells[1]}/{cells[2]}"
