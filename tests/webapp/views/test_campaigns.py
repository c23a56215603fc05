"""The list of campaigns, one campaign's page, its log, opening and closing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.models import AuditEntry, Campaign
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

PARTIAL = {"HX-Request": "true"}
POLLS = 'hx-trigger="every 5s"'
LEAD_PAGES = ("", "edit/", "pairs/", "raters/", "votes/", "audit/")


@pytest.fixture
def toy(db: None) -> Campaign:
    return make_campaign(overlap=2)


def test_the_list_names_campaigns_for_people_who_signed_in(viewer: Client, toy: Campaign) -> None:
    make_campaign(slug="draft", is_open=False)
    text = viewer.get("/campaigns/").content.decode()
    assert "Campaign toy" in text
    assert "Campaign draft" not in text
    assert "/campaigns/toy/" not in text
    assert "/vote/" not in text


def test_visitors_see_the_list_only_where_campaigns_are_public(
    client: Client, toy: Campaign, settings: Settings
) -> None:
    assert client.get("/campaigns/")["Location"] == "/sign-in/?next=/campaigns/"
    assert "Campaign toy" not in client.get("/").content.decode()
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert "Campaign toy" in client.get("/campaigns/").content.decode()


def test_a_rater_is_offered_the_link(
    client: Client, toy: Campaign, django_user_model: type[User]
) -> None:
    user = django_user_model.objects.create_user("ann")
    user.groups.add(Group.objects.get(name="rater"))
    client.force_login(user)
    assert 'href="/vote/link-toy/"' in client.get("/campaigns/").content.decode()


def test_an_empty_list_says_what_to_do(lead: Client, db: None) -> None:
    text = lead.get("/campaigns/").content.decode()
    assert "There is no campaign yet." in text
    assert "/campaigns/new/" in text


def test_the_list_is_also_a_partial(lead: Client, toy: Campaign) -> None:
    reply = lead.get("/campaigns/", headers=PARTIAL)
    assert "<html" not in reply.content.decode()
    assert "HX-Request" in reply["Vary"]
    assert lead.get("/campaigns/", {"page": "x"}).status_code == 400


@pytest.mark.parametrize("page", LEAD_PAGES)
def test_a_campaigns_pages_are_for_leads(client: Client, toy: Campaign, page: str) -> None:
    assert client.get(f"/campaigns/toy/{page}").status_code == 302


@pytest.mark.parametrize("page", LEAD_PAGES)
def test_a_viewer_may_not_open_them(viewer: Client, toy: Campaign, page: str) -> None:
    assert viewer.get(f"/campaigns/toy/{page}").status_code == 403


@pytest.mark.parametrize("page", LEAD_PAGES)
def test_a_campaign_that_is_not_there_is_a_404_in_words(lead: Client, db: None, page: str) -> None:
    reply = lead.get(f"/campaigns/nothing/{page}")
    assert reply.status_code == 404
    assert "there is no campaign &#x27;nothing&#x27;" in reply.content.decode().lower()


def test_the_page_has_the_link_and_what_was_drawn(lead: Client, toy: Campaign) -> None:
    text = lead.get("/campaigns/toy/").content.decode()
    assert "http://testserver/vote/link-toy/" in text
    assert "bm25 × simple-rag<wbr>@static" in text
    assert "No vote yet." in text
    assert POLLS in text


def test_the_counts_are_a_partial_that_stops_asking_when_closed(
    lead: Client, toy: Campaign
) -> None:
    add_vote(add_rater(toy, "ann"), toy.pairs.order_by("position")[0], "a")
    text = lead.get("/campaigns/toy/", headers=PARTIAL).content.decode()
    assert "1 of 12 votes count" in text
    assert "<h1" not in text
    assert POLLS in text
    lead.post("/campaigns/toy/state/close/")
    assert POLLS not in lead.get("/campaigns/toy/", headers=PARTIAL).content.decode()


def test_a_draft_is_opened_closed_and_opened_again_and_all_is_logged(
    lead: Client, db: None
) -> None:
    make_campaign(is_open=False)
    for action, sentence in (("open", "It is open"), ("close", "is closed"), ("reopen", "again")):
        reply = lead.post(f"/campaigns/toy/state/{action}/", follow=True)
        assert sentence in reply.content.decode()
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", "actor_name"))
    assert actions == [("opened", "lead"), ("closed", "lead"), ("opened again", "lead")]
    assert "opened again" in lead.get("/campaigns/toy/audit/").content.decode()


def test_an_open_campaign_cannot_be_deleted(lead: Client, toy: Campaign) -> None:
    reply = lead.post("/campaigns/toy/state/delete/", follow=True)
    assert "was opened" in reply.content.decode()
    assert Campaign.objects.exists()


def test_a_deleted_draft_leads_back_to_the_list(lead: Client, db: None) -> None:
    make_campaign(is_open=False)
    assert lead.post("/campaigns/toy/state/delete/")["Location"] == "/campaigns/"
    assert not Campaign.objects.exists()


def test_an_action_nobody_offers_is_refused(lead: Client, toy: Campaign) -> None:
    assert lead.post("/campaigns/toy/state/burn/").status_code == 400
    assert lead.get("/campaigns/toy/state/close/").status_code == 405
    assert lead.post("/campaigns/nothing/state/open/").status_code == 404


def test_a_viewer_may_change_nothing(viewer: Client, toy: Campaign) -> None:
    for address in ("state/close/", "times/", "rules/", "invitations/", "raters/ann/"):
        assert viewer.post(f"/campaigns/toy/{address}").status_code == 403
    toy.refresh_from_db()
    assert toy.closed_at is None


def test_times_of_an_open_campaign_are_set(lead: Client, toy: Campaign) -> None:
    lead.post("/campaigns/toy/times/", {"closes_at": "2031-05-01T12:00"})
    toy.refresh_from_db()
    assert toy.closes_at is not None
    assert toy.closes_at.isoformat() == "2031-05-01T12:00:00+00:00"
    reply = lead.post("/campaigns/toy/times/", {"closes_at": "soon"}, follow=True)
    assert "The times were not set" in reply.content.decode()


@pytest.mark.parametrize(
    ("change", "label"),
    [({"is_simulated": True}, "simulated"), ({"origin": Campaign.IMPORTED}, "imported")],
)
def test_campaigns_of_machines_and_imports_are_labelled_everywhere(
    lead: Client, toy: Campaign, change: dict[str, Any], label: str
) -> None:
    Campaign.objects.filter(pk=toy.pk).update(**change, closed_at=NOW)
    for address in (
        "/campaigns/",
        *(f"/campaigns/toy/{page}" for page in LEAD_PAGES if page != "edit/"),
    ):
        assert f">{label}</span>" in lead.get(address).content.decode(), address


def test_an_empty_log_says_so(lead: Client, toy: Campaign) -> None:
    assert "Nothing is logged yet." in lead.get("/campaigns/toy/audit/").content.decode()
    assert lead.get("/campaigns/toy/audit/", {"page": "0"}).status_code == 400


def test_the_first_page_names_open_campaigns(lead: Client, toy: Campaign, measured: object) -> None:
    text = lead.get("/").content.decode()
    assert "Open campaigns" in text
    assert "/campaigns/toy/" in text


def test_the_page_costs_few_queries(
    lead: Client, toy: Campaign, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    with django_assert_max_num_queries(20):
        lead.get("/campaigns/toy/")
    with django_assert_max_num_queries(11):
        lead.get("/campaigns/")
