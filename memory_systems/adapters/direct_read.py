"""Direct Read: the gold sources in full among filler, a long-context oracle. An anchor."""

from __future__ import annotations

import random

from memory_systems.base import Budget, GoldQuestion, Retrieval, SystemInfo, Unit
from memory_systems.fetching import estimated_tokens
from memory_systems.item_memory import GoldRequired, ItemMemory


class DirectRead(ItemMemory):
    """The filler is drawn for each question from the seed and the question's id: whole items in
    random order, until the next would pass ``filler_tokens``."""

    INFO = SystemInfo(
        slug="direct-read",
        title="Direct Read",
        description=(
            "The question's gold sources in full, then randomly drawn other items up to a number "
            "of tokens (estimated as four characters each). It is told the sources: an upper "
            "reference for reading, not a competitor."
        ),
        modalities=("none",),
        granularity="whole items",
        knob="none; filler_tokens sets how much else is read",
        is_anchor=True,
        native_only=True,
        uses_embedder=False,
        retrieval_parameters={"filler_tokens": 50_000},
    )

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """Raises GoldRequired: the sources come by ``retrieve_for`` alone."""
        raise GoldRequired("direct-read reads the gold sources and was not told them")

    def retrieve_for(self, question: GoldQuestion, *, budget: Budget) -> Retrieval:
        """Gold sources in the question's order, then filler. A source that is not stored is left
        out and counted. Raises BudgetNotSupported for any budget but native."""
        self._require_native(budget)
        by_id = {unit.source_id: unit for unit in self._store.units_of()}
        source_ids = tuple(dict.fromkeys(question.source_ids))
        gold = [by_id[source_id] for source_id in source_ids if source_id in by_id]
        others = [unit for item_id, unit in by_id.items() if item_id not in source_ids]
        filler, filler_tokens = self._draw_filler(others, question.id)
        return Retrieval(
            units=(*gold, *filler),
            knobs={
                "n_gold": len(gold),
                "n_gold_not_stored": len(source_ids) - len(gold),
                "n_filler": len(filler),
                "estimated_filler_tokens": filler_tokens,
            },
        )

    def _draw_filler(self, others: list[Unit], question_id: str) -> tuple[list[Unit], int]:
        limit = int(self._config.parameters["filler_tokens"])
        rng = random.Random(f"{self._config.seed}/{question_id}")
        rng.shuffle(others)
        drawn: list[Unit] = []
        total = 0
        for unit in others:
            tokens = estimated_tokens(len(unit.text))
            if total + tokens > limit:
                break
            drawn.append(unit)
            total += tokens
        return drawn, total
