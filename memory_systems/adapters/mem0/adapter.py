"""mem0: a model extracts facts from chunks of about 6,000 characters; facts are searched densely,
and by fusion with BM25 over the same stored facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from memory_systems.base import SourceItem, SystemInfo
from memory_systems.chunking import chunk_spans
from memory_systems.native.memory import RevisingNativeMemory

PACKAGE_VERSION = "2.2.1"


class Mem0(RevisingNativeMemory):
    """Dates in mem0's prompts are the item's, or a fixed one, so that no result depends on the
    day it was measured."""

    INFO = SystemInfo(
        slug="mem0",
        title="Mem0",
        description="Facts that a model extracts from chunks, searched by embedding.",
        modalities=("dense", "hybrid"),
        granularity="extracted facts; items are read in chunks of about 6,000 characters",
        knob="top_k, the number of facts",
        version=f"1+mem0ai-{PACKAGE_VERSION}",
        native_k=20,
        ingest_parameters={"model": "stub", "chunk_chars": 6000},
        retrieval_parameters={"lexical_engine": "bm25s"},
        departures=(
            (
                "own-bm25",
                "the package's own BM25 needs a download and is off: +bm25 is fused by MemJury",
            ),
        ),
        package="mem0ai",
        uses_model=True,
    )
    VARIABLES: ClassVar[Mapping[str, str]] = {"MEM0_TELEMETRY": "False"}

    def parts(self, item: SourceItem) -> Sequence[str]:
        spans = chunk_spans(
            item.text, chunk_chars=int(self._config.parameters["chunk_chars"]), overlap_chars=0
        )
        return [item.text[start:end] for start, end in spans]
