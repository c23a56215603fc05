"""The base model: what the synthesizer knows without any context. An anchor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from memory_systems.base import (
    Budget,
    IngestOutcome,
    Retrieval,
    SourceItem,
    StoreStats,
    SystemConfig,
    SystemInfo,
    Unit,
)
from memory_systems.unit_store import UnitStore


class BaseModel:
    """Notes which items it was shown, keeps none of their text and retrieves nothing."""

    INFO: ClassVar[SystemInfo] = SystemInfo(
        slug="base-model",
        title="Base model",
        description="No memory: the synthesizer answers without any context.",
        modalities=("none",),
        granularity="nothing is stored",
        knob="none",
        is_anchor=True,
        has_context=False,
        uses_embedder=False,
    )

    def __init__(self, config: SystemConfig, folder: Path) -> None:  # noqa: ARG002
        self._store = UnitStore(folder, settings={"system": "base-model", "version": "1"})

    def ingest(self, item: SourceItem) -> IngestOutcome:
        self._store.put(replace(item, text="", title=""), [])
        return IngestOutcome(units=0)

    def revise(self, item: SourceItem) -> IngestOutcome:
        return self.ingest(item)

    def delete(self, item_id: str) -> IngestOutcome:
        self._store.delete(item_id)
        return IngestOutcome(units=0)

    def flush(self) -> None:
        """Nothing is buffered: every item is durable when ``ingest`` returns."""

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        return Retrieval(units=())

    def units(self) -> Sequence[Unit]:
        return ()

    def stats(self) -> StoreStats:
        return self._store.stats()

    def stored_item_ids(self) -> frozenset[str]:
        return frozenset(self._store.item_ids())

    def close(self) -> None:
        self._store.close()
