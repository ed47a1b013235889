"""A process that plays: it reads tasks from standard input and answers with records, JSON lines.

`{"warm": task}` is answered by `{}`, `{"play": task}` by `{"record": ...}`; what keeps a game from
being played at all is answered by `{"error": sentence}`. The process ends when its input does, in
the middle of a game too: nobody is left to hear of it.
"""

import json
import os
import queue
import signal
import sys
import threading
from typing import Any

from tesuji.arena.play import play, warm_up
from tesuji.arena.record import task_from_json


def answer(question: dict[str, Any]) -> dict[str, Any]:
    try:
        if "warm" in question:
            warm_up(task_from_json(question["warm"]))
            return {}
        return {"record": play(task_from_json(question["play"])).as_json()}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started us decides
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    os.dup2(2, 1)  # a player that prints must not break into the talk
    questions: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            questions.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        answers.write(json.dumps(answer(json.loads(questions.get()))) + "\n")
