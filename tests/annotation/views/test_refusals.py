"""What a rater's addresses refuse, in words, keeping what was written."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from annotation.models import Campaign, Rater, Vote
from annotation.services import voting
from annotation.views import door
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
