from __future__ import annotations

import pytest

from evaluation.models import DoctorFinding
from evaluation.protocol.doctor import Finding
from evaluation.services import examining
from evaluation.services.in_process import run_to_end
from evaluation.services.run_control import resume_run
from tests.evaluation.toy_runs import planned_run

pytestmark = pytest.mark.django_db


def test_an_undeclared_failure_stops_the_run_before_any_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = Finding("known-good query", "failed", "a passage retrieved nothing")
    monkeypatch.setattr(examining, "probe", lambda *_: [broken])
    run = run_to_end(run=planned_run(systems=("bm25",)))
    assert run.paused_at is not None
    assert "bm25: a passage retrieved nothing" in run.stopped_reason
    assert not run.run_variants.filter(cells__answered_at__isnull=False).exists()
    resume_run(run=run)
    assert run_to_end(run=run).paused_at is not None
    run.refresh_from_db()
    resume_run(run=run, force=True)
    assert run_to_end(run=run).finished_at is not None
    assert DoctorFinding.objects.filter(run=run, level="failed").exists()


def test_a_failure_found_after_ingest_stops_every_resume_that_does_not_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = Finding("stored units", "failed", "3 units were logged and 2 are stored")
    monkeypatch.setattr(examining, "check_counts", lambda *_: [lost])
    run = run_to_end(run=planned_run(systems=("bm25",)))
    for _ in range(2):
        assert run.paused_at is not None
        assert "3 units were logged" in run.stopped_reason
        assert not run.run_variants.filter(cells__answered_at__isnull=False).exists()
        resume_run(run=run)
        run = run_to_end(run=run)
    resume_run(run=run, force=True)
    assert run_to_end(run=run).finished_at is not None


def test_a_run_says_how_small_a_difference_it_can_tell_and_what_it_will_cost() -> None:
    run = run_to_end(run=planned_run(systems=("bm25",)))
    said = dict(run.doctor_findings.filter(stage="models").values_list("check_name", "sentence"))
    assert "with 4 questions a difference under about 2.9 points" in said["resolution"]
    assert said["cost"].startswith("about $0.00")
