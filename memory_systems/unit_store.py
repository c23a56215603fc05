"""The durable store of items and their units: one SQLite file in a memory's work folder.

An item, its units and their vectors are written in one transaction, so that a killed process
leaves whole items only. The file is closed clean: a copy of the closed folder is a fork. One
process may write while others read; two processes may read at the same time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import SourceItem, StoreStats, Unit
from memory_systems.item_digest import digest_of
from memory_systems.store_file import StoreFile

_ROWS_AT_ONCE = 500
_SELECT_UNIT = (
    'SELECT u.rowid, text, u.kind, item_id, start, "end" FROM units u JOIN items ON position = item'
)


@dataclass(frozen=True, slots=True)
class StoredUnit:
    """A unit to be stored: offsets into the item's text (or -1) and its own text."""

    text: str
    start: int = -1
    end: int = -1
    kind: str = "chunk"


@dataclass(frozen=True, slots=True)
class _Snapshot:
    version: tuple[int, int]
    fingerprint: str
    row_ids: NDArray[np.int64]
    n_chars: NDArray[np.int64]
    vectors: NDArray[np.float32]


class UnitStore:
    """Opens or makes the store in ``folder``. ``settings`` are what it depends on (chunk sizes,
    embedder): opening it with others raises StoreMismatch. ``dim`` is 0 without vectors."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: Mapping[str, int | float | str | bool],
        dim: int = 0,
        more_tables: Sequence[str] = (),
    ) -> None:
        self.folder = folder
        self._dim = dim
        self._snapshot: _Snapshot | None = None
        self._file = StoreFile(folder, settings={"dim": dim, **settings}, more_tables=more_tables)
        self._db = self._file.connection

    def put(
        self,
        item: SourceItem,
        units: Sequence[StoredUnit],
        *,
        vectors: NDArray[np.float32] | None = None,
        truncated_units: int = 0,
        alongside: Callable[[int], None] | None = None,
    ) -> None:
        """Store an item whole, in place of any earlier one of its id, whose position it keeps.

        ``vectors`` has shape (len(units), dim). ``alongside`` is called with the item's position
        and writes what else belongs to it, in the same transaction. Raises TextNotUnicode.
        """
        matrix = np.zeros((len(units), 0), np.float32) if vectors is None else vectors
        if matrix.shape != (len(units), self._dim):
            raise ValueError(
                f"vectors of shape {matrix.shape} do not fit {len(units)} units of {self._dim}"
            )
        row = (digest_of(item), item.title, item.kind, item.timestamp, len(units), truncated_units)
        with self._file.transaction():
            position = self._position_of(item.id)
            if position is None:
                position = self._db.execute(
                    "INSERT INTO items (item_id, digest, title, kind, timestamp, n_units, "
                    "truncated_units) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (item.id, *row),
                ).lastrowid
            else:
                self._drop_units(position)
                self._db.execute(
                    "UPDATE items SET digest = ?, title = ?, kind = ?, timestamp = ?, n_units = ?,"
                    " truncated_units = ? WHERE position = ?",
                    (*row, position),
                )
            self._db.executemany(
                "INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (position, ordinal, unit.kind, unit.start, unit.end, len(unit.text), unit.text)
                    for ordinal, unit in enumerate(units)
                ),
            )
            if self._dim and len(units):
                blob = np.ascontiguousarray(matrix, "<f4").tobytes()
                self._db.execute("INSERT INTO vectors VALUES (?, ?)", (position, blob))
            if alongside is not None:
                alongside(int(position or 0))

    def delete(self, item_id: str) -> bool:
        """Remove an item and its units; False where it was not stored."""
        with self._file.transaction():
            position = self._position_of(item_id)
            if position is not None:
                self._drop_units(position)
                self._db.execute("DELETE FROM items WHERE position = ?", (position,))
        return position is not None

    def _position_of(self, item_id: str) -> int | None:
        found = self._db.execute("SELECT position FROM items WHERE item_id = ?", (item_id,))
        row = found.fetchone()
        return None if row is None else int(row[0])

    def _drop_units(self, position: int) -> None:
        self._db.execute("DELETE FROM units WHERE item = ?", (position,))
        self._db.execute("DELETE FROM vectors WHERE item = ?", (position,))

    def counts_if_same(self, item: SourceItem) -> tuple[int, int] | None:
        """(units, truncated units) where this very item is already stored, else None.

        Raises TextNotUnicode.
        """
        digest = digest_of(item)
        row = self._db.execute(
            "SELECT digest, n_units, truncated_units FROM items WHERE item_id = ?", (item.id,)
        ).fetchone()
        return (row[1], row[2]) if row is not None and row[0] == digest else None

    def item_ids(self) -> tuple[str, ...]:
        """In order of first ingest."""
        return tuple(
            row[0] for row in self._db.execute("SELECT item_id FROM items ORDER BY position")
        )

    def stats(self) -> StoreStats:
        n_items, truncated = self._db.execute(
            "SELECT count(*), total(truncated_units) FROM items"
        ).fetchone()
        n_chars = self._current().n_chars
        return StoreStats(
            n_items=n_items,
            n_units=len(n_chars),
            mean_unit_chars=float(n_chars.mean()) if len(n_chars) else 0.0,
            n_over_embedder_limit=int(truncated),
        )

    @property
    def fingerprint(self) -> str:
        """SHA-256 of what the units depend on: the items in order and the settings."""
        return self._current().fingerprint

    @property
    def n_chars(self) -> NDArray[np.int64]:
        """Length in characters of every unit, in unit order."""
        return self._current().n_chars

    @property
    def vectors(self) -> NDArray[np.float32]:
        """Shape (units, dim), in unit order."""
        return self._current().vectors

    def texts(self) -> list[str]:
        """Every unit's text, in unit order (items by position, then their own order)."""
        return [row[0] for row in self._db.execute("SELECT text FROM units ORDER BY item, ordinal")]

    def units_at(self, ranked: Sequence[tuple[int, float]]) -> tuple[Unit, ...]:
        """The units at these (index, score), in the order given."""
        row_ids = self._current().row_ids
        wanted = [int(row_ids[index]) for index, _ in ranked]
        found: dict[int, tuple[str, str, str, int, int]] = {}
        for first in range(0, len(wanted), _ROWS_AT_ONCE):
            part = wanted[first : first + _ROWS_AT_ONCE]
            marks = ",".join("?" * len(part))
            # Only question marks are put into the statement.
            statement = f"{_SELECT_UNIT} WHERE u.rowid IN ({marks})"
            found.update((row[0], row[1:]) for row in self._db.execute(statement, part))
        return tuple(
            _unit(found[row_id], score) for row_id, (_, score) in zip(wanted, ranked, strict=True)
        )

    def units_of(self, item_id: str | None = None) -> tuple[Unit, ...]:
        """All units, or one item's, in unit order; their score is 0."""
        rows = self._db.execute(
            f"{_SELECT_UNIT} WHERE ?1 IS NULL OR item_id = ?1 ORDER BY item, ordinal", (item_id,)
        )
        return tuple(_unit(row[1:], 0.0) for row in rows)

    def _current(self) -> _Snapshot:
        """What searches need, read again when this or another process has changed the store."""
        snapshot = self._snapshot
        if snapshot is None or snapshot.version != self._file.version():
            with self._file.reading():
                snapshot = self._snapshot = self._read_snapshot()
        return snapshot

    def _read_snapshot(self) -> _Snapshot:
        told = hashlib.sha256()
        for query in (
            "SELECT name, value FROM settings ORDER BY name",
            "SELECT item_id, digest FROM items ORDER BY position",
        ):
            for row in self._db.execute(query):
                told.update(json.dumps(row).encode())
        rows = self._db.execute("SELECT rowid, n_chars FROM units ORDER BY item, ordinal")
        table = np.array(rows.fetchall(), np.int64).reshape(-1, 2)
        blobs = self._db.execute("SELECT matrix FROM vectors ORDER BY item")
        matrix = np.frombuffer(b"".join(row[0] for row in blobs), "<f4")
        return _Snapshot(
            version=self._file.version(),
            fingerprint=told.hexdigest(),
            row_ids=table[:, 0],
            n_chars=table[:, 1],
            vectors=matrix.reshape(len(table) if self._dim else 0, self._dim),
        )

    def close(self) -> None:
        self._file.close()


def _unit(row: tuple[str, str, str, int, int], score: float) -> Unit:
    text, kind, item_id, start, end = row
    return Unit(text=text, kind=kind, score=score, source_id=item_id, start=start, end=end)
