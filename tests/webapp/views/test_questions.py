"""The index of questions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.questions_page import questions_page
from tests.webapp.laboratory import make_benchmark, make_run

ADDRESS = "/benchmarks/glass/questions/"


def test_questions_are_sorted_by_spread_across_systems(client: Client, measured: Benchmark) -> None:
    page = questions_page("glass", BoardFilters())
    spreads = [row.spread or 0 for row in page.rows]
    assert spreads == sorted(spreads, reverse=True)
    assert page.rows[0].n_scored == 3
    assert "GQ1" in client.get(ADDRESS).content.decode()


def test_spread_and_drop_are_worked_by_hand(glass: Benchmark) -> None:
    make_run(
        glass,
        {
            "bm25": {"10k": [4.0] * 24, "30k": [6.0] * 24},
            "mem0@static": {"10k": [5.0] * 24, "30k": [9.0] * 24},
            "base-model": {"native": [1.0] * 24},
        },
    )
    row = questions_page("glass", BoardFilters()).rows[0]
    assert (row.spread, row.mean, row.drop) == (3.0, 7.5, 3.0)
    assert (row.best, row.worst) == ("mem0@static", "bm25")


def test_an_unscored_answer_counts_for_nothing(glass: Benchmark) -> None:
    unread: list[float | None] = [None, *([6.0] * 23)]
    make_run(glass, {"bm25": {"30k": unread}, "mem0@static": {"30k": [9.0] * 24}})
    rows = {row.question_id: row for row in questions_page("glass", BoardFilters()).rows}
    assert (rows["GQ1"].n_scored, rows["GQ1"].spread, rows["GQ1"].mean) == (1, None, 9.0)


def test_the_partial_comes_alone(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert "GQ1" in text


def test_questions_can_be_read_before_anything_is_measured(
    client: Client, glass: Benchmark
) -> None:
    page = questions_page("glass", BoardFilters())
    assert [row.question_id for row in page.rows[:3]] == ["GQ1", "GQ2", "GQ3"]
    assert client.get(ADDRESS).status_code == 200


def test_search_reads_ids_and_texts(measured: Benchmark) -> None:
    page = questions_page("glass", BoardFilters(search="paper 17 "))
    assert [row.question_id for row in page.rows] == ["GQ17"]


def test_a_search_without_a_hit_offers_the_way_back(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, {"search": "zebra"}).content.decode()
    assert "No question matches." in text


def test_fifty_questions_make_a_page(client: Client, db: None) -> None:
    make_benchmark("long", n_questions=120)
    page = questions_page("long", BoardFilters(), page=3)
    assert (page.n_pages, len(page.rows), page.rows[0].question_id) == (3, 20, "GQ101")
    text = client.get("/benchmarks/long/questions/", {"page": "2"}).content.decode()
    assert "Page 2 of 3" in text


@pytest.mark.parametrize(
    "params", [{"page": "0"}, {"page": "x"}, {"sort": "age"}, {"tier": "L8"}, {"track": "1k"}]
)
def test_what_nobody_offers_is_refused(
    client: Client, measured: Benchmark, params: dict[str, str]
) -> None:
    assert client.get(ADDRESS, params).status_code == 400


def test_the_page_costs_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(12):
        client.get(ADDRESS)
