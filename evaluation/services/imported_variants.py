"""Variants and judges of imported results: rows of their own, never those that were measured."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from evaluation.formats.result_rows import ResultRow
from evaluation.models import Judge, Run, RunJudge, RunVariant, Variant
from evaluation.protocol.keys import key_of
from evaluation.protocol.tracks import parse_tracks
from memory_systems.registry import HYBRID_SUFFIX

VariantName = tuple[str, str, str, str]


def variant_name(row: ResultRow) -> VariantName:
    """What tells the variants of a file apart: system, label, modality, synthesis."""
    return (row.system, row.variant, row.modality, row.synthesis)


def imported_variants(*, run: Run, rows: Sequence[ResultRow]) -> dict[VariantName, RunVariant]:
    """The run's variants, in the order in which the file names them."""
    of_variant: dict[VariantName, list[ResultRow]] = {}
    for row in rows:
        of_variant.setdefault(variant_name(row), []).append(row)
    return {
        name: RunVariant.objects.create(
            run=run,
            variant=_variant(name, is_anchor=any(row.is_anchor for row in own)),
            position=position,
            tracks=[track.name for track in parse_tracks([row.track for row in own])],
        )
        for position, (name, own) in enumerate(of_variant.items())
    }


def _variant(name: VariantName, *, is_anchor: bool) -> Variant:
    system, label, modality, synthesis = name
    is_hybrid = modality == "hybrid" and not system.endswith(HYBRID_SUFFIX)
    slug = f"{system}{HYBRID_SUFFIX}" if is_hybrid else system
    parts = {
        "origin": Run.IMPORTED,
        "system": system,
        "label": label or slug,
        "modality": modality,
        "synthesis": synthesis,
        "is_anchor": is_anchor,
        "parameters": {},
    }
    row, _ = Variant.objects.get_or_create(
        key=key_of(parts),
        defaults={
            "system": system,
            "slug": slug,
            "label": label or slug,
            "modality": modality,
            "synthesis": synthesis,
            "is_anchor": is_anchor,
            "parts": parts,
            "created_at": timezone.now(),
        },
    )
    return row


def imported_judges(*, run: Run, rows: Sequence[ResultRow], format: str) -> dict[str, Judge]:
    """The file's judges by name, those of its first answers first."""
    judges: dict[str, Judge] = {}
    for judgment in (judgment for row in rows for judgment in row.judgments):
        if judgment.judge in judges:
            continue
        parts = {"origin": Run.IMPORTED, "name": judgment.judge, "format": format}
        judge, _ = Judge.objects.get_or_create(
            key=key_of(parts),
            defaults={
                "name": judgment.judge,
                "is_proxy": judgment.is_proxy,
                "parts": parts,
                "created_at": timezone.now(),
            },
        )
        RunJudge.objects.create(run=run, judge=judge, position=len(judges))
        judges[judgment.judge] = judge
    return judges
