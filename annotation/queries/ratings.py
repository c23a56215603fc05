"""Imported ratings as counts of values, which is what agreement among raters is measured on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import RatingMetric, RatingStudy
from evaluation.queries.choices import NotFound


@dataclass(frozen=True, slots=True)
class MetricCounts:
    """``counts``: a row an item, a column a value of ``values`` (rising; labels in the order of
    the scale), how many raters gave it. ``level``: nominal, ordinal or interval."""

    name: str
    level: str
    scale: tuple[Any, ...]
    values: tuple[Any, ...]
    counts: tuple[tuple[int, ...], ...]
    n_items: int
    n_ratings: int


@dataclass(frozen=True, slots=True)
class StudyCounts:
    slug: str
    name: str
    source: dict[str, Any]
    metrics: tuple[MetricCounts, ...]


def rating_counts(slug: str) -> StudyCounts:
    """Every metric of a study, in two queries. Raises NotFound."""
    study = RatingStudy.objects.filter(slug=slug).first()
    if study is None:
        raise NotFound("rating study", slug)
    metrics = RatingMetric.objects.filter(study=study).order_by("pk")
    return StudyCounts(
        study.slug, study.name, study.source, tuple(_metric(metric) for metric in metrics)
    )


def _metric(metric: RatingMetric) -> MetricCounts:
    values = _values(metric)
    return MetricCounts(
        name=metric.name,
        level=metric.level,
        scale=tuple(metric.scale),
        values=values,
        counts=tuple(_row(ratings, values) for ratings in metric.ratings),
        n_items=metric.n_items,
        n_ratings=metric.n_ratings,
    )


def _values(metric: RatingMetric) -> tuple[Any, ...]:
    """The values that were given."""
    given = {value for ratings in metric.ratings for value in ratings}
    if metric.level == "nominal":
        return tuple(label for label in metric.scale if label in given)
    return tuple(sorted(given))


def _row(ratings: Sequence[Any], values: Sequence[Any]) -> tuple[int, ...]:
    counted = Counter(ratings)
    return tuple(counted[value] for value in values)
