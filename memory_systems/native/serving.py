"""The worker's side: runs inside the system's own environment and knows nothing of MemJury.

Started as ``python serving.py WORKER_FILE FOLDER`` it loads the class ``Worker`` of the file and
does what it is told by lines of JSON on standard input, answering each with one line on what was
standard output. Everything the package prints goes to standard error instead.

A request is ``{"id": 1, "call": "add", "with": {…}}``, its answer ``{"id": 1, "gives": …}`` or
``{"id": 1, "failed": "TypeError: …"}``. The first request is ``open`` with the settings. When
standard input ends, the worker ends at once, whatever it is doing: its client is gone.

What ``Worker`` is called with, by name:

``add(item_id, part, text, title, timestamp)`` gives ``{"handles": [ids in the package], "units":
how many units the store holds now that it did not before}`` and perhaps ``"remarks"``, sentences
on what was lost without an exception; ``remove(item_id, handles)`` takes away all that came of an
item, also of one half added without handles; ``units()`` gives rows of id, text, kind, source (item
id), part; ``search(text, k, kinds)`` gives [id, score] pairs, best first; ``flush()`` makes durable
what is not yet; ``close()`` leaves a folder that can be copied; ``answer`` is for systems that
answer themselves.

Standard library only: it is run by its path, by another Python.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import queue
import random
import sys
import threading
import traceback
import uuid
from collections.abc import Callable
from typing import Any, TextIO

CALLS = frozenset({"add", "remove", "units", "search", "flush", "answer", "close"})
MOST_FAILURE_CHARS = 2000


def main(worker_file: str, folder: str) -> int:
    """Serve until ``close`` or the end of the input."""
    answers = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8", errors="surrogatepass")
    os.dup2(2, 1)
    requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    # Before the package is imported, which may take the function by its name.
    repeatable = _Repeatable()
    uuid.uuid4 = repeatable.uuid4
    worker: Any = None
    while True:
        request = requests.get()
        name, given = request["call"], request.get("with", {})
        try:
            repeatable.begin(request.get("seed", ""))
            if name == "open":
                worker = _load(worker_file)(folder, given)
                gives = {}
            elif name in CALLS:
                gives = getattr(worker, name)(**given)
            else:
                raise ValueError(f"unknown call {name!r}")
        except Exception as error:  # noqa: BLE001 - whatever a package raises is its answer
            traceback.print_exc()
            failed = f"{type(error).__name__}: {error}"[:MOST_FAILURE_CHARS]
            _answer(answers, {"id": request["id"], "failed": failed})
            continue
        _answer(answers, {"id": request["id"], "gives": gives})
        if name == "close":
            return 0


def _listen(requests: queue.SimpleQueue[dict[str, Any]]) -> None:
    with os.fdopen(0, "r", encoding="utf-8", errors="surrogatepass") as lines:
        for line in lines:
            requests.put(json.loads(line))
    # The client has gone, perhaps killed: end in the middle of whatever is being done.
    os._exit(0)


def _answer(answers: TextIO, message: dict[str, Any]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def _load(worker_file: str) -> Callable[[str, dict[str, Any]], Any]:
    spec = importlib.util.spec_from_file_location("memjury_worker", worker_file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{worker_file} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules["memjury_worker"] = module
    spec.loader.exec_module(module)
    made: Callable[[str, dict[str, Any]], Any] = module.Worker
    return made


class _Repeatable:
    """Identifiers and draws that are the same for the same seed, so that a store that is built
    again asks its model the very same things and pays nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._draws = random.Random(0)

    def begin(self, seed: str) -> None:
        told = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
        random.seed(told)
        with self._lock:
            self._draws.seed(told)

    def uuid4(self) -> uuid.UUID:
        with self._lock:
            return uuid.UUID(int=self._draws.getrandbits(128), version=4)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
