"""A rater without a script: from the link to the end."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Campaign, Rater, Vote
from annotation.services.invitations import make_invitations
from annotation.services.unblinding import mark_unblinded
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.views.conftest import PARTIAL, Visitor, hidden_fields

pytestmark = pytest.mark.django_db


def test_a_visitor_is_asked_for_consent_first(visitor: Visitor) -> None:
    page = visitor.look()
    assert page.status_code == 200
    assert b"I agree, start" in page.content
    assert b"Answer A" not in page.content
    assert not Rater.objects.exists()


def test_a_whole_vote_needs_forms_alone(visitor: Visitor) -> None:
    response = visitor.join()
    assert (response.status_code, response["Location"]) == (303, visitor.address)
    for number, choice in enumerate(("a", "b", "tie", "both_bad"), start=1):
        page = visitor.look()
        assert f"Pair {number} of 4".encode() in page.content or b"decided so far" in page.content
        response = visitor.vote(choice, reasons=["more correct", "clearer"], comment="fine")
        assert (response.status_code, response["Location"]) == (303, visitor.address)
    end = visitor.look().content.decode()
    assert "Your voting has ended" in end
    assert "Your completion code" in end
    assert "simple-rag" not in end
    visitor.send("finish")
    end = visitor.look().content.decode()
    assert "Who wrote what" in end
    assert "simple-rag" in end
    votes = Vote.objects.order_by("pk")
    assert [vote.choice for vote in votes] == ["a", "b", "tie", "both_bad"]
    assert votes[0].reasons == ["more correct", "clearer"]
    assert votes[0].comment == "fine"


def test_a_stored_vote_is_confirmed_on_the_next_page(rater: Visitor) -> None:
    rater.vote()
    page = rater.look()
    assert b"Your vote is stored." in page.content
    assert b"Your vote is stored." not in rater.look().content


def test_comment_and_confidence_are_stored_as_they_were_typed(rater: Visitor) -> None:
    rater.vote(comment="first\r\nsecond “quoted” 🙂 שלום =cmd", confidence="4")
    vote = Vote.objects.get()
    assert vote.comment == "first\nsecond “quoted” 🙂 שלום =cmd"
    assert vote.confidence == 4


def test_a_vote_can_be_taken_back_and_given_again(rater: Visitor) -> None:
    first = rater.look().content
    rater.vote("a")
    assert b"undo/" not in first
    assert b"undo/" in rater.look().content
    rater.send("undo")
    assert not Vote.objects.exists()
    assert b"Your last vote is taken back" in rater.look().content
    rater.vote("b")
    assert Vote.objects.get().choice == "b"


def test_a_skipped_pair_gives_way_to_another(rater: Visitor) -> None:
    before = rater.form()
    rater.send("skip", before)
    assert rater.form()["assignment"] != before["assignment"]
    assert Rater.objects.get().n_skips == 1


def test_the_same_form_sent_twice_is_one_vote(rater: Visitor) -> None:
    fields = {**rater.form(), "choice": "a"}
    first = rater.send("cast", fields, headers=PARTIAL)
    again = rater.send("cast", fields, headers=PARTIAL)
    assert Vote.objects.count() == 1
    assert (first.status_code, again.status_code) == (200, 200)
    assert hidden_fields(first)["assignment"] == hidden_fields(again)["assignment"]


def test_an_old_page_cannot_change_a_vote(rater: Visitor) -> None:
    fields = rater.form()
    rater.send("cast", {**fields, "choice": "a"})
    response = rater.send("cast", {**fields, "choice": "b", "comment": "on second thoughts"})
    assert response.status_code == 409
    assert Vote.objects.get().choice == "a"
    assert b"on second thoughts" in response.content


def test_one_post_stores_the_vote_and_brings_the_next_pair(rater: Visitor) -> None:
    fields = {**rater.form(), "choice": "tie"}
    response = rater.send("cast", fields, headers=PARTIAL)
    assert response.status_code == 200
    assert b"<html" not in response.content
    assert response.content.lstrip().startswith(b'<div id="stage" data-stage="voting"')
    assert hidden_fields(response)["assignment"] != fields["assignment"]
    assert "X-Partial" in response["Vary"]


def test_loading_the_page_again_shows_the_same_pair_on_the_same_sides(rater: Visitor) -> None:
    def without_tokens(html: bytes, fields: dict[str, str]) -> str:
        text = html.decode()
        for value in fields.values():
            text = text.replace(value, "")
        return text

    first, second = rater.look(), rater.look()
    assert hidden_fields(first)["assignment"] == hidden_fields(second)["assignment"]
    assert without_tokens(first.content, hidden_fields(first)) == without_tokens(
        second.content, hidden_fields(second)
    )


def test_withdrawing_needs_a_tick_and_erases(rater: Visitor) -> None:
    rater.vote()
    refused = rater.send("withdraw")
    assert refused.status_code == 400
    assert b"tick the box" in refused.content
    assert Vote.objects.count() == 1
    rater.send("withdraw", {"sure": "on"})
    assert not Vote.objects.exists()
    page = rater.look().content
    assert b"your votes are erased" in page
    assert b"Withdraw and erase" not in page


def test_continue_reveals_each_pair_where_the_campaign_says_so(db: None) -> None:
    rater = Visitor(make_campaign(n_pairs=2, reveal="each"))
    rater.join()
    rater.vote()
    before = rater.look().content
    assert b"Your vote is stored" in before
    assert b"simple-rag" not in before
    rater.send("continue")
    shown = rater.look().content
    assert b"Who wrote these answers" in shown
    assert b"undo/" not in shown
    rater.send("continue")
    assert b"Answer A" in rater.look().content


def test_a_rater_waits_while_others_decide_what_is_left(db: None) -> None:
    campaign = make_campaign(n_pairs=1)
    first, second = Visitor(campaign), Visitor(campaign)
    first.join()
    first.look()
    second.join()
    page = second.look().content
    assert b"Nothing to decide at this moment" in page
    assert b"data-poll" in page


def test_an_invitation_goes_with_the_form_and_leaves_the_address(db: None) -> None:
    campaign = make_campaign(invite_only=True)
    seat = make_invitations(campaign=campaign, n=1, by=None, now=NOW)[0].token
    visitor = Visitor(campaign)
    refused = visitor.join()
    assert refused.status_code == 409
    assert b"by invitation" in refused.content
    page = visitor.look(f"?seat={seat}")
    assert f'name="seat" value="{seat}"'.encode() in page.content
    response = visitor.send("consent", {"seat": seat})
    assert response["Location"] == visitor.address
    assert b"Answer A" in visitor.look().content


def test_the_rater_of_a_signed_in_person_is_theirs_in_every_browser(
    campaign: Campaign, django_user_model: Any
) -> None:
    person = django_user_model.objects.create_user("reader")
    for _ in range(2):
        visitor = Visitor(campaign)
        visitor.client.force_login(person)
        visitor.join()
        visitor.vote()
    assert Rater.objects.get().n_votes == 2


def test_a_closed_campaign_says_so(db: None) -> None:
    visitor = Visitor(make_campaign(is_open=False))
    page = visitor.look()
    assert page.status_code == 200
    assert b"This vote is not open yet." in page.content
    refused = visitor.join()
    assert refused.status_code == 409
    assert b"not open yet" in refused.content


def test_two_raters_have_a_place_each(campaign: Campaign) -> None:
    for _ in range(2):
        visitor = Visitor(campaign)
        visitor.join()
        visitor.vote()
    assert Rater.objects.count() == 2
    assert Client().get(visitor.address).cookies.keys() == {"csrftoken"}


def test_whoever_has_seen_the_authors_cannot_vote_but_can_withdraw(
    campaign: Campaign, rater: Visitor, django_user_model: Any
) -> None:
    rater.vote()
    fields = {**rater.form(), "choice": "a"}
    person = django_user_model.objects.create_user("curious")
    mark_unblinded(user=person, campaign_id=campaign.pk, what="/runs/1/", now=NOW)
    rater.client.force_login(person)
    response = rater.send("cast", fields)
    assert response.status_code == 403
    assert b"you know who wrote them" in response.content
    assert Vote.objects.count() == 1
    rater.send("withdraw", {"sure": "on"})
    assert not Vote.objects.exists()
