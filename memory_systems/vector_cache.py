"""Vectors on disk by the hash of their text: one SQLite file an embedder.

Several processes may read and write it at once. It is a cache: a damaged file is set aside and
begun anew, and a folder that cannot be written costs speed, not results.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

_LOG = logging.getLogger(__name__)
_LOCK_WAIT_S = 60.0
_LOOKED_UP_AT_ONCE = 500


def text_key(text: str) -> bytes:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorCache:
    """The vectors of the embedder with this identity, which stands for all that changes them."""

    def __init__(self, folder: Path, identity: str) -> None:
        name = re.sub(r"[^A-Za-z0-9]+", "-", identity).strip("-")[:40]
        self.path = folder / f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}.sqlite3"
        self._lock = Lock()
        self._connection: tuple[int, sqlite3.Connection] | None = None

    def find(self, keys: Iterable[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Those of the keys that are stored, with their vectors."""
        wanted = list(keys)
        found: dict[bytes, NDArray[np.float32]] = {}
        with self._best_effort():
            connection = self._opened()
            for first in range(0, len(wanted), _LOOKED_UP_AT_ONCE):
                part = wanted[first : first + _LOOKED_UP_AT_ONCE]
                marks = ",".join("?" * len(part))
                # Only question marks are put into the statement.
                statement = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                for key, blob in connection.execute(statement, part):
                    found[key] = np.frombuffer(blob, "<f4")
        return found

    def store(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep these, all or none; a vector that is stored already stays as it is."""
        rows = [(key, np.asarray(vector, "<f4").tobytes()) for key, vector in vectors.items()]
        with self._best_effort(), self._opened() as connection:
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    def any_dim(self) -> int | None:
        """The dimension of what is stored, or None where nothing is."""
        row = None
        with self._best_effort():
            found = self._opened().execute("SELECT length(vector) FROM vectors LIMIT 1")
            row = found.fetchone()
        return row[0] // 4 if row else None

    @contextmanager
    def _best_effort(self) -> Iterator[None]:
        """One use at a time. What fails is told in the log and skipped; a damaged file is set
        aside."""
        with self._lock:
            try:
                yield
            except (sqlite3.DatabaseError, OSError) as error:
                _LOG.warning("the vector cache %s was not used: %s", self.path.name, error)
                self._disconnect()
                is_damaged = not isinstance(error, sqlite3.OperationalError | OSError)
                if is_damaged and self.path.exists():
                    self.path.replace(self.path.with_suffix(".damaged"))

    def _opened(self) -> sqlite3.Connection:
        """This process's connection: one opened before a fork must not be used after it."""
        if self._connection is None or self._connection[0] != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_LOCK_WAIT_S, check_same_thread=False)
            self._connection = os.getpid(), connection
            # A cache may lose its last entries in a power cut; it need not wait for the disk.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) "
                "WITHOUT ROWID"
            )
        return self._connection[1]

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection[1].close()
            self._connection = None

    def close(self) -> None:
        with self._lock:
            self._disconnect()
