"""The evidence store: claims and their summaries with what is known of each, in the SQLite file of
a unit store. An item, its units, their vectors and details are written in one transaction."""

from __future__ import annotations

import fcntl
import sqlite3
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import SourceItem
from memory_systems.evidence.links import Link
from memory_systems.unit_store import StoredUnit, UnitStore

CLAIM = "claim"
Read = TypeVar("Read")
SUMMARY = "summary"
_TABLES = (
    """CREATE TABLE evidence (
        item INTEGER NOT NULL, ordinal INTEGER NOT NULL, level INTEGER NOT NULL,
        summary INTEGER NOT NULL, aspects TEXT NOT NULL, heading TEXT NOT NULL,
        span_start INTEGER NOT NULL, span_end INTEGER NOT NULL, gists BLOB NOT NULL,
        PRIMARY KEY (item, ordinal)) WITHOUT ROWID""",
    """CREATE TRIGGER evidence_goes_with_its_unit AFTER DELETE ON units BEGIN
        DELETE FROM evidence WHERE item = OLD.item AND ordinal = OLD.ordinal; END""",
    "CREATE TABLE derived (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    """CREATE TABLE links (
        source INTEGER NOT NULL, target INTEGER NOT NULL, relation TEXT NOT NULL,
        cosine REAL NOT NULL, PRIMARY KEY (source, target)) WITHOUT ROWID""",
)


@dataclass(frozen=True, slots=True)
class EvidenceUnit:
    """A claim (``level`` 0) or a summary (1) to be stored. ``summary`` is the ordinal of a claim's
    summary in its item, or -1. ``gists`` are what it says: its own, or those of the claims that a
    summary quotes. ``vector`` has shape (dim,)."""

    text: str
    level: int
    summary: int
    aspects: Sequence[str]
    heading: str
    span_start: int
    span_end: int
    is_verbatim: bool
    gists: Sequence[int]

    def stored(self) -> StoredUnit:
        start, end = (self.span_start, self.span_end) if self.is_verbatim else (-1, -1)
        return StoredUnit(self.text, start, end, kind=SUMMARY if self.level else CLAIM)


@dataclass(frozen=True, slots=True)
class EvidenceTable:
    """All units in unit order, as columns. ``items`` numbers the item of each from 0; ``summary``
    is the index of a claim's summary or -1; ``gists`` are what each unit says; ``is_finding`` says
    which units were observed, not ingested."""

    items: NDArray[np.int64]
    level: NDArray[np.int64]
    summary: NDArray[np.int64]
    gists: list[tuple[int, ...]]
    is_finding: NDArray[np.bool_]


class EvidenceStore(UnitStore):
    """Opens or makes the store in ``folder``; see ``UnitStore``."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: dict[str, int | float | str | bool],
        dim: int,
        more_tables: Sequence[str] = (),
    ) -> None:
        super().__init__(folder, settings=settings, dim=dim, more_tables=(*_TABLES, *more_tables))
        self._table: tuple[str, EvidenceTable] | None = None

    def put_evidence(
        self,
        item: SourceItem,
        units: Sequence[EvidenceUnit],
        *,
        vectors: NDArray[np.float32],
        truncated_units: int = 0,
    ) -> None:
        """Store an item whole, in place of any earlier one of its id. Raises TextNotUnicode."""

        def write_details(position: int) -> None:
            self._db.executemany(
                "INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        position,
                        ordinal,
                        unit.level,
                        unit.summary,
                        ",".join(unit.aspects),
                        unit.heading,
                        unit.span_start,
                        unit.span_end,
                        np.array(unit.gists, "<i8").tobytes(),
                    )
                    for ordinal, unit in enumerate(units)
                ),
            )

        self.put(
            item,
            [unit.stored() for unit in units],
            vectors=vectors,
            truncated_units=truncated_units,
            alongside=write_details,
        )

    def table(self) -> EvidenceTable:
        """What is known of every unit, read again when the store has changed."""
        fingerprint = self.fingerprint
        if self._table is None or self._table[0] != fingerprint:
            with self._file.reading():
                self._table = fingerprint, self._read_table()
        return self._table[1]

    def _read_table(self) -> EvidenceTable:
        rows = self._db.execute(
            "SELECT item, ordinal, level, summary, gists, kind = 'finding' FROM evidence "
            "JOIN items ON position = item ORDER BY item, ordinal"
        ).fetchall()
        numbers = np.array([row[:4] for row in rows], np.int64).reshape(-1, 4)
        positions, first, items = np.unique(numbers[:, 0], return_index=True, return_inverse=True)
        summary = numbers[:, 3]
        return EvidenceTable(
            items=items.astype(np.int64),
            level=numbers[:, 2],
            summary=np.where(summary < 0, -1, first[items] + summary)
            if len(positions)
            else summary,
            gists=[struct.unpack(f"<{len(row[4]) // 8}q", row[4]) for row in rows],
            is_finding=np.array([row[5] for row in rows], np.bool_),
        )

    def lexical_texts(self) -> list[str]:
        """What BM25 reads of every unit, in unit order: its item's title and its own text."""
        rows = self._db.execute(
            "SELECT title, text FROM units JOIN items ON position = item ORDER BY item, ordinal"
        )
        return [f"{title}\n{text}" if title else text for title, text in rows]

    def count_aspects(self) -> dict[str, int]:
        """How many claims each pass found; a claim that several found counts for each."""
        counts: dict[str, int] = {}
        rows = self._db.execute(
            "SELECT aspects, count(*) FROM evidence WHERE level = 0 GROUP BY aspects"
        )
        for aspects, n in rows:
            for aspect in aspects.split(","):
                counts[aspect] = counts.get(aspect, 0) + n
        return counts

    def derived_from(self) -> str:
        """The fingerprint of the items that the derived rows follow from; empty before any."""
        row = self._db.execute("SELECT value FROM derived WHERE name = 'fingerprint'").fetchone()
        return str(row[0]) if row else ""

    def replace_derived(
        self, fingerprint: str, links: Sequence[Link], write: Callable[[sqlite3.Connection], None]
    ) -> None:
        """Store what was derived from the items of this fingerprint, in place of all before.
        ``write`` replaces the rows of what else was derived, in the same transaction."""
        with self._file.transaction():
            self._db.execute("DELETE FROM links")
            self._db.executemany(
                "INSERT INTO links VALUES (?, ?, ?, ?)",
                ((one.source, one.target, one.relation, one.cosine) for one in links),
            )
            write(self._db)
            self._db.execute(
                "INSERT OR REPLACE INTO derived VALUES ('fingerprint', ?)", (fingerprint,)
            )

    def read_derived(self, read: Callable[[sqlite3.Connection], Read]) -> Read:
        """What ``read`` finds, all of one moment."""
        with self._file.reading():
            return read(self._db)

    def links(self) -> list[Link]:
        rows = self._db.execute(
            "SELECT source, target, relation, cosine FROM links ORDER BY source, target"
        )
        return [Link(*row) for row in rows]

    @contextmanager
    def deriving(self) -> Iterator[None]:
        """One process at a time derives; others wait and then find it done."""
        with (self.folder / "deriving.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
