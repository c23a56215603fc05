"""Simple RAG: overlapping chunks, cosine top-k, or its fusion with BM25. The null hypothesis."""

from __future__ import annotations

from memory_systems.base import SystemInfo
from memory_systems.chunk_memory import ChunkMemory
from memory_systems.chunking import DEFAULT_CHUNK_CHARS, DEFAULT_OVERLAP_CHARS
from memory_systems.lexical.engines import DEFAULT_ENGINE


class SimpleRag(ChunkMemory):
    """Keeps raw text and no structure."""

    INFO = SystemInfo(
        slug="simple-rag",
        title="Simple RAG",
        description=(
            "Overlapping windows of raw text, ranked by the cosine of their embeddings; the hybrid "
            "fuses that ranking with BM25 over the same windows by reciprocal rank fusion."
        ),
        modalities=("dense", "hybrid"),
        granularity="windows of about 1,000 characters, 200 of them shared with the one before",
        knob="k, the number of windows",
        native_k=20,
        ingest_parameters={
            "chunk_chars": DEFAULT_CHUNK_CHARS,
            "overlap_chars": DEFAULT_OVERLAP_CHARS,
        },
        retrieval_parameters={"lexical_engine": DEFAULT_ENGINE},
    )
