"""The base model: what the synthesizer knows without any context. An anchor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_systems.base import Budget, IngestOutcome, Retrieval, SourceItem, SystemInfo, Unit
from memory_systems.item_memory import ItemMemory


class BaseModel(ItemMemory):
    """Notes which items it was shown, keeps none of their text and retrieves nothing."""

    INFO = SystemInfo(
        slug="base-model",
        title="Base model",
        description="No memory: the synthesizer answers without any context.",
        modalities=("none",),
        granularity="nothing is stored but the items' names",
        knob="none",
        is_anchor=True,
        has_context=False,
        uses_embedder=False,
    )

    def ingest(self, item: SourceItem) -> IngestOutcome:
        return super().ingest(replace(item, text="", title=""))

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        return Retrieval(units=())

    def units(self) -> Sequence[Unit]:
        return ()
