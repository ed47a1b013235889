"""The games on a Ray cluster: the same tasks and records, on machines that may come and go.

Every worker needs tesuji and the players' modules; the store stays with the process that asks. Ray
would repeat a task of a dead worker silently, so we do that ourselves and say so.
"""

import socket
from collections import deque
from collections.abc import Sequence
from typing import Any

from tesuji.arena import worker
from tesuji.arena.record import Task
from tesuji.arena.runners import Deaths, Report, Running, result, warm_ups
from tesuji.errors import BadInput

KNOCK = 5.0  # seconds


class Ray:
    """The cluster at an address, or one on this machine."""

    def __init__(self, address: str | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise BadInput("the runner ray needs Ray: pip install 'tesuji[cluster]'") from None
        self.ray, self.address = ray, address

    def run(self, tasks: Sequence[Task], report: Report) -> Running:
        ray = self.ray
        mine = not ray.is_initialized()
        if mine:
            _knock(self.address)
            try:
                ray.init(address=self.address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise BadInput(f"runner ray:{self.address}: {error}") from None
        try:
            yield from self._run(tasks, report)
        finally:
            if mine:
                ray.shutdown()

    def _run(self, tasks: Sequence[Task], report: Report) -> Running:
        ray = self.ray
        answer = ray.remote(num_cpus=1, max_retries=0)(worker.answer)
        for task in warm_ups(tasks):
            try:
                ray.get(answer.remote({"warm": task.as_json()}))
            except ray.exceptions.RayError as error:
                report(f"a worker died ({_cause(error)}) while warming up")
        waiting, deaths = deque(tasks), Deaths(report)
        playing: dict[Any, Task] = {}
        try:
            while waiting or playing:
                # Twice as many as there are cores: nobody waits, and newcomers find work.
                while waiting and len(playing) < 2 * int(ray.cluster_resources().get("CPU", 1)):
                    task = waiting.popleft()
                    playing[answer.remote({"play": task.as_json()})] = task
                for reference in ray.wait(list(playing))[0]:
                    task = playing.pop(reference)
                    try:
                        yield result(task, ray.get(reference))
                    except ray.exceptions.RayError as error:
                        lost = deaths.again(task, _cause(error))
                        if lost:
                            yield lost
                        else:
                            waiting.append(task)
        finally:
            for reference in playing:
                ray.cancel(reference, force=True)


def _knock(address: str | None) -> None:
    """Refuse an address where nobody answers; Ray itself would try for minutes."""
    host, colon, port = (address or "").rpartition(":")
    if not (colon and port.isascii() and port.isdecimal()):
        return  # Ray's own words, such as auto
    try:
        socket.create_connection((host, int(port)), timeout=KNOCK).close()
    except (OSError, OverflowError):
        raise BadInput(f"runner ray:{address}: no cluster answers there") from None


def _cause(error: Exception) -> str:
    return type(error).__name__
