"""A system's page: what taking documents in cost it in its newest runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import IngestEvent, Run
from evaluation.queries.ingest_report import ingest_report
from evaluation.queries.system_ingest import system_ingests
from tests.evaluation.toy_runs import measured_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return measured_run(systems=("bm25", "simple-rag", "simple-rag+bm25", "base-model"))


def test_it_agrees_with_the_runs_own_report(run: Run) -> None:
    whole = ingest_report(run.public_id).stores[1]
    (own,) = system_ingests("simple-rag")
    assert own.run == run.public_id
    assert own.labels == whole.labels == ("simple-rag@static", "simple-rag+bm25@static")
    for name in ("n_steps", "n_units", "model_calls", "tokens", "cost_usd", "n_empty"):
        assert getattr(own, name) == getattr(whole, name)
    assert own.seconds == pytest.approx(whole.seconds)


def test_errors_unknown_prices_and_documents_that_stored_nothing_are_flagged(
    client: Client, run: Run
) -> None:
    event = IngestEvent.objects.filter(
        store_key=run.run_variants.get(variant__system="bm25").store_key
    ).order_by("pk")[0]
    event.errors, event.n_units, event.cost_usd = ["the worker ended"], 0, None
    event.save()
    (own,) = system_ingests("bm25")
    assert (own.n_with_errors, own.n_empty, own.cost_usd) == (1, 1, None)
    assert own.empty_documents == (event.item_id,)
    page = client.get("/systems/bm25/").content.decode()
    assert '<span class="chip bad">1</span>' in page
    assert f'<span class="chip warn">1</span><span class="sub wrap">{event.item_id}' in page
    assert f"/runs/{run.public_id}/ingest/" in page


def test_what_another_machine_built_too_is_not_counted_twice(run: Run) -> None:
    before = system_ingests("bm25")
    for event in IngestEvent.objects.all():
        event.pk, event.host, event.n_units = None, "another machine", 0
        event.save()
    assert system_ingests("bm25") == before


def test_a_store_stands_once_under_the_newest_run_that_read_it(run: Run) -> None:
    newer = measured_run(systems=("bm25",), seed=2)
    assert [one.run for one in system_ingests("bm25")] == [newer.public_id]
    assert [one.run for one in system_ingests("simple-rag")] == [run.public_id]


def test_before_the_first_document_the_page_says_so(client: Client, run: Run) -> None:
    IngestEvent.objects.all().delete()
    (own,) = system_ingests("bm25")
    assert (own.n_steps, own.seconds, own.cost_usd) == (0, None, None)
    assert "No document has been taken in yet." in client.get("/systems/bm25/").content.decode()


def test_a_system_without_a_store_says_so(client: Client, run: Run) -> None:
    assert system_ingests("base-model") == ()
    assert "No run has kept a memory of it." in client.get("/systems/base-model/").content.decode()
    assert "No run of it has taken documents in yet." in (
        client.get("/systems/theoria/").content.decode()
    )


def test_theoria_leads_to_what_it_made_of_the_corpus(client: Client) -> None:
    run = measured_run(systems=("theoria",))
    page = client.get("/systems/theoria/").content.decode()
    link = f"/runs/{run.public_id}/theoria/?variant=theoria%40static"
    assert link in page
    assert client.get(link).status_code == 200


def test_it_takes_few_queries(run: Run, django_assert_max_num_queries: Callable[..., Any]) -> None:
    IngestEvent.objects.update(n_units=0)
    with django_assert_max_num_queries(3):
        system_ingests("simple-rag")
