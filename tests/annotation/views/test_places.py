"""The place that a browser holds in a vote: lost, changed, or somebody else's."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.models import Campaign, Rater, Vote
from annotation.services.unblinding import mark_unblinded
from annotation.views.places import COOKIE
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.views.conftest import Visitor

pytestmark = pytest.mark.django_db
ACTS = ("cast", "skip", "undo", "continue", "finish", "withdraw")


@pytest.mark.parametrize("act", ACTS)
def test_without_a_place_nothing_is_done(visitor: Visitor, act: str) -> None:
    fields = {"assignment": "x", "client_token": "y", "choice": "a", "comment": "kept", "sure": 1}
    response = visitor.send(act, fields)
    assert response.status_code == 403
    assert b"holds no place in this vote" in response.content
    assert b"I agree, start" in response.content
    assert b">kept</textarea>" in response.content


@pytest.mark.parametrize("act", ACTS)
def test_opening_the_address_of_a_form_leads_to_the_page(rater: Visitor, act: str) -> None:
    response = rater.client.get(f"{rater.address}{act}/")
    assert (response.status_code, response["Location"]) == (303, rater.address)


def test_a_changed_cookie_is_put_aside(rater: Visitor) -> None:
    kept = rater.client.cookies[COOKIE]
    kept.set(COOKIE, kept.value[:-1] + "?", kept.value[:-1] + "?")
    page = rater.look()
    assert page.status_code == 200
    assert b"could not be read, so it was put aside" in page.content
    assert b"I agree, start" in page.content
    assert page.cookies[COOKIE].value == ""
    assert page.cookies[COOKIE]["path"] == rater.address


def test_the_cookie_of_one_campaign_opens_no_other(rater: Visitor) -> None:
    other = Visitor(make_campaign(slug="other"))
    other.client.cookies[COOKIE] = rater.client.cookies[COOKIE].value
    assert b"I agree, start" in other.look().content
    assert other.send("undo").status_code == 403


def test_a_rater_who_is_not_there_any_more_may_join_again(rater: Visitor) -> None:
    Rater.objects.all().delete()
    assert b"I agree, start" in rater.look().content
    response = rater.send("undo")
    assert response.status_code == 403
    assert b"join it first" in response.content


@pytest.mark.parametrize("act", ACTS)
def test_a_place_of_another_signed_in_person_is_refused(campaign: Campaign, act: str) -> None:
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    visitor = Visitor(campaign)
    visitor.client.force_login(ada)
    visitor.join()
    fields = {**visitor.form(), "choice": "a", "sure": "on"}
    place = visitor.client.cookies[COOKIE].value
    visitor.client.force_login(bob)
    visitor.client.cookies[COOKIE] = place
    visitor.client.cookies[COOKIE]["path"] = visitor.address
    response = visitor.send(act, fields)
    assert response.status_code == 403
    assert b"holds no place in this vote" in response.content
    row = Rater.objects.get(user=ada)
    assert (row.n_votes, row.n_skips, row.finished_at, row.withdrawn_at) == (0, 0, None, None)


def test_a_person_who_is_unblinded_cannot_vote_by_a_place_of_before(
    campaign: Campaign, rater: Visitor, django_user_model: type[User]
) -> None:
    rater.vote()
    form = rater.form()
    lead = django_user_model.objects.create_user("lead")
    mark_unblinded(user=lead, campaign_id=campaign.pk, what="/x/", now=timezone.now())
    rater.client.force_login(lead)
    response = rater.send("cast", {**form, "choice": "a"})
    assert response.status_code == 403
    assert "cannot vote on them" in response.content.decode()
    assert Vote.objects.get().not_counted == Vote.UNBLINDED
    assert "cannot vote on them" in rater.look().content.decode()
