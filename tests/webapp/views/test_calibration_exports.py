from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.calibration.bundle import verify_bundle
from annotation.models import AuditEntry, Campaign, Unblinding
from tests.annotation.voted_campaigns import voted_campaign

pytestmark = pytest.mark.django_db

EXPORT, API = "/calibration/toy/export/", "/api/v1/campaigns/toy/calibration/"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return voted_campaign()


def close() -> None:
    Campaign.objects.update(closed_at=timezone.now())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("html", "text/html"),
        ("md", "text/markdown"),
        ("csv", "text/csv"),
        ("json", "application/json"),
    ],
)
def test_a_viewer_has_every_form_of_a_closed_campaign(
    viewer: Client, campaign: Campaign, name: str, kind: str
) -> None:
    close()
    response = viewer.get(EXPORT, {"format": name})
    assert response.status_code == 200
    assert response["Content-Type"].startswith(kind)
    assert response["Content-Disposition"] == f'attachment; filename="toy-calibration.{name}"'
    assert AuditEntry.objects.get(action="exported the calibration").actor_name == "viewer"
    if name == "json":
        assert verify_bundle(json.loads(response.content)) == ()


def test_pairs_that_were_left_out_before_the_drawing_are_told_with_their_number(
    lead: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(sampling={"n_left_out_identical": 7})
    close()
    for address, sentence in (
        ("/campaigns/toy/", "7 more pairs could not be drawn: the two answers read the same"),
        ("/calibration/toy/", "7: their two answers read the same, so there is nothing to decide"),
        (f"{EXPORT}?format=md", "7 pairs were left out before the drawing: their two answers"),
    ):
        assert sentence in lead.get(address).content.decode()


@pytest.mark.parametrize("name", ["html", "md"])
def test_controls_in_names_are_written_out_in_what_people_read(
    viewer: Client, campaign: Campaign, name: str
) -> None:
    Campaign.objects.update(name="Toy \u202eyot")
    close()
    text = viewer.get(EXPORT, {"format": name}).content.decode()
    assert "\u202e" not in text
    assert "Toy ⟦U+202E⟧yot" in text


def test_a_visitor_signs_in_first(client: Client, campaign: Campaign) -> None:
    close()
    assert client.get(EXPORT).status_code == 302
    assert client.get(API).status_code == 401


def test_the_bundle_of_an_open_campaign_is_a_leads_and_marks_them(
    lead: Client, campaign: Campaign
) -> None:
    assert lead.get(EXPORT, {"format": "html"}).status_code == 200
    assert not Unblinding.objects.exists()
    assert lead.get(EXPORT, {"format": "json"}).status_code == 200
    assert Unblinding.objects.get().what == EXPORT


def test_the_bundle_of_an_open_campaign_is_nobody_elses(viewer: Client, campaign: Campaign) -> None:
    assert viewer.get(EXPORT, {"format": "json"}).status_code == 403
    assert not Unblinding.objects.exists()


def test_who_votes_in_it_gets_no_results_yet(
    client: Client, campaign: Campaign, django_user_model: type[User]
) -> None:
    user = django_user_model.objects.create_user("ann")
    campaign.raters.filter(pseudonym="r0").update(user=user)
    client.force_login(user)
    assert client.get(EXPORT).status_code == 403
    refusal = client.get(API)
    assert refusal.status_code == 403
    assert "must not sway you" in refusal.json()["detail"]
    close()
    assert client.get(API).status_code == 200


def test_the_api_gives_the_sections_in_full(viewer: Client, campaign: Campaign) -> None:
    close()
    given = viewer.get(API).json()
    assert given["is_current"] is True
    assert given["body"]["decisive"]["overall"]["n_agree"] == 48
    assert given["body"]["resolution"]["gap_hundredths"] == 300


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"format": "pdf"}, 400),
        ({"judge": "nobody"}, 400),
        ({"edges": "2,1"}, 400),
        ({"level": "x"}, 400),
    ],
)
def test_what_is_not_known_is_refused_in_words(
    viewer: Client, campaign: Campaign, params: dict[str, str], status: int
) -> None:
    close()
    assert viewer.get(EXPORT, params).status_code == status


def test_a_campaign_that_is_not_there_is_not_found(viewer: Client, campaign: Campaign) -> None:
    assert viewer.get("/calibration/none/export/").status_code == 404
    assert viewer.get("/api/v1/campaigns/none/calibration/").status_code == 404
