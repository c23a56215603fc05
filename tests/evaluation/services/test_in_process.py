from __future__ import annotations

import pytest

from evaluation.models import Cell, CellError, Work
from evaluation.services import answering
from evaluation.services.in_process import run_to_end
from evaluation.services.leases import WORK_LEASE
from evaluation.services.run_control import pause_run, resume_run
from tests.evaluation.toy_runs import measured_run, planned_run

pytestmark = pytest.mark.django_db


def test_every_cell_of_a_run_is_answered_and_judged() -> None:
    run = measured_run()
    cells = Cell.objects.filter(run_variant__run=run, not_applicable="")
    assert run.finished_at is not None
    assert cells.count() == 4 * 2 + 4
    assert not cells.pending().exists()
    assert all(cell.answer.judgments.count() == 1 for cell in cells)
    assert not run.works.open().exists()


def test_the_caller_is_told_after_each_work() -> None:
    run = planned_run()
    told: list[int] = []
    run_to_end(run=run, after_work=lambda: told.append(run.works.open().count()))
    assert len(told) == run.works.count()
    assert told[-1] == 0


def test_a_paused_run_stops_after_its_work_and_goes_on_later() -> None:
    run = planned_run()
    paused = run_to_end(run=run, after_work=lambda: pause_run(run=run))
    assert paused.paused_at is not None
    assert run.works.open().exists()
    resume_run(run=run)
    assert run_to_end(run=run).finished_at is not None


def test_a_work_that_somebody_alive_holds_is_waited_for() -> None:
    run = planned_run(systems=("base-model",))
    doctor = run.works.get(kind=Work.DOCTOR)
    held_until = run.created_at + WORK_LEASE
    Work.objects.filter(pk=doctor.pk).update(lease_owner="elsewhere:1:1", lease_until=held_until)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        Work.objects.filter(pk=doctor.pk).update(lease_owner="", lease_until=None)

    assert run_to_end(run=run, wait=wait).finished_at is not None
    assert len(waits) == 1


def test_an_answer_without_a_judgment_is_judged_from_the_context_it_was_written_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = measured_run(systems=("bm25",))
    work = run.works.get(kind=Work.CELLS)
    cell = work.cells.order_by("pk")[0]
    first = cell.answer.judgments.get()
    first.delete()
    Work.objects.filter(pk=work.pk).update(done_at=None)

    def refuse(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("nothing is left to retrieve")

    monkeypatch.setattr(answering, "restore_context", refuse)
    answering.do_cells(work_id=work.pk)
    again = cell.answer.judgments.get()
    assert (again.composite, again.reason) == (first.composite, first.reason)
    assert not CellError.objects.exists()
