"""Variants, protocols and judges as rows under their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.utils import timezone

from evaluation.models import Benchmark, Judge, Variant
from evaluation.protocol.keys import key_of, store_parts, variant_label, variant_parts
from evaluation.scoring.base import Judge as AnswerJudge
from memory_systems.base import Modality
from memory_systems.lexical.tokenizer import TOKENIZER_NAME
from memory_systems.registry import checked_parameters, system_info, variant_slug


def variant_row(
    *,
    system: str,
    modality: str,
    embedder: str,
    parameters: Mapping[str, Any],
    seed: int,
    benchmark: Benchmark,
) -> tuple[Variant, str]:
    """The variant's row, made when new, and its store key on this benchmark.

    Raises UnknownSystem, UnknownParameter.
    """
    info = system_info(system)
    options = checked_parameters(system, parameters)
    used_embedder = embedder if info.uses_embedder else ""
    known_modality = cast(Modality, modality)
    parts = variant_parts(
        info,
        modality=known_modality,
        parameters=options,
        embedder=used_embedder,
        tokenizer=TOKENIZER_NAME,
        seed=seed,
    )
    store = store_parts(
        info,
        parameters=options,
        embedder=used_embedder,
        benchmark_revision=benchmark.revision,
    )
    row, _ = Variant.objects.get_or_create(
        key=key_of(parts),
        defaults={
            "system": system,
            "slug": variant_slug(system, known_modality),
            "label": variant_label(
                info, modality=known_modality, parameters=options, embedder=used_embedder
            ),
            "modality": modality,
            "synthesis": info.synthesis,
            "is_anchor": info.is_anchor,
            "embedder": used_embedder,
            "parts": parts,
            "created_at": timezone.now(),
        },
    )
    return row, key_of(store)


def judge_row(*, judge: AnswerJudge) -> Judge:
    row, _ = Judge.objects.get_or_create(
        key=key_of(dict(judge.key_parts)),
        defaults={
            "name": judge.name,
            "is_proxy": judge.is_proxy,
            "parts": dict(judge.key_parts),
            "created_at": timezone.now(),
        },
    )
    return row
