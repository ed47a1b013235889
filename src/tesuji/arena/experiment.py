"""Playing what is missing: tasks in, records out, each game played once and kept.

`play_all` is the library's door to the arena: declare tasks, give a store and a runner, and get the
records in the order of the tasks. Games that the store has are not played again, so a run that was
killed goes on where it was when it is repeated.
"""

from collections.abc import Callable, Generator, Sequence

from tesuji.arena.record import Record, Task
from tesuji.arena.runners import Lost, Processes, Report, Runner
from tesuji.arena.store import Store
from tesuji.errors import BadInput

Progress = Callable[[Record], None]


def play_each(
    tasks: Sequence[Task],
    store: Store | None = None,
    runner: Runner | None = None,
    report: Report | None = None,
) -> Generator[Record, None, None]:
    """The record of each task, as it is found or finished; those in the store come first.

    A game that cannot be played does not stop the others; a sentence about it comes at the end.
    """
    known = store.get(task.id for task in tasks) if store is not None else {}
    yield from known.values()
    missing = list({task.id: task for task in tasks if task.id not in known}.values())
    lost = []
    running = (runner or Processes()).run(missing, report or (lambda sentence: None))
    try:
        for record in running:
            if isinstance(record, Lost):
                lost.append(record)
                continue
            if store is not None:
                store.add(record)
            yield record
    finally:
        running.close()
    if lost:
        raise BadInput(
            f"{len(lost)} of {len(tasks)} games could not be played, the others are kept: "
            f"game {lost[0].task.id}: {lost[0].reason}"
        )


def play_all(
    tasks: Sequence[Task],
    store: Store | None = None,
    runner: Runner | None = None,
    progress: Progress | None = None,
    report: Report | None = None,
) -> list[Record]:
    """The records of the tasks, in their order."""
    records = {}
    for record in play_each(tasks, store, runner, report):
        records[record.id] = record
        if progress:
            progress(record)
    return [records[task.id] for task in tasks]
