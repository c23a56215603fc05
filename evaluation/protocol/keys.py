"""Frozen, hashed parts of a protocol: what may share a table and what may not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from memory_systems.base import Modality, SystemInfo
from memory_systems.registry import variant_slug

PROTOCOL_VERSION = 1
"""Raised by hand whenever packing, rendering, prompts' framing, the extractive synthesizer or the
rubric judge change what they give; a golden test fails when they change without it."""


def canonical_json(parts: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text on every platform."""
    return json.dumps(
        parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def key_of(parts: Any) -> str:
    """SHA-256 (64 hex digits) of the canonical JSON."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def comparison_parts(
    *,
    benchmark_slug: str,
    benchmark_revision: str,
    question_set: str,
    question_ids: tuple[str, ...],
    budget_mode: str,
    synthesizer: Mapping[str, Any],
    seed: int,
    repeats: int,
) -> dict[str, Any]:
    return {
        "protocol_version": PROTOCOL_VERSION,
        "benchmark": benchmark_slug,
        "benchmark_revision": benchmark_revision,
        "question_set": question_set,
        "question_set_hash": key_of(list(question_ids))[:16],
        "budget_mode": budget_mode,
        "synthesizer": dict(synthesizer),
        "seed": seed,
        "repeats": repeats,
    }


def variant_parts(
    info: SystemInfo,
    *,
    modality: Modality,
    parameters: Mapping[str, Any],
    embedder: str,
    tokenizer: str,
    seed: int,
) -> dict[str, Any]:
    """``parameters`` are all options with their values, defaults included."""
    parts: dict[str, Any] = {
        "system": info.slug,
        "version": info.version,
        "modality": modality,
        "parameters": dict(parameters),
        "embedder": embedder,
        "tokenizer": tokenizer,
    }
    if info.is_anchor:
        parts["seed"] = seed
    return parts


def store_parts(
    info: SystemInfo, *, parameters: Mapping[str, Any], embedder: str, benchmark_revision: str
) -> dict[str, Any]:
    """What a store depends on: never the modality, the track or the question set."""
    return {
        "system": info.slug,
        "version": info.version,
        "parameters": {name: parameters[name] for name in sorted(info.ingest_parameters)},
        "embedder": embedder,
        "benchmark_revision": benchmark_revision,
    }


def variant_label(
    info: SystemInfo, *, modality: Modality, parameters: Mapping[str, Any], embedder: str
) -> str:
    """``simple-rag+bm25@static`` or ``simple-rag@static,chunk_chars=500``: the embedder and a
    system's own model are always named, other parameters where they differ from the default."""
    defaults = {**info.ingest_parameters, **info.retrieval_parameters}
    suffixes = [embedder] if embedder else []
    suffixes += [
        f"{name}={value}"
        for name, value in sorted(parameters.items())
        if defaults.get(name) != value or (info.uses_model and name == "model" and value)
    ]
    slug = variant_slug(info.slug, modality)
    return f"{slug}@{','.join(suffixes)}" if suffixes else slug
