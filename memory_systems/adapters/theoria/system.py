"""Theoria: evidence, communities and theories in one store, with three ways to ask it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memory_systems.adapters.theoria import layers as stored_layers
from memory_systems.adapters.theoria.layers import Layers
from memory_systems.adapters.theoria.routing import (
    SearchTables,
    level_scores,
    opened_communities,
)
from memory_systems.adapters.theoria.theories import (
    CONFIDENCES,
    Bearing,
    Confidence,
    Theory,
)
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
from memory_systems.evidence.memory import EvidenceMemory
from memory_systems.evidence.nearest import steady
from memory_systems.evidence.retrieval import said_once, with_linked
from memory_systems.evidence.sections import DEFAULT_CHUNK_CHARS
from memory_systems.fetching import Knobs, Ranking, fetch_ranked
from memory_systems.fusion import FUSED_DEPTH, RRF_K, reciprocal_rank_fusion
from memory_systems.lexical.engines import DEFAULT_ENGINE, LexicalEngine, get_engine
from memory_systems.lexical.index_folder import open_index
from memory_systems.lexical.tokenizer import TOKENIZER_NAME
from memory_systems.ranking import products, top_indices

FINDING = "finding"
NATIVE_K = 25


@dataclass(frozen=True, slots=True)
class Finding:
    """What an observed finding did. ``bearings`` are those of its claims; ``seeded`` the theories
    that they began; ``is_new`` is False where this very finding was observed before."""

    item_id: str
    is_new: bool
    bearings: tuple[Bearing, ...]
    seeded: tuple[Theory, ...]
    outcome: IngestOutcome


class Theoria(EvidenceMemory):
    """``theories``, ``retrieve`` and ``observe`` are its three endpoints. The layers are derived
    from the stored items, so they are the same however the items came to be there."""

    INFO = SystemInfo(
        slug="theoria",
        title="Theoria",
        description=(
            "Claims found in five passes over whole papers, one level of summaries, typed links "
            "between papers, communities of claims that route a question, and theories with a "
            "confidence that evidence raises and lowers. Extraction is by rule, or by a language "
            "model where one is named; links, summaries and theories are by rule in both cases."
        ),
        modalities=("dense", "hybrid"),
        granularity="claims of one to three sentences or a table row, and summaries of about eight",
        knob="k, the number of claims and summaries; at native their linked claims come besides",
        version="2",
        native_k=NATIVE_K,
        uses_model=True,
        ingest_parameters={"model": "", "chunk_chars": DEFAULT_CHUNK_CHARS},
        retrieval_parameters={"lexical_engine": DEFAULT_ENGINE, "expand_communities": True},
    )
    TABLES = stored_layers.TABLES

    def __init__(self, config: SystemConfig, folder: Path) -> None:
        self._engine_name = str(config.parameters["lexical_engine"])
        get_engine(self._engine_name)
        super().__init__(config, folder)
        self._expands = bool(config.parameters["expand_communities"])
        self._layers: tuple[str, Layers] | None = None
        self._search: tuple[Layers, SearchTables] | None = None
        self._index: tuple[str, LexicalEngine] | None = None
        if self._store.derived_from() and self.is_settled:
            self._make_ready()

    def _make_ready(self) -> None:
        """Read what searches need, so that opening a filled memory pays for it and no question."""
        self._search_tables()
        if self._modality == "hybrid":
            self._lexical_index()

    def settle(self) -> None:
        """Derive links, communities and theories, if the stored ones are not of these items."""
        with self._store.deriving():
            fingerprint = self._store.fingerprint
            if self._store.derived_from() != fingerprint:
                self._keep(stored_layers.derive(self._store, seed=self._seed))

    def layers(self) -> Layers:
        """All that was derived, of the items as they are now."""
        fingerprint = self._store.fingerprint
        if self._layers is None or self._layers[0] != fingerprint:
            if self._store.derived_from() != fingerprint:
                self.settle()
            n_units, dim = len(self._store.n_chars), self._embedder.dim
            found = self._store.read_derived(
                lambda db: stored_layers.read(self._store, db, n_units=n_units, dim=dim)
            )
            self._layers = fingerprint, found
        return self._layers[1]

    def theories(
        self, *, confidence: Confidence | None = None, community: int | None = None
    ) -> tuple[Theory, ...]:
        """What the memory holds to be so: by community, the surest first."""
        kept = [
            theory
            for theory in self.layers().theories
            if confidence in (None, theory.confidence) and community in (None, theory.community)
        ]
        kept.sort(
            key=lambda one: (
                one.community,
                CONFIDENCES.index(one.confidence),
                one.contradiction - one.support,
                one.id,
            )
        )
        return tuple(kept)

    def observe(self, text: str, *, title: str = "", timestamp: str = "") -> Finding:
        """Take a new finding in: its claims become evidence, are assigned to communities, and
        support or contradict theories or seed new ones. The same finding again changes nothing.
        Raises TextNotUnicode."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        item = SourceItem(f"finding-{digest}", text, title, FINDING, timestamp)
        before = self.layers()
        is_new = item.id not in self.stored_item_ids()
        outcome = self.ingest(item)
        if is_new:
            self._keep(stored_layers.extend(before, self._store))
        after = self.layers()
        return Finding(
            item.id,
            is_new,
            tuple(after.bearings[len(before.bearings) :]),
            tuple(after.theories[len(before.theories) :]),
            outcome,
        )

    def _keep(self, found: Layers) -> None:
        self._store.replace_derived(
            self._store.fingerprint, found.links, lambda db: stored_layers.write(found, db)
        )

    def retrieve(self, question_id: str, text: str, *, budget: Budget) -> Retrieval:  # noqa: ARG002
        """The question's id is not used. ``knobs`` tell how the question was routed, what each
        level weighed and how many units came by a link."""
        knobs: Knobs = {"embedder": self._embedder.name}
        rank = self._dense_ranking(text, knobs)
        if self._modality == "hybrid":
            rank = self._fused(rank, text, knobs)
        table = self._store.table()
        adjacent = self._search_tables().adjacent

        def linked(k: int) -> Ranking:
            found, knobs["n_linked"] = with_linked(rank(k), k, adjacent, table)
            return found

        fetched: Knobs
        ranked: Ranking
        if budget.is_native:
            leading = rank(NATIVE_K)[:NATIVE_K]
            found, knobs["n_linked"] = with_linked(leading, NATIVE_K, adjacent, table)
            ranked, fetched = found[: 2 * NATIVE_K], {"k": NATIVE_K}
        else:
            ranked, fetched = fetch_ranked(
                linked, budget, native_k=NATIVE_K, n_chars=self._store.n_chars
            )
        return Retrieval(units=self._store.units_at(ranked), knobs={**knobs, **fetched})

    def _dense_ranking(self, text: str, knobs: Knobs) -> Callable[[int], Ranking]:
        query = steady(self._embedder.encode([text]))[0]
        cosines, table = products(self._store.vectors, query), self._store.table()
        layers, tables = self.layers(), self._search_tables()

        def rank(k: int) -> Ranking:
            wanted = k
            while True:
                opened, n_routed = opened_communities(
                    query,
                    layers.centres,
                    layers.neighbours,
                    tables.sizes,
                    wanted=wanted,
                    expands=self._expands,
                )
                is_all = n_routed == len(layers.communities)
                pool = np.arange(len(cosines)) if is_all else tables.members(opened)
                scores, weights = level_scores(cosines, pool, table)
                ranked = [
                    (int(pool[place]), score) for place, score in top_indices(scores, 3 * wanted)
                ]
                kept = said_once(ranked, table)
                if len(kept) >= k or (is_all and 3 * wanted >= len(pool)):
                    break
                wanted *= 2
            knobs["communities_routed"], knobs["communities_opened"] = n_routed, len(opened)
            knobs["claim_weight"], knobs["summary_weight"] = (round(one, 4) for one in weights)
            return kept

        return rank

    def _fused(
        self, dense: Callable[[int], Ranking], text: str, knobs: Knobs
    ) -> Callable[[int], Ranking]:
        index = self._lexical_index()
        table = self._store.table()
        knobs["lexical_engine"], knobs["tokenizer"] = self._engine_name, TOKENIZER_NAME
        knobs["rrf_k"] = RRF_K

        def rank(k: int) -> Ranking:
            depth = max(FUSED_DEPTH, k)
            lists = [
                [index for index, _ in ranking[:depth]]
                for ranking in (dense(depth), index.top(text, depth))
            ]
            knobs["fused_depth"] = depth
            knobs["n_dense"], knobs["n_lexical"] = len(lists[0]), len(lists[1])
            knobs["n_in_both"] = len(set(lists[0]) & set(lists[1]))
            return said_once(reciprocal_rank_fusion(lists), table)

        return rank

    def _lexical_index(self) -> LexicalEngine:
        fingerprint = self._store.fingerprint
        if self._index is None or self._index[0] != fingerprint:
            self._index = (
                fingerprint,
                open_index(
                    self._store.folder,
                    engine=self._engine_name,
                    fingerprint=fingerprint,
                    texts=self._store.lexical_texts,
                ),
            )
        return self._index[1]

    def _search_tables(self) -> SearchTables:
        layers = self.layers()
        if self._search is None or self._search[0] is not layers:
            self._search = layers, SearchTables(layers)
        return self._search[1]

    def units_at(self, indices: Sequence[int]) -> tuple[Unit, ...]:
        """The units at these indices, as theories and links name them; their score is 0."""
        return self._store.units_at([(index, 0.0) for index in indices])

    def items_by_community(self) -> list[int]:
        """How many items each fine community's members come from, by its number."""
        tables, items = self._search_tables(), self._store.table().items
        return [
            len(np.unique(items[tables.members([one.id])])) for one in self.layers().communities
        ]

    def stats(self) -> StoreStats:
        """With the counts of every layer."""
        return self._stats_with(self.layers().counts() if len(self._store.n_chars) else {})
