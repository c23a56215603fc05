"""The papers' names of systems, and ours."""

from __future__ import annotations

import re

from memory_systems.base import Modality

ANCHORS = frozenset({"base-model", "direct-read", "in-context", "gold-facts", "oracle-context"})

_SYSTEMS = {
    "Theoria": "theoria", "Mem0": "mem0", "Simple RAG": "simple-rag", "Hindsight": "hindsight",
    "Cognee": "cognee", "Graphiti": "graphiti", "Graphiti (KG)": "graphiti", "Prism": "prism",
    "Direct Read": "direct-read", "Base model": "base-model", "BM25": "bm25",
    "text-embedding-3-small": "text-embedding-3-small", "MD-flat": "md-flat",
    "Karpathy Wiki": "karpathy-wiki", "In-context (no memory)": "in-context",
    "Gold facts in context (ceiling)": "gold-facts", "no-store BM25": "no-store-bm25",
    "plain RAG": "plain-rag", "oracle context": "oracle-context", "A-Mem": "a-mem",
    "MemOS": "memos", "LightRAG": "lightrag", "HippoRAG 2": "hipporag2",
}  # fmt: skip
_OWN_MODALITIES: dict[str, Modality] = {
    "bm25": "lexical", "no-store-bm25": "lexical", "text-embedding-3-small": "dense",
    "plain-rag": "dense", "in-context": "none", "gold-facts": "none", "oracle-context": "none",
}  # fmt: skip
_PRINTED_MODALITIES: dict[str, Modality] = {
    "dense": "dense", "hybrid": "hybrid", "none": "none", "oracle": "none", "multi": "other",
    "internal": "other",
}  # fmt: skip
_HYBRID = re.compile(r"\s*\+\s*BM25$")
_HOLDMEM = re.compile(r"HoldMem\((Dm|[01]),([01])\)(, citation key)?")


class UnknownPublishedName(ValueError):
    """A system or modality of a published table that has no name of ours."""


def system_slug(label: str, *, modality: str = "", model: str = "") -> str:
    """The variant's slug: ``+bm25`` for a hybrid, ``@model`` where the paper runs the system with
    another model than its default. HoldMem's cells are ``holdmem@d0-b1`` and so on, as in the
    paper (D, B), with ``-citation`` for the citation key."""
    if cell := _HOLDMEM.fullmatch(label):
        repair, detection, citation = cell.groups()
        key = "-citation" if citation else ""
        return f"holdmem@d{repair.removeprefix('D')}-b{detection}{key}"
    name = _HYBRID.sub("", label)
    if name not in _SYSTEMS:
        raise UnknownPublishedName(f"no slug is known for the system “{label}”")
    slug = _SYSTEMS[name]
    if modality == "hybrid" or name != label:
        slug += "+bm25"
    if model:
        slug += f"@{re.sub(r'[^a-z0-9]+', '-', model.casefold())}"
    return slug


def modality_of(slug: str, printed: str = "") -> Modality:
    """The modality printed in the table, or the system's own where none is printed."""
    if printed:
        if printed not in _PRINTED_MODALITIES:
            raise UnknownPublishedName(f"no modality is known for “{printed}”")
        return _PRINTED_MODALITIES[printed]
    return _OWN_MODALITIES.get(slug.partition("@")[0], "other")


def is_anchor(slug: str) -> bool:
    return slug.partition("@")[0] in ANCHORS
