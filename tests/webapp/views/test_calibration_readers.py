"""Who may read a calibration, and while votes arrive, when they see what is new."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.models import Campaign, CampaignTally, Rater
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.toy_votes import add_rater, add_vote
from tests.webapp.views.test_calibration import closed, read, words

pytestmark = pytest.mark.usefixtures("few_draws")
PARTIAL = {"HX-Request": "true"}
POLLS = 'hx-trigger="every 5s"'


def test_raters_are_named_by_pseudonym_and_linked_for_leads_alone(
    lead: Client, paper: Campaign
) -> None:
    link = '/campaigns/paper/raters/rater%201/"'
    assert link in read(lead, closed(paper))
    User.objects.get(username="lead").groups.set([Group.objects.get(name="viewer")])
    html = read(lead, paper)
    assert link not in html
    assert "rater 1" in html


def test_visitors_are_sent_to_sign_in_unless_campaigns_are_public(
    client: Client, paper: Campaign, settings: Settings
) -> None:
    closed(paper)
    assert client.get("/calibration/paper/")["Location"].startswith("/sign-in/")
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "49 of 61" in read(client, paper)


def test_whoever_has_a_seat_sees_no_result_until_it_closes(viewer: Client, paper: Campaign) -> None:
    user = User.objects.get(username="viewer")
    assert "49 of 61" in read(viewer, paper)
    add_rater(paper, "me", kind=Rater.SIGNED_IN, user=user)
    text = words(read(viewer, paper))
    assert "Results open when Campaign paper closes" in text
    assert "of 61" not in text
    assert "49 of 61" in read(viewer, closed(paper))


def test_a_rater_who_may_still_join_sees_no_result_either(viewer: Client, paper: Campaign) -> None:
    user = User.objects.get(username="viewer")
    user.groups.add(Group.objects.get(name="rater"))
    assert "You may vote in this campaign" in read(viewer, paper)


def test_visitors_see_no_result_of_an_open_campaign(
    client: Client, paper: Campaign, settings: Settings
) -> None:
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "of 61" not in read(client, paper)


def test_a_draft_is_there_for_leads_alone(lead: Client, db: None) -> None:
    make_campaign(slug="draft", is_open=False)
    assert "The campaign has not been opened." in lead.get("/calibration/draft/").content.decode()
    User.objects.get(username="lead").groups.clear()
    assert lead.get("/calibration/draft/").status_code == 404
    assert lead.get("/calibration/nothing/").status_code == 404


def test_the_page_polls_while_it_is_open_and_stops_when_closed(
    viewer: Client, paper: Campaign
) -> None:
    html = read(viewer, paper)
    assert POLLS in html
    assert "known=0.1.open" in html
    assert POLLS not in read(viewer, closed(paper))


def test_a_poll_without_news_brings_nothing_and_one_with_news_the_results(
    viewer: Client, paper: Campaign
) -> None:
    poll = ("/calibration/paper/", {"known": "0.1.open"})
    read(viewer, paper)
    assert viewer.get(*poll, headers=PARTIAL).status_code == 204
    add_vote(add_rater(paper, "new"), paper.pairs.order_by("pk")[0], "tie")
    CampaignTally.objects.update(version=1)
    reply = viewer.get(*poll, headers=PARTIAL)
    assert reply.status_code == 200
    text = reply.content.decode()
    assert "113 counted votes" in words(text)
    assert "<html" not in text
    assert 'class="filters"' not in text
    assert "known=1.1.open" in text
    assert "HX-Request" in reply["Vary"]


def test_closing_is_news(viewer: Client, paper: Campaign) -> None:
    closed(paper)
    reply = viewer.get("/calibration/paper/", {"known": "0.1.open"}, headers=PARTIAL)
    assert reply.status_code == 200
    assert POLLS not in reply.content.decode()
