"""Hindsight: facts that a model extracts from whole papers, recalled by four fused searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from memory_systems.base import SystemInfo
from memory_systems.fetching import Knobs, Ranking
from memory_systems.native.kept_worker import TimeLimits
from memory_systems.native.memory import RevisingNativeMemory

PACKAGE_VERSION = "1.1.0"
ITS_OWN_DEFAULTS = 0


class Hindsight(RevisingNativeMemory):
    """One document an item, in a server of the memory's own that the worker starts and ends."""

    INFO = SystemInfo(
        slug="hindsight",
        title="Hindsight",
        description="Facts that a model extracts from whole papers, recalled by fused searches.",
        modalities=("other",),
        granularity="extracted facts of whole items, and observations made of them",
        knob="max_tokens of a recall",
        version=f"1+hindsight-api-slim-{PACKAGE_VERSION}",
        ingest_parameters={
            "model": "stub",
            "observations": True,
            "parallel_calls": 1,
            "max_output_tokens": 64_000,
        },
        # It reads chunks of fewer characters than a reply has tokens.
        least_values={"parallel_calls": 1, "max_output_tokens": 100},
        departures=(
            (
                "knob",
                "it ignores its knob above a cap of its server, which ranks at most 300 facts a "
                "recall, whatever max_tokens says",
            ),
            ("budget", "budgets above that cap are not filled"),
            (
                "known-good query",
                "it keeps facts, not passages: a passage does not always lead to its paper",
            ),
        ),
        package="hindsight-api-slim",
        uses_model=True,
    )
    LIMITS = TimeLimits(start_s=300.0, add_s=1200.0, search_s=180.0, other_s=300.0)
    VARIABLES: ClassVar[Mapping[str, str]] = {
        "HINDSIGHT_API_LOG_LEVEL": "warning",
        # What a killed server had begun is taken up again by the next of this name.
        "HINDSIGHT_API_WORKER_ID": "memjury",
        "HINDSIGHT_API_SKIP_LLM_VERIFICATION": "true",
        "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
        "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "openai",
        "HINDSIGHT_API_LLM_PROVIDER": "openai",
        "HINDSIGHT_API_MCP_ENABLED": "false",
        "HINDSIGHT_API_BANK_STATS_CACHE_TTL_SECONDS": "0",
        "HINDSIGHT_API_DB_POOL_SLOW_ACQUIRE_THRESHOLD_SECONDS": "0",
        "HINDSIGHT_API_DB_POOL_MIN_SIZE": "1",
        "HINDSIGHT_API_DB_POOL_MAX_SIZE": "20",
        # One after another, in the same order when a store is built again.
        "HINDSIGHT_API_CONSOLIDATION_LLM_PARALLELISM": "1",
        # The proxy has waited and sent again already.
        "HINDSIGHT_API_LLM_MAX_RETRIES": "1",
        "HINDSIGHT_API_LLM_INITIAL_BACKOFF": "0.1",
        # Longer than the proxy may wait: whoever gave up first would ask, and pay, once more.
        "HINDSIGHT_API_LLM_TIMEOUT": "720",
        "HINDSIGHT_API_WORKER_MAX_RETRIES": "1",
        "HINDSIGHT_API_WORKER_TASK_RETRY_BACKOFF_SECONDS": "1",
    }

    def native_ranking(self, rank: Callable[[int], Ranking]) -> tuple[Ranking, Knobs]:
        """A recall with the package's own defaults."""
        return rank(ITS_OWN_DEFAULTS), {"max_tokens": 4096, "recall_budget": "mid"}
