"""The ingest work: one scenario into one store, each step logged once it is durable."""

from __future__ import annotations

import socket

from django.db import transaction
from django.utils import timezone

from evaluation.language_models.base import SpendingLimitReached
from evaluation.models import IngestEvent, RunVariant, Scenario, Work
from evaluation.protocol.lifetime import Lifetime, StepRecord
from evaluation.services.dispatch import give_back, send_works, works_waiting_for
from evaluation.services.examining import examine_store
from evaluation.services.failures import RunInterrupted, check_running, fail_cells, sentence_of
from evaluation.services.leases import claim_work, finish_work, hold_lease, lease_kept
from evaluation.services.run_state import note_work_done, pause_because
from evaluation.services.stores import lifetime_of
from evaluation.source_files.reading import storable


def do_ingest(*, work_id: int) -> None:
    """Build the store unless it is complete, then let the batches that wait for it go."""
    work = claim_work(work_id=work_id)
    if work is None:
        return
    try:
        check_running(run_id=work.run_id)
        with lease_kept(work_id=work.pk):
            failed = _build_and_examine(work)
        if failed:
            reason = f"after ingest the doctor found: {'; '.join(failed)}"
            pause_because(run_id=work.run_id, reason=reason)
            give_back(work=work, error=reason)
            return
    except RunInterrupted:
        give_back(work=work)
        return
    except SpendingLimitReached as error:
        pause_because(run_id=work.run_id, reason=sentence_of(error))
        give_back(work=work, error=sentence_of(error))
        return
    except Exception as error:  # noqa: BLE001 - a system's failure becomes its cells' error
        fail_cells(
            cells=_cells_of(work), stage="ingest", message=f"ingest failed: {sentence_of(error)}"
        )
    with transaction.atomic():
        finish_work(work_id=work.pk)
        send_works(works_waiting_for(ingest=work))
    note_work_done(run_id=work.run_id)


def _build_and_examine(work: Work) -> list[str]:
    """What the doctor found wrong with the built store and nobody declared or forced."""
    scenario = _scenario(work)
    failed: list[str] = []
    for position, run_variant in enumerate(_variants(work)):
        if position == 0:
            build_store(run_variant=run_variant, scenario=scenario, work=work)
        lifetime = lifetime_of(run_variant=run_variant, scenario=scenario)
        failed += examine_store(run_variant=run_variant, scenario=scenario, lifetime=lifetime)
    return failed


def build_store(*, run_variant: RunVariant, scenario: Scenario, work: Work | None = None) -> None:
    """Every missing step of the scenario into this machine's store of the variant."""
    lifetime = lifetime_of(run_variant=run_variant, scenario=scenario)
    for record in lifetime.build():
        _log(run_variant.store_key, scenario, [record])
        if work is not None:
            check_running(run_id=work.run_id)
            hold_lease(work_id=work.pk)
    _log_what_is_missing(run_variant.store_key, scenario, lifetime)


def _log_what_is_missing(store_key: str, scenario: Scenario, lifetime: Lifetime) -> None:
    """A kill between a durable step and its row leaves the row to this."""
    records = lifetime.records()
    n_logged = IngestEvent.objects.filter(
        store_key=store_key, scenario=scenario, host=socket.gethostname()
    ).count()
    if n_logged < len(records):
        _log(store_key, scenario, records)


def _log(store_key: str, scenario: Scenario, records: list[StepRecord]) -> None:
    IngestEvent.objects.bulk_create(
        [
            IngestEvent(
                store_key=store_key,
                scenario=scenario,
                host=socket.gethostname(),
                position=f"{record.stream}@{record.position}",
                operation=record.operation,
                item_id=record.item_id,
                n_units=record.outcome.units,
                n_truncated_units=record.outcome.truncated_units,
                model_calls=record.outcome.model_calls,
                tokens=record.outcome.tokens,
                cost_usd=record.outcome.cost_usd,
                errors=[storable(error)[:2000] for error in record.outcome.errors],
                seconds=record.seconds,
                at=timezone.now(),
            )
            for record in records
        ],
        ignore_conflicts=True,
    )


def _variants(work: Work) -> list[RunVariant]:
    return list(
        RunVariant.objects.select_related("variant", "run__benchmark")
        .filter(run=work.run_id, store_key=work.payload["store_key"])
        .order_by("position")
    )


def _scenario(work: Work) -> Scenario:
    if work.scenario is None:
        raise ValueError("an ingest work names its scenario")
    return work.scenario


def _cells_of(work: Work) -> list[int]:
    return [
        pk
        for waiting in works_waiting_for(ingest=work)
        for pk in waiting.cells.pending().values_list("pk", flat=True)
    ]
