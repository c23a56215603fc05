"""Run as a process of its own: takes the contract's items in and kills itself on the way.

Arguments: system, modality, folder, and the number of the SQL statement before which it dies
(0: never; it then prints how many there were). Each item's id is printed once it is stored.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any, cast

from memory_systems.base import Modality
from tests.memory_systems.contract import ITEMS, open_memory

_connect = sqlite3.connect


class _Fuse:
    def __init__(self, burns_at: int) -> None:
        self.burns_at = burns_at
        self.n_statements = 0

    def note(self, _statement: str) -> None:
        self.n_statements += 1
        if self.n_statements == self.burns_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def connect(self, *args: Any, **options: Any) -> sqlite3.Connection:
        connection = _connect(*args, **options)
        connection.set_trace_callback(self.note)
        return connection


def main(slug: str, modality: str, folder: str, burns_at: str) -> None:
    fuse = _Fuse(int(burns_at))
    sqlite3.connect = fuse.connect  # type: ignore[assignment]
    memory = open_memory(slug, cast(Modality, modality), Path(folder))
    for item in ITEMS:
        memory.ingest(item)
        print(item.id, flush=True)
    memory.flush()
    memory.close()
    print(fuse.n_statements, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
