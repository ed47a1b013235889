"""The arena: players meet, and the numbers can be trusted.

Start with `match.Match`, or declare tasks of your own and give them to `play_all`. From below: a
`Task` is a game to be played (`record`, with its `openings`), `play` plays it, a runner hands it to
processes (`runners`, `worker`, `cluster`), the `store` keeps its record, and `match`, `tournament`
and `ladder` count (`stats`, `ratings`).
"""

from tesuji.arena.experiment import play_all, play_each
from tesuji.arena.record import Record, Task, replay
from tesuji.arena.store import Store

__all__ = ["Record", "Store", "Task", "play_all", "play_each", "replay"]
