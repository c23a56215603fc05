"""In context: everything that was taken in, in order, with no memory system between. An anchor."""

from __future__ import annotations

from memory_systems.base import Budget, Retrieval, SystemInfo
from memory_systems.item_memory import ItemMemory


class InContext(ItemMemory):
    """Returns every item whole, whatever the question."""

    INFO = SystemInfo(
        slug="in-context",
        title="In context",
        description="All items in the order they came, as one context: what a long context can do.",
        modalities=("none",),
        granularity="whole items",
        knob="none",
        is_anchor=True,
        native_only=True,
        uses_embedder=False,
    )

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """Raises BudgetNotSupported for any budget but native."""
        self._require_native(budget)
        units = self._store.units_of()
        return Retrieval(units=units, knobs={"n_items": len(units)})
