"""The one exception for what a person can get wrong.

Every sentence in a `BadInput` names the place and the reason. The command line prints it and exits
with code 2; a caller in Python can catch it as a `ValueError`.
"""

import difflib
from collections.abc import Iterable


class BadInput(ValueError):
    """A map, record, move, position, setting or game file that cannot be used, and why."""


def nearest(wrong: str, right: Iterable[str]) -> str:
    """' (did you mean X?)' or the whole choice, to end a sentence about an unknown name."""
    choice = sorted(right)
    close = difflib.get_close_matches(wrong, choice, n=1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f" (there is {', '.join(choice)})" if choice else " (there are none)"
