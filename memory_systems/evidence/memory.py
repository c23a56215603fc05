"""A memory of evidence: what Theoria and Prism share.

Items are extracted, embedded and summarised as they come. What depends on several items (typed
links, and whatever a system derives besides) follows from the stored items alone, in their order:
it is derived by ``settle`` or by the first read after a change, and kept.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from memory_systems.base import (
    IngestOutcome,
    SourceItem,
    StoreStats,
    SystemConfig,
    SystemInfo,
    SystemRefused,
    Unit,
)
from memory_systems.chunk_memory import EmbedderRequired, count_truncated, usage_of
from memory_systems.chunking import chunk_spans
from memory_systems.evidence.claims import ASPECTS, Claim, gist_of
from memory_systems.evidence.internal_model import InternalModel
from memory_systems.evidence.model_passes import extract_by_model
from memory_systems.evidence.nearest import steady
from memory_systems.evidence.passes import extract_by_rule
from memory_systems.evidence.raptor import cluster_claims
from memory_systems.evidence.store import EvidenceStore, EvidenceUnit

HEADING_WEIGHT = 0.3
"""A claim's subject often stands in its title and heading alone."""


class ModelRequired(SystemRefused):
    """The variant works with an internal model and was given none."""


class EvidenceMemory:
    """``parameters``: ``model`` ("" extracts by rule) and ``chunk_chars``, what the model reads at
    once. Ingesting an item that is stored already, or deleting one that is not, changes nothing."""

    INFO: ClassVar[SystemInfo]
    TABLES: ClassVar[Sequence[str]] = ()

    def __init__(self, config: SystemConfig, folder: Path) -> None:
        if config.embedder is None:
            raise EmbedderRequired(f"memory system {self.INFO.slug!r} needs an embedder")
        self._embedder = config.embedder
        self._seed = config.seed
        self._modality = config.modality
        self._model_name = str(config.parameters["model"])
        address = config.model if self._model_name else None
        self._model = None if address is None else InternalModel(address)
        self._chunk_chars = int(config.parameters["chunk_chars"])
        chunk_spans("", chunk_chars=self._chunk_chars, overlap_chars=0)
        settings: dict[str, int | float | str | bool] = {
            "system": self.INFO.slug,
            "version": self.INFO.version,
            "model": self._model_name,
            "chunk_chars": self._chunk_chars,
            "seed": config.seed,
            "embedder": str(getattr(self._embedder, "identity", "")) or self._embedder.name,
        }
        self._store = EvidenceStore(
            folder, settings=settings, dim=self._embedder.dim, more_tables=self.TABLES
        )

    def _required_model(self) -> InternalModel:
        """Raises ModelRequired: what is stored can be read without the model."""
        if self._model is None:
            raise ModelRequired(
                f"memory system {self.INFO.slug!r} works with {self._model_name} here and was "
                "given no way to call it"
            )
        return self._model

    def ingest(self, item: SourceItem) -> IngestOutcome:
        """Raises TextNotUnicode, and with a model what must end the run."""
        known = self._store.counts_if_same(item)
        if known is not None:
            return IngestOutcome(units=known[0], truncated_units=known[1])
        calls, tokens = usage_of(self._embedder)
        extracted, outcome = self._extracted(item)
        units, vectors, truncated = self._prepared(item, _once_each(extracted))
        self._store.put_evidence(item, units, vectors=vectors, truncated_units=truncated)
        calls_after, tokens_after = usage_of(self._embedder)
        return replace(
            outcome,
            units=len(units),
            truncated_units=truncated,
            model_calls=outcome.model_calls + calls_after - calls,
            tokens=outcome.tokens + tokens_after - tokens,
        )

    def _extracted(self, item: SourceItem) -> tuple[list[Claim], IngestOutcome]:
        """The item's claims, and what it took to find them."""
        if not self._model_name:
            return extract_by_rule(item.text), IngestOutcome(units=0)
        model = self._required_model()
        model.address.begin(item.id)
        before = model.address.usage()
        claims, errors = extract_by_model(
            item.text, title=item.title, chunk_chars=self._chunk_chars, model=model
        )
        after = model.address.usage()
        is_priced = after.cost_usd is not None and before.cost_usd is not None
        return claims, IngestOutcome(
            units=0,
            model_calls=after.calls - before.calls,
            tokens=after.tokens - before.tokens,
            errors=tuple(errors),
            cost_usd=(after.cost_usd or 0.0) - (before.cost_usd or 0.0) if is_priced else None,
        )

    def _prepared(
        self, item: SourceItem, claims: Sequence[Claim]
    ) -> tuple[list[EvidenceUnit], NDArray[np.float32], int]:
        """The item's units (claims, then summaries), their vectors and how many were truncated."""
        texts = [claim.text for claim in claims]
        headings = [
            " ".join(filter(None, (f"{item.title}." if item.title else "", claim.heading)))
            for claim in claims
        ]
        if not claims:
            return [], np.zeros((0, self._embedder.dim), np.float32), 0
        plain = self._embedder.encode(texts)
        told = dict.fromkeys(headings)
        told_vectors = dict(zip(told, self._embedder.encode(list(told)), strict=True))
        context = np.array([told_vectors[heading] for heading in headings], np.float32)
        vectors = unit_rows(plain + HEADING_WEIGHT * context.reshape(plain.shape))
        gists = [gist_of(text) for text in texts]
        clusters = cluster_claims(vectors, texts)
        summary_of = {
            row: len(claims) + number
            for number, cluster in enumerate(clusters)
            for row in cluster.members
        }
        units = [
            EvidenceUnit(
                text=claim.text,
                level=0,
                summary=summary_of.get(row, -1),
                aspects=claim.aspects,
                heading=claim.heading,
                span_start=claim.start,
                span_end=claim.end,
                is_verbatim=claim.is_verbatim,
                gists=(gists[row],),
            )
            for row, claim in enumerate(claims)
        ]
        summaries = [
            EvidenceUnit(
                text="\n".join(texts[row] for row in cluster.quoted),
                level=1,
                summary=-1,
                aspects=(),
                heading=claims[cluster.members[0]].heading,
                span_start=min(claims[row].start for row in cluster.members),
                span_end=max(claims[row].end for row in cluster.members),
                is_verbatim=False,
                gists=[gists[row] for row in cluster.quoted],
            )
            for cluster in clusters
        ]
        centres = [vectors[list(cluster.members)].mean(axis=0) for cluster in clusters]
        level_1 = unit_rows(np.array(centres, np.float32).reshape(-1, self._embedder.dim))
        truncated = count_truncated(self._embedder, texts)
        return [*units, *summaries], steady(np.concatenate([vectors, level_1])), truncated

    def revise(self, item: SourceItem) -> IngestOutcome:
        return self.ingest(item)

    def delete(self, item_id: str) -> IngestOutcome:
        self._store.delete(item_id)
        return IngestOutcome(units=0)

    def flush(self) -> None:
        """Nothing is buffered: every item is durable when ``ingest`` returns."""

    @abstractmethod
    def settle(self) -> None:
        """Derive what follows from everything taken in. Reads do it where it was not done."""

    @property
    def is_settled(self) -> bool:
        """Whether what is derived is that of the items as they are now."""
        return self._store.derived_from() == self._store.fingerprint

    def units(self) -> Sequence[Unit]:
        return self._store.units_of()

    def stats(self) -> StoreStats:
        return self._stats_with({})

    def _stats_with(self, derived: Mapping[str, int]) -> StoreStats:
        """The counts of evidence, by pass, and of what was derived from it."""
        stats = self._store.stats()
        if not stats.n_units:
            return stats
        levels = self._store.table().level
        by_aspect = self._store.count_aspects()
        evidence = {
            "claims": int((levels == 0).sum()),
            **{f"claims: {aspect}": by_aspect[aspect] for aspect in ASPECTS if aspect in by_aspect},
            "summaries": int((levels == 1).sum()),
        }
        return replace(stats, layers={**evidence, **derived})

    def stored_item_ids(self) -> frozenset[str]:
        return frozenset(self._store.item_ids())

    def close(self) -> None:
        self._store.close()
        if self._model is not None:
            self._model.address.close()


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row divided by its length; rows of zeros stay zeros."""
    lengths = np.sqrt(np.sum(vectors * vectors, axis=1, dtype=np.float64))[:, None]
    scaled: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled


def _once_each(claims: Sequence[Claim]) -> list[Claim]:
    """Claims that say the same at the same place as one, with the aspects of all."""
    merged: dict[tuple[str, int, int], Claim] = {}
    for claim in claims:
        key = (claim.text, claim.start, claim.end)
        known = merged.get(key)
        if known is None:
            merged[key] = claim
        else:
            aspects = tuple(dict.fromkeys((*known.aspects, *claim.aspects)))
            merged[key] = replace(known, aspects=aspects)
    return list(merged.values())
