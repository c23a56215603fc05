"""A campaign's calibration page: what it shows, to whom, and while votes arrive."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, Pair, PairScore, Rater
from evaluation.models import Judge
from tests.annotation.calibrated_campaigns import paper_campaign
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.laboratory import make_benchmark

pytestmark = pytest.mark.usefixtures("few_draws")


def read(client: Client, campaign: Campaign, **params: Any) -> str:
    reply = client.get(f"/calibration/{campaign.slug}/", params)
    assert reply.status_code == 200, reply.content
    return reply.content.decode().replace("&#x27;", "'")


def words(html: str) -> str:
    """What a reader reads, without the figures' data."""
    without_data = re.sub(r"<script.*?</script>", " ", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", without_data).split())


def closed(campaign: Campaign) -> Campaign:
    campaign.benchmark = make_benchmark()
    campaign.closed_at = NOW
    campaign.save()
    return campaign


def figures(html: str) -> dict[str, Any]:
    found = re.findall(r'<script id="(\S+)" type="application/json">(.*?)</script>', html)
    return {name: json.loads(data) for name, data in found}


def test_the_figures_of_the_paper_are_on_the_page(viewer: Client, paper: Campaign) -> None:
    html = read(viewer, closed(paper))
    text = words(html)
    assert "prefers the same one in 49 of 61 pairs: 80 % (95 % interval 69 % to 88 %)" in text
    assert "0–2 points 11 of 22, 2–4 points 9 of 10, 4+ points 29 of 29" in text
    assert "71 of 112 63.4 %" in text
    assert "1 τ* 86 of 112 76.8 %" in text
    assert "112 counted votes of people on 112 pairs (51 ties) by 8 raters on 28 questions" in text
    assert set(figures(html)) == {
        "agreement-chart-figure", "tolerance-chart-figure", "resolution-chart-figure",
    }  # fmt: skip


def test_the_chart_has_the_rates_and_counts_of_the_table(viewer: Client, paper: Campaign) -> None:
    rates, *bars = figures(read(viewer, closed(paper)))["agreement-chart-figure"]["data"]
    assert rates["y"] == [0.5, 0.9, 1.0]
    assert {bar["name"]: bar["y"] for bar in bars} == {
        "the judge agrees": [11, 9, 29],
        "the judge disagrees": [11, 1, 0],
        "the voters are tied": [42, 9, 0],
    }


def test_edges_and_level_come_from_the_address(viewer: Client, paper: Campaign) -> None:
    text = words(read(viewer, closed(paper), edges="0, 1, 2", level="0.6"))
    assert "0–1 points 5 of 13, 1–2 points 6 of 9, 2+ points 38 of 39" in text
    assert "at least 60 % of decisive pairs" in text


@pytest.mark.parametrize(
    "params",
    [{"edges": "4,2"}, {"edges": "x"}, {"edges": "nan"}, {"edges": "0,99"}, {"level": "0.5"},
     {"width": "2"}, {"judge": "nobody"}, {"excluded": "yes"}],
)  # fmt: skip
def test_what_cannot_be_chosen_is_refused_in_words(
    viewer: Client, paper: Campaign, params: dict[str, str]
) -> None:
    reply = viewer.get(f"/calibration/{closed(paper).slug}/", params)
    assert reply.status_code == 400
    assert "known:" in reply.content.decode()


def test_another_judge_of_the_same_pairs_can_be_chosen(viewer: Client, paper: Campaign) -> None:
    other = Judge.objects.create(key="o" * 64, name="other", parts={}, created_at=NOW)
    PairScore.objects.bulk_create(
        [
            PairScore(pair=pair, judge=other, first_hundredths=500, second_hundredths=500)
            for pair in paper.pairs.all()
        ]
    )
    text = words(read(viewer, closed(paper), judge="other"))
    assert "other prefers the same one in 0 of 61 pairs" in text


def test_simulated_raters_are_not_called_people(viewer: Client, paper: Campaign) -> None:
    Campaign.objects.filter(pk=paper.pk).update(is_simulated=True)
    Rater.objects.update(kind=Rater.SIMULATED)
    text = words(read(viewer, paper))
    assert "the judge against simulated raters" in text
    assert "Does the judge prefer what simulated raters prefer?" in text
    assert "Which systems simulated raters prefer" in text
    results = text.partition("Does the judge")[2].partition("What was drawn")[0]
    assert "people" not in results.lower()
    exported = viewer.get(f"/calibration/{paper.slug}/export/", {"format": "md"}).content.decode()
    assert "SIMULATED RATERS: these votes say nothing about people." in exported
    assert "people" not in exported.replace("say nothing about people", "").lower()


def test_excluded_raters_are_shown_apart(lead: Client, paper: Campaign) -> None:
    excluded = add_rater(paper, "hasty", excluded_at=NOW, excluded_reason="too fast")
    for pair in paper.pairs.filter(kind=Pair.VOTE)[:4]:
        add_vote(excluded, pair, "a", not_counted="excluded")
    text = words(read(lead, closed(paper)))
    assert "hasty (4 votes: too fast)" in text
    assert "Votes 112 116" in text
    assert "112 counted votes" in text
    counted = words(read(lead, paper, excluded="1"))
    assert "116 counted votes" in counted
    assert "Votes of 1 excluded rater are counted in everything below." in counted


# ---------- who may read ----------


# ---------- live ----------


# ---------- adoption ----------


# ---------- what must be known first ----------


# ---------- queries ----------


def test_a_kept_report_costs_the_same_queries_whatever_the_number_of_votes(
    viewer: Client, db: None, django_assert_max_num_queries: Any
) -> None:
    small, large = make_campaign(slug="small"), closed(paper_campaign())
    Campaign.objects.update(benchmark=large.benchmark, closed_at=NOW)
    add_vote(add_rater(small, "ann"), small.pairs.order_by("pk")[0], "a")
    counts = []
    for campaign in (small, large):
        read(viewer, campaign)
        with django_assert_max_num_queries(30) as seen:
            read(viewer, campaign)
        counts.append(len(seen))
    assert counts[0] == counts[1]
