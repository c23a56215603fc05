"""What taking documents in cost a system in its newest runs, and what was lost on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Count, Min, Q, Sum

from evaluation.models import IngestEvent, RunVariant
from evaluation.queries.systems import SystemIngest

SHOWN_STORES = 6
READ_VARIANTS = 120
SHOWN_EMPTY = 8
_EMPTY = Q(n_units=0) & ~Q(operation="delete")

StorePlace = tuple[str, int]
"""A store's key and the benchmark (as a database id) that it holds."""


def system_ingests(slug: str) -> tuple[SystemIngest, ...]:
    """The system's six newest stores, each under the newest run that read it, as the machine that
    began it first logged it. Three queries."""
    readers: dict[StorePlace, list[RunVariant]] = {}
    newest = (
        RunVariant.objects.filter(variant__system=slug)
        .exclude(store_key="")
        .select_related("variant", "run__benchmark")
        .order_by("-run__created_at", "-run__pk", "position")[:READ_VARIANTS]
    )
    for reader in newest:
        readers.setdefault((reader.store_key, reader.run.benchmark_id), []).append(reader)
    places = list(readers)[:SHOWN_STORES]
    totals = _totals(places)
    empty = _empty_documents(totals)
    return tuple(
        _ingest(readers[place], totals.get(place), empty.get(place, ())) for place in places
    )


def _totals(places: Sequence[StorePlace]) -> dict[StorePlace, Mapping[str, Any]]:
    rows = (
        IngestEvent.objects.filter(store_key__in=[key for key, _ in places])
        .values("store_key", "scenario__benchmark", "host")
        .annotate(
            first=Min("pk"),
            n_steps=Count("pk"),
            units=Sum("n_units"),
            truncated=Sum("n_truncated_units"),
            calls=Sum("model_calls"),
            spent=Sum("tokens"),
            cost=Sum("cost_usd"),
            n_unpriced=Count("pk", filter=Q(cost_usd=None)),
            time=Sum("seconds"),
            n_with_errors=Count("pk", filter=~Q(errors=[])),
            n_empty=Count("pk", filter=_EMPTY),
        )
        .order_by("first")
    )
    totals: dict[StorePlace, Mapping[str, Any]] = {}
    for row in rows:
        totals.setdefault((row["store_key"], row["scenario__benchmark"]), row)
    return totals


def _empty_documents(
    totals: Mapping[StorePlace, Mapping[str, Any]],
) -> dict[StorePlace, tuple[str, ...]]:
    """The first documents that left no unit, by store."""
    keys = [key for (key, _), row in totals.items() if row["n_empty"]]
    if not keys:
        return {}
    found: dict[StorePlace, list[str]] = {}
    rows = IngestEvent.objects.filter(_EMPTY, store_key__in=keys).order_by("pk")
    for key, benchmark, host, item_id in rows.values_list(
        "store_key", "scenario__benchmark", "host", "item_id"
    ):
        if host == totals[key, benchmark]["host"]:
            found.setdefault((key, benchmark), []).append(item_id)
    return {place: tuple(named[:SHOWN_EMPTY]) for place, named in found.items()}


def _ingest(
    readers: Sequence[RunVariant], total: Mapping[str, Any] | None, empty: tuple[str, ...]
) -> SystemIngest:
    run = readers[0].run
    row = total or {}
    return SystemIngest(
        run=run.public_id,
        benchmark=run.benchmark.slug,
        benchmark_title=run.benchmark.title,
        labels=tuple(dict.fromkeys(one.variant.label for one in readers if one.run_id == run.pk)),
        n_steps=row.get("n_steps", 0),
        n_units=row.get("units", 0),
        n_truncated_units=row.get("truncated", 0),
        model_calls=row.get("calls", 0),
        tokens=row.get("spent", 0),
        cost_usd=None if row.get("n_unpriced") else row.get("cost"),
        seconds=row.get("time"),
        n_with_errors=row.get("n_with_errors", 0),
        n_empty=row.get("n_empty", 0),
        empty_documents=empty,
    )
