"""The budget sweep."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evaluation.models import Benchmark
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.queries.sweep_page import sweep_page
from evaluation.services.published import load_published
from tests.webapp.laboratory import make_benchmark, make_run

ADDRESS = "/benchmarks/glass/sweep/"


def _figure(page: str) -> dict[str, Any]:
    found = re.search(
        r'<script id="sweep-chart-figure" type="application/json">(.*?)</script>', page
    )
    assert found
    figure: dict[str, Any] = json.loads(found[1])
    return figure


def test_the_page_draws_a_line_a_variant_with_its_table_beside(
    client: Client, measured: Benchmark
) -> None:
    page = client.get(ADDRESS).content.decode()
    lines = [one for one in _figure(page)["data"] if one.get("mode") == "lines+markers"]
    assert {one["name"]: one["line"]["dash"] for one in lines} == {
        "bm25": "dot", "simple-rag+bm25@static": "solid", "simple-rag@static": "dash",
    }  # fmt: skip
    assert 'aria-label="Scores by track"' in page
    assert "plotly.min.js" in page


def test_the_partial_has_the_figure_and_no_head(client: Client, measured: Benchmark) -> None:
    text = client.get(ADDRESS, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in text
    assert _figure(text)["data"]


def test_a_benchmark_without_runs_says_what_to_do(client: Client, glass: Benchmark) -> None:
    assert "There is no sweep yet." in client.get(ADDRESS).content.decode()


def test_an_unknown_tier_is_refused(client: Client, measured: Benchmark) -> None:
    reply = client.get(ADDRESS, {"tier": "L7"})
    assert (reply.status_code, "known: L1, L2, L3" in reply.content.decode()) == (400, True)


def test_an_unknown_benchmark_is_not_found(client: Client, db: None) -> None:
    assert client.get("/benchmarks/steel/sweep/").status_code == 404


def test_the_page_costs_few_queries(
    client: Client, measured: Benchmark, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(12):
        client.get(ADDRESS)
    with django_assert_max_num_queries(8):
        client.get(ADDRESS)


def test_anchors_without_a_budget_are_reference_lines(measured: Benchmark) -> None:
    lines = {line.label: line for line in sweep_page("glass", BoardFilters()).lines}
    assert lines["direct-read"].is_reference
    assert not lines["bm25"].is_reference
    assert [point.track for point in lines["bm25"].points] == ["10k", "30k", "native"]


def test_every_point_has_the_leaderboards_interval(measured: Benchmark) -> None:
    point = next(
        point
        for line in sweep_page("glass", BoardFilters()).lines
        for point in line.points
        if (line.label, point.track) == ("bm25", "10k")
    )
    rows = {row.label: row for row in leaderboard_page("glass", BoardFilters(track="10k")).rows}
    row = rows["bm25"]
    assert (point.score, point.ci_low, point.ci_high) == (row.score, row.ci_low, row.ci_high)


def test_leaders_are_named_with_what_they_cannot_be_told_from(measured: Benchmark) -> None:
    leaders = {one.track: one for one in sweep_page("glass", BoardFilters()).leaders}
    assert set(leaders) == {"10k", "30k"}
    assert leaders["30k"].leaders == ("simple-rag+bm25@static",)
    assert leaders["30k"].level_with == ("bm25",)
    assert leaders["30k"].behind == ("simple-rag@static",)


def test_lines_that_cross_have_a_crossover_budget(glass: Benchmark) -> None:
    make_run(
        glass,
        {
            "bm25": {"10k": [6.0] * 24, "30k": [6.0] * 24},
            "mem0@static": {"10k": [5.0] * 24, "30k": [7.0] * 24},
        },
    )
    crossing = sweep_page("glass", BoardFilters()).crossovers[0]
    assert (crossing.overtaker, crossing.overtaken) == ("mem0@static", "bm25")
    assert 9_900 < crossing.chars < 29_700


def test_one_common_question_is_said_in_words(db: None) -> None:
    make_run(make_benchmark(n_questions=1), {"bm25": {"10k": [5.0], "30k": [6.0]}})
    assert "fewer than 2" in sweep_page("glass", BoardFilters()).finding


@pytest.mark.parametrize("slug", ["paim", "ptr"])
def test_figure_4_of_the_paper_can_be_seen(client: Client, db: None, slug: str) -> None:
    load_published()
    page = sweep_page(slug, BoardFilters())
    assert {line.source for line in page.lines} == {"published"}
    lines = {line.label: line for line in page.lines}
    assert [point.track for point in lines["Simple RAG"].points] == ["10k", "30k", "50k", "native"]
    assert client.get(f"/benchmarks/{slug}/sweep/").status_code == 200


def test_native_graphiti_stands_far_right_as_an_open_marker(client: Client, db: None) -> None:
    load_published()
    figure = _figure(client.get("/benchmarks/paim/sweep/").content.decode())
    natives = [one for one in figure["data"] if one.get("name") == "Graphiti, native"]
    assert natives[0]["marker"]["symbol"] == "pentagon-open"
    assert natives[0]["x"] == [2_552_000]
    furthest = max(x for one in figure["data"] for x in one["x"])
    assert natives[0]["x"] == [furthest]


def test_a_point_of_few_scored_questions_is_told_and_not_joined_to_the_line(
    client: Client, glass: Benchmark
) -> None:
    few: list[float | None] = [9.0] * 5 + [None] * 19
    make_run(glass, {"bm25": {"10k": [5.0] * 24, "30k": few, "50k": [6.0] * 24}})
    page = client.get(ADDRESS).content.decode()
    line = next(one for one in _figure(page)["data"] if one.get("mode") == "lines+markers")
    assert line["y"] == [5.0, 6.0]
    assert "bm25 at 30k (5 of 24)" in page


def test_where_nothing_can_be_drawn_the_page_says_so_and_keeps_the_numbers(
    client: Client, db: None
) -> None:
    load_published()
    page = client.get("/benchmarks/meme/sweep/").content.decode()
    assert "There is no line to draw." in page
    assert "sweep-chart-figure" not in page
    assert "20 episodes; answering model Claude Sonnet 4" in page
    assert "n 0" not in page


def test_published_lines_are_not_said_to_cross_nowhere(client: Client, db: None) -> None:
    load_published()
    page = client.get("/benchmarks/paim/sweep/").content.decode()
    assert "which the papers do not print" in page
    assert "No two lines cross" not in page


@pytest.mark.parametrize("tab", ["sweep", "contrasts"])
def test_nobody_is_asked_to_run_what_only_was_published(client: Client, db: None, tab: str) -> None:
    load_published()
    page = client.get(f"/benchmarks/memshift-12-months/{tab}/").content.decode()
    assert "The papers print no" in page
    assert "run_benchmark" not in page
    assert "/runs/new/?" not in page
