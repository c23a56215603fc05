"""Graphiti (Zep): a temporal graph of entities and facts that a model extracts from papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from memory_systems.base import Budget, SourceItem, SystemInfo
from memory_systems.chunking import chunk_spans
from memory_systems.fetching import Knobs, Ranking
from memory_systems.native.memory import RevisingNativeMemory

PACKAGE_VERSION = "0.31.2"
GRAPH = ("edge", "node")


class Graphiti(RevisingNativeMemory):
    """One episode an item. At native, the edges, nodes and episodes that its combined search finds,
    ``native_k`` of each; under a budget the graph alone ("KG-only"), for one episode is a paper."""

    INFO = SystemInfo(
        slug="graphiti",
        title="Graphiti",
        description="A graph of entities and facts that a model extracts from whole papers.",
        modalities=("other",),
        granularity="edges (facts) and nodes (summaries); whole items as episodes",
        knob="num_results, for edges, nodes and episodes each",
        version=f"1+graphiti-core-{PACKAGE_VERSION}",
        native_k=10,
        ingest_parameters={
            "model": "stub",
            "episode_chars": 0,
            "previous_episodes": 0,
            "parallel_calls": 1,
            "max_output_tokens": 16_384,
        },
        least_values={"parallel_calls": 1},
        departures=(
            (
                "whole-episodes",
                "at native every matched episode is a whole paper: its volume is many times that "
                "of other systems",
            ),
            ("kg-only", "under a budget it returns edges and nodes only, without episodes"),
            (
                "known-good query",
                "the graph keeps names and facts: a passage does not always lead to its paper",
            ),
        ),
        package="graphiti-core",
        uses_model=True,
    )
    VARIABLES: ClassVar[Mapping[str, str]] = {"GRAPHITI_TELEMETRY_ENABLED": "false"}

    def parts(self, item: SourceItem) -> Sequence[str]:
        """The item whole, or in pieces of ``episode_chars`` where a model's context needs that."""
        episode_chars = int(self._config.parameters["episode_chars"])
        if not episode_chars:
            return [item.text]
        spans = chunk_spans(item.text, chunk_chars=episode_chars, overlap_chars=0)
        return [item.text[start:end] for start, end in spans]

    def kinds_at(self, budget: Budget) -> tuple[str, ...]:
        return () if budget.is_native else GRAPH

    def native_ranking(self, rank: Callable[[int], Ranking]) -> tuple[Ranking, Knobs]:
        k = self.INFO.native_k or 1
        return rank(k), {"num_results": k, "include_episodes": "yes"}
