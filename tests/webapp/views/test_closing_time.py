"""Every page and address that counts votes shows those under the rules of a campaign that closed
by itself, whoever looks first."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import AuditEntry, Campaign, Rater
from annotation.services.exclusion_rules import RULES_APPLIED, apply_rules_of_all_closed
from evaluation.models import Benchmark, Question
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.views.test_calibration import words

QUESTION = "/benchmarks/glass/questions/GQ1/"
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def closing(measured: Benchmark) -> Campaign:
    """It closed an hour ago by itself; a rule excludes hasty, and steady stays."""
    campaign = make_campaign(n_pairs=1, overlap=2, exclude_too_fast_above=0.5)
    campaign.benchmark, campaign.closes_at = measured, timezone.now() - HOUR
    campaign.save()
    campaign.questions.update(question=Question.objects.get(benchmark=measured, question_id="GQ1"))
    pair = campaign.pairs.get()
    add_vote(add_rater(campaign, "hasty"), pair, "a", is_too_fast=True)
    add_vote(add_rater(campaign, "steady"), pair, "tie")
    return campaign


def excluded() -> list[str]:
    return list(Rater.objects.exclude(excluded_at=None).values_list("pseudonym", flat=True))


def test_the_page_of_a_question_counts_no_vote_that_a_rule_leaves_out(
    viewer: Client, closing: Campaign
) -> None:
    text = words(viewer.get(QUESTION).content.decode())
    assert "How raters voted" in text
    assert excluded() == ["hasty"]
    pair = closing.pairs.get()
    assert (pair.n_first + pair.n_second, pair.n_tie) == (0, 1)


@pytest.mark.parametrize("address", ["/campaigns/", "/calibration/", "/api/v1/campaigns/"])
def test_lists_for_viewers_apply_the_rules(viewer: Client, closing: Campaign, address: str) -> None:
    assert viewer.get(address).status_code == 200
    assert excluded() == ["hasty"]


@pytest.mark.parametrize(
    "address", ["/campaigns/toy/pairs/", "/campaigns/toy/audit/", "/api/v1/campaigns/toy/"]
)
def test_pages_for_leads_apply_the_rules(lead: Client, closing: Campaign, address: str) -> None:
    assert lead.get(address).status_code == 200
    assert excluded() == ["hasty"]


def test_a_visitor_who_may_read_no_votes_sets_nothing_off(
    client: Client, closing: Campaign
) -> None:
    assert client.get(QUESTION).status_code == 200
    client.get("/campaigns/")
    assert excluded() == []


def test_only_campaigns_whose_time_has_come_are_closed_by_their_rules(closing: Campaign) -> None:
    later = make_campaign(slug="later", n_pairs=1, overlap=1, exclude_too_fast_above=0.5)
    add_vote(add_rater(later, "too early"), later.pairs.get(), "a", is_too_fast=True)
    Campaign.objects.filter(slug="later").update(closes_at=timezone.now() + HOUR)
    draft = make_campaign(slug="draft", is_open=False, exclude_too_fast_above=0.5)
    Campaign.objects.filter(pk=draft.pk).update(closes_at=NOW)
    apply_rules_of_all_closed(now=timezone.now())
    assert excluded() == ["hasty"]
    entries = AuditEntry.objects.filter(action=RULES_APPLIED)
    assert [entry.campaign for entry in entries] == [closing]


def test_it_costs_one_query_where_nothing_is_due(
    closing: Campaign, django_assert_num_queries: Any
) -> None:
    apply_rules_of_all_closed(now=timezone.now())
    with django_assert_num_queries(1):
        apply_rules_of_all_closed(now=timezone.now())
