"""Doing a run's works in this very process, one after another: for small machines and tests."""

from __future__ import annotations

import time
from collections.abc import Callable

from evaluation.models import Run, Work
from evaluation.services.answering import do_cells
from evaluation.services.dispatch import ready_works, works_kept_here
from evaluation.services.examining import do_examine
from evaluation.services.ingesting import do_ingest
from evaluation.services.judging import do_judge

WAIT_SECONDS = 0.5


def do_work(*, work: Work) -> None:
    """The work by its kind. Does nothing where it is done or someone alive holds its lease."""
    if work.kind == Work.DOCTOR:
        do_examine(work_id=work.pk)
    elif work.kind == Work.INGEST:
        do_ingest(work_id=work.pk)
    elif work.kind == Work.CELLS:
        do_cells(work_id=work.pk)
    elif work.kind == Work.JUDGE:
        do_judge(work_id=work.pk)
    else:
        raise ValueError(f"nobody knows how to do a work of kind {work.kind!r}")


def run_to_end(
    *,
    run: Run,
    after_work: Callable[[], None] | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Run:
    """Do the run's works until none is open, or until it is paused or cancelled; the run as it is
    then. ``after_work`` is called after each work. Works that a worker holds are waited for.
    """
    with works_kept_here():
        while is_going(run_id=run.pk) and (works := ready_works(run=run)):
            before = _attempts(works)
            for work in works:
                do_work(work=work)
                if after_work is not None:
                    after_work()
                if not is_going(run_id=run.pk):
                    break
            if _attempts(works) == before:
                wait(WAIT_SECONDS)
    run.refresh_from_db()
    return run


def is_going(*, run_id: int) -> bool:
    """Whether the run is neither paused nor cancelled."""
    return Run.objects.filter(pk=run_id, paused_at=None, cancelled_at=None).exists()


def _attempts(works: list[Work]) -> list[tuple[int, int]]:
    rows = Work.objects.filter(pk__in=[work.pk for work in works]).order_by("pk")
    return list(rows.values_list("pk", "n_attempts"))
