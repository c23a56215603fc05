"""All pairwise contrasts and the router's headroom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries.contrasts_page import contrasts_page
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.services.published import load_published
from tests.webapp.laboratory import make_run

ADDRESS = "/benchmarks/glass/contrasts/"


def test_the_page_shows_every_pair_of_ranked_rows(client: Client, measured: Benchmark) -> None:
    page = contrasts_page("glass", BoardFilters())
    assert {(row.a, row.b) for row in page.rows} == {
        ("simple-rag+bm25@static", "bm25"),
        ("simple-rag+bm25@static", "simple-rag@static"),
        ("bm25", "simple-rag@static"),
    }
    text = client.get(ADDRESS).content.decode()
    assert "1 of 3 pairs are separated" in text
    assert "Router headroom" in text


def test_pairs_are_separated_by_the_same_rule_as_on_the_board(measured: Benchmark) -> None:
    rows = contrasts_page("glass", BoardFilters()).rows
    separated = {(row.a, row.b) for row in rows if row.is_separated}
    pairs = leaderboard_page("glass", BoardFilters()).separated
    assert separated == {(pair.better, pair.worse) for pair in pairs}


def test_simultaneous_intervals_are_wider_than_those_of_the_pair_alone(measured: Benchmark) -> None:
    for row in contrasts_page("glass", BoardFilters()).rows:
        assert row.shown_low < row.ci_low < row.delta < row.ci_high < row.shown_high


def test_the_partial_comes_alone(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert 'aria-label="Contrasts"' in text


def test_one_variant_has_no_contrast(client: Client, glass: Benchmark) -> None:
    make_run(glass, {"bm25": {"30k": [5.0] * 24}})
    text = client.get(ADDRESS).content.decode()
    assert "There is no pair to contrast." in text
    page = contrasts_page("glass", BoardFilters())
    assert page.router is not None
    assert "at least 2 systems" in page.router.refusal


@pytest.mark.parametrize("params", [{"track": "9k"}, {"tier": "L0"}, {"modality": "sixth sense"}])
def test_what_nobody_offers_is_refused(
    client: Client, measured: Benchmark, params: dict[str, str]
) -> None:
    assert client.get(ADDRESS, params).status_code == 400


def test_an_unknown_benchmark_is_not_found(client: Client, db: None) -> None:
    assert client.get("/benchmarks/steel/contrasts/").status_code == 404


def test_the_page_costs_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(12):
        client.get(ADDRESS)


def test_the_oracle_is_above_the_best_single_variant(measured: Benchmark) -> None:
    router = contrasts_page("glass", BoardFilters()).router
    assert router is not None
    assert router.best_single == "simple-rag+bm25@static"
    assert (router.oracle_score or 0) > (router.best_single_score or 0)
    assert router.n == 24


def test_published_contrasts_stand_with_their_own_interval(client: Client, db: None) -> None:
    load_published()
    rows = contrasts_page("paim", BoardFilters()).rows
    row = next(row for row in rows if (row.a, row.b) == ("simple-rag", "theoria"))
    assert (row.delta, row.ci_low, row.ci_high, row.n) == (0.01, -0.52, 0.53, 65)
    assert row.family_low is None
    assert not row.is_separated
    assert "published" in client.get("/benchmarks/paim/contrasts/").content.decode()
