"""The kept aggregates that boards read: rebuilt from cells, one vector a variant, track, judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from evaluation.benchmarks.families import family
from evaluation.language_models.upstreams import is_stub
from evaluation.models import Cell, IngestEvent, Judge, Run, RunVariant, ScoreVector
from evaluation.protocol.flags import (
    IGNORES_KNOB,
    SENTENCES,
    STUB_MODEL,
    ignores_knob,
    track_flags,
)
from evaluation.records import CellRecord, CellState
from memory_systems.registry import UnknownSystem, system_info

Row = Mapping[str, Any]


def refresh_run(*, run: Run) -> int:
    """Rebuild every vector of the run; returns how many there are."""
    judges = list(Judge.objects.filter(run_judges__run=run).order_by("run_judges__position"))
    for run_variant in run.run_variants.select_related("variant", "run").order_by("position"):
        refresh_vectors(run_variant=run_variant, judges=judges)
    return ScoreVector.objects.filter(run_variant__run=run).count()


@transaction.atomic
def refresh_vectors(*, run_variant: RunVariant, judges: Sequence[Judge]) -> None:
    """Rebuild the variant's vectors for these judges at all its tracks."""
    RunVariant.objects.select_for_update().get(pk=run_variant.pk)
    rows: list[Row] = list(
        Cell.objects.filter(run_variant=run_variant)
        .order_by("question__position", "phase", "repeat", "pk")
        .values(
            "pk",
            "track",
            "phase",
            "repeat",
            "requested_chars",
            "not_applicable",
            "answered_at",
            "errored_at",
            "question__question_id",
            "question__slices",
            "work__scenario__key",
            "retrieval__achieved_chars",
            "retrieval__n_units",
            "retrieval__retrieve_ms",
            "answer__text",
            "answer__cost_usd",
        )
    )
    ingest = _ingest_cost(run_variant)
    means = {
        requested: fmean(achieved)
        for requested, achieved in _achieved_by_request(rows).items()
        if achieved
    }
    for judge in judges:
        judged = {
            cell_pk: (composite, cost)
            for cell_pk, composite, cost in judge.judgments.filter(
                answer__cell__run_variant=run_variant
            ).values_list("answer__cell", "composite", "cost_usd")
        }
        for track in run_variant.tracks:
            cells = [row for row in rows if row["track"] == track]
            _write(run_variant, judge, track, cells, judged, ingest, ignores_knob(means))


def _achieved_by_request(rows: Sequence[Row]) -> dict[int, list[int]]:
    achieved: dict[int, list[int]] = {}
    for row in rows:
        if row["requested_chars"] and row["retrieval__achieved_chars"] is not None:
            achieved.setdefault(row["requested_chars"], []).append(row["retrieval__achieved_chars"])
    return achieved


def _write(
    run_variant: RunVariant,
    judge: Judge,
    track: str,
    cells: Sequence[Row],
    judged: dict[int, tuple[float | None, float | None]],
    ingest: dict[str, float | None],
    ignores: bool,
) -> None:
    records = [_record(row, judged) for row in cells]
    states = Counter(record.state for record in records)
    is_imported = run_variant.run.origin == Run.IMPORTED
    achieved = [
        row["retrieval__achieved_chars"] or 0
        for row in cells
        if row["answered_at"] is not None
        and not (is_imported and row["retrieval__achieved_chars"] is None)
    ]
    requested = [row["requested_chars"] for row in cells if row["requested_chars"]]
    retrieve_ms = [
        row["retrieval__retrieve_ms"] for row in cells if row["retrieval__retrieve_ms"] is not None
    ]
    facts = {
        "n_cells": len(cells),
        "n_scored": states["scored"],
        "n_unscored": states["unscored"],
        "n_errored": states["errored"],
        "n_pending": states["pending"],
        "n_not_applicable": states["not_applicable"],
        "mean_achieved_chars": fmean(achieved) if achieved else None,
        "mean_requested_chars": fmean(requested) if requested else None,
        "retrieve_ms_median": median(retrieve_ms) if retrieve_ms else None,
        "answer_cost_usd": _total(
            row["answer__cost_usd"] for row in cells if row["answered_at"] is not None
        ),
        "judge_cost_usd": _total(judged[row["pk"]][1] for row in cells if row["pk"] in judged),
        "ingest_cost_usd": ingest["cost_usd"],
        "ingest_seconds": ingest["seconds"],
        "flags": _flags(run_variant, cells, achieved, ignores),
        "updated_at": timezone.now(),
    }
    for measure in family(run_variant.run.benchmark.family).measures:
        values = [
            [value.unit_id, value.value, {name: list(of) for name, of in value.slices.items()}]
            for value in measure.compute(records)
        ]
        ScoreVector.objects.update_or_create(
            run_variant=run_variant,
            track=track,
            judge=judge,
            measure=measure.name,
            defaults={**facts, "values": values},
        )


def _record(row: Row, judged: dict[int, tuple[float | None, float | None]]) -> CellRecord:
    composite = judged[row["pk"]][0] if row["pk"] in judged else None
    return CellRecord(
        scenario_id=row["work__scenario__key"] or "",
        question_id=row["question__question_id"],
        phase=row["phase"],
        repeat=row["repeat"],
        state=_state(row, judged),
        score=composite,
        answer=row["answer__text"] or "",
        slices={name: tuple(values) for name, values in row["question__slices"].items()},
    )


def _state(row: Row, judged: dict[int, tuple[float | None, float | None]]) -> CellState:
    if row["not_applicable"]:
        return "not_applicable"
    if row["pk"] in judged:
        return "unscored" if judged[row["pk"]][0] is None else "scored"
    return "errored" if row["errored_at"] is not None else "pending"


def _total(costs: Any) -> float | None:
    """The sum, or None as soon as one price is unknown."""
    known = list(costs)
    return None if any(cost is None for cost in known) else float(sum(known))


def _flags(
    run_variant: RunVariant,
    cells: Sequence[Row],
    achieved: list[int],
    ignores: bool,
) -> list[list[str]]:
    try:
        info = system_info(run_variant.variant.system)
    except UnknownSystem:
        return []
    requested = next((row["requested_chars"] for row in cells if row["requested_chars"]), None)
    n_empty = sum(
        row["retrieval__n_units"] == 0 and row["retrieval__achieved_chars"] == 0 for row in cells
    )
    flags = [
        [flag, SENTENCES[flag]]
        for flag in track_flags(requested_chars=requested, achieved_chars=achieved, n_empty=n_empty)
    ]
    if requested is not None and ignores:
        flags.append([IGNORES_KNOB, SENTENCES[IGNORES_KNOB]])
    if info.uses_model and is_stub(_recorded_model(run_variant)):
        flags.append([STUB_MODEL, SENTENCES[STUB_MODEL]])
    return flags + [list(departure) for departure in info.departures]


def _recorded_model(run_variant: RunVariant) -> str:
    """The model that the system was given; empty where none was recorded, and then nothing is
    claimed of it."""
    return str(run_variant.variant.parts.get("parameters", {}).get("model", ""))


def _ingest_cost(run_variant: RunVariant) -> dict[str, float | None]:
    """Cost and seconds of the store, from the machine that began it first."""
    events = IngestEvent.objects.filter(
        store_key=run_variant.store_key, scenario__benchmark=run_variant.run.benchmark_id
    )
    first = events.order_by("pk").first()
    if not run_variant.store_key or first is None:
        return {"cost_usd": 0.0 if not run_variant.store_key else None, "seconds": None}
    events = events.filter(host=first.host)
    total = events.aggregate(seconds=Sum("seconds"), cost=Sum("cost_usd"))
    unknown = events.filter(cost_usd=None).exists()
    return {"cost_usd": None if unknown else total["cost"], "seconds": total["seconds"]}
