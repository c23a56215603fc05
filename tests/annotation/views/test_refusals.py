"""What a rater's addresses refuse, in words, keeping what was written."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.models import Campaign, Rater, Vote
from annotation.services import voting
from annotation.services.unblinding import mark_unblinded
from annotation.views import door, throttle
from annotation.views.places import COOKIE
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.views.conftest import PARTIAL, Visitor

pytestmark = pytest.mark.django_db
ACTS = ("cast", "skip", "undo", "continue", "finish", "withdraw")


def test_an_unknown_choice_is_refused_and_the_draft_kept(rater: Visitor) -> None:
    response = rater.vote("c", comment="my reasoning", reasons=["clearer"], confidence="4")
    page = response.content.decode()
    assert response.status_code == 400
    assert "There is no such choice in this vote" in page
    assert '<textarea id="comment" name="comment" rows="2" dir="auto">my reasoning<' in page
    assert 'value="clearer" checked' in page
    assert 'value="4" checked' in page
    assert not Vote.objects.exists()


def test_both_bad_is_unknown_where_the_campaign_does_not_offer_it(db: None) -> None:
    rater = Visitor(make_campaign(allow_both_bad=False))
    rater.join()
    assert b"Both bad" not in rater.look().content
    assert rater.vote("both_bad").status_code == 400


def test_a_comment_of_100_kb_is_refused_and_given_back_whole(rater: Visitor) -> None:
    comment = "x" * 100_000
    response = rater.vote("a", comment=comment)
    assert response.status_code == 400
    assert b"up to 5,000 characters" in response.content
    assert comment.encode() in response.content
    assert not Vote.objects.exists()


def test_a_comment_of_the_greatest_length_counts_a_line_end_once(rater: Visitor) -> None:
    rater.vote("a", comment="x" * 2_499 + "\r\n" + "y" * 2_500)
    assert len(Vote.objects.get().comment) == 5_000


def test_a_comment_without_end_is_refused_unread(rater: Visitor) -> None:
    response = rater.vote("a", comment="x" * door.MAX_BODY_BYTES)
    assert response.status_code == 413
    assert b"far too long" in response.content


@pytest.mark.parametrize("choice", ["", None])
def test_a_vote_without_a_choice_is_refused(rater: Visitor, choice: str | None) -> None:
    fields: dict[str, Any] = rater.form()
    response = rater.send("cast", fields if choice is None else {**fields, "choice": choice})
    assert response.status_code == 400
    assert b"No choice was sent" in response.content


def test_a_form_in_another_encoding_is_refused_in_words(rater: Visitor) -> None:
    response = rater.client.post(
        f"{rater.address}cast/",
        b"choice=a",
        content_type="application/x-www-form-urlencoded; charset=utf-16",
    )
    assert response.status_code == 400
    assert b"The form could not be read" in response.content


def test_consent_given_again_in_a_browser_makes_no_second_rater(rater: Visitor) -> None:
    Rater.objects.update(disqualified_at=NOW)
    rater.send("consent", {})
    assert Rater.objects.count() == 1
    assert b"No voting here now" in rater.look().content


@pytest.mark.parametrize("headers", [{}, PARTIAL])
def test_a_full_disk_is_said_on_a_raters_page(
    rater: Visitor, headers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = rater.form()

    def full(**_: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(voting, "cast_vote", full)
    response = rater.send("cast", {**form, "choice": "a"}, headers=headers)
    page = response.content.decode()
    assert response.status_code == 503
    assert "a vote that is sent twice is stored once" in page
    assert "disk" not in page


@pytest.mark.parametrize("broken", ["", "a b", "x" * 65, "\x00", "'; drop table", "é"])
@pytest.mark.parametrize("name", ["assignment", "client_token"])
def test_a_broken_form_is_refused(rater: Visitor, name: str, broken: str) -> None:
    response = rater.send("cast", {**rater.form(), "choice": "a", name: broken})
    assert response.status_code == 400
    assert b"The form was incomplete" in response.content
    assert not Vote.objects.exists()


def test_the_pair_of_somebody_else_is_refused(campaign: Campaign, rater: Visitor) -> None:
    other = Visitor(campaign)
    other.join()
    foreign = {**rater.form(), "assignment": other.form()["assignment"]}
    response = rater.send("cast", {**foreign, "choice": "a", "comment": "mine"})
    never = rater.send("cast", {**foreign, "assignment": "never-given", "choice": "a"})
    assert response.status_code == never.status_code == 409
    assert b"not on your page any more" in response.content
    assert b"not on your page any more" in never.content
    assert b"What you wrote, to copy" in response.content
    assert b">mine</textarea>" in response.content
    assert not Vote.objects.exists()


def test_a_campaign_that_closed_meanwhile_keeps_what_was_written(
    campaign: Campaign, rater: Visitor
) -> None:
    fields = rater.form()
    Campaign.objects.filter(pk=campaign.pk).update(closed_at=NOW)
    response = rater.send("cast", {**fields, "choice": "a", "comment": "too late?"})
    assert response.status_code == 409
    assert b"This vote has closed." in response.content
    assert b">too late?</textarea>" in response.content


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


@pytest.mark.parametrize("token", ["nobody-knows-this", "x" * 300, "a%00b", "%F0%9F%99%82", "a b"])
@pytest.mark.parametrize("act", ["", "cast/", "consent/"])
def test_an_address_nobody_gave_out_is_a_404_of_one_shape(
    client: Client, db: None, token: str, act: str
) -> None:
    address = f"/vote/{token}/{act}"
    response = client.post(address, {"choice": "a"}) if act else client.get(address)
    assert response.status_code == 404
    assert b"There is no vote at this address" in response.content
    assert b"/benchmarks/" not in response.content
    assert response["Cache-Control"] == "no-store"


def test_a_form_without_its_token_is_refused_on_a_page_for_raters(campaign: Campaign) -> None:
    rater = Visitor(campaign, enforce_csrf_checks=True)
    response = rater.send("consent")
    assert response.status_code == 403
    assert b"The form was out of date" in response.content
    assert b"Main" not in response.content


@pytest.mark.parametrize(
    ("origin", "status"),
    [("null", 303), ("http://testserver", 303), ("https://elsewhere.example", 403), (None, 303)],
)
def test_a_form_with_its_token_is_ours_unless_it_names_another_origin(
    campaign: Campaign, origin: str | None, status: int
) -> None:
    rater = Visitor(campaign, enforce_csrf_checks=True)
    rater.look()
    token = rater.client.cookies["csrftoken"].value
    headers = {"origin": origin} if origin else {}
    response = rater.send("consent", {"csrfmiddlewaretoken": token}, headers=headers)
    assert response.status_code == status


def test_the_script_is_told_in_one_paragraph(rater: Visitor) -> None:
    fields = {**rater.form(), "choice": "c"}
    response = rater.send("cast", fields, headers=PARTIAL)
    assert response.status_code == 400
    assert response.content.startswith(b"<p>There is no such choice")
    assert b"<html" not in response.content


def test_too_many_fields_are_refused_in_words(rater: Visitor) -> None:
    response = rater.send("cast", {f"field{number}": 1 for number in range(1_100)})
    assert response.status_code == 400
    assert b"The form could not be read" in response.content


def test_a_broken_upload_is_refused_in_words(rater: Visitor) -> None:
    response = rater.client.post(
        f"{rater.address}cast/", b"nonsense", content_type="multipart/form-data"
    )
    assert response.status_code == 400
    assert b"The form could not be read" in response.content


def test_a_flood_of_votes_is_slowed_down_in_words(
    rater: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_OF_A_RATER", 3)
    statuses = [rater.send("undo").status_code for _ in range(5)]
    assert statuses == [409, 409, 409, 429, 429]
    response = rater.send("undo", headers=PARTIAL)
    assert 1 <= int(response["Retry-After"]) <= 60
    assert b"That was very fast" in response.content


def test_a_rater_is_counted_apart_from_the_neighbours(
    campaign: Campaign, rater: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_OF_A_RATER", 2)
    assert [rater.send("undo").status_code for _ in range(3)] == [409, 409, 429]
    neighbour = Visitor(campaign)
    assert neighbour.join().status_code == 303
    assert neighbour.look().status_code == 200


def test_visitors_without_a_place_are_counted_by_address(
    visitor: Visitor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "MAX_OF_AN_ADDRESS", 1)
    settings.MEMJURY_PRODUCTION = True
    settings.SECURE_SSL_REDIRECT = False

    def look(forwarded: str) -> int:
        return int(visitor.look(headers={"X-Forwarded-For": forwarded}).status_code)

    assert look("9.9.9.9, 10.0.0.1") == 200
    assert look("8.8.8.8, 10.0.0.1") == 429
    assert look("9.9.9.9, 10.0.0.2") == 200


def test_nobody_is_slowed_down_while_the_throttle_is_off(
    rater: Visitor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEMJURY_THROTTLE = False
    monkeypatch.setattr(throttle, "MAX_OF_A_RATER", 1)
    assert [rater.send("undo").status_code for _ in range(4)] == [409] * 4


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
