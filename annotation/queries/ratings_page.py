"""Imported studies of ratings, and how far their raters agree on each metric."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count, Sum

from annotation.models import RatingStudy
from annotation.queries.ratings import MetricCounts, rating_counts
from evaluation.queries.kept import Kept
from evaluation.statistics.calibration.alpha import Alpha, Scale, krippendorff_alpha
from evaluation.statistics.refusals import StatisticUndefined

SHOWN_LABELS = 8


@dataclass(frozen=True, slots=True)
class StudyRow:
    slug: str
    name: str
    n_metrics: int
    n_ratings: int
    source: dict[str, Any]
    created_at: dt.datetime


@dataclass(frozen=True, slots=True)
class MetricRow:
    """``alpha`` is None where ``undefined`` says why. ``scale`` in words."""

    name: str
    level: str
    scale: str
    n_items: int
    n_ratings: int
    alpha: Alpha | None
    undefined: str


@dataclass(frozen=True, slots=True)
class StudyPage:
    slug: str
    name: str
    source: dict[str, Any]
    metrics: tuple[MetricRow, ...]


kept_studies: Kept[tuple[int, dt.datetime], StudyPage] = Kept(64)


def ratings_page() -> tuple[StudyRow, ...]:
    """Newest first."""
    rows = RatingStudy.objects.annotate(
        n_metrics=Count("metrics"), n_ratings=Sum("metrics__n_ratings")
    ).order_by("-created_at", "-pk")
    return tuple(
        StudyRow(row.slug, row.name, row.n_metrics, row.n_ratings or 0, row.source, row.created_at)
        for row in rows
    )


def study_page(slug: str) -> StudyPage:
    """Krippendorff's alpha of every metric at its own level of measurement. A study never changes,
    so it is computed once. Raises NotFound."""
    known = RatingStudy.objects.filter(slug=slug).values_list("pk", "created_at").first()
    held = kept_studies.get(known) if known else None
    if held is not None:
        return held
    study = rating_counts(slug)
    page = StudyPage(study.slug, study.name, study.source, tuple(map(_metric, study.metrics)))
    return kept_studies.put(known, page) if known else page


def _metric(metric: MetricCounts) -> MetricRow:
    alpha, undefined = None, ""
    try:
        alpha = _alpha(metric)
    except StatisticUndefined as refusal:
        undefined = str(refusal)
    return MetricRow(
        name=metric.name,
        level=metric.level,
        scale=_scale_in_words(metric),
        n_items=metric.n_items,
        n_ratings=metric.n_ratings,
        alpha=alpha,
        undefined=undefined,
    )


def _alpha(metric: MetricCounts) -> Alpha:
    if not metric.values:
        raise StatisticUndefined("No rating was given; a file with ratings would help.")
    scale = Scale(metric.level)
    values = None if scale is Scale.NOMINAL else [float(value) for value in metric.values]
    return krippendorff_alpha(np.array(metric.counts), scale=scale, values=values)


def _scale_in_words(metric: MetricCounts) -> str:
    if metric.level == Scale.NOMINAL:
        named = ", ".join(str(label) for label in metric.scale[:SHOWN_LABELS])
        more = len(metric.scale) - SHOWN_LABELS
        return f"{named} and {more} more" if more > 0 else named
    return " to ".join(str(end) for end in metric.scale)
