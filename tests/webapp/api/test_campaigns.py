"""Campaigns over the API: the list, making, opening, closing, and votes for leads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from annotation.models import AuditEntry, Campaign, Unblinding
from tests.annotation.rater_acts import ActingRater
from tests.annotation.services.measured_campaigns import scored_run
from tests.annotation.toy_campaigns import make_campaign

pytestmark = pytest.mark.django_db
LIST = "/api/v1/campaigns/"


def wanted(**more: Any) -> dict[str, Any]:
    return {"name": "Glass vote", "runs": [scored_run().public_id], "pairs": 9, **more}


def test_a_lead_makes_a_draft_with_the_options_of_the_command(lead: APIClient) -> None:
    asked = wanted(overlap=2, seed=7, policy="uniform", options={"reveal": "never"})
    response = lead.post(LIST, asked, format="json")
    assert response.status_code == 201
    campaign = Campaign.objects.get()
    body = response.json()
    assert body["head"]["state"] == "draft"
    assert body["head"]["vote_path"] == f"/vote/{campaign.link_token}/"
    assert body["head"]["created_by"] == "a-lead"
    assert campaign.options["overlap"] == 2
    assert campaign.options["reveal"] == "never"
    assert "Taking part is voluntary" in campaign.options["consent"]
    assert campaign.pairs.count() == 9


def test_a_campaign_is_opened_and_closed(lead: APIClient) -> None:
    slug = lead.post(LIST, wanted(), format="json").json()["head"]["slug"]
    assert lead.post(f"{LIST}{slug}/open/").json()["head"]["state"] == "open"
    assert lead.get(f"{LIST}{slug}/").json()["head"]["state"] == "open"
    assert lead.post(f"{LIST}{slug}/close/").json()["head"]["state"] == "closed"
    again = lead.post(f"{LIST}{slug}/close/")
    assert again.status_code == 409
    assert "closed already" in again.json()["detail"]


def test_a_campaign_is_opened_as_it_is_made(lead: APIClient) -> None:
    made = lead.post(LIST, wanted(open=True, simulated=True), format="json").json()
    assert made["head"]["state"] == "open"
    assert made["head"]["is_simulated"]


@pytest.mark.parametrize(
    ("change", "status", "field", "said"),
    [
        ({"runs": []}, 400, "runs", "empty"),
        ({"runs": ["nowhere"]}, 404, "", "nowhere"),
        ({"pairs": 0}, 400, "n_pairs", "from 1"),
        ({"pairs": 500}, 409, "", "500"),
        ({"policy": "random"}, 400, "policy", "stratified"),
        ({"track": "30k"}, 400, "track", "10k"),
        ({"judge": "nobody"}, 400, "judge", "rubric"),
        ({"systems": ["bm25", "nobody"]}, 400, "system", "nobody"),
        ({"options": {"colour": "red"}}, 400, "colour", "no such option"),
        ({"options": {"reveal": "soon"}}, 400, "reveal", "end"),
        ({"colour": "red"}, 400, "colour", "known: name"),
        ({"name": "bm25 against the rest"}, 400, "name", "names the system"),
        (
            {"opens_at": "2031-05-02T12:00Z", "closes_at": "2031-05-01T12:00Z"},
            400,
            "closes_at",
            "not before",
        ),
        ({"closes_at": "soon"}, 400, "closes_at", "format"),
    ],
)
def test_a_campaign_that_cannot_be_is_refused_in_words(
    lead: APIClient, change: dict[str, Any], status: int, field: str, said: str
) -> None:
    response = lead.post(LIST, wanted(**change), format="json")
    body = response.json()
    assert (response.status_code, body["field"]) == (status, field), body
    assert said in body["detail"] + " ".join(body["known"])
    assert not Campaign.objects.exists()


def test_runs_with_different_keys_are_refused_with_what_differs(lead: APIClient) -> None:
    first = scored_run()
    second = scored_run(benchmark=first.benchmark, seed=2)
    asked = {"name": "Both", "runs": [first.public_id, second.public_id]}
    response = lead.post(LIST, asked, format="json")
    assert response.status_code == 409
    assert "seed (1, 2)" in response.json()["detail"]


def test_the_list_is_for_signed_in_people_and_drafts_are_for_leads(
    passer_by: APIClient, client_of: Callable[[str], APIClient], settings: Settings
) -> None:
    make_campaign(slug="open-one")
    make_campaign(slug="a-draft", is_open=False)
    assert passer_by.get(LIST).status_code == 401
    listed = {
        role: [row["slug"] for row in client_of(role).get(LIST).json()["results"]]
        for role in ("viewer", "lead")
    }
    assert listed == {"viewer": ["open-one"], "lead": ["a-draft", "open-one"]}
    settings.MEMJURY_PUBLIC_CAMPAIGNS = True
    assert [row["slug"] for row in passer_by.get(LIST).json()["results"]] == ["open-one"]


def test_only_a_rater_is_told_where_to_vote(client_of: Callable[[str], APIClient]) -> None:
    make_campaign()
    paths = {
        role: client_of(role).get(LIST).json()["results"][0]["vote_path"]
        for role in ("viewer", "rater")
    }
    assert paths == {"viewer": "", "rater": "/vote/link-toy/"}


@pytest.mark.parametrize("path", ["", "votes/"])
@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("rater", 403), ("", 401)])
def test_campaigns_and_votes_are_for_leads(
    client_of: Callable[[str], APIClient], path: str, role: str, status: int
) -> None:
    make_campaign()
    client = client_of(role) if role else APIClient()
    assert client.get(f"{LIST}toy/{path}").status_code == status
    assert client.post(f"{LIST}toy/open/").status_code == status
    assert client.post(LIST, {}, format="json").status_code == status


def test_votes_come_a_page_at_a_time_with_their_flags(lead: APIClient) -> None:
    campaign = make_campaign(n_pairs=5)
    rater = ActingRater(campaign)
    for _ in range(5):
        rater.cast()
    first = lead.get(f"{LIST}toy/votes/", {"page_size": 3}).json()
    second = lead.get(first["next"]).json()
    assert [len(page["results"]) for page in (first, second)] == [3, 2]
    assert second["next"] is None
    assert first["count"] == 5
    pairs = [row["pair"] for page in (first, second) for row in page["results"]]
    assert sorted(pairs) == [0, 1, 2, 3, 4]
    row = first["results"][0]
    assert row["counted"] is True
    assert row["too_fast"] is True
    assert row["rater"] == rater.row.pseudonym


def test_reading_votes_is_logged_once_and_ends_blindness(lead: APIClient) -> None:
    campaign = make_campaign(n_pairs=2)
    ActingRater(campaign).cast()
    page = lead.get(f"{LIST}toy/votes/", {"page_size": 1}).json()
    assert page["next"] is None
    lead.get(f"{LIST}toy/votes/", {"after": 1})
    entry = AuditEntry.objects.get(action="votes exported")
    assert entry.actor_name == "a-lead"
    assert Unblinding.objects.get().user.username == "a-lead"


@pytest.mark.parametrize("after", ["-1", "x", "9" * 30, "١"])
def test_a_cursor_that_is_none_is_refused(lead: APIClient, after: str) -> None:
    make_campaign()
    response = lead.get(f"{LIST}toy/votes/", {"after": after})
    assert response.status_code in (200, 400)
    assert after == "١" or response.json()["field"] == "after"


def test_what_is_not_there_is_a_404(lead: APIClient) -> None:
    for address in ("nowhere/", "nowhere/votes/"):
        assert lead.get(f"{LIST}{address}").status_code == 404
    assert lead.post(f"{LIST}nowhere/open/").status_code == 404
