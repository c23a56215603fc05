"""Benchmarks into the database and back into records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.utils import timezone
from pydantic import TypeAdapter

from evaluation import models, records
from evaluation.benchmarks.revision import revision_of
from evaluation.services.storage import (
    item_sha256,
    pack_json,
    pack_text,
    unpack_json,
    unpack_text,
)

LONGEST_TITLE = 200
_SCENARIO = TypeAdapter(records.Scenario)
_QUESTION = TypeAdapter(records.Question)


class BenchmarkNotLoaded(Exception):
    """No benchmark of that slug is in the database."""

    def __init__(self, slug: str) -> None:
        rows = models.Benchmark.objects.filter(is_published_only=False)
        known = sorted(set(rows.values_list("slug", flat=True)))
        super().__init__(
            f"no benchmark '{slug}' is loaded; loaded: {', '.join(known) or 'none'}. "
            f"Load one with: manage.py load_benchmark {slug}"
        )


def newest_benchmark(slug: str) -> models.Benchmark:
    """The newest loaded revision; printed results alone are no benchmark to run. Raises
    BenchmarkNotLoaded."""
    rows = models.Benchmark.objects.named(slug).filter(is_published_only=False)
    benchmark = rows.newest_first().first()
    if benchmark is None:
        raise BenchmarkNotLoaded(slug)
    return benchmark


@transaction.atomic
def store_benchmark(*, benchmark: records.Benchmark) -> tuple[models.Benchmark, bool]:
    """Store a loaded benchmark; the same revision again is a no-op. Returns (row, is_new)."""
    revision = revision_of(benchmark)
    card = benchmark.card
    n_holdout = sum(question.holdout for question in benchmark.questions)
    row, is_new = models.Benchmark.objects.get_or_create(
        slug=card.slug,
        revision=revision,
        defaults={
            "family": card.family,
            "title": card.title[:LONGEST_TITLE],
            "card": asdict(card),
            "report": asdict(benchmark.report),
            "n_questions": len(benchmark.questions) - n_holdout,
            "n_holdout": n_holdout,
            "loaded_at": timezone.now(),
        },
    )
    if not is_new:
        return row, False
    items = _store_scenarios(row, benchmark)
    row.n_documents = len({item.id for item in items.values()})
    row.save(update_fields=["n_documents"])
    models.SourceItem.objects.bulk_create(
        [
            models.SourceItem(
                benchmark=row,
                item_id=item.id,
                title=item.title,
                kind=item.kind,
                timestamp=item.timestamp,
                sha256=sha256,
                n_chars=len(item.text),
                body=pack_text(item.text),
                position=position,
            )
            for position, (sha256, item) in enumerate(items.items())
        ],
        batch_size=200,
    )
    models.Question.objects.bulk_create(
        [
            models.Question(
                benchmark=row,
                question_id=question.id,
                position=position,
                text=question.text,
                slices={name: list(values) for name, values in question.slices.items()},
                is_holdout=question.holdout,
                data=_QUESTION.dump_python(question, mode="json"),
            )
            for position, question in enumerate(benchmark.questions)
        ],
        batch_size=500,
    )
    return row, True


def _store_scenarios(
    row: models.Benchmark, benchmark: records.Benchmark
) -> dict[str, records.SourceItem]:
    items: dict[str, records.SourceItem] = {}
    for position, scenario in enumerate(benchmark.scenarios):
        stream = _SCENARIO.dump_python(scenario, mode="json")
        for step in _steps_with_items(stream["steps"]):
            item = records.SourceItem(**step["item"])
            sha256 = item_sha256(item)
            items.setdefault(sha256, item)
            step["item"] = sha256
        models.Scenario.objects.create(
            benchmark=row, key=scenario.id, position=position, steps=pack_json(stream)
        )
    return items


def _steps_with_items(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in steps:
        if step["kind"] in ("ingest", "revise"):
            yield step
        elif step["kind"] == "fork":
            for branch in step["branches"].values():
                yield from _steps_with_items(branch)


def scenario_record(scenario_pk: int) -> records.Scenario:
    """The scenario with its items' texts, which a stored revision never changes."""
    row = models.Scenario.objects.defer("steps").select_related("benchmark").get(pk=scenario_pk)
    return _cached_scenario(scenario_pk, row.benchmark.revision, row.key)


@lru_cache(maxsize=16)
def _cached_scenario(scenario_pk: int, revision: str, key: str) -> records.Scenario:  # noqa: ARG001
    """Cached by revision and key as well: a primary key may come again after a roll-back."""
    row = models.Scenario.objects.get(pk=scenario_pk)
    stream = unpack_json(row.steps)
    steps = list(_steps_with_items(stream["steps"]))
    items = items_by_sha256(benchmark_pk=row.benchmark_id, shas={step["item"] for step in steps})
    for step in steps:
        step["item"] = items[step["item"]]
    return _SCENARIO.validate_python(stream)


def items_by_sha256(*, benchmark_pk: int, shas: set[str]) -> dict[str, records.SourceItem]:
    """Those of the benchmark's item versions."""
    rows = models.SourceItem.objects.filter(benchmark_id=benchmark_pk)
    if len(shas) <= 500:
        rows = rows.filter(sha256__in=shas)
    return {row.sha256: item_record(row) for row in rows.iterator() if row.sha256 in shas}


def item_record(row: models.SourceItem) -> records.SourceItem:
    return records.SourceItem(
        id=row.item_id,
        text=unpack_text(row.body),
        title=row.title,
        kind=row.kind,
        timestamp=row.timestamp,
    )


def question_record(row: models.Question) -> records.Question:
    return _QUESTION.validate_python(row.data)


def benchmark_record(row: models.Benchmark, *, with_scenarios: bool) -> records.Benchmark:
    """The stored benchmark as records; without scenarios it is quick and has questions only."""
    scenarios = (
        tuple(
            scenario_record(pk)
            for pk in row.scenarios.order_by("position").values_list("pk", flat=True)
        )
        if with_scenarios
        else ()
    )
    return records.Benchmark(
        card=records.Card(**row.card),
        scenarios=scenarios,
        questions=tuple(
            question_record(question) for question in row.questions.order_by("position")
        ),
    )
