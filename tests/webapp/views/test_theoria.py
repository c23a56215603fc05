"""The page of what Theoria made of a run's corpus."""

from __future__ import annotations

import shutil

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from evaluation.services.dispatch import works_kept_here
from evaluation.services.in_process import run_to_end
from evaluation.services.loading import load_benchmark
from evaluation.services.run_options import RunOptions
from evaluation.services.runs import create_run
from evaluation.services.theoria_page import theoria_page
from tests.evaluation.toy_runs import measured_run, planned_run


@pytest.fixture
def address(db: None) -> str:
    run = measured_run(systems=("theoria", "theoria+bm25", "bm25"), tracks=("native",))
    return f"/runs/{run.public_id}/theoria/"


def test_it_shows_layers_communities_theories_and_links(client: Client, address: str) -> None:
    response = client.get(address)
    text = response.content.decode()
    assert response.status_code == 200
    for part in ("claims: numbers", "fine communities", "High confidence: ", "Supports: ",
                 "Depends-on: ", "theoria+bm25@static", "serve_theoria"):  # fmt: skip
        assert part in text
    assert client.head(address).status_code == 200
    assert client.post(address).status_code == 405


def test_the_runs_page_links_to_it_once(client: Client, address: str) -> None:
    assert client.get(address.removesuffix("theoria/")).content.decode().count(address) == 1


def test_another_variant_is_chosen_in_the_address(client: Client, address: str) -> None:
    text = client.get(f"{address}?variant=theoria%2Bbm25%40static").content.decode()
    assert '<strong aria-current="page">theoria+bm25@static</strong>' in text


def test_what_is_not_the_runs_is_not_found(client: Client, address: str) -> None:
    for query in ("?variant=theoria@minilm", "?scenario=none"):
        response = client.get(address + query)
        assert response.status_code == 404
    assert "it has: theoria@static" in client.get(f"{address}?variant=x").content.decode()
    assert client.get("/runs/nosuchrun/theoria/").status_code == 404
    without = planned_run(systems=("bm25",))
    response = client.get(f"/runs/{without.public_id}/theoria/")
    assert response.status_code == 404
    assert "it has: none" in response.content.decode()


def test_before_it_is_built_it_says_so(client: Client, db: None) -> None:
    run = planned_run(systems=("theoria",), tracks=("native",))
    text = client.get(f"/runs/{run.public_id}/theoria/").content.decode()
    assert "There is nothing to show yet" in text
    assert "has not built theoria@static on this machine" in text


def test_a_store_that_is_gone_is_nothing_to_show(client: Client, address: str) -> None:
    shutil.rmtree(settings.MEMJURY_DATA / "stores")
    assert "There is nothing to show yet" in client.get(address).content.decode()


def test_it_asks_the_database_a_bounded_number_of_times(
    address: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    run = address.split("/")[2]
    theoria_page(run=run)
    with django_assert_max_num_queries(12):
        assert theoria_page(run=run).overview is not None


def test_several_scenarios_can_be_chosen(client: Client, db: None) -> None:
    load_benchmark(name_or_path="toy-staleness")
    options = RunOptions("toy-staleness", ("theoria",), tracks=("native",), embedder="static")
    with works_kept_here():
        run = create_run(options=options)
    run_to_end(run=run)
    page = theoria_page(run=run.public_id)
    assert page.overview is not None
    for key in page.scenarios:
        assert theoria_page(run=run.public_id, scenario=key).scenario == key
