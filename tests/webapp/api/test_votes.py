"""A vote over the API, from the consent to the end."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import Campaign, Rater, Vote
from tests.annotation.toy_campaigns import LABELS, make_campaign
from tests.webapp.api.api_raters import ApiRater

pytestmark = pytest.mark.django_db


def test_a_rater_reads_agrees_and_votes_to_the_end(campaign: Campaign) -> None:
    rater = ApiRater()
    first = rater.act("assignments", link="link-toy").json()
    assert (first["stage"], first["assignment"], first["rater_key"]) == ("consent", None, "")
    assert rater.join().json()["stage"] == "voting"
    assert rater.key
    for choice in ("a", "b", "tie"):
        response = rater.vote(choice, reasons=["clearer"], comment="= fine\n", confidence=4)
        assert response.json()["stored"] is True
    assert rater.state["stage"] == "done"
    assert rater.state["assignment"] is None
    votes = Vote.objects.order_by("pk")
    assert [vote.choice for vote in votes] == ["a", "b", "tie"]
    assert (votes[0].comment, votes[0].confidence, votes[0].slot) == ("= fine\n", 4, 1)


def test_a_rater_knows_from_each_answer_whether_they_may_finish(rater: ApiRater) -> None:
    assert rater.state["can_finish"] is False
    assert rater.vote().json()["can_finish"] is True
    done = rater.act("finish").json()
    assert (done["stage"], done["can_finish"], len(done["revealed"])) == ("done", False, 1)


def test_the_link_may_be_the_whole_address(campaign: Campaign) -> None:
    assert ApiRater().join(link="https://jury.example/vote/link-toy/").json()["rater_key"]


def test_asking_again_gives_the_same_pair(rater: ApiRater) -> None:
    pair = rater.state["assignment"]
    assert rater.act("assignments").json()["assignment"] == pair
    assert rater.state["rater_key"] == ""


@pytest.mark.parametrize("act", ["assignments", "undo", "finish", "withdraw", "vote", "skip"])
def test_a_key_of_another_persons_account_is_refused(campaign: Campaign, act: str) -> None:
    ada, bob = (User.objects.create_user(name) for name in ("ada", "bob"))
    owner = ApiRater(APIClient())
    owner.client.force_authenticate(ada)
    owner.join()
    thief = ApiRater(APIClient())
    thief.client.force_authenticate(bob)
    thief.key, thief.state = owner.key, owner.state
    fields = {"sure": True} if act == "withdraw" else {"choice": "a"} if act == "vote" else {}
    response = thief.on_pair(act, **fields) if act in ("vote", "skip") else thief.act(act, **fields)
    assert response.status_code == 403
    assert "another person's account" in response.json()["detail"]
    row = Rater.objects.get(user=ada)
    assert (Vote.objects.count(), row.n_skips, row.finished_at, row.withdrawn_at) == (
        0, 0, None, None,
    )  # fmt: skip
    thief.client.force_authenticate(None)
    assert thief.act("assignments").json()["stage"] == "voting"


def test_a_vote_sent_twice_is_stored_once(rater: ApiRater) -> None:
    pair = rater.state
    sent = [rater.vote("a", client_token="t1").json()]
    following = rater.state
    rater.state = pair
    sent.append(rater.vote("a", client_token="t1").json())
    assert sent[1]["assignment"] == following["assignment"] == sent[0]["assignment"]
    assert Vote.objects.count() == 1
    rater.state = pair
    other = rater.vote("b")
    assert other.status_code == 409
    assert "decided this pair before" in other.json()["detail"]


def test_skipping_and_undoing(rater: ApiRater) -> None:
    first = rater.state["assignment"]
    assert rater.on_pair("skip").json()["assignment"]["id"] != first["id"]
    decided = rater.state["assignment"]
    rater.vote()
    undone = rater.act("undo").json()["assignment"]
    assert undone["left_html"] == decided["left_html"]
    assert undone["id"] != decided["id"]
    assert not Vote.objects.exists()


def test_finishing_reveals_and_withdrawing_erases(rater: ApiRater) -> None:
    rater.vote()
    finished = rater.act("finish").json()
    assert finished["stage"] == "done"
    assert finished["revealed"][0]["left_system"] in LABELS
    assert rater.act("withdraw", sure=False).status_code == 400
    assert Vote.objects.count() == 1
    assert rater.act("withdraw", sure=True).json()["stage"] == "closed"
    assert not Vote.objects.exists()


def test_where_each_vote_is_revealed_continue_shows_who_wrote_it() -> None:
    make_campaign(n_pairs=2, reveal="each")
    rater = ApiRater()
    rater.join()
    assert rater.vote().json()["revealed"] == []
    assert rater.act("continue").json()["revealed"][0]["right_system"] in LABELS
    assert rater.act("continue").json()["stage"] == "voting"


def test_a_signed_in_rater_needs_neither_link_nor_key(
    campaign: Campaign, client_of: Callable[[str], APIClient]
) -> None:
    rater = ApiRater(client_of("rater"))
    assert rater.act("assignments").json()["stage"] == "consent"
    assert rater.act("assignments", consent=True).json()["stage"] == "voting"
    assert rater.vote().json()["stored"]
    assert Rater.objects.get(user__username="a-rater")


def test_a_viewer_needs_the_link(campaign: Campaign, client_of: Callable[[str], APIClient]) -> None:
    rater = ApiRater(client_of("viewer"))
    assert rater.act("assignments", consent=True).status_code == 403
    assert rater.join().json()["stage"] == "voting"


def test_an_invitation_is_asked_for_where_the_vote_is_by_invitation() -> None:
    campaign = make_campaign(invite_only=True)
    campaign.invitations.create(token="seat-1", created_at=timezone.now())
    refused = ApiRater().join()
    assert (refused.status_code, refused.json()["field"]) == (403, "seat")
    assert ApiRater().join(seat="seat-1").json()["stage"] == "voting"


def test_nothing_but_what_a_blind_rater_may_know_is_in_the_answer(rater: ApiRater) -> None:
    told = json.dumps(rater.state)
    assert set(rater.state["assignment"]) == {
        "id", "question_html", "gold_html", "facts", "source_spans", "left_html", "right_html",
        "left_context_html", "right_context_html",
    }  # fmt: skip
    assert not any(label in told for label in (*LABELS, "rubric", "10k"))
