"""The client's own list of what a native store holds: items, begun and committed, and the handles
(identifiers in the package) of what came of each."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memory_systems.base import SourceItem, SystemRefused
from memory_systems.item_digest import digest_of

FILE_NAME = "catalogue.sqlite3"
_LOCK_WAIT_S = 60.0
_SCHEMA = """CREATE TABLE IF NOT EXISTS items (
    position INTEGER PRIMARY KEY AUTOINCREMENT, item_id TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL, handles TEXT NOT NULL, n_units INTEGER NOT NULL,
    errors TEXT NOT NULL, is_committed INTEGER NOT NULL)"""


class CatalogueNotUsable(SystemRefused):
    """The list cannot be read or written: damaged, read-only, or the disk is full."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item. ``handles`` are what the worker gave for it; an uncommitted one was interrupted and
    may be there in part."""

    item_id: str
    digest: str
    handles: tuple[str, ...]
    n_units: int
    errors: tuple[str, ...]
    is_committed: bool


class Catalogue:
    """The list in ``folder``. An item that failed is not kept, so that it counts as missing."""

    def __init__(self, folder: Path) -> None:
        """Raises CatalogueNotUsable."""
        self._path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                self._path, timeout=_LOCK_WAIT_S, isolation_level=None, check_same_thread=False
            )
            self._db.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise CatalogueNotUsable(f"{self._path} cannot be opened: {error}") from error

    def entries(self) -> tuple[Entry, ...]:
        """In order of first ingest."""
        with self._statements():
            rows = self._db.execute(
                "SELECT item_id, digest, handles, n_units, errors, is_committed FROM items "
                "ORDER BY position"
            ).fetchall()
        return tuple(
            Entry(item, digest, tuple(json.loads(handles)), n, tuple(json.loads(errors)), bool(ok))
            for item, digest, handles, n, errors, ok in rows
        )

    def find(self, item_id: str) -> Entry | None:
        return next((one for one in self.entries() if one.item_id == item_id), None)

    def begin(self, item: SourceItem) -> None:
        """Before anything of the item is sent; one of its id that is taken out already keeps its
        place. Raises TextNotUnicode."""
        with self._statements():
            self._db.execute(
                "INSERT INTO items (item_id, digest, handles, n_units, errors, is_committed) "
                "VALUES (?, ?, '[]', 0, '[]', 0) ON CONFLICT (item_id) DO UPDATE SET "
                "digest = excluded.digest, handles = '[]', n_units = 0, errors = '[]', "
                "is_committed = 0",
                (item.id, digest_of(item)),
            )

    def commit(
        self, item_id: str, *, handles: Sequence[str], n_units: int, errors: Sequence[str] = ()
    ) -> None:
        with self._statements():
            self._db.execute(
                "UPDATE items SET handles = ?, n_units = ?, errors = ?, is_committed = 1 "
                "WHERE item_id = ?",
                (json.dumps(list(handles)), n_units, json.dumps(list(errors)), item_id),
            )

    def forget(self, item_id: str) -> None:
        with self._statements():
            self._db.execute("DELETE FROM items WHERE item_id = ?", (item_id,))

    @contextmanager
    def _statements(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise CatalogueNotUsable(f"{self._path} cannot be used: {error}") from error

    def close(self) -> None:
        self._db.close()
