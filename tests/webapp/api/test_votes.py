"""A vote over the API, from the consent to the end, and what is refused on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from annotation.models import Campaign, Rater, Vote
from annotation.services.unblinding import mark_unblinded
from tests.annotation.toy_campaigns import LABELS, make_campaign

pytestmark = pytest.mark.django_db


class ApiRater:
    """Speaks to one campaign; keeps the key that joining gives."""

    def __init__(self, client: APIClient | None = None, slug: str = "toy") -> None:
        self.client = client or APIClient()
        self.slug = slug
        self.key = ""
        self.state: dict[str, Any] = {}

    def act(self, act: str, **fields: Any) -> Any:
        return self._post(f"/api/v1/campaigns/{self.slug}/{act}/", fields)

    def join(self, **fields: Any) -> Any:
        asked = {"consent": True, "link": f"link-{self.slug}", **fields}
        response = self.act("assignments", **asked)
        self.key = response.json().get("rater_key", "")
        return response

    def on_pair(self, act: str = "vote", **fields: Any) -> Any:
        return self._post(f"/api/v1/assignments/{self.state['assignment']['id']}/{act}/", fields)

    def vote(self, choice: str = "a", **fields: Any) -> Any:
        return self.on_pair(choice=choice, **fields)

    def _post(self, address: str, fields: dict[str, Any]) -> Any:
        named = {"rater_key": self.key} if self.key else {}
        response = self.client.post(address, {**named, **fields}, format="json")
        if response.status_code == 200:
            self.state = response.json()
        return response


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(n_pairs=3, ask_confidence=True)


@pytest.fixture
def rater(campaign: Campaign) -> ApiRater:
    joined = ApiRater()
    joined.join()
    return joined


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
