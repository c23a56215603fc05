"""What follows when the last work of a run is done."""

from __future__ import annotations

from django.db.models import Exists
from django.utils import timezone

from evaluation.models import Run, Work


def note_work_done(*, run_id: int) -> None:
    """Record the time at which a run has nothing left to do, once."""
    left = Work.objects.open().filter(run=run_id)
    Run.objects.filter(~Exists(left), pk=run_id, finished_at=None).update(
        finished_at=timezone.now()
    )


def note_started(*, run_id: int) -> None:
    Run.objects.filter(pk=run_id, started_at=None).update(started_at=timezone.now())


def pause_because(*, run_id: int, reason: str) -> None:
    """The run stops itself and says why; resuming clears it."""
    Run.objects.filter(pk=run_id, paused_at=None, cancelled_at=None).update(
        paused_at=timezone.now(), stopped_reason=reason
    )


def reopen(*, run_id: int) -> None:
    Run.objects.filter(pk=run_id).update(paused_at=None, finished_at=None, stopped_reason="")
