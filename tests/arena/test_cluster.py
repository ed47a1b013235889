"""The Ray runner on two nodes of one machine, one of them taken away in the middle."""

import pytest

from tests.arena.table import untimed
from tesuji.arena import play_all, play_each
from tesuji.arena.cluster import Ray
from tesuji.arena.match import Match
from tesuji.arena.runners import Serial
from tesuji.errors import BadInput

ray = pytest.importorskip("ray")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # Ray's own, about its future and its files
]


def test_a_node_may_go_away(monkeypatch: pytest.MonkeyPatch) -> None:
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    match = Match("amazons:size=6", "uct:playouts=200", "uct:playouts=100", games=12)
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    try:
        second = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        told: list[str] = []
        records = {}
        for record in play_each(match.tasks, runner=Ray(), report=told.append):
            records[record.id] = record
            if len(records) == 3:
                cluster.remove_node(second, allow_graceful=False)
    finally:
        ray.shutdown()
        cluster.shutdown()
    found = [records[task.id] for task in match.tasks]
    assert untimed(found) == untimed(play_all(match.tasks, runner=Serial()))


def test_an_address_without_a_cluster_is_refused() -> None:
    match = Match("amazons:size=6", "random", "random", games=2)
    with pytest.raises(BadInput, match="no cluster answers there"):
        play_all(match.tasks, runner=Ray("127.0.0.1:1"))
