"""Celery's doors to the services: ids in, one call each, safe to deliver twice."""

from __future__ import annotations

from celery import shared_task

from evaluation.services import answering, demo, examining, ingesting, judging, run_control

DEMO_STEP_SECONDS = 10


@shared_task(name="evaluation.tasks.examine")
def examine(work_id: int) -> None:
    examining.do_examine(work_id=work_id)


@shared_task(name="evaluation.tasks.ingest")
def ingest(work_id: int) -> None:
    ingesting.do_ingest(work_id=work_id)


@shared_task(name="evaluation.tasks.answer_cells")
def answer_cells(work_id: int) -> None:
    answering.do_cells(work_id=work_id)


@shared_task(name="evaluation.tasks.judge_answers")
def judge_answers(work_id: int) -> None:
    judging.do_judge(work_id=work_id)


@shared_task(name="evaluation.tasks.resume_unfinished_runs")
def resume_unfinished_runs() -> None:
    run_control.resume_unfinished_runs()


@shared_task(name="evaluation.tasks.prepare_demo")
def prepare_demo() -> None:
    if not demo.prepare_demo():
        prepare_demo.apply_async(countdown=DEMO_STEP_SECONDS)
