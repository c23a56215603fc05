"""The printed results of papers as rows, beside what is measured and never mixed with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from django.db import models, transaction
from django.utils import timezone

from evaluation.benchmarks.published.cards import published_cards
from evaluation.benchmarks.published.records import PublishedContrast as PrintedContrast
from evaluation.benchmarks.published.records import PublishedScore as PrintedScore
from evaluation.benchmarks.published.tables import published_contrasts, published_scores
from evaluation.models import Benchmark, PublishedContrast, PublishedScore
from evaluation.records import Card, LoaderReport

REVISION = "published"
Row = TypeVar("Row", PublishedScore, PublishedContrast)


@dataclass(frozen=True, slots=True)
class PublishedLoaded:
    """``n_changed``: benchmarks whose rows were made or replaced; 0 when all was there."""

    n_benchmarks: int
    n_scores: int
    n_contrasts: int
    n_changed: int


@transaction.atomic
def load_published() -> PublishedLoaded:
    """Every benchmark that the project has printed results of, with its scores and contrasts.
    What is there already is left alone; rows that differ from the data files are replaced."""
    n_scores = n_contrasts = n_changed = 0
    cards = published_cards()
    for card in cards:
        scores, contrasts = published_scores(card.slug), published_contrasts(card.slug)
        benchmark, changed = _benchmark(card, scores)
        changed |= _replace(benchmark, PublishedScore, scores)
        changed |= _replace(benchmark, PublishedContrast, contrasts)
        n_changed += changed
        n_scores += len(scores)
        n_contrasts += len(contrasts)
    return PublishedLoaded(len(cards), n_scores, n_contrasts, n_changed)


def _benchmark(card: Card, scores: Sequence[PrintedScore]) -> tuple[Benchmark, bool]:
    facts = {
        "family": card.family,
        "title": card.title,
        "card": asdict(card),
        "report": asdict(LoaderReport()),
        "n_questions": max((score.n_questions or 0 for score in scores), default=0),
        "is_published_only": True,
    }
    row, is_new = Benchmark.objects.get_or_create(
        slug=card.slug, revision=REVISION, defaults={**facts, "loaded_at": timezone.now()}
    )
    kept = Benchmark.objects.values(*facts).get(pk=row.pk)
    if not is_new and kept != _as_stored(facts):
        Benchmark.objects.filter(pk=row.pk).update(**facts)
        return row, True
    return row, is_new


def _as_stored(facts: dict[str, Any]) -> dict[str, Any]:
    """JSON knows lists only."""
    report = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in facts["report"].items()
    }
    return {**facts, "report": report}


def _replace(
    benchmark: Benchmark, model: type[Row], printed: Iterable[PrintedScore | PrintedContrast]
) -> bool:
    wanted = []
    for position, record in enumerate(printed):
        values = asdict(record)
        values.pop("benchmark")
        wanted.append({**values, "position": position})
    rows: models.QuerySet[Any] = model._default_manager.filter(benchmark=benchmark)
    names = list(wanted[0]) if wanted else ["position"]
    if list(rows.order_by("position").values(*names)) == wanted:
        return False
    rows.delete()
    model._default_manager.bulk_create(
        [model(benchmark=benchmark, **values) for values in wanted], batch_size=200
    )
    return True
