"""A memory of overlapping chunks, searched densely, lexically or by fusion of both.

The stored units are the same for every modality and track, so a hybrid never ingests again. What
a search needs (vectors in memory, the lexical index) is made ready when a filled store is opened,
and again when the store has changed by the next search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from memory_systems.base import (
    Budget,
    CountsCalls,
    Embedder,
    IngestOutcome,
    Retrieval,
    SourceItem,
    StoreStats,
    SystemConfig,
    SystemInfo,
    SystemRefused,
    Unit,
)
from memory_systems.chunking import chunk_spans
from memory_systems.fetching import Knobs, Ranking, fetch_ranked
from memory_systems.fusion import FUSED_DEPTH, RRF_K, reciprocal_rank_fusion
from memory_systems.lexical.engines import LexicalEngine, get_engine
from memory_systems.lexical.index_folder import open_index
from memory_systems.lexical.tokenizer import TOKENIZER_NAME
from memory_systems.ranking import products, top_indices
from memory_systems.unit_store import StoredUnit, UnitStore


class EmbedderRequired(SystemRefused):
    """The system embeds its units, and no embedder was configured."""


class ChunkMemory:
    """``INFO`` of the adapter says whether it embeds. Deleting an id that is not stored, or
    ingesting an item that is stored already, changes nothing."""

    INFO: ClassVar[SystemInfo]

    def __init__(self, config: SystemConfig, folder: Path) -> None:
        parameters = config.parameters
        self._modality = config.modality
        self._embedder = config.embedder if self.INFO.uses_embedder else None
        if self.INFO.uses_embedder and self._embedder is None:
            raise EmbedderRequired(f"memory system {self.INFO.slug!r} needs an embedder")
        self._engine_name = str(parameters["lexical_engine"])
        get_engine(self._engine_name)
        self._chunk_chars = int(parameters["chunk_chars"])
        self._overlap_chars = int(parameters["overlap_chars"])
        chunk_spans("", chunk_chars=self._chunk_chars, overlap_chars=self._overlap_chars)
        settings: dict[str, int | float | str | bool] = {
            "system": self.INFO.slug,
            "version": self.INFO.version,
            "chunk_chars": self._chunk_chars,
            "overlap_chars": self._overlap_chars,
            "embedder": str(getattr(self._embedder, "identity", "")) or self._embedder.name
            if self._embedder
            else "",
        }
        dim = self._embedder.dim if self._embedder else 0
        self._store = UnitStore(folder, settings=settings, dim=dim)
        self._index: tuple[str, LexicalEngine] | None = None
        if len(self._store.n_chars) and self._modality != "dense":
            self._lexical_index()

    def ingest(self, item: SourceItem) -> IngestOutcome:
        known = self._store.counts_if_same(item)
        if known is not None:
            return IngestOutcome(units=known[0], truncated_units=known[1])
        spans = chunk_spans(
            item.text, chunk_chars=self._chunk_chars, overlap_chars=self._overlap_chars
        )
        units = [
            StoredUnit(text=item.text[start:end], start=start, end=end) for start, end in spans
        ]
        if self._embedder is None:
            self._store.put(item, units)
            return IngestOutcome(units=len(units))
        calls, tokens = usage_of(self._embedder)
        texts = [unit.text for unit in units]
        truncated = count_truncated(self._embedder, texts)
        # An embedder that asks an endpoint may not know its dimension from nothing.
        vectors = (
            self._embedder.encode(texts) if texts else np.zeros((0, self._embedder.dim), np.float32)
        )
        self._store.put(item, units, vectors=vectors, truncated_units=truncated)
        calls_after, tokens_after = usage_of(self._embedder)
        return IngestOutcome(
            units=len(units),
            truncated_units=truncated,
            model_calls=calls_after - calls,
            tokens=tokens_after - tokens,
        )

    def revise(self, item: SourceItem) -> IngestOutcome:
        return self.ingest(item)

    def delete(self, item_id: str) -> IngestOutcome:
        self._store.delete(item_id)
        return IngestOutcome(units=0)

    def flush(self) -> None:
        """Nothing is buffered: every item is durable when ``ingest`` returns."""

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """The question's id is not used. ``knobs`` tell what was ranked and how much was fetched;
        a hybrid's also tell how many units each ranking held and how many both did."""
        knobs: Knobs = {}
        if self._modality == "dense":
            rank = self._dense_ranking(text, knobs)
        elif self._modality == "lexical":
            rank = self._lexical_ranking(text, knobs)
        else:
            rank = self._hybrid_ranking(text, knobs)
        ranked, fetched = fetch_ranked(
            rank, budget, native_k=self.INFO.native_k or 1, n_chars=self._store.n_chars
        )
        return Retrieval(units=self._store.units_at(ranked), knobs={**knobs, **fetched})

    def _dense_ranking(self, text: str, knobs: Knobs) -> Callable[[int], Ranking]:
        if self._embedder is None:
            raise EmbedderRequired(f"memory system {self.INFO.slug!r} needs an embedder")
        knobs["embedder"] = self._embedder.name
        query = self._embedder.encode([text])[0]
        scores = products(self._store.vectors, query)
        return lambda k: top_indices(scores, k)

    def _lexical_ranking(self, text: str, knobs: Knobs) -> Callable[[int], Ranking]:
        knobs["lexical_engine"] = self._engine_name
        knobs["tokenizer"] = TOKENIZER_NAME
        index = self._lexical_index()
        return lambda k: index.top(text, k)

    def _hybrid_ranking(self, text: str, knobs: Knobs) -> Callable[[int], Ranking]:
        dense = self._dense_ranking(text, knobs)
        lexical = self._lexical_ranking(text, knobs)
        knobs["rrf_k"] = RRF_K

        def rank(k: int) -> Ranking:
            depth = max(FUSED_DEPTH, k)
            lists = [[index for index, _ in ranking(depth)] for ranking in (dense, lexical)]
            knobs["fused_depth"] = depth
            knobs["n_dense"], knobs["n_lexical"] = len(lists[0]), len(lists[1])
            knobs["n_in_both"] = len(set(lists[0]) & set(lists[1]))
            return reciprocal_rank_fusion(lists)

        return rank

    def _lexical_index(self) -> LexicalEngine:
        fingerprint = self._store.fingerprint
        if self._index is None or self._index[0] != fingerprint:
            index = open_index(
                self._store.folder,
                engine=self._engine_name,
                fingerprint=fingerprint,
                texts=self._store.texts,
            )
            self._index = fingerprint, index
        return self._index[1]

    def units(self) -> Sequence[Unit]:
        return self._store.units_of()

    def stats(self) -> StoreStats:
        return self._store.stats()

    def stored_item_ids(self) -> frozenset[str]:
        return frozenset(self._store.item_ids())

    def close(self) -> None:
        self._store.close()


def count_truncated(embedder: Embedder, texts: Sequence[str]) -> int:
    """How many texts are over the embedder's limit. A text has no more tokens than UTF-8 bytes
    and two special ones, so short texts need no tokenizer."""
    limit = embedder.max_tokens
    long = [text for text in texts if len(text.encode()) + 2 > limit]
    return sum(n_tokens > limit for n_tokens in embedder.count_tokens(long)) if long else 0


def usage_of(embedder: Embedder) -> tuple[int, int]:
    """Calls and tokens that the embedder has used since it was made; zeros for one that is free."""
    return (embedder.n_calls, embedder.n_tokens) if isinstance(embedder, CountsCalls) else (0, 0)
