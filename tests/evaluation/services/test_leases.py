from __future__ import annotations

import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import Work
from evaluation.services import leases
from evaluation.services.failures import RunInterrupted
from evaluation.services.in_process import run_to_end
from evaluation.services.leases import (
    MOST_DEATHS,
    WORK_LEASE,
    claim_work,
    hold_lease,
    is_dead,
    lease_kept,
    lease_owner,
    release_work,
)
from evaluation.services.run_control import resume_run
from tests.evaluation.toy_runs import planned_run

pytestmark = pytest.mark.django_db
ASK_OWNER = "from evaluation.services.leases import lease_owner; print(lease_owner())"


def dead_owner() -> str:
    """The lease owner of a process that has ended."""
    code = f"import django; django.setup(); {ASK_OWNER}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


def hold(work: Work, owner: str) -> None:
    Work.objects.filter(pk=work.pk).update(
        lease_owner=owner, lease_until=work.run.created_at + WORK_LEASE
    )


def test_a_living_holder_keeps_its_lease_and_a_second_delivery_gets_nothing() -> None:
    work = planned_run().works.order_by("pk")[0]
    assert not is_dead(lease_owner())
    assert claim_work(work_id=work.pk) is not None
    assert claim_work(work_id=work.pk) is None
    release_work(work_id=work.pk)
    assert claim_work(work_id=work.pk) is not None


def test_the_lease_of_a_dead_process_is_free_at_once() -> None:
    work = planned_run().works.order_by("pk")[0]
    owner = dead_owner()
    assert is_dead(owner)
    hold(work, owner)
    claimed = claim_work(work_id=work.pk)
    assert claimed is not None
    assert claimed.n_deaths == 1


def test_a_holder_on_another_machine_is_waited_for_until_its_lease_ends() -> None:
    work = planned_run().works.order_by("pk")[0]
    hold(work, "elsewhere:1:boot-1")
    assert claim_work(work_id=work.pk) is None
    Work.objects.filter(pk=work.pk).update(lease_until=work.run.created_at)
    assert claim_work(work_id=work.pk) is not None


def test_a_work_that_kills_its_workers_pauses_the_run_and_can_be_tried_again() -> None:
    run = planned_run()
    work = run.works.order_by("pk")[0]
    owner = dead_owner()
    for _ in range(MOST_DEATHS - 1):
        hold(work, owner)
        assert claim_work(work_id=work.pk) is not None
    hold(work, owner)
    assert claim_work(work_id=work.pk) is None
    run.refresh_from_db()
    assert "5 worker processes died while they did doctor" in run.stopped_reason
    resume_run(run=run)
    assert run_to_end(run=run).finished_at is not None


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_kept_for_as_long_as_the_work_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "WORK_LEASE", timedelta(seconds=0.6))
    monkeypatch.setattr(leases, "RENEW_EVERY_S", 0.05)
    work = planned_run().works.order_by("pk")[0]
    assert claim_work(work_id=work.pk) is not None
    with lease_kept(work_id=work.pk):
        time.sleep(1.0)
        assert claim_work(work_id=work.pk) is None
    time.sleep(0.8)
    assert claim_work(work_id=work.pk) is not None


def test_a_lease_that_someone_else_took_meanwhile_ends_the_work_here() -> None:
    work = planned_run().works.order_by("pk")[0]
    assert claim_work(work_id=work.pk) is not None
    hold_lease(work_id=work.pk)
    Work.objects.filter(pk=work.pk).update(
        lease_owner="elsewhere:1:boot-1", lease_until=timezone.now() + WORK_LEASE
    )
    with pytest.raises(RunInterrupted):
        hold_lease(work_id=work.pk)
    work.refresh_from_db()
    assert work.lease_owner == "elsewhere:1:boot-1"
