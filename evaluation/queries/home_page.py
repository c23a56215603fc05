"""Reading the first page."""

from __future__ import annotations

import datetime as dt

from django.db.models import Count, Max

from evaluation.models import Benchmark, Run
from evaluation.queries.home import BenchmarkCard, HomePage
from evaluation.queries.run_pages import run_rows

LATEST_RUNS = 8


def home_page() -> HomePage:
    """A card a benchmark: those measured here first, by their newest run, then by title."""
    newest: dict[str, Benchmark] = {}
    for row in Benchmark.objects.newest_first():
        held = newest.get(row.slug)
        if held is None or (held.is_published_only and not row.is_published_only):
            newest[row.slug] = row
    measured = {
        slug: (n_runs, n_variants, at)
        for slug, n_runs, n_variants, at in Run.objects.values_list("benchmark__slug").annotate(
            n_runs=Count("pk", distinct=True),
            n_variants=Count("run_variants__variant", distinct=True),
            at=Max("created_at"),
        )
    }
    cards = [_card(row, *measured.get(slug, (0, 0, None))) for slug, row in newest.items()]
    ordered = sorted(cards, key=lambda card: card.title)
    ordered.sort(
        key=lambda card: card.newest_run_at.timestamp() if card.newest_run_at else 0.0, reverse=True
    )
    ordered.sort(key=lambda card: card.is_published_only)
    return HomePage(
        benchmarks=tuple(ordered), latest_runs=run_rows(Run.objects.newest_first()[:LATEST_RUNS])
    )


def _card(
    row: Benchmark, n_runs: int, n_variants: int, newest_run_at: dt.datetime | None
) -> BenchmarkCard:
    return BenchmarkCard(
        slug=row.slug,
        title=row.title,
        family=row.family,
        description=row.card.get("description", ""),
        licence=row.card.get("licence", ""),
        is_generated=row.card.get("is_generated", False),
        is_published_only=row.is_published_only,
        n_documents=row.n_documents,
        n_questions=row.n_questions,
        n_runs=n_runs,
        n_variants=n_variants,
        newest_run_at=newest_run_at,
    )
