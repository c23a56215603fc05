"""BM25 alone over the chunks of Simple RAG: no embedder, no model."""

from __future__ import annotations

from memory_systems.base import SystemInfo
from memory_systems.chunk_memory import ChunkMemory
from memory_systems.chunking import DEFAULT_CHUNK_CHARS, DEFAULT_OVERLAP_CHARS
from memory_systems.lexical.engines import DEFAULT_ENGINE


class Bm25(ChunkMemory):
    """Ranks windows by the question's words; a window that shares none is not returned."""

    INFO = SystemInfo(
        slug="bm25",
        title="BM25",
        description="Overlapping windows of raw text, ranked by BM25 over words and identifiers.",
        modalities=("lexical",),
        granularity="windows of about 1,000 characters, 200 of them shared with the one before",
        knob="k, the number of windows",
        uses_embedder=False,
        native_k=20,
        ingest_parameters={
            "chunk_chars": DEFAULT_CHUNK_CHARS,
            "overlap_chars": DEFAULT_OVERLAP_CHARS,
        },
        retrieval_parameters={"lexical_engine": DEFAULT_ENGINE},
    )
