"""What went wrong, kept where the person who can act on it sees it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, Q
from django.utils import timezone

from evaluation.models import Cell, CellError, Judge, Run
from evaluation.source_files.reading import storable


class RunInterrupted(Exception):
    """The run was paused or cancelled, or the work's lease was lost: give it back, unfinished."""


def check_running(*, run_id: int) -> None:
    """Raises RunInterrupted when the run was paused or cancelled meanwhile."""
    paused_at, cancelled_at = Run.objects.values_list("paused_at", "cancelled_at").get(pk=run_id)
    if paused_at or cancelled_at:
        raise RunInterrupted


def sentence_of(error: BaseException) -> str:
    """The error in words; its type is named where it says nothing itself."""
    text = storable(" ".join(str(error).split()))
    return text[:2000] if text else type(error).__name__


@transaction.atomic
def fail_cells(
    *, cells: Sequence[int], stage: str, message: str, judge: Judge | None = None
) -> None:
    """Mark cells errored, with the attempt's error kept."""
    now = timezone.now()
    CellError.objects.bulk_create(
        [CellError(cell_id=pk, stage=stage, judge=judge, message=message, at=now) for pk in cells],
        batch_size=500,
    )
    for start in range(0, len(cells), 500):
        Cell.objects.filter(pk__in=cells[start : start + 500]).update(errored_at=now)


def resolve_errors(*, cell: Cell, of: Q) -> None:
    """A later attempt succeeded: the earlier errors ``of`` its kind stay, resolved. The cell is
    errored for as long as another is not."""
    still_open = CellError.objects.filter(cell=cell, resolved_at=None)
    if still_open.filter(of).update(resolved_at=timezone.now()):
        Cell.objects.filter(~Exists(still_open), pk=cell.pk).update(errored_at=None)
