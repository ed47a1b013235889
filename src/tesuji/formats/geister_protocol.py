"""The words of the Geister competition's protocol: lines between a server and two clients.

    server              client
    SET?                SET:ABCD          its four reds
    MOV? and a board    MOV:A,NORTH       or only N, E, W, S
    OK, OKR, OKB, NG                      done; done and captured red or blue; refused
    WON:, LST:, DRW: and a board          the end, with all colours

Words of one or two letters are filled up to three with blanks, and lines end in CR LF. A board is
48 characters, three for each ghost, the receiver's A to H and then the enemy's: x, y and colour as
the receiver sees the board, with the own side at y = 5. On the board an own ghost is R or B and an
enemy u; captured ghosts are 99 and those that left 88, with r or b.
"""

import re

from tesuji.errors import BadInput

SET, MOVE, DONE, REFUSED = "SET?", "MOV?", "OK ", "NG "
WON, LOST, DRAWN = "WON:", "LST:", "DRW:"
CAPTURED = {"r": "OKR", "b": "OKB"}
PORTS = (10000, 10001)
LONGEST_LINE = 256

_SET = re.compile(r"SET:([A-H]{4})", re.IGNORECASE)
_MOVE = re.compile(r"MOV:([A-H],(?:NORTH|EAST|WEST|SOUTH|[NEWS]))", re.IGNORECASE)
_BOARD = re.compile(r"(?:[0-5]{2}[RBu]|(?:99|88)[rbu]){16}")


def read_set(line: str) -> str | None:
    """The reds that a client names, or None if it names anything else than four ghosts."""
    match = _SET.fullmatch(line.rstrip())
    return match[1].upper() if match and len(set(match[1].upper())) == 4 else None


def read_move(line: str) -> str | None:
    """The move that a client makes, or None if it makes none."""
    match = _MOVE.fullmatch(line.rstrip())
    return match[1].upper() if match else None


def read_board(line: str) -> str:
    """The board that follows the first word of a server's line."""
    if not _BOARD.fullmatch(line[4:]):
        raise BadInput(f"the server's line {line!r} does not have a board of 48 characters")
    return line[4:]


def turned(board: str) -> str:
    """The same board as the other player counts it."""
    ghosts = [board[at : at + 3] for at in range(0, 48, 3)]
    return "".join(
        ghost if ghost[0] in "89" else f"{5 - int(ghost[0])}{5 - int(ghost[1])}{ghost[2]}"
        for ghost in ghosts[8:] + ghosts[:8]
    )


def veiled(board: str) -> str:
    """The same board with the colours of the enemy's ghosts on it unknown."""
    return board[:24] + re.sub("[RB]", "u", board[24:])
