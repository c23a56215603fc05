"""The list of runs, one run's progress, and what a lead can do to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from evaluation.models import Answer, Benchmark, Cell, CellError, DoctorFinding, ModelRequest, Run
from evaluation.queries.choices import NotFound
from evaluation.queries.run_pages import run_page, runs_page
from evaluation.services.dispatch import works_kept_here
from tests.evaluation.toy_runs import measured_run, planned_run
from tests.webapp.laboratory import STARTED, Scores, make_run

NOW = STARTED + dt.timedelta(minutes=1)
POLLS = 'hx-trigger="every 2s"'
PARTIAL = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _no_worker() -> Iterator[None]:
    with works_kept_here():
        yield


@pytest.fixture
def run(measured: Benchmark) -> Run:
    return Run.objects.get()


@pytest.fixture
def live(glass: Benchmark, scores: Scores) -> Run:
    return make_run(glass, scores, is_finished=False)


def _address(run: Run) -> str:
    return f"/runs/{run.public_id}/"


def test_the_list_shows_each_run_with_its_state(client: Client, run: Run) -> None:
    text = client.get("/runs/").content.decode()
    assert run.public_id in text
    assert "finished" in text
    assert "rubric" in text


def test_an_empty_list_says_what_to_do(client: Client, db: None) -> None:
    assert "There is no run yet." in client.get("/runs/").content.decode()


def test_the_list_comes_in_pages(client: Client, glass: Benchmark) -> None:
    for day in range(32):
        at = STARTED + dt.timedelta(days=day)
        make_run(glass, {"bm25": {"30k": [5.0] * 24}}, created_at=at)
    page = runs_page(page=2)
    assert (page.n_pages, len(page.rows)) == (2, 2)
    assert runs_page().rows[0].created_at > runs_page().rows[1].created_at
    assert client.get("/runs/", {"page": "no"}).status_code == 400


def test_the_list_costs_the_same_for_many_runs(
    client: Client, glass: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for day in range(6):
        at = STARTED + dt.timedelta(days=day)
        make_run(glass, {"bm25": {"30k": [5.0] * 24}}, created_at=at)
    with django_assert_max_num_queries(7):
        client.get("/runs/")


def test_a_live_run_asks_again_and_a_finished_one_does_not(client: Client, live: Run) -> None:
    assert POLLS in client.get(_address(live)).content.decode()
    live.finished_at = NOW
    live.save()
    assert POLLS not in client.get(_address(live), headers=PARTIAL).content.decode()


def test_the_partial_is_the_progress_alone(client: Client, live: Run) -> None:
    text = client.get(_address(live), headers=PARTIAL).content.decode()
    assert "<html" not in text
    assert text.strip().startswith('<div id="progress"')
    assert 'aria-live="polite"' in text


def test_progress_is_counted_from_the_rows(live: Run) -> None:
    Answer.objects.filter(cell__track="10k").delete()
    Cell.objects.filter(track="10k").update(answered_at=None)
    page = run_page(live.public_id, now=NOW)
    stages = {stage.name: stage for stage in page.stages}
    n_cells = 3 * 3 * 24 + 2 * 24
    assert (stages["Answer"].n_done, stages["Answer"].n_total) == (n_cells - 3 * 24, n_cells)
    assert stages["Judge"].n_done == n_cells - 3 * 24
    by_label = {row.label: row for row in page.variants}
    assert (by_label["bm25"].n_answered, by_label["bm25"].n_total) == (48, 72)


def test_the_rate_is_that_of_the_last_minutes_and_gives_the_time_left(live: Run) -> None:
    Answer.objects.filter(cell__track="10k").delete()
    Cell.objects.filter(track="10k").update(answered_at=None)
    Answer.objects.update(created_at=STARTED + dt.timedelta(seconds=50))
    answer = next(
        stage for stage in run_page(live.public_id, now=NOW).stages if stage.name == "Answer"
    )
    assert answer.per_minute == pytest.approx(192)
    assert answer.seconds_left == pytest.approx(72 / 192 * 60)


def test_a_run_that_stands_still_has_no_rate(live: Run) -> None:
    later = NOW + dt.timedelta(hours=1)
    assert {stage.per_minute for stage in run_page(live.public_id, now=later).stages} == {None}


def test_cost_errors_and_resent_requests_are_shown(client: Client, live: Run) -> None:
    cell = Cell.objects.filter(run_variant__run=live)[0]
    CellError.objects.create(cell=cell, stage="synthesize", message="429: too many", at=NOW)
    ModelRequest.objects.create(
        key="k", provider="openai", model="gpt", run_public_id=live.public_id, request={},
        created_at=NOW, sent_at=NOW, replied_at=NOW, cost_usd=0.25, n_sent=2,
        n_resent_after_death=1,
    )  # fmt: skip
    text = client.get(_address(live)).content.decode()
    for sentence in ("429: too many", "$0.25", "Requests sent twice"):
        assert sentence in text


def test_a_run_that_stopped_itself_says_why_and_what_is_kept(client: Client, live: Run) -> None:
    live.paused_at = NOW
    live.stopped_reason = "the spending limit of $1 is reached"
    live.save()
    DoctorFinding.objects.create(
        run=live, system="bm25", label="bm25", stage="probe", check_name="knob", level="failed",
        sentence="k does not change the output size", at=NOW,
    )  # fmt: skip
    text = client.get(_address(live)).content.decode()
    assert "the spending limit of $1 is reached" in text
    assert "Everything measured so far is kept" in text
    assert "k does not change the output size" in text


def test_an_unknown_run_is_not_found(client: Client, db: None) -> None:
    assert client.get("/runs/nothing/").status_code == 404
    with pytest.raises(NotFound, match="there is no run 'nothing'"):
        run_page("nothing", now=NOW)


def test_progress_costs_few_queries(
    client: Client, live: Run, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(13):
        client.get(_address(live), headers=PARTIAL)


def test_a_really_measured_run_adds_up(client: Client, db: None) -> None:
    run = measured_run()
    page = run_page(run.public_id, now=NOW)
    assert all(stage.is_done for stage in page.stages)
    assert [stage.name for stage in page.stages] == ["Examine", "Ingest", "Answer", "Judge"]
    assert page.run.n_done == page.run.n_total
    assert client.get(_address(run)).status_code == 200


# Who may spend


@pytest.mark.parametrize("action", ["pause", "resume", "retry", "cancel"])
def test_a_visitor_is_asked_to_sign_in(client: Client, live: Run, action: str) -> None:
    reply = client.post(f"{_address(live)}{action}/")
    assert reply.status_code == 302
    assert reply["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("action", ["pause", "resume", "retry", "cancel"])
def test_a_viewer_may_not_act(viewer: Client, live: Run, action: str) -> None:
    reply = viewer.post(f"{_address(live)}{action}/")
    assert reply.status_code == 403
    assert "lead role" in reply.content.decode()
    live.refresh_from_db()
    assert (live.paused_at, live.cancelled_at) == (None, None)


def test_a_viewer_sees_no_button_that_spends(viewer: Client, live: Run) -> None:
    text = viewer.get(_address(live)).content.decode()
    assert "Pause" not in text
    assert "Start a run</a>" not in viewer.get("/runs/").content.decode()


def test_an_administrator_may_spend(client: Client, live: Run, admin_user: User) -> None:
    client.force_login(admin_user)
    assert "Pause" in client.get(_address(live)).content.decode()


def test_a_lead_pauses_resumes_and_cancels(lead: Client, db: None) -> None:
    run = planned_run()
    lead.post(f"{_address(run)}pause/")
    assert run_page(run.public_id, now=NOW).run.state == "paused"
    lead.post(f"{_address(run)}resume/")
    assert run_page(run.public_id, now=NOW).run.state == "waiting"
    reply = lead.post(f"{_address(run)}cancel/", follow=True)
    assert "It is cancelled; what was measured is kept." in reply.content.decode()
    assert run_page(run.public_id, now=NOW).run.state == "cancelled"


def test_what_a_state_does_not_allow_is_said(lead: Client, run: Run) -> None:
    reply = lead.post(f"{_address(run)}pause/", follow=True)
    assert "has ended and cannot be paused" in reply.content.decode()


def test_an_unknown_action_or_run_is_refused(lead: Client, live: Run) -> None:
    assert lead.post(f"{_address(live)}explode/").status_code == 400
    assert lead.post("/runs/nothing/pause/").status_code == 404
    assert lead.get(f"{_address(live)}pause/").status_code == 405


def test_an_action_needs_the_forms_token(live: Run, django_user_model: type[User]) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(django_user_model.objects.create_superuser("root"))
    assert strict.post(f"{_address(live)}cancel/").status_code == 403


# Starting a run


def test_the_last_partial_brings_what_stands_beside_the_progress_up_to_date(
    client: Client, live: Run
) -> None:
    assert 'id="report"' not in client.get(_address(live), headers=PARTIAL).content.decode()
    live.finished_at = NOW
    live.save()
    text = client.get(_address(live), headers=PARTIAL).content.decode()
    assert text.count('<div id="report" hx-swap-oob="true">') == 1
    assert "<dt>Finished</dt>" in text
    whole = client.get(_address(live)).content.decode()
    assert whole.count('<div id="report">') == 1


def test_a_form_out_of_date_is_refused_in_words(run: Run) -> None:
    reply = Client(enforce_csrf_checks=True).post(f"{_address(run)}cancel/")
    assert (reply.status_code, "That form was out of date" in reply.content.decode()) == (403, True)
