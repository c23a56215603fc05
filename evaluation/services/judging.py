"""Judging stored answers, as they come or again with one more judge."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from evaluation.language_models.base import SpendingLimitReached
from evaluation.models import Answer, Cell, Judge, Judgment, Run, RunJudge, RunVariant, Work
from evaluation.records import Expectation
from evaluation.scoring.base import Judge as AnswerJudge
from evaluation.services.aggregates import refresh_vectors
from evaluation.services.benchmarks import question_record
from evaluation.services.contexts import context_of
from evaluation.services.dispatch import send_works
from evaluation.services.failures import (
    RunInterrupted,
    check_running,
    fail_cells,
    resolve_errors,
    sentence_of,
)
from evaluation.services.leases import claim_work, finish_work, hold_lease
from evaluation.services.model_access import judge_for
from evaluation.services.run_state import note_work_done, reopen
from evaluation.services.stopping import given_back_unless_done
from evaluation.services.variants import judge_row
from evaluation.source_files.reading import storable

ANSWERS_A_WORK = 64


class NothingToJudge(Exception):
    """No stored answer is left for this judge."""


def open_judges(*, run: Run) -> list[tuple[Judge, AnswerJudge]]:
    """The run's judges that are asked as answers come, first judge first."""
    rows = Judge.objects.filter(run_judges__run=run).order_by("run_judges__position")
    by_key = {row.key: row for row in rows}
    opened = [judge_for(name=name, run=run) for name in run.options["judges"]]
    return [
        (judge_row(judge=judge), judge) for judge in opened if judge_row(judge=judge).key in by_key
    ]


def judge_answer(
    *,
    answer: Answer,
    row: Judge,
    judge: AnswerJudge,
    question_text: str,
    expectation: Expectation,
    context_text: str,
    repeat: int,
) -> bool:
    """Judge once and store it; a failure becomes the cell's error. Whether it worked."""
    try:
        given = judge.judge(question_text, expectation, answer.text, context_text, repeat=repeat)
    except (SpendingLimitReached, RunInterrupted):
        raise
    except Exception as error:  # noqa: BLE001 - an endpoint's failure is the cell's error
        fail_cells(cells=[answer.cell_id], stage="judge", message=sentence_of(error), judge=row)
        return False
    try:
        with transaction.atomic():
            Judgment.objects.create(
                answer=answer,
                judge=row,
                composite=given.composite,
                scores=dict(given.scores),
                reason=storable(given.reason),
                unscored_reason=storable(given.unscored_reason),
                input_tokens=given.usage.input_tokens,
                output_tokens=given.usage.output_tokens,
                cost_usd=given.usage.cost_usd,
                judge_ms=given.usage.latency_ms,
                created_at=timezone.now(),
            )
    except IntegrityError:
        if not Judgment.objects.filter(answer=answer, judge=row).exists():
            raise
    return True


@transaction.atomic
def rejudge(*, run: Run, judge_name: str, question_ids: frozenset[str] | None = None) -> list[Work]:
    """Plan judging of the run's stored answers by one more judge; nothing is replaced.

    Raises NothingToJudge, and what opening the judge raises.
    """
    judge = judge_row(judge=judge_for(name=judge_name))
    answers = Answer.objects.filter(cell__run_variant__run=run).exclude(judgments__judge=judge)
    if question_ids is not None:
        answers = answers.filter(cell__question__question_id__in=question_ids)
    pks_by_variant: dict[int, list[int]] = {}
    for pk, variant_pk in answers.order_by("pk").values_list("pk", "cell__run_variant"):
        pks_by_variant.setdefault(variant_pk, []).append(pk)
    if not pks_by_variant:
        raise NothingToJudge(
            f"every stored answer of run {run.public_id} has this judge's judgment"
        )
    RunJudge.objects.get_or_create(
        run=run, judge=judge, defaults={"position": run.run_judges.count()}
    )
    n_before = run.works.filter(kind=Work.JUDGE).count()
    works = [
        Work(
            run=run,
            kind=Work.JUDGE,
            key=f"judge:{judge.key[:12]}:{n_before + number}",
            run_variant_id=variant_pk,
            judge=judge,
            payload={"answers": pks[start : start + ANSWERS_A_WORK], "judge_name": judge_name},
            n_expected=len(pks[start : start + ANSWERS_A_WORK]),
        )
        for number, (variant_pk, pks, start) in enumerate(
            (variant_pk, pks, start)
            for variant_pk, pks in pks_by_variant.items()
            for start in range(0, len(pks), ANSWERS_A_WORK)
        )
    ]
    Work.objects.bulk_create(works)
    reopen(run_id=run.pk)
    send_works(works)
    return works


def do_judge(*, work_id: int) -> None:
    """Judge the work's answers that this judge has not judged yet."""
    work = claim_work(work_id=work_id)
    if work is None:
        return
    run = Run.objects.get(pk=work.run_id)
    row, run_variant = work.judge, work.run_variant
    if row is None or run_variant is None:
        raise ValueError("a judge work names its judge and its variant")
    with given_back_unless_done(work):
        check_running(run_id=run.pk)
        judge = judge_for(name=work.payload["judge_name"], run=run)
        answers = (
            Answer.objects.filter(pk__in=work.payload["answers"])
            .exclude(judgments__judge=row)
            .select_related("cell__question", "cell__retrieval")
            .order_by("pk")
        )
        _judge_all(answers, row, judge, work)
        while not _finish(work, run_variant, row):
            _judge_all(answers.filter(cell__errored_at=None), row, judge, work)
        note_work_done(run_id=run.pk)


def _judge_all(answers: QuerySet[Answer], row: Judge, judge: AnswerJudge, work: Work) -> None:
    for answer in answers.all():
        _judge_stored(answer, row, judge)
        check_running(run_id=work.run_id)
        hold_lease(work_id=work.pk)


def _finish(work: Work, run_variant: RunVariant, row: Judge) -> bool:
    """Whether the work is done now. It is not where errored cells were set free meanwhile, to be
    tried again; the lock keeps that from happening between the look and the note."""
    refresh_vectors(run_variant=run_variant, judges=[row])
    with transaction.atomic():
        Work.objects.select_for_update().get(pk=work.pk)
        answers = Answer.objects.filter(pk__in=work.payload["answers"], cell__errored_at=None)
        if answers.exclude(judgments__judge=row).exists():
            return False
        finish_work(work_id=work.pk)
    return True


def _judge_stored(answer: Answer, row: Judge, judge: AnswerJudge) -> None:
    cell: Cell = answer.cell
    question = question_record(cell.question)
    worked = judge_answer(
        answer=answer,
        row=row,
        judge=judge,
        question_text=question.text,
        expectation=question.expectations[cell.phase],
        context_text=context_of(cell=cell).text,
        repeat=cell.repeat,
    )
    if worked:
        resolve_errors(cell=cell, of=Q(judge=row))
