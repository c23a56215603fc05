"""What taking the documents in cost a run's systems, and what was lost on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Min

from evaluation.models import IngestEvent, RunVariant
from evaluation.queries.choices import NotFound


@dataclass(frozen=True, slots=True)
class DocumentIngest:
    """One step of one scenario. ``cost_usd`` is None where a price is unknown; ``errors`` are
    sentences, and a document may have stored units all the same."""

    scenario: str
    item_id: str
    operation: str
    n_units: int
    n_truncated_units: int
    model_calls: int
    tokens: int
    cost_usd: float | None
    seconds: float
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoreIngest:
    """One store and the variants that read it. ``n_empty`` documents left no unit."""

    labels: tuple[str, ...]
    n_steps: int
    n_units: int
    n_empty: int
    n_with_errors: int
    model_calls: int
    tokens: int
    cost_usd: float | None
    seconds: float
    documents: tuple[DocumentIngest, ...]

    @property
    def troubled(self) -> tuple[DocumentIngest, ...]:
        return tuple(one for one in self.documents if one.errors)


@dataclass(frozen=True, slots=True)
class IngestReport:
    run: str
    benchmark: str
    stores: tuple[StoreIngest, ...]


def ingest_report(public_id: str) -> IngestReport:
    """Every store of the run, in the order of its variants, as the machine that began it first
    logged it. A store that an earlier run built is reported as it was built. Raises NotFound."""
    variants = list(
        RunVariant.objects.filter(run__public_id=public_id)
        .select_related("variant", "run__benchmark")
        .order_by("position")
    )
    if not variants:
        raise NotFound("run", public_id)
    labels: dict[str, list[str]] = {}
    for one in variants:
        if one.store_key:
            labels.setdefault(one.store_key, []).append(one.variant.label)
    events = IngestEvent.objects.filter(
        store_key__in=labels, scenario__benchmark=variants[0].run.benchmark_id
    )
    first = events.values("store_key", "host").annotate(first=Min("pk")).order_by("first")
    hosts: dict[str, str] = {}
    for row in first:
        hosts.setdefault(row["store_key"], row["host"])
    logged: dict[str, list[DocumentIngest]] = {key: [] for key in labels}
    for event in events.select_related("scenario").order_by("scenario__position", "pk"):
        if event.host == hosts[event.store_key]:
            logged[event.store_key].append(_document(event))
    return IngestReport(
        run=public_id,
        benchmark=variants[0].run.benchmark.title,
        stores=tuple(_store(labels[key], logged[key]) for key in labels),
    )


def _document(event: IngestEvent) -> DocumentIngest:
    return DocumentIngest(
        scenario=event.scenario.key,
        item_id=event.item_id,
        operation=event.operation,
        n_units=event.n_units,
        n_truncated_units=event.n_truncated_units,
        model_calls=event.model_calls,
        tokens=event.tokens,
        cost_usd=event.cost_usd,
        seconds=event.seconds,
        errors=tuple(event.errors),
    )


def _store(labels: Iterable[str], documents: list[DocumentIngest]) -> StoreIngest:
    costs = [one.cost_usd for one in documents]
    known = [cost for cost in costs if cost is not None]
    return StoreIngest(
        labels=tuple(labels),
        n_steps=len(documents),
        n_units=sum(one.n_units for one in documents),
        n_empty=sum(one.n_units == 0 and one.operation != "delete" for one in documents),
        n_with_errors=sum(bool(one.errors) for one in documents),
        model_calls=sum(one.model_calls for one in documents),
        tokens=sum(one.tokens for one in documents),
        cost_usd=sum(known) if len(known) == len(costs) else None,
        seconds=sum(one.seconds for one in documents),
        documents=tuple(documents),
    )
