"""Handing works to the workers: messages carry ids only and may be lost, doubled or late."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from celery import current_app
from django.db import transaction

from evaluation.models import Run, Work
from evaluation.services.leases import release_work

TASKS = {
    Work.DOCTOR: "evaluation.tasks.examine",
    Work.INGEST: "evaluation.tasks.ingest",
    Work.CELLS: "evaluation.tasks.answer_cells",
    Work.JUDGE: "evaluation.tasks.judge_answers",
}
_KEPT_HERE: ContextVar[bool] = ContextVar("works_kept_here", default=False)


@contextmanager
def works_kept_here() -> Iterator[None]:
    """Within it no work is handed to the workers: this process does them, or nobody does yet."""
    token = _KEPT_HERE.set(True)
    try:
        yield
    finally:
        _KEPT_HERE.reset(token)


def send_works(works: list[Work]) -> None:
    """Enqueue after the current transaction commits."""
    if _KEPT_HERE.get():
        return

    def send() -> None:
        for work in works:
            current_app.send_task(TASKS[work.kind], args=[work.pk])

    transaction.on_commit(send)


def give_back(*, work: Work, error: str = "") -> None:
    """Release an unfinished work. A message that came while its lease was held is gone: where the
    run goes on again meanwhile, the work is handed out once more."""
    release_work(work_id=work.pk, error=error)
    if Run.objects.filter(pk=work.run_id, paused_at=None, cancelled_at=None).exists():
        send_works([work])


def ready_works(*, run: Run) -> list[Work]:
    """Open works that nothing blocks: the doctor comes first, and a batch of cells waits for its
    scenario's ingest."""
    works = list(run.works.open().select_related("run_variant").order_by("pk"))
    doctor = [work for work in works if work.kind == Work.DOCTOR]
    if doctor:
        return doctor
    ingesting = {
        (work.payload["store_key"], work.scenario_id) for work in works if work.kind == Work.INGEST
    }
    return [
        work
        for work in works
        if work.kind != Work.CELLS
        or work.run_variant is None
        or (work.run_variant.store_key, work.scenario_id) not in ingesting
    ]


def works_waiting_for(*, ingest: Work) -> list[Work]:
    return list(
        Work.objects.open()
        .filter(
            run=ingest.run_id,
            kind=Work.CELLS,
            scenario=ingest.scenario_id,
            run_variant__store_key=ingest.payload["store_key"],
        )
        .order_by("pk")
    )
