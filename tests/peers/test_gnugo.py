"""Go against GNU Go: the same moves are legal, and finished boards are counted alike.

A hundred games are played by `benchmarks/gnugo.py`; these are the first few of a quicker match.
"""

import shutil
from dataclasses import replace

import pytest
from benchmarks.gnugo import command, score_here, score_there

from tesuji.arena import match
from tesuji.arena.runners import Serial

pytestmark = pytest.mark.skipif(
    shutil.which("gnugo", path="/usr/bin:/usr/local/bin:/usr/games") is None,
    reason="GNU Go is not installed",
)


def test_games_with_gnugo_are_legal_and_counted_alike() -> None:
    contest = match.Match("go", 'played_out:"uct:playouts=50"', f'gtp:"{command(0)}"', games=2)
    result = match.run(contest, runner=Serial())
    assert not result.forfeits
    for record in result.records:
        assert score_here(record) == score_there(record)
    again = match.run(replace(contest, games=1), runner=Serial())
    assert again.records[0].moves == result.records[0].moves
