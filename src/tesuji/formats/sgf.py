"""Smart Game Format, FF[4]: one game as a root node of properties and a move in each further node.

A point is two letters: the column from the left, the row from the top. Writing is by sgfmill.
"""

from collections.abc import Mapping, Sequence

from sgfmill import sgf_grammar

GO, AMAZONS = 1, 18  # GM


def point(column: int, row_from_top: int) -> str:
    return "abcdefghijklmnopqrs"[column] + "abcdefghijklmnopqrs"[row_from_top]


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
