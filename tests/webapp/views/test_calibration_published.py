"""The list of calibrations, and what papers printed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.models import Campaign
from evaluation.queries.published_calibration import published_calibration_page
from evaluation.services.published import load_published
from tests.annotation.toy_campaigns import make_campaign
from tests.webapp.views.test_calibration import figures, words


def test_the_buckets_have_wilson_intervals(client: Client, db: None) -> None:
    buckets = published_calibration_page("paim").buckets
    assert [(one.label, one.n_agree, one.n_decisive) for one in buckets] == [
        ("0–2", 11, 22), ("2–4", 9, 10), ("4+", 29, 29),
    ]  # fmt: skip
    bounds = [(round(one.rate.low, 3), round(one.rate.high, 3)) for one in buckets]
    assert bounds == [(0.307, 0.693), (0.596, 0.982), (0.883, 1.0)]
    html = client.get("/calibration/published/paim/").content.decode()
    text = words(html)
    assert "Printed in Beyond Memory Leaderboards (arXiv:2607.16848)." in text
    assert "Overall agreement at τ = 1 Gemini 3.1 Pro people 77 % 112 68 % to 84 %" in text
    assert "Cells within 1 point Sonnet 4.6 GPT-5.4 90.6 % 53" in text
    assert figures(html)["agreement-chart-figure"]["data"][0]["y"] == [0.5, 0.9, 1.0]


def test_table_8_and_the_figures_of_the_second_judge_are_as_printed(
    client: Client, db: None
) -> None:
    text = words(client.get("/calibration/published/ptr/").content.decode())
    assert "Theoria + BM25 9.48 9.14 −0.34 −0.49" in text
    assert "Base model 1.79 2.18 +0.39 +0.30" in text
    assert "Pearson, cell by cell Gemini 3.1 Pro DeepSeek V4 Pro 0.93 946" in text
    assert "Mean difference at L3, points Gemini 3.1 Pro DeepSeek V4 Pro −0.74" in text


def test_what_no_paper_printed_is_a_404(client: Client, db: None) -> None:
    assert client.get("/calibration/published/meme/").status_code == 404


def test_a_loaded_benchmark_is_linked_by_its_title(client: Client, db: None) -> None:
    load_published()
    assert 'href="/benchmarks/paim/"' in client.get("/calibration/published/paim/").content.decode()


def test_the_list_keeps_people_imports_and_simulations_apart(viewer: Client, db: None) -> None:
    make_campaign(slug="sim", is_simulated=True)
    make_campaign(slug="people")
    imported = make_campaign(slug="arena", is_open=False)
    Campaign.objects.filter(pk=imported.pk).update(origin=Campaign.IMPORTED)
    make_campaign(slug="draft", is_open=False)
    text = words(viewer.get("/calibration/").content.decode())
    places = [
        text.index(part)
        for part in (
            "Votes of people, on answers measured here", "Campaign people", "Imported votes",
            "Campaign arena", "Simulated raters", "Campaign sim", "Published, not measured here",
        )
    ]  # fmt: skip
    assert places == sorted(places)
    assert "Campaign draft" not in text


def test_the_list_says_what_to_do_where_it_is_empty(lead: Client, db: None) -> None:
    text = lead.get("/calibration/").content.decode()
    assert "No campaign has been opened yet." in text
    assert "/campaigns/new/" in text
    assert "/calibration/published/paim/" in text


def test_visitors_see_what_was_published_and_campaigns_only_where_they_are_public(
    client: Client, db: None, settings: Settings
) -> None:
    make_campaign()
    text = client.get("/calibration/").content.decode()
    assert "Campaign toy" not in text
    assert "/calibration/published/paim/" in text
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "Campaign toy" in client.get("/calibration/").content.decode()


def test_the_list_is_also_a_partial_and_refuses_what_is_no_page(viewer: Client, db: None) -> None:
    reply = viewer.get("/calibration/", headers={"HX-Request": "true"})
    assert "<html" not in reply.content.decode()
    assert viewer.get("/calibration/", {"page": "x"}).status_code == 400


@pytest.mark.parametrize("n_campaigns", [1, 6])
def test_the_list_costs_the_same_queries_whatever_its_length(
    viewer: Client, db: None, n_campaigns: int, django_assert_max_num_queries: Any
) -> None:
    for number in range(n_campaigns):
        make_campaign(slug=f"c{number}")
    with django_assert_max_num_queries(12):
        viewer.get("/calibration/")
