"""A reply that was cut or withheld is asked for anew when a person says so, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from evaluation.language_models.stub_server import StubServer
from evaluation.models import Cell, CellError, ModelRequest, Run
from evaluation.services import answering
from evaluation.services.dispatch import works_kept_here
from evaluation.services.in_process import run_to_end
from evaluation.services.run_control import resume_run
from tests.evaluation.toy_runs import measured_run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubServer]:
    with StubServer() as stub:
        for name, value in stub.environ.items():
            monkeypatch.setenv(name, value)
        # Threads of one process lock each other out of a database in memory.
        monkeypatch.setattr(answering, "PARALLEL_MODEL_CALLS", 1)
        yield stub


def gone_on(run: Run, **options: Any) -> Run:
    with works_kept_here():
        resume_run(run=run, **options)
    return run_to_end(run=run)


def n_errored(run: Run) -> int:
    return Cell.objects.filter(run_variant__run=run).errored().count()


@pytest.mark.parametrize("fault", ["truncated", "withheld"])
def test_a_retry_asks_anew_and_what_was_paid_stays_counted(
    endpoint: StubServer, fault: str
) -> None:
    model = f"stub:stub-{fault}-once"
    run = measured_run(systems=("base-model",), synthesizer=model, force=True)
    n_first = endpoint.count.n_requests
    assert n_errored(run) == 4
    run = gone_on(run)
    assert (n_errored(run), endpoint.count.n_requests) == (4, n_first)
    run = gone_on(run, retry_errored=True)
    assert run.finished_at is not None
    assert (n_errored(run), endpoint.count.n_requests) == (0, n_first + 4)
    paid = ModelRequest.objects.filter(run_public_id=run.public_id)
    assert paid.exclude(reply=None).count() == n_first + 4


def test_a_system_that_answers_itself_is_asked_anew_too(endpoint: StubServer) -> None:
    model = "stub:stub-truncated-once"
    options = {"systems": ("prism",), "parameters": {"prism": {"model": model}}, "force": True}
    run = measured_run(tracks=("native",), **options)
    assert n_errored(run) == 4
    told = CellError.objects.filter(cell__run_variant__run=run).values_list("message", flat=True)
    assert set(told) == {"the answer was cut at 800 output tokens"}
    before = endpoint.count.n_requests
    run = gone_on(run, retry_errored=True)
    assert (n_errored(run), endpoint.count.n_requests) == (0, before + 4)


def test_what_is_done_again_after_a_retry_is_replayed(endpoint: StubServer) -> None:
    model = "stub:stub-truncated-once"
    run = measured_run(systems=("base-model",), synthesizer=model, force=True)
    run = gone_on(run, retry_errored=True)
    before = endpoint.count.n_requests
    # As after a kill between the reply and the answer's row.
    cells = Cell.objects.filter(run_variant__run=run)
    CellError.objects.filter(cell__in=cells).update(resolved_at=None)
    for cell in cells:
        cell.answer.delete()
    cells.update(answered_at=None)
    run.works.filter(kind="cells").update(done_at=None)
    run = gone_on(run)
    assert n_errored(run) == 0
    assert not cells.filter(answered_at=None).exists()
    assert endpoint.count.n_requests == before


def test_a_retry_after_an_outage_pays_for_no_reply_that_is_there(
    endpoint: StubServer,
) -> None:
    run = measured_run(systems=("base-model",), synthesizer="stub:good")
    before = endpoint.count.n_requests
    for cell in Cell.objects.filter(run_variant__run=run):
        cell.answer.delete()
        CellError.objects.create(
            cell=cell, stage="synthesize", message="the disk is full", at=run.created_at
        )
    cells = Cell.objects.filter(run_variant__run=run)
    cells.update(answered_at=None, errored_at=run.created_at)
    run = gone_on(run, retry_errored=True)
    assert n_errored(run) == 0
    assert endpoint.count.n_requests == before
