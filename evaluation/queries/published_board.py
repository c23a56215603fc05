"""Published rows: numbers printed in papers, shown with their place and never ranked here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet

from evaluation.models import PublishedScore
from evaluation.queries.choices import Flag
from evaluation.queries.leaderboard import LeaderboardRow
from evaluation.queries.measures import MeasureHeading


@dataclass(frozen=True, slots=True)
class PublishedVariant:
    """One system of one table at one track: its scores on the whole set and by slice value."""

    benchmark: str
    benchmark_title: str
    system: str
    slug: str
    label: str
    modality: str
    is_anchor: bool
    track: str
    measure: str
    scale_high: float
    score: float | None
    by_slice: dict[str, float]
    n_by_slice: dict[str, int]
    slice_name: str
    n_questions: int | None
    mean_chars: float | None
    judge: str
    place: str
    note: str


def published_variants(slug: str) -> tuple[PublishedVariant, ...]:
    """Everything printed about a benchmark, a row a system, table, judge, measure and track."""
    return _variants(PublishedScore.objects.filter(benchmark__slug=slug))


def published_of_system(system: str) -> tuple[PublishedVariant, ...]:
    """Everything printed about a system in any of its variants, benchmark by benchmark."""
    scores = PublishedScore.objects.filter(system__startswith=system)
    return tuple(one for one in _variants(scores) if one.system == system)


def _variants(scores: QuerySet[PublishedScore]) -> tuple[PublishedVariant, ...]:
    rows: dict[tuple[str, ...], PublishedVariant] = {}
    for one in scores.select_related("benchmark").order_by("benchmark__slug", "position", "pk"):
        place = (
            one.benchmark.slug, one.paper, one.place, one.system, one.modality, one.track,
            one.measure, one.judge,
        )  # fmt: skip
        row = rows.get(place)
        if row is None:
            row = rows[place] = PublishedVariant(
                benchmark=one.benchmark.slug,
                benchmark_title=one.benchmark.title,
                system=plain_system(one.system),
                slug=one.system,
                label=one.system_label,
                modality=one.modality,
                is_anchor=one.is_anchor,
                track=one.track,
                measure=one.measure,
                scale_high=one.scale_high,
                score=None,
                by_slice={},
                n_by_slice={},
                slice_name=one.slice_name,
                n_questions=None,
                mean_chars=one.mean_chars,
                judge=one.judge,
                place=f"{one.paper}, {one.place}",
                note=one.note,
            )
        rows[place] = _with_score(row, one)
    return tuple(rows.values())


def published_measures(variants: Sequence[PublishedVariant]) -> tuple[MeasureHeading, ...]:
    """The printed measures, in the order of the tables."""
    found: dict[str, MeasureHeading] = {}
    for one in variants:
        slices = (one.slice_name,) if one.slice_name else ()
        held = found.setdefault(one.measure, MeasureHeading(one.measure, one.scale_high, slices))
        if slices and not held.slices:
            found[one.measure] = replace(held, slices=slices)
    return tuple(found.values())


def plain_system(slug: str) -> str:
    """``simple-rag+bm25`` and ``holdmem@d0-b1`` are of the systems simple-rag and holdmem."""
    return slug.partition("@")[0].partition("+")[0]


def published_rows(
    variants: Sequence[PublishedVariant],
    *,
    track: str,
    measure: str,
    slice_value: str = "",
) -> list[LeaderboardRow]:
    """The rows of a track, best first, anchors last. They have no interval and no rank: what they
    would be computed from was not printed."""
    chosen = [one for one in variants if one.track == track and one.measure == measure]
    rows = [_row(one, slice_value) for one in chosen]
    shown = [row for row in rows if row.score is not None or (row.by_tier and not slice_value)]
    return sorted(shown, key=lambda row: (row.anchor, -(row.score or 0.0), row.label))


def _with_score(row: PublishedVariant, one: PublishedScore) -> PublishedVariant:
    if not one.slice_value:
        return replace(row, score=one.score, n_questions=one.n_questions, mean_chars=one.mean_chars)
    return replace(
        row,
        slice_name=one.slice_name,
        by_slice={**row.by_slice, one.slice_value: one.score},
        n_by_slice=(
            row.n_by_slice
            if one.n_questions is None
            else {**row.n_by_slice, one.slice_value: one.n_questions}
        ),
    )


def _row(one: PublishedVariant, slice_value: str) -> LeaderboardRow:
    score = one.by_slice.get(slice_value) if slice_value else one.score
    n = one.n_by_slice.get(slice_value) if slice_value else one.n_questions
    return LeaderboardRow(
        rank=None,
        rank_band="",
        anchor=one.is_anchor,
        system=one.system,
        slug=one.slug,
        variant=one.slug,
        label=one.label,
        variant_key="",
        modality=one.modality,
        synthesis="",
        embedder="",
        track=one.track,
        score=score,
        ci_low=None,
        ci_high=None,
        by_tier=dict(one.by_slice),
        n_by_tier=dict(one.n_by_slice),
        mean_achieved_chars=one.mean_chars,
        mean_requested_chars=None,
        n_scored=n or 0,
        n_unscored=0,
        n_errored=0,
        n_pending=0,
        n_total=n or 0,
        score_if_missing_lowest=None,
        score_if_missing_highest=None,
        cost_usd=None,
        cost_per_question_usd=None,
        ingest_cost_usd=None,
        ingest_seconds=None,
        retrieve_ms=None,
        deltas=(),
        flags=(Flag("note", one.note),) if one.note else (),
        unranked_reason="",
        source="published",
        run="",
        place=", ".join(part for part in (one.place, one.judge) if part),
    )
