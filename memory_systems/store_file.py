"""The SQLite file of a store: opened for the settings it was made with, changed whole or not."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from memory_systems.base import SystemRefused

FILE_NAME = "units.sqlite3"
_FORMAT = 1
_LOCK_WAIT_S = 60.0
_SCHEMA = (
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE items (
        position INTEGER PRIMARY KEY AUTOINCREMENT, item_id TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, timestamp TEXT NOT NULL,
        n_units INTEGER NOT NULL, truncated_units INTEGER NOT NULL)""",
    """CREATE TABLE units (
        item INTEGER NOT NULL REFERENCES items (position), ordinal INTEGER NOT NULL,
        kind TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        n_chars INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (item, ordinal))""",
    """CREATE TABLE vectors (
        item INTEGER PRIMARY KEY REFERENCES items (position), matrix BLOB NOT NULL)""",
)


class StoreMismatch(SystemRefused):
    """The folder holds a store that was made with other settings."""


class StoreNotUsable(SystemRefused):
    """The store cannot be read or written: damaged, locked, read-only, or the disk is full."""


class StoreFile:
    """One connection, which several threads may share."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: Mapping[str, int | float | str | bool],
        more_tables: Sequence[str] = (),
    ) -> None:
        """``more_tables``: statements that make what else this kind of store keeps. Raises
        StoreMismatch, StoreNotUsable."""
        self.folder = folder
        self._schema = (*_SCHEMA, *more_tables)
        self._lock = RLock()
        self._n_changes = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(
                folder / FILE_NAME,
                timeout=_LOCK_WAIT_S,
                isolation_level=None,
                check_same_thread=False,
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreNotUsable(f"the store in {folder} cannot be opened: {error}") from error
        try:
            self._prepare({"format": _FORMAT, **settings})
        except sqlite3.DatabaseError as error:
            self.connection.close()
            raise StoreNotUsable(f"the store in {folder} cannot be read: {error}") from error
        except BaseException:
            self.connection.close()
            raise

    def _prepare(self, settings: Mapping[str, int | float | str | bool]) -> None:
        wanted = {name: json.dumps(value) for name, value in settings.items()}
        if not self._has_tables():
            with self.transaction():
                if not self._has_tables():
                    for statement in self._schema:
                        self.connection.execute(statement)
                    self.connection.executemany(
                        "INSERT INTO settings VALUES (?, ?)", wanted.items()
                    )
        found = dict(self.connection.execute("SELECT name, value FROM settings"))
        differing = sorted(
            name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name)
        )
        if differing:
            told = "; ".join(
                f"{name} is {found.get(name, 'unset')} there, {wanted.get(name, 'unset')} was asked"
                for name in differing
            )
            raise StoreMismatch(f"the store in {self.folder} was made with other settings: {told}")

    def _has_tables(self) -> bool:
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'vectors'"
        return bool(self.connection.execute(query).fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is done inside is kept, or none of it. Raises StoreNotUsable."""
        with self._lock:
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                yield
                self.connection.execute("COMMIT")
            except sqlite3.OperationalError as error:
                self._roll_back()
                raise StoreNotUsable(
                    f"the store in {self.folder} cannot be written: {error}"
                ) from error
            except BaseException:
                self._roll_back()
                raise
            self._n_changes += 1

    def _roll_back(self) -> None:
        # A full disk may have rolled the transaction back already.
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def version(self) -> tuple[int, int]:
        """Changes whenever the store's content may have."""
        # SQLite counts the changes of other connections in data_version, not our own.
        others = self.connection.execute("PRAGMA data_version").fetchone()[0]
        return self._n_changes, others

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All that is read inside is of one moment."""
        with self._lock:
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()
