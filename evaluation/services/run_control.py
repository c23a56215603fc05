"""Pausing, resuming and cancelling runs."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from evaluation.models import Cell, CellError, Run, Work
from evaluation.services.dispatch import ready_works, send_works
from evaluation.services.run_state import reopen


class RunCannotChange(Exception):
    """The run's state does not allow this; the message says why."""


def pause_run(*, run: Run, at: datetime | None = None) -> None:
    """Works in progress stop after their current cell; everything done is kept."""
    if run.finished_at or run.cancelled_at:
        raise RunCannotChange(f"run {run.public_id} has ended and cannot be paused")
    Run.objects.filter(pk=run.pk, paused_at=None).update(paused_at=at or timezone.now())


def cancel_run(*, run: Run, at: datetime | None = None) -> None:
    """Nothing more is asked; what is done stays readable."""
    if run.finished_at:
        raise RunCannotChange(f"run {run.public_id} has finished and cannot be cancelled")
    Run.objects.filter(pk=run.pk, cancelled_at=None).update(cancelled_at=at or timezone.now())


@transaction.atomic
def resume_run(*, run: Run, retry_errored: bool = False, force: bool = False) -> int:
    """Go on where the run stopped; with ``retry_errored`` errored cells are tried again and their
    earlier attempts kept; with ``force`` what the doctor found stops it no more (the findings stay
    on it). Returns the number of works handed out."""
    if run.cancelled_at:
        raise RunCannotChange(f"run {run.public_id} was cancelled and cannot be resumed")
    if run.origin == Run.IMPORTED and not run.works.open().exists():
        raise RunCannotChange(f"run {run.public_id} was imported: there is nothing to go on with")
    if force:
        run.options["force"] = True
        Run.objects.filter(pk=run.pk).update(options=run.options)
    if retry_errored:
        errored = Cell.objects.filter(run_variant__run=run).errored()
        judges = CellError.objects.filter(cell__in=errored, resolved_at=None).values("judge")
        run.works.filter(kind=Work.JUDGE, judge__in=judges).update(done_at=None)
        Work.objects.filter(pk__in=errored.values("work")).update(done_at=None)
        errored.update(errored_at=None)
    if run.works.open().exists():
        reopen(run_id=run.pk)
    works = ready_works(run=run)
    send_works(works)
    return len(works)


def resume_unfinished_runs() -> int:
    """Hand out the open works of every run that is neither paused nor ended."""
    return sum(resume_run(run=run) for run in Run.objects.unfinished().order_by("pk"))
