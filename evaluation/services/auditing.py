"""The audit of a stored benchmark: run, and kept for its page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean

from django.db import transaction
from django.utils import timezone

from evaluation import records
from evaluation.benchmarks.audit.auditing import audit_benchmark
from evaluation.benchmarks.audit.report import AuditReport
from evaluation.models import AuditCheck, AuditFinding, Benchmark, Judgment, Run
from evaluation.services.benchmarks import benchmark_record, newest_benchmark
from evaluation.services.loading import load_again
from evaluation.services.refusals import REFUSALS

BASE_MODEL = "base-model"


@dataclass(frozen=True, slots=True)
class Audited:
    """``base_model_run`` is the run whose base model answered without the corpus, empty where
    there is none; ``no_second_load`` says why it could not be loaded again."""

    benchmark: Benchmark
    report: AuditReport
    base_model_run: str
    no_second_load: str


def audit(*, benchmark: str) -> Audited:
    """Audit the newest revision of a loaded benchmark; its report takes the place of an earlier
    one. Holdout questions are left out: they are shown to nobody. Raises BenchmarkNotLoaded."""
    row = newest_benchmark(benchmark)
    second, why_not = _second_load(row)
    run = _base_model_run(row)
    report = audit_benchmark(
        _without_holdout(benchmark_record(row, with_scenarios=True)),
        second_load=_without_holdout(second) if second else None,
        base_model_scores=_scores(run) if run else None,
    )
    _keep(row, report)
    return Audited(row, report, run.public_id if run else "", why_not)


def _without_holdout(benchmark: records.Benchmark) -> records.Benchmark:
    regular = tuple(question for question in benchmark.questions if not question.holdout)
    return replace(benchmark, questions=regular)


def _second_load(row: Benchmark) -> tuple[records.Benchmark | None, str]:
    try:
        return load_again(benchmark=row), ""
    except REFUSALS as refusal:
        return None, str(refusal)


def _base_model_run(row: Benchmark) -> Run | None:
    """The newest finished run of this revision with answers of the base model."""
    runs = Run.objects.filter(
        benchmark=row, finished_at__isnull=False, run_variants__variant__system=BASE_MODEL
    )
    return runs.newest_first().first()


def _scores(run: Run) -> dict[str, float]:
    """Question id → mean composite of the base model by the run's first judge."""
    first = run.run_judges.order_by("position").values("judge")[:1]
    judgments = Judgment.objects.filter(
        judge__in=first,
        composite__isnull=False,
        answer__cell__run_variant__run=run,
        answer__cell__run_variant__variant__system=BASE_MODEL,
    ).values_list("answer__cell__question__question_id", "composite")
    by_question: dict[str, list[float]] = {}
    for question_id, composite in judgments.order_by("pk"):
        by_question.setdefault(question_id, []).append(composite or 0.0)
    return {question_id: fmean(scores) for question_id, scores in by_question.items()}


@transaction.atomic
def _keep(row: Benchmark, report: AuditReport) -> None:
    AuditCheck.objects.filter(benchmark=row).delete()
    now = timezone.now()
    for position, check in enumerate(report.checks):
        kept = AuditCheck.objects.create(
            benchmark=row,
            name=check.name,
            position=position,
            description=check.description,
            n_checked=check.n_checked,
            refusal=check.refusal,
            at=now,
        )
        AuditFinding.objects.bulk_create(
            [
                AuditFinding(
                    audit_check=kept,
                    question_id=finding.question_id,
                    position=number,
                    audit_class=finding.audit_class,
                    sentence=finding.sentence,
                )
                for number, finding in enumerate(check.findings)
            ],
            batch_size=500,
        )
