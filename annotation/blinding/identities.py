"""Every string by which a campaign's systems, runs and judges can be told: what must never reach
a rater before the vote, and what the answer scan looks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

KNOWN_SYSTEMS = (
    "simple-rag", "bm25", "theoria", "prism", "mem0", "hindsight", "cognee", "graphiti",
    "direct-read", "base-model", "in-context", "md-flat", "karpathy-wiki", "plain-rag",
    "no-store-bm25", "oracle-context", "holdmem", "a-mem", "memos", "lightrag", "graphrag",
    "hipporag", "hipporag2", "zep", "letta", "memgpt", "langmem", "raptor", "memjury",
)  # fmt: skip
KNOWN_MODELS = (
    "gpt-3.5", "gpt-4", "gpt-4o", "gpt-4.1", "gpt-5", "chatgpt", "claude", "gemini", "llama",
    "mistral", "mixtral", "deepseek", "qwen", "minilm", "text-embedding-3",
)  # fmt: skip
KNOWN_VENDORS = (
    "openai", "anthropic", "google deepmind", "deepmind", "mistral ai", "cohere", "meta ai",
    "hugging face", "huggingface", "ollama", "vllm",
)  # fmt: skip
LEAST_CHARS = 3


@dataclass(frozen=True, slots=True)
class SystemIdentity:
    """A variant as the database knows it; ``parts`` is what its key hashes."""

    system: str
    slug: str
    label: str
    key: str
    embedder: str
    parts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    name: str
    key: str
    parts: Mapping[str, Any]


def identity_strings(
    systems: Iterable[SystemIdentity],
    judges: Iterable[JudgeIdentity],
    run_ids: Iterable[str],
    models: Iterable[str],
) -> frozenset[str]:
    """Slugs, labels, keys, run ids, judges' names and models' names. Whole values only: a caller
    that looks for them in markup decides how. Strings under three characters and plain numbers
    are left out, since they stand everywhere."""
    found: set[str] = {*run_ids, *models}
    for system in systems:
        found |= {system.system, system.slug, system.label, system.key, system.embedder}
        found |= set(_texts_of(system.parts, ("model", "embedder")))
    for judge in judges:
        found |= {judge.name, judge.key, judge.name.rpartition(":")[2]}
        found |= set(_texts_of(judge.parts, ("model",)))
    return frozenset(text for text in found if len(text) >= LEAST_CHARS and not _is_number(text))


def scanned_names(identities: Iterable[str]) -> frozenset[str]:
    """What the answer scan looks for: the campaign's own names (not its hashes) and the names of
    memory systems, models and vendors that an answer may give away."""
    own = {text for text in identities if not _is_hash(text)}
    return frozenset(own | set(KNOWN_SYSTEMS) | set(KNOWN_MODELS) | set(KNOWN_VENDORS))


def _texts_of(parts: Mapping[str, Any], names: Iterable[str]) -> Iterable[str]:
    return (parts[name] for name in names if isinstance(parts.get(name), str))


def _is_number(text: str) -> bool:
    return text.replace(".", "").isdigit()


def _is_hash(text: str) -> bool:
    return len(text) >= 10 and all(char in "0123456789abcdef" for char in text)
