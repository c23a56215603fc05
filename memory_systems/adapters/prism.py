"""Prism: Theoria's evidence without its communities and theories, answering by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory_systems.base import Budget, Retrieval, StoreStats, SystemConfig, SystemInfo, Unit
from memory_systems.evidence.answering import answer_by_choice, answer_by_model
from memory_systems.evidence.features import features_of
from memory_systems.evidence.links import Link, find_links
from memory_systems.evidence.memory import EvidenceMemory
from memory_systems.evidence.nearest import steady
from memory_systems.evidence.retrieval import Adjacency, adjacency_of, said_once, with_linked
from memory_systems.evidence.sections import DEFAULT_CHUNK_CHARS
from memory_systems.evidence.store import CLAIM
from memory_systems.fetching import Knobs, Ranking, fetch_ranked
from memory_systems.ranking import products, top_indices

NATIVE_K = 25


class Prism(EvidenceMemory):
    """An ablation: the same claims, summaries and typed links, ranked by cosine over all of them
    at once. What it retrieves is never shown; it answers itself."""

    INFO = SystemInfo(
        slug="prism",
        title="Prism",
        description=(
            "Theoria's claims, summaries and typed links without communities and theories. It "
            "answers by itself: with the language model that it is given, or, without one, with "
            "claims chosen word for word, so its answers are no test of a shared synthesizer."
        ),
        modalities=("dense",),
        granularity="claims of one to three sentences or a table row, and summaries of about eight",
        knob="none: it reads its 25 best claims and summaries, and those linked to them",
        synthesis="internal",
        has_context=False,
        version="3",
        native_k=NATIVE_K,
        uses_model=True,
        ingest_parameters={"model": "", "chunk_chars": DEFAULT_CHUNK_CHARS},
    )

    def __init__(self, config: SystemConfig, folder: Path) -> None:
        super().__init__(config, folder)
        self._adjacent: tuple[str, Adjacency] | None = None

    def settle(self) -> None:
        """Find the typed links, if the stored ones are not of these items."""
        with self._store.deriving():
            fingerprint = self._store.fingerprint
            if self._store.derived_from() != fingerprint:
                self._store.replace_derived(fingerprint, self._found_links(), lambda _: None)

    def _found_links(self) -> list[Link]:
        table, texts = self._store.table(), self._store.texts()
        claims = np.flatnonzero(table.level == 0)
        features = {int(unit): features_of(texts[unit]) for unit in claims}
        return find_links(
            self._store.vectors[claims], table.items[claims], claims, features.__getitem__
        )

    def links(self) -> list[Link]:
        """The typed links of the items as they are now."""
        if self._store.derived_from() != self._store.fingerprint:
            self.settle()
        return self._store.links()

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """The question's id is not used."""
        knobs: Knobs = {"embedder": self._embedder.name}
        query = steady(self._embedder.encode([text]))[0]
        scores = products(self._store.vectors, query)
        table, adjacent = self._store.table(), self._linked()

        def rank(k: int) -> Ranking:
            leading = said_once(top_indices(scores, 3 * k), table)
            if len(leading) < k:
                leading = said_once(top_indices(scores, len(scores)), table)
            found, knobs["n_linked"] = with_linked(leading, k, adjacent, table)
            return found

        ranked, fetched = fetch_ranked(rank, budget, native_k=NATIVE_K, n_chars=self._store.n_chars)
        return Retrieval(units=self._store.units_at(ranked), knobs={**knobs, **fetched})

    def _linked(self) -> Adjacency:
        fingerprint = self._store.fingerprint
        if self._adjacent is None or self._adjacent[0] != fingerprint:
            self._adjacent = fingerprint, adjacency_of(self.links())
        return self._adjacent[1]

    def answer(self, question_id: str, text: str, *, attempt: int = 0) -> str:
        """From the claims that it retrieves. Raises ModelRequired, ModelCallFailed, and what must
        end the run."""
        claims = _claims_of(self.retrieve(question_id, text, budget=Budget()).units)
        if not self._model_name:
            return answer_by_choice(text, claims, self._embedder)
        model = self._required_model()
        model.address.begin(question_id, attempt=attempt)
        return answer_by_model(text, claims, model)

    def stats(self) -> StoreStats:
        """With the counts of claims, summaries and links."""
        return self._stats_with({"links": len(self.links())} if len(self._store.n_chars) else {})


def _claims_of(units: Sequence[Unit]) -> list[str]:
    """The claims retrieved, then those that summaries quote, each once."""
    told = [unit.text for unit in units if unit.kind == CLAIM]
    for unit in units:
        if unit.kind != CLAIM:
            told += unit.text.split("\n")
    return list(dict.fromkeys(told))
