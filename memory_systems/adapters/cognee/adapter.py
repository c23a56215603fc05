"""Cognee: a graph that a model extracts from whole papers, over coarse chunks of their text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from memory_systems.base import Budget, SystemInfo
from memory_systems.native.kept_worker import TimeLimits
from memory_systems.native.memory import RevisingNativeMemory

PACKAGE_VERSION = "1.6.5"


class Cognee(RevisingNativeMemory):
    """One document an item, cut by the package into chunks of ``chunk_tokens``. What is retrieved
    are chunks, on every track; the shared synthesizer answers from them."""

    INFO = SystemInfo(
        slug="cognee",
        title="Cognee",
        description="A graph that a model extracts from whole papers, searched by their chunks.",
        modalities=("dense",),
        granularity="chunks of about 19,000 characters of whole items, and a summary of each",
        knob="top_k, the number of chunks",
        version=f"1+cognee-{PACKAGE_VERSION}",
        native_k=15,
        ingest_parameters={"model": "stub", "chunk_tokens": 8191, "parallel_calls": 1},
        least_values={"parallel_calls": 1},
        departures=(
            (
                "coarse",
                "its chunks have about 19,000 characters: a budget is one, two or three of them, "
                "the last one cut",
            ),
            (
                "shared-synthesis",
                "its own graph completion does not answer: the shared synthesizer reads its chunks",
            ),
        ),
        package="cognee",
        uses_model=True,
    )
    # Importing it takes half a minute, its first write another third, on a quiet machine.
    LIMITS = TimeLimits(start_s=300.0, add_s=900.0, search_s=180.0, other_s=300.0)
    VARIABLES: ClassVar[Mapping[str, str]] = {
        "TELEMETRY_DISABLED": "1",
        "COGNEE_TRACING_ENABLED": "false",
        "COGNEE_SKIP_CONNECTION_TEST": "true",
        "ENABLE_BACKEND_ACCESS_CONTROL": "false",
        "REQUIRE_AUTHENTICATION": "false",
        "GRAPH_DATABASE_SUBPROCESS_ENABLED": "false",
        "VECTOR_DB_SUBPROCESS_ENABLED": "false",
        "CACHING": "false",
        "AUTO_FEEDBACK": "false",
        "ALLOW_HTTP_REQUESTS": "false",
        "LOG_LEVEL": "ERROR",
    }

    def kinds_at(self, budget: Budget) -> tuple[str, ...]:  # noqa: ARG002
        return ("chunk",)
