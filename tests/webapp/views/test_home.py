"""The first page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries.home_page import home_page
from evaluation.services.published import load_published
from tests.webapp.laboratory import make_benchmark


def test_an_empty_install_says_what_to_do_next(client: Client, db: None) -> None:
    text = client.get("/").content.decode()
    assert "Nothing is loaded yet." in text
    assert "manage.py load_benchmark" in text


def test_a_loaded_benchmark_offers_a_run(client: Client, glass: Benchmark) -> None:
    text = client.get("/").content.decode()
    assert "/runs/new/?benchmark=glass" in text


def test_measured_benchmarks_come_before_loaded_and_published_ones(
    client: Client, measured: Benchmark
) -> None:
    load_published()
    make_benchmark("amber", title="Amber")
    slugs = [card.slug for card in home_page().benchmarks]
    assert slugs[:2] == ["glass", "amber"]
    assert {"paim", "ptr"} <= set(slugs[2:])
    card = home_page().benchmarks[0]
    assert (card.n_runs, card.n_variants) == (1, 5)
    assert "Latest runs" in client.get("/").content.decode()


def test_a_benchmark_stands_once_however_many_revisions(glass: Benchmark) -> None:
    make_benchmark("glass", n_questions=30)
    assert [card.n_questions for card in home_page().benchmarks] == [30]


def test_the_page_costs_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(8):
        client.get("/")


def test_only_reading_is_answered(client: Client, db: None) -> None:
    assert client.post("/").status_code == 405
