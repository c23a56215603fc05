"""A campaign whose votes were cast and do not count says so, not that nobody voted."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Campaign, Pair
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.views.test_calibration import words

pytestmark = pytest.mark.usefixtures("few_draws")


def text_of(client: Client, campaign: Campaign) -> str:
    return words(client.get(f"/calibration/{campaign.slug}/").content.decode())


def test_votes_that_are_all_excluded_are_not_called_no_votes(lead: Client, db: None) -> None:
    campaign = make_campaign()
    rater = add_rater(campaign, "out", excluded_at=NOW, excluded_reason="always left")
    for pair in campaign.pairs.filter(kind=Pair.VOTE):
        add_vote(rater, pair, "a", not_counted="excluded")
    text = text_of(lead, campaign)
    assert "No vote counts: 6 excluded. What is left out says whose." in text
    assert "can be looked at with “Count excluded raters”" in text


def test_votes_on_checks_are_no_votes(lead: Client, db: None) -> None:
    campaign = make_campaign(n_attention=1)
    check = campaign.pairs.exclude(kind=Pair.VOTE).get()
    add_vote(add_rater(campaign, "ann"), check, "a")
    text = text_of(lead, campaign)
    assert "There is no counted vote yet." in text
    assert "No vote counts" not in text
