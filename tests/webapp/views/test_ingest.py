"""The ingest report: what each store cost, and every document that was lost or left nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from evaluation.models import IngestEvent, Run
from evaluation.queries.choices import NotFound
from evaluation.queries.ingest_report import ingest_report
from tests.evaluation.toy_runs import measured_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return measured_run(systems=("bm25", "simple-rag", "simple-rag+bm25", "base-model"))


def spoil(run: Run) -> IngestEvent:
    key = run.run_variants.get(variant__system="bm25").store_key
    event = IngestEvent.objects.filter(store_key=key).order_by("pk")[0]
    event.errors = ["the worker <b>ended</b>"]
    event.n_units = 0
    event.cost_usd = None
    event.save()
    return event


def test_stores_are_reported_once_with_all_that_read_them(run: Run) -> None:
    stores = ingest_report(run.public_id).stores
    assert [store.labels for store in stores] == [
        ("bm25",),
        ("simple-rag@static", "simple-rag+bm25@static"),
    ]
    for store in stores:
        assert store.n_steps == len(store.documents) > 0
        assert store.n_units == sum(one.n_units for one in store.documents)
        assert (store.cost_usd, store.n_with_errors, store.troubled) == (0.0, 0, ())


def test_lost_documents_and_unknown_prices_are_told(run: Run) -> None:
    event = spoil(run)
    store = ingest_report(run.public_id).stores[0]
    assert (store.n_with_errors, store.n_empty, store.cost_usd) == (1, 1, None)
    assert [one.item_id for one in store.troubled] == [event.item_id]


def test_what_another_machine_built_too_is_not_counted_twice(run: Run) -> None:
    before = ingest_report(run.public_id)
    for event in IngestEvent.objects.all():
        event.pk, event.host = None, "another machine"
        event.save()
    assert ingest_report(run.public_id) == before


def test_the_page_shows_them_and_the_run_leads_there(client: Client, run: Run) -> None:
    event = spoil(run)
    address = f"/runs/{run.public_id}/ingest/"
    assert address in client.get(f"/runs/{run.public_id}/").content.decode()
    text = client.get(address).content.decode()
    assert event.item_id in text
    assert "the worker &lt;b&gt;ended&lt;/b&gt;" in text
    assert "simple-rag+bm25@static" in text
    assert client.get("/runs/nobody/ingest/").status_code == 404


def test_a_run_without_memories_says_so(client: Client) -> None:
    run = measured_run(systems=("base-model",))
    text = client.get(f"/runs/{run.public_id}/ingest/").content.decode()
    assert "nothing was taken in" in text


def test_it_takes_few_queries(run: Run, django_assert_max_num_queries: Callable[..., Any]) -> None:
    with django_assert_max_num_queries(3):
        ingest_report(run.public_id)


def test_the_command_prints_the_same(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    event = spoil(run)
    call_command("ingest_report", run.public_id)
    printed = capsys.readouterr().out
    assert "simple-rag@static and simple-rag+bm25@static" in printed
    assert f"{event.item_id} (0 units): the worker <b>ended</b>" in printed
    assert "cost unknown" in printed
    call_command("ingest_report", run.public_id, "--format=json")
    assert json.loads(capsys.readouterr().out)["run"] == run.public_id
    with pytest.raises(CommandError, match="nobody"):
        call_command("ingest_report", "nobody")
    with pytest.raises(NotFound):
        ingest_report("nobody")
