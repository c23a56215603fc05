"""What a new run can be made of on this machine, and what it is made of by default."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.language_models.endpoints import known_endpoints
from evaluation.models import Benchmark
from evaluation.scoring.registry import known_judges
from memory_systems.embedding import KNOWN_EMBEDDERS
from memory_systems.registry import (
    HYBRID_SUFFIX,
    SystemNotInstalled,
    system_info,
    system_slugs,
    why_not_installed,
)

DEFAULT_VARIANTS = ("bm25", "simple-rag", "simple-rag+bm25", "base-model", "direct-read")


@dataclass(frozen=True, slots=True)
class OfferedVariant:
    """``refusal`` says why it cannot be chosen here."""

    slug: str
    description: str
    is_anchor: bool
    is_default: bool
    refusal: str


@dataclass(frozen=True, slots=True)
class OfferedEndpoint:
    """``key_variable`` is what must be set where it is not ready."""

    name: str
    is_ready: bool
    key_variable: str


@dataclass(frozen=True, slots=True)
class RunChoices:
    """``benchmarks`` are (slug, title)."""

    benchmarks: tuple[tuple[str, str], ...]
    variants: tuple[OfferedVariant, ...]
    judges: tuple[str, ...]
    endpoints: tuple[OfferedEndpoint, ...]
    embedders: tuple[str, ...]


def run_choices() -> RunChoices:
    rows = Benchmark.objects.filter(is_published_only=False, n_questions__gt=0).newest_first()
    return RunChoices(
        benchmarks=tuple({row.slug: (row.slug, row.title) for row in reversed(rows)}.values()),
        variants=tuple(variant for slug in system_slugs() for variant in _variants(slug)),
        judges=known_judges(),
        endpoints=tuple(
            OfferedEndpoint(one.name, one.is_ready, one.key_variable) for one in known_endpoints()
        ),
        embedders=KNOWN_EMBEDDERS,
    )


def _variants(slug: str) -> list[OfferedVariant]:
    try:
        info = system_info(slug)
    except SystemNotInstalled as absence:
        return [OfferedVariant(slug, "", False, False, str(absence))]
    slugs = [slug]
    if "hybrid" in info.modalities and info.modalities[0] != "hybrid":
        slugs.append(f"{slug}{HYBRID_SUFFIX}")
    return [
        OfferedVariant(
            slug=one,
            description=info.description if one == slug else "its hybrid: both rankings fused",
            is_anchor=info.is_anchor,
            is_default=one in DEFAULT_VARIANTS,
            refusal=why_not_installed(slug),
        )
        for one in slugs
    ]
