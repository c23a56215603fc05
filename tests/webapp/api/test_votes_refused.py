"""What the API refuses of those who vote over it, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from annotation.models import Campaign, Vote
from annotation.services.unblinding import mark_unblinded
from tests.annotation.toy_campaigns import make_campaign
from tests.webapp.api.api_raters import ApiRater

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("fields", "status", "field"),
    [
        ({"choice": "left"}, 400, "choice"),
        ({"choice": ""}, 400, "choice"),
        ({}, 400, "choice"),
        ({"choice": "a", "reasons": ["nice"]}, 400, "reasons"),
        ({"choice": "a", "reasons": "clearer"}, 400, "reasons"),
        ({"choice": "a", "confidence": 9}, 400, "confidence"),
        ({"choice": "a", "comment": "x" * 100_000}, 400, "comment"),
        ({"choice": "a", "comment": "a\x00b"}, 400, "comment"),
        ({"choice": "a", "client_token": "x" * 65}, 400, "client_token"),
        ({"choice": "a", "system": "bm25"}, 400, "system"),
        ({"choice": "a", "rater_key": "forged:key"}, 403, ""),
    ],
)
def test_a_vote_that_is_none_is_refused_in_words(
    rater: ApiRater, fields: dict[str, Any], status: int, field: str
) -> None:
    response = rater.on_pair(**fields)
    body = response.json()
    assert (response.status_code, body["field"]) == (status, field), body
    assert not Vote.objects.exists()


def test_unknown_choices_and_reasons_list_the_known(rater: ApiRater) -> None:
    assert rater.vote("left").json()["known"] == ["a", "b", "tie", "both_bad"]
    assert "clearer" in rater.vote(reasons=["nice"]).json()["known"]


def test_another_raters_pair_and_one_that_never_was_are_refused_alike(
    campaign: Campaign, rater: ApiRater
) -> None:
    other = ApiRater()
    other.join()
    other.state = rater.state
    foreign = other.vote()
    other.state = {"assignment": {"id": "nothing"}}
    missing = other.vote()
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content


def test_nobody_votes_without_a_key(rater: ApiRater) -> None:
    rater.key = ""
    assert rater.vote().status_code == 403
    assert rater.act("undo").status_code == 403


def test_a_closed_campaign_takes_no_vote(campaign: Campaign, rater: ApiRater) -> None:
    Campaign.objects.update(closed_at=timezone.now())
    response = rater.vote()
    assert response.status_code == 409
    assert "has closed" in response.json()["detail"]


def test_whether_a_campaign_exists_is_not_told_without_its_link(campaign: Campaign) -> None:
    answers = [ApiRater(slug=slug).join(link="guess") for slug in ("toy", "nowhere")]
    assert answers[0].content == answers[1].content
    assert answers[0].status_code == 403


def test_a_person_who_is_unblinded_is_refused_whatever_key_they_hold(
    campaign: Campaign, rater: ApiRater, client_of: Callable[[str], APIClient]
) -> None:
    rater.client = client_of("lead")
    user = User.objects.get(username="a-lead")
    mark_unblinded(user=user, campaign_id=campaign.pk, what="/x/", now=timezone.now())
    for response in (rater.vote(), rater.act("undo"), rater.act("assignments")):
        assert response.status_code == 403
        assert "cannot vote" in response.json()["detail"]
    assert not Vote.objects.exists()


def test_people_may_vote_once_a_second_and_floods_are_slowed(
    campaign: Campaign, rater: ApiRater, settings: Settings
) -> None:
    statuses = {rater.act("assignments").status_code for _ in range(119)}
    assert statuses == {200}
    slowed = [rater.act("assignments").status_code for _ in range(3)]
    assert slowed[-1] == 429
    other = ApiRater()
    assert other.join().status_code == 200
    settings.MEMJURY_THROTTLE = False
    assert rater.act("assignments").status_code == 200


def test_answers_to_raters_are_kept_by_no_cache(rater: ApiRater) -> None:
    assert rater.act("assignments").headers["Cache-Control"] == "no-store"


def test_real_people_have_no_part_in_a_simulation() -> None:
    make_campaign(is_simulated=True)
    response = ApiRater().join()
    assert response.status_code == 409
    assert "simulation" in response.json()["detail"]


def test_json_nested_too_deeply_is_refused_in_words(rater: ApiRater) -> None:
    address = f"/api/v1/assignments/{rater.state['assignment']['id']}/vote/"
    response = rater.client.post(
        address, b'{"choice":' + b"[" * 100_000 + b"}", content_type="application/json"
    )
    assert response.status_code == 400
    assert response.json()["detail"] == "the JSON is nested too deeply"
