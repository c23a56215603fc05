"""The doctor's work: probe every variant and model of a run before anything is paid for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from django.db import transaction
from django.utils import timezone

from evaluation.models import Benchmark, DoctorFinding, Run, RunVariant, Scenario
from evaluation.protocol.doctor import (
    Finding,
    check_budgets,
    check_counts,
    check_failures,
    probe,
)
from evaluation.protocol.lifetime import Lifetime
from evaluation.protocol.tracks import Track, parse_tracks
from evaluation.records import Ingest, SourceItem
from evaluation.services.benchmarks import scenario_record
from evaluation.services.dispatch import give_back, ready_works, send_works
from evaluation.services.failures import check_running, sentence_of
from evaluation.services.leases import claim_work, finish_work, hold_lease
from evaluation.services.model_checks import check_models
from evaluation.services.probe_folders import probe_folder
from evaluation.services.run_state import note_started, note_work_done, pause_because
from evaluation.services.stopping import given_back_unless_done
from evaluation.services.stores import open_variant_as
from memory_systems.base import Modality
from memory_systems.registry import system_info

N_PROBED = 3


def do_examine(*, work_id: int) -> None:
    """Examine the run; a failed check that nobody declared pauses it unless it was forced."""
    work = claim_work(work_id=work_id)
    if work is None:
        return
    run = Run.objects.select_related("benchmark").get(pk=work.run_id)
    note_started(run_id=run.pk)
    with given_back_unless_done(work):
        failed = []
        for run_variant in run.run_variants.select_related("variant").order_by("position"):
            check_running(run_id=run.pk)
            hold_lease(work_id=work.pk)
            failed += examine_variant(run_variant=run_variant, run=run)
        failed += keep_findings(check_models(run=run), run=run, stage="models")
        # Someone may have forced the run while it was examined.
        run.refresh_from_db(fields=["options"])
        if failed and not run.options["force"]:
            reason = "the doctor found: " + "; ".join(finding.sentence for finding in failed)
            pause_because(run_id=run.pk, reason=reason)
            give_back(work=work, error=reason)
            return
        with transaction.atomic():
            finish_work(work_id=work.pk)
            send_works(ready_works(run=run))
        note_work_done(run_id=run.pk)


def examine_variant(*, run_variant: RunVariant, run: Run) -> list[Finding]:
    """Probe three documents; the findings are kept, the failed ones returned."""
    findings = probe_variant(
        run_variant=run_variant,
        documents=first_documents(benchmark=run.benchmark),
        tracks=parse_tracks(list(run_variant.tracks), mode=run.options["budget_mode"]),
    )
    return keep_findings(findings, run=run, stage="probe", run_variant=run_variant)


def probe_variant(
    *, run_variant: RunVariant, documents: Sequence[SourceItem], tracks: Sequence[Track]
) -> list[Finding]:
    """Try the variant on the documents in a folder of its own. Raises nothing."""
    variant = run_variant.variant
    try:
        with probe_folder() as folder:
            return probe(
                system_info(variant.system),
                cast(Modality, variant.modality),
                lambda modality, place: open_variant_as(
                    variant=variant,
                    modality=modality,
                    folder=place,
                    run=run_variant.run if run_variant.run.public_id else None,
                ),
                documents,
                tracks,
                folder / "memory",
            )
    except Exception as error:  # noqa: BLE001 - whatever a system does wrong is a finding
        return [Finding("probe", "failed", f"{variant.label}: {sentence_of(error)}")]


def examine_store(*, run_variant: RunVariant, scenario: Scenario, lifetime: Lifetime) -> list[str]:
    """Counts and budgets again on the whole store. Returns what must stop the run before any
    answer is paid for: what failed, was not declared, and was not forced."""
    info = system_info(run_variant.variant.system)
    run = run_variant.run
    if not info.has_context:
        return []
    first = next(iter(_ingested(scenario.pk)), None)
    units_by_item = _logged_units(lifetime)
    failures = _logged_failures(lifetime)
    memory = lifetime.open_memory(lifetime.folder_of("@head"))
    try:
        lost = failures.keys() - memory.stored_item_ids()
        findings = check_counts(
            info, memory, units_by_item.keys() - lost, sum(units_by_item.values())
        )
        findings += check_failures(failures, n_items=len(units_by_item))
        if not info.is_anchor and first is not None:
            tracks = parse_tracks(list(run_variant.tracks), mode=run.options["budget_mode"])
            findings += check_budgets(info, memory, first, tracks)
    finally:
        memory.close()
    failed = keep_findings(findings, run=run, stage="ingest", run_variant=run_variant)
    run.refresh_from_db(fields=["options"])
    return [] if run.options["force"] else [finding.sentence for finding in failed]


def _logged_units(lifetime: Lifetime) -> dict[str, int]:
    """What the journal says the trunk holds at its end: units by item and definition."""
    units: dict[str, int] = {}
    for record in lifetime.records():
        if record.stream or not record.item_id:
            continue
        if record.operation == "delete":
            units.pop(record.item_id, None)
        else:
            units[record.item_id] = record.outcome.units
    return units


def _logged_failures(lifetime: Lifetime) -> dict[str, str]:
    """What the journal says went wrong with items that the trunk took in last: first sentences."""
    errors = {
        record.item_id: record.outcome.errors
        for record in lifetime.records()
        if not record.stream and record.item_id
    }
    return {item: told[0] for item, told in errors.items() if told}


def first_documents(*, benchmark: Benchmark) -> list[SourceItem]:
    """The first items that a scenario of the benchmark ingests, up to three."""
    scenario = benchmark.scenarios.order_by("position").first()
    if scenario is None:
        return []
    return list(_ingested(scenario.pk))[:N_PROBED]


def _ingested(scenario_pk: int) -> Iterator[SourceItem]:
    seen = set()
    for step in scenario_record(scenario_pk).steps:
        if isinstance(step, Ingest) and step.item.text.strip() and step.item.id not in seen:
            seen.add(step.item.id)
            yield step.item


def keep_findings(
    findings: Sequence[Finding],
    *,
    run: Run | None,
    stage: str,
    run_variant: RunVariant | None = None,
) -> list[Finding]:
    """Store the findings, of a run or on demand (then in place of the variant's earlier ones);
    return those that failed, naming whose they are."""
    variant = run_variant.variant if run_variant else None
    label = variant.label if variant else ""
    DoctorFinding.objects.filter(run=run, stage=stage, label=label).delete()
    DoctorFinding.objects.bulk_create(
        [
            DoctorFinding(
                run=run,
                benchmark_slug=run.benchmark.slug if run else "",
                system=variant.system if variant else "",
                label=label,
                stage=stage,
                check_name=finding.check,
                level=finding.level,
                sentence=finding.sentence,
                at=timezone.now(),
            )
            for finding in findings
        ]
    )
    prefix = f"{label}: " if label else ""
    return [
        replace(finding, sentence=prefix + finding.sentence)
        for finding in findings
        if finding.level == "failed"
    ]
