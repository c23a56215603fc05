"""Votes of raters on a question's page, beside the judge's gaps."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Campaign, Pair, PairScore
from annotation.queries.question_votes import question_votes
from evaluation.models import Benchmark, Question
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.views.test_calibration import words

ADDRESS = "/benchmarks/glass/questions/GQ1/"


@pytest.fixture
def voted(measured: Benchmark) -> Campaign:
    """Closed; on GQ1 two pairs, of which one has three votes."""
    campaign = make_campaign(n_pairs=2, n_questions=1, overlap=3)
    campaign.benchmark, campaign.closed_at = measured, NOW
    campaign.save()
    question = Question.objects.get(benchmark=measured, question_id="GQ1")
    campaign.questions.update(question=question)
    pair = campaign.pairs.order_by("pk")[0]
    for name, choice in (("ann", "a"), ("ben", "a"), ("cem", "both_bad")):
        add_vote(add_rater(campaign, name), pair, choice)
    add_vote(add_rater(campaign, "dan"), pair, "b", not_counted="surplus")
    PairScore.objects.filter(pair=pair).update(first_hundredths=725, second_hundredths=600)
    return campaign


def test_counted_votes_stand_beside_the_judges_gap(viewer: Client, voted: Campaign) -> None:
    pair = voted.pairs.order_by("pk")[0]
    if pair.first_system is None or pair.second_system is None:
        pytest.fail("the pair names no systems")
    (campaign,) = question_votes("glass", "GQ1", now=timezone.now())
    (row,) = campaign.pairs
    is_turned = pair.second_system.label < pair.first_system.label
    assert (row.first, row.second) == tuple(
        sorted((pair.first_system.label, pair.second_system.label))
    )
    assert (row.n_first, row.n_second) == ((0, 2) if is_turned else (2, 0))
    assert (row.n_both_bad, row.n_votes) == (1, 3)
    assert row.gap == (-1.25 if is_turned else 1.25)
    text = words(viewer.get(ADDRESS).content.decode())
    assert "How raters voted Campaign toy , at 10k" in text
    assert 'href="/calibration/toy/"' in viewer.get(ADDRESS).content.decode()


def test_an_unscored_answer_has_no_gap(viewer: Client, voted: Campaign) -> None:
    PairScore.objects.update(first_hundredths=None)
    assert "not scored" in words(viewer.get(ADDRESS).content.decode())


def test_votes_of_an_open_campaign_are_kept_back_with_the_answers(
    client: Client, voted: Campaign
) -> None:
    Campaign.objects.update(closed_at=None)
    reply = client.get(ADDRESS)
    assert reply.status_code == 403
    assert "How raters voted" not in reply.content.decode()


def test_a_lead_who_went_on_sees_that_votes_go_on(lead: Client, voted: Campaign) -> None:
    Campaign.objects.update(closed_at=None)
    assert "How raters voted" not in lead.get(ADDRESS).content.decode()
    lead.post(ADDRESS)
    assert "votes go on" in words(lead.get(ADDRESS).content.decode())


def test_simulated_votes_say_that_they_are(viewer: Client, voted: Campaign) -> None:
    Campaign.objects.update(is_simulated=True)
    assert "simulated raters , not people" in words(viewer.get(ADDRESS).content.decode())


def test_a_question_without_votes_has_no_such_part(viewer: Client, voted: Campaign) -> None:
    assert "How raters voted" not in viewer.get("/benchmarks/glass/questions/GQ2/").content.decode()
    Pair.objects.update(n_first=0, n_second=0, n_tie=0, n_both_bad=0)
    assert "How raters voted" not in viewer.get(ADDRESS).content.decode()


def test_visitors_read_no_votes_unless_campaigns_are_public(
    client: Client, voted: Campaign, settings: Any
) -> None:
    assert "How raters voted" not in client.get(ADDRESS).content.decode()
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "How raters voted" in client.get(ADDRESS).content.decode()


def test_it_costs_two_queries(voted: Campaign, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        question_votes("glass", "GQ1", now=timezone.now())
