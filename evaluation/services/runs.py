"""Creating runs: the frozen protocol, every cell, and the works that fill them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from evaluation import models
from evaluation.benchmarks.question_sets import select_questions
from evaluation.models import Benchmark, Cell, Run, RunJudge, RunVariant, Scenario, Work
from evaluation.protocol.asks import PlannedAsk, n_changes, planned_asks
from evaluation.protocol.cells import is_measured_at, why_not_applicable
from evaluation.protocol.keys import comparison_parts, key_of
from evaluation.protocol.tracks import Track, parse_tracks
from evaluation.services.benchmarks import benchmark_record, newest_benchmark, scenario_record
from evaluation.services.dispatch import ready_works, send_works
from evaluation.services.model_access import (
    check_internal_model,
    embedder,
    judge_for,
    synthesizer_for,
)
from evaluation.services.run_options import RunOptions, chosen_variants
from evaluation.services.variants import judge_row, variant_row
from memory_systems.registry import require_installed, system_info

ASKS_A_WORK = 12


class RunNotFound(Exception):
    """No run has this id."""


def get_run(public_id: str) -> Run:
    try:
        return Run.objects.select_related("benchmark", "protocol").get(public_id=public_id)
    except Run.DoesNotExist:
        raise RunNotFound(f"there is no run '{public_id}'") from None


@transaction.atomic
def create_run(*, options: RunOptions, by: User | None = None) -> Run:
    """Freeze the protocol, lay out every cell and hand the first works to the workers.

    Raises InvalidRunOption, BenchmarkNotLoaded, UnknownTrack, UnknownSystem, SystemNotInstalled,
    what opening the synthesizer and judges raises, and what selecting the questions raises: all in
    words.
    """
    options = options.checked()
    for system, _ in chosen_variants(options.systems, options.modalities):
        require_installed(system)
        check_internal_model(system=system, parameters=options.parameters.get(system, {}))
    embedder(options.embedder)
    benchmark = newest_benchmark(options.benchmark)
    questions, set_name = select_questions(
        benchmark_record(benchmark, with_scenarios=False),
        options.questions,
        seed=options.seed,
        ids=options.question_ids,
    )
    question_ids = tuple(question.id for question in questions)
    tracks = parse_tracks(list(options.tracks), mode=options.budget_mode)  # type: ignore[arg-type]
    run = Run.objects.create(
        public_id=secrets.token_hex(5),
        benchmark=benchmark,
        protocol=_protocol(options, benchmark, set_name, question_ids),
        options=asdict(options),
        question_ids=list(question_ids),
        tracks=[track.name for track in tracks],
        spending_limit_usd=options.spending_limit_usd,
        created_by=by,
        created_at=timezone.now(),
    )
    for position, name in enumerate(dict.fromkeys(options.judges)):
        RunJudge.objects.get_or_create(
            run=run,
            judge=judge_row(judge=judge_for(name=name)),
            defaults={"position": position},
        )
    _plan(run, options, tracks, question_ids)
    send_works(ready_works(run=run))
    return run


def _protocol(
    options: RunOptions, benchmark: Benchmark, set_name: str, question_ids: tuple[str, ...]
) -> models.Protocol:
    parts = comparison_parts(
        benchmark_slug=benchmark.slug,
        benchmark_revision=benchmark.revision,
        question_set=set_name,
        question_ids=question_ids,
        budget_mode=options.budget_mode,
        synthesizer=dict(synthesizer_for(name=options.synthesizer).key_parts),
        seed=options.seed,
        repeats=options.repeats,
    )
    row, _ = models.Protocol.objects.get_or_create(
        key=key_of(parts),
        defaults={"parts": parts, "question_set": set_name, "created_at": timezone.now()},
    )
    return row


def _plan(
    run: Run, options: RunOptions, tracks: Sequence[Track], question_ids: tuple[str, ...]
) -> None:
    scenarios = list(run.benchmark.scenarios.order_by("position"))
    questions = {
        question.question_id: question
        for question in run.benchmark.questions.filter(question_id__in=question_ids)
    }
    asks = {
        scenario.pk: [
            ask
            for ask in planned_asks(scenario_record(scenario.pk))
            if ask.question_id in questions
        ]
        for scenario in scenarios
    }
    Work.objects.create(
        run=run,
        kind=Work.DOCTOR,
        key="doctor",
        n_expected=len(chosen_variants(options.systems, options.modalities)),
    )
    ingests: set[tuple[str, int]] = set()
    for position, (system, modality) in enumerate(
        chosen_variants(options.systems, options.modalities)
    ):
        run_variant = _run_variant(run, options, tracks, position, system, modality)
        for scenario in scenarios:
            if not asks[scenario.pk]:
                continue
            if run_variant.store_key and (run_variant.store_key, scenario.pk) not in ingests:
                ingests.add((run_variant.store_key, scenario.pk))
                _plan_ingest(run, run_variant, scenario)
            for start in range(0, len(asks[scenario.pk]), ASKS_A_WORK):
                batch = asks[scenario.pk][start : start + ASKS_A_WORK]
                _plan_cells(run_variant, scenario, batch, start, tracks, options, questions)


def _run_variant(
    run: Run,
    options: RunOptions,
    tracks: Sequence[Track],
    position: int,
    system: str,
    modality: str,
) -> RunVariant:
    info = system_info(system)
    variant, store_key = variant_row(
        system=system,
        modality=modality,
        embedder=options.embedder,
        parameters=options.parameters.get(system, {}),
        seed=options.seed,
        benchmark=run.benchmark,
    )
    return RunVariant.objects.create(
        run=run,
        variant=variant,
        position=position,
        tracks=[track.name for track in _tracks_of(system, tracks)],
        store_key=store_key if info.has_context or info.synthesis == "internal" else "",
    )


def _tracks_of(system: str, tracks: Sequence[Track]) -> list[Track]:
    """Anchors without a budget are measured at native, whichever tracks were asked for."""
    info = system_info(system)
    measured = [track for track in tracks if is_measured_at(info, track)]
    return measured or parse_tracks(["native"])


def _plan_ingest(run: Run, run_variant: RunVariant, scenario: Scenario) -> None:
    Work.objects.create(
        run=run,
        kind=Work.INGEST,
        key=f"ingest:{run_variant.store_key[:24]}:{scenario.pk}",
        scenario=scenario,
        payload={"store_key": run_variant.store_key},
        n_expected=n_changes(scenario_record(scenario.pk)),
    )


def _plan_cells(
    run_variant: RunVariant,
    scenario: Scenario,
    asks: Sequence[PlannedAsk],
    start: int,
    tracks: Sequence[Track],
    options: RunOptions,
    questions: dict[str, models.Question],
) -> None:
    info = system_info(run_variant.variant.system)
    own_tracks = _tracks_of(info.slug, tracks)
    work = Work.objects.create(
        run=run_variant.run,
        kind=Work.CELLS,
        key=f"cells:{run_variant.position}:{scenario.pk}:{start}",
        scenario=scenario,
        run_variant=run_variant,
        n_expected=len(asks) * len(own_tracks) * options.repeats,
    )
    Cell.objects.bulk_create(
        [
            Cell(
                run_variant=run_variant,
                work=work,
                question=questions[ask.question_id],
                track=track.name,
                phase=ask.phase,
                repeat=repeat,
                state_label=ask.state_label,
                requested_chars=track.requested_chars,
                not_applicable=why_not_applicable(info, track),
            )
            for ask in asks
            for track in own_tracks
            for repeat in range(options.repeats)
        ],
        batch_size=1000,
    )
