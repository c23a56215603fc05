"""A run that is paused, resumed and retried at the wrong moment loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from evaluation.language_models.errors import KeyMissing
from evaluation.models import Cell, CellError, Run, Work
from evaluation.models import Judgment as StoredJudgment
from evaluation.protocol.cells import answer_question
from evaluation.queries.run_pages import run_page
from evaluation.records import Judgment
from evaluation.services import answering, dispatch
from evaluation.services.failures import RunInterrupted
from evaluation.services.in_process import run_to_end
from evaluation.services.judging import rejudge
from evaluation.services.model_access import judge_for
from evaluation.services.run_control import cancel_run, pause_run, resume_run
from tests.evaluation.toy_runs import measured_run, planned_run

pytestmark = pytest.mark.django_db
Anything = Callable[..., Any]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The works that are handed to the workers."""
    works: list[int] = []

    def send_task(_name: str, args: list[int]) -> None:
        works.extend(args)

    monkeypatch.setattr(dispatch, "current_app", SimpleNamespace(send_task=send_task))
    return works


def failing_once(
    function: Anything, after: Callable[[int], None] = lambda _n: None, *, at: int = 1
) -> Anything:
    """``function``, which fails at one of its calls; ``after`` hears of each other."""
    calls: list[int] = []

    def call(*arguments: Any, **named: Any) -> Any:
        calls.append(len(calls) + 1)
        if len(calls) == at:
            raise RuntimeError("the endpoint is away")
        after(len(calls))
        return function(*arguments, **named)

    return call


def test_a_cell_that_is_retried_resolves_its_earlier_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering, "answer_question", failing_once(answer_question))
    run = measured_run(systems=("base-model",))
    assert Cell.objects.errored().count() == 1
    with dispatch.works_kept_here():
        resume_run(run=run, retry_errored=True)
    run = run_to_end(run=run)
    assert run.finished_at is not None
    page = run_page(run.public_id, now=run.finished_at)
    assert (page.run.n_errored, page.n_open_errors, page.n_answered) == (0, 0, 4)
    assert [error.resolved for error in page.errors] == [True]


def test_a_retry_while_the_work_goes_on_leaves_no_cell_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = planned_run(systems=("base-model",))

    def retry(n: int) -> None:
        if n == 3:
            resume_run(run=Run.objects.get(pk=run.pk), retry_errored=True)

    failing = failing_once(answer_question, retry)
    monkeypatch.setattr(answering, "answer_question", failing)
    run_to_end(run=run)
    cells = Cell.objects.filter(run_variant__run=run)
    assert not cells.pending().exists()
    assert not cells.errored().exists()
    assert not CellError.objects.filter(resolved_at=None).exists()


def test_a_retry_while_answers_are_judged_again_leaves_none_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = measured_run(systems=("base-model",))
    with dispatch.works_kept_here():
        works = rejudge(run=run, judge_name="substring")

    def retry(n: int) -> None:
        if n == 3:
            resume_run(run=Run.objects.get(pk=run.pk), retry_errored=True)

    substring = type(judge_for(name="substring"))
    monkeypatch.setattr(substring, "judge", failing_once(substring.judge, retry))
    run_to_end(run=run)
    assert works[0].judge is not None
    assert works[0].judge.judgments.count() == 4
    assert not Cell.objects.errored().exists()


def test_one_judge_does_not_resolve_what_another_failed_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rubric = type(judge_for(name="rubric"))
    # The doctor's pair is judged first.
    monkeypatch.setattr(rubric, "judge", failing_once(rubric.judge, at=2))
    run = measured_run(systems=("base-model",))
    with dispatch.works_kept_here():
        rejudge(run=run, judge_name="substring")
    run_to_end(run=run)
    assert Cell.objects.errored().count() == 1
    assert CellError.objects.get().resolved_at is None


def test_a_run_that_is_resumed_before_its_work_let_go_is_handed_out_again(
    monkeypatch: pytest.MonkeyPatch,
    sent: list[int],
    django_capture_on_commit_callbacks: Anything,
) -> None:
    run = measured_run(systems=("base-model",))
    work = run.works.get(kind=Work.CELLS)
    Work.objects.filter(pk=work.pk).update(done_at=None)

    def see_the_pause(**_named: object) -> None:
        raise RunInterrupted

    monkeypatch.setattr(answering, "check_running", see_the_pause)
    with django_capture_on_commit_callbacks(execute=True):
        answering.do_cells(work_id=work.pk)
    work.refresh_from_db()
    assert work.lease_owner == ""
    assert sent == [work.pk]


def test_a_paused_work_is_not_handed_out(
    sent: list[int], django_capture_on_commit_callbacks: Anything
) -> None:
    run = planned_run(systems=("base-model",))
    pause_run(run=run)
    with django_capture_on_commit_callbacks(execute=True):
        answering.do_cells(work_id=run.works.get(kind=Work.CELLS).pk)
    assert sent == []


@pytest.mark.parametrize("stop", [pause_run, cancel_run], ids=["paused", "cancelled"])
def test_a_model_call_that_waits_for_its_turn_is_not_made_when_the_run_is_stopped(
    monkeypatch: pytest.MonkeyPatch, stop: Anything
) -> None:
    run = planned_run(systems=("base-model",))
    monkeypatch.setattr(answering, "connection", SimpleNamespace(close=lambda: None))
    monkeypatch.setattr(answering, "_answer_cell", lambda *_: pytest.fail("it was made"))
    stop(run=run)
    batch = SimpleNamespace(run=run)
    with pytest.raises(RunInterrupted):
        answering._in_thread(batch, *([None] * 4))  # type: ignore[arg-type]


def test_what_nobody_foresaw_pauses_the_run_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = planned_run(systems=("base-model",))

    def refuse(**_named: object) -> None:
        raise KeyMissing("the endpoint openai needs a key: set OPENAI_API_KEY")

    monkeypatch.setattr(answering, "synthesizer_for", refuse)
    with pytest.raises(KeyMissing):
        run_to_end(run=run)
    run.refresh_from_db()
    assert run.paused_at is not None
    assert run.stopped_reason == "cells: the endpoint openai needs a key: set OPENAI_API_KEY"
    assert not run.works.exclude(lease_owner="").exists()


def test_a_reason_that_no_database_can_keep_is_kept_with_what_it_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rubric = type(judge_for(name="rubric"))
    given = Judgment(5.0, {}, reason="half \ud800 and nothing \0")
    monkeypatch.setattr(rubric, "judge", lambda *_arguments, **_named: given)
    run = measured_run(systems=("base-model",), force=True)
    assert run.finished_at is not None
    assert {row.reason for row in StoredJudgment.objects.all()} == {
        "half \ufffd and nothing \ufffd"
    }
