"""The journal of a store: what was begun and what is certainly there, across kill -9."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Journal:
    """Lines of JSON, appended and synced. A half-written last line is ignored and overwritten.

    ``begun`` holds (stream path, step number); ``committed`` maps them to what the step did.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.begun: set[tuple[str, int]] = set()
        self.committed: dict[tuple[str, int], dict[str, Any]] = {}
        self._read()

    def begin(self, stream: str, step: int) -> None:
        self.begun.add((stream, step))
        self._append([{"begin": [stream, step]}])

    def commit(self, stream: str, done: Mapping[int, dict[str, Any]]) -> None:
        self.committed.update({(stream, step): what for step, what in done.items()})
        self._append([{"commit": [stream, step], "did": what} for step, what in done.items()])

    def restart(self, stream: str) -> None:
        """Forget a stream: its memory was wiped."""
        self._append([{"restart": stream}])
        self._forget(stream)

    def uncommitted(self, stream: str) -> list[int]:
        return sorted(step for path, step in self.begun - self.committed.keys() if path == stream)

    def _read(self) -> None:
        if not self.path.exists():
            return
        raw = self.path.read_bytes()
        complete = raw.rpartition(b"\n")[0] + b"\n" if b"\n" in raw else b""
        if complete != raw:
            with self.path.open("r+b") as file:
                file.truncate(len(complete))
        for line in complete.splitlines():
            self._apply(json.loads(line))

    def _apply(self, entry: dict[str, Any]) -> None:
        if "begin" in entry:
            self.begun.add((entry["begin"][0], entry["begin"][1]))
        elif "commit" in entry:
            self.committed[entry["commit"][0], entry["commit"][1]] = entry["did"]
        else:
            self._forget(entry["restart"])

    def _forget(self, stream: str) -> None:
        self.begun = {entry for entry in self.begun if entry[0] != stream}
        self.committed = {entry: did for entry, did in self.committed.items() if entry[0] != stream}

    def _append(self, entries: list[dict[str, Any]]) -> None:
        with self.path.open("ab") as file:
            file.write(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))
            file.flush()
            os.fsync(file.fileno())
