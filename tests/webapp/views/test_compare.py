"""Two variants against each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries.compare_page import compare_page
from evaluation.queries.leaderboard import BoardFilters
from tests.webapp.laboratory import make_run

ADDRESS = "/benchmarks/glass/compare/"
PAIR = {"a": "simple-rag+bm25@static", "b": "simple-rag@static"}


def test_the_page_compares_question_by_question(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, PAIR).content.decode()
    assert "is ahead of simple-rag@static on 24 common questions" in text
    assert "paired-chart-figure" in text
    assert 'aria-label="Differences by question"' in text


def test_the_partial_comes_alone(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, PAIR, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert "Each question" in text


def test_wins_and_equal_scores_are_counted_by_slice(glass: Benchmark) -> None:
    a = [8.0] * 12 + [5.0] * 12
    b = [6.0] * 12 + [5.0] * 11 + [7.0]
    make_run(glass, {"bm25": {"30k": a}, "mem0@static": {"30k": b}})
    page = compare_page("glass", BoardFilters(), a="bm25", b="mem0@static")
    assert page.overall is not None
    assert (page.overall.wins_a, page.overall.equal, page.overall.wins_b) == (12, 11, 1)
    assert page.overall.delta == pytest.approx((12 * 2 - 2) / 24)
    assert {(one.slice_name, one.slice_value, one.n) for one in page.tallies} == {
        ("tier", "L1", 8), ("tier", "L2", 8), ("tier", "L3", 8),
        ("type", "factual", 12), ("type", "synthesis", 12),
    }  # fmt: skip


def test_only_questions_that_both_have_are_compared(glass: Benchmark) -> None:
    a: list[float | None] = [None, *([6.0] * 23)]
    b: list[float | None] = [*([5.0] * 23), None]
    make_run(glass, {"bm25": {"30k": a}, "mem0@static": {"30k": b}})
    page = compare_page("glass", BoardFilters(), a="bm25", b="mem0@static")
    assert page.overall is not None
    assert (page.overall.n, page.overall.delta) == (22, 1.0)
    assert "GQ1" not in {row.question_id for row in page.differences}


def test_the_largest_advantage_of_a_comes_first(measured: Benchmark) -> None:
    deltas = [row.delta for row in compare_page("glass", BoardFilters(), **PAIR).differences]
    assert deltas == sorted(deltas, reverse=True)


def test_swapping_mirrors_every_number(measured: Benchmark) -> None:
    one = compare_page("glass", BoardFilters(), **PAIR).overall
    other = compare_page("glass", BoardFilters(), a=PAIR["b"], b=PAIR["a"]).overall
    assert one is not None
    assert other is not None
    assert (one.delta, one.ci_low) == (-(other.delta or 0), -(other.ci_high or 0))
    assert (one.wins_a, one.wins_b) == (other.wins_b, other.wins_a)


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        ({}, "No variant of this benchmark has been measured"),
        ({"bm25": {"30k": [5.0] * 24}}, "Only one variant has been measured"),
    ],
)
def test_nothing_to_compare_is_said_in_words(
    client: Client, glass: Benchmark, scores: Any, sentence: str
) -> None:
    if scores:
        make_run(glass, scores)
    assert sentence in client.get(ADDRESS).content.decode()


def test_a_variant_is_not_compared_with_itself(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, {"a": "bm25", "b": "bm25"}).content.decode()
    assert "A and B are the same variant" in text


def test_an_unknown_variant_is_refused_with_the_known_ones(
    client: Client, measured: Benchmark
) -> None:
    reply = client.get(ADDRESS, {"a": "hal"})
    assert reply.status_code == 400
    assert "known: bm25, simple-rag+bm25@static" in reply.content.decode()


def test_the_page_costs_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(10):
        client.get(ADDRESS, PAIR)
