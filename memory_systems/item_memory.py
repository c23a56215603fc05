"""A memory of whole items, for the anchors: no search, only what was taken in and its order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from memory_systems.base import (
    Budget,
    IngestOutcome,
    SourceItem,
    StoreStats,
    SystemConfig,
    SystemInfo,
    SystemRefused,
    Unit,
)
from memory_systems.unit_store import StoredUnit, UnitStore


class BudgetNotSupported(SystemRefused):
    """The system has no knob and is measured at its native volume only."""


class GoldRequired(SystemRefused):
    """An oracle anchor was asked to retrieve without being told the gold sources."""


class ItemMemory:
    """Each item with text is one unit, the whole item. Ingesting an id again replaces it in its
    place; deleting an id that is not stored changes nothing."""

    INFO: ClassVar[SystemInfo]

    def __init__(self, config: SystemConfig, folder: Path) -> None:
        self._config = config
        settings = {"system": self.INFO.slug, "version": self.INFO.version}
        self._store = UnitStore(folder, settings=settings)

    def ingest(self, item: SourceItem) -> IngestOutcome:
        whole = StoredUnit(text=item.text, start=0, end=len(item.text), kind=item.kind)
        units = [whole] if item.text else []
        self._store.put(item, units)
        return IngestOutcome(units=len(units))

    def revise(self, item: SourceItem) -> IngestOutcome:
        return self.ingest(item)

    def delete(self, item_id: str) -> IngestOutcome:
        self._store.delete(item_id)
        return IngestOutcome(units=0)

    def flush(self) -> None:
        """Nothing is buffered: every item is durable when ``ingest`` returns."""

    def units(self) -> Sequence[Unit]:
        return self._store.units_of()

    def stats(self) -> StoreStats:
        return self._store.stats()

    def stored_item_ids(self) -> frozenset[str]:
        return frozenset(self._store.item_ids())

    def close(self) -> None:
        self._store.close()

    def _require_native(self, budget: Budget) -> None:
        if not budget.is_native:
            raise BudgetNotSupported(
                f"memory system {self.INFO.slug!r} has no knob: it is measured at native only"
            )
