"""Raters' pages, exclusion, rules and invitations."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import quote

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client

from annotation.models import AuditEntry, Campaign, Invitation, Rater, Vote
from annotation.queries import exclusion_rules, raters
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

PARTIAL = {"HX-Request": "true"}
RATERS = "/campaigns/toy/raters/"


@pytest.fixture
def voted(db: None) -> Campaign:
    campaign = make_campaign(overlap=2, attention_exclude_below=0.7)
    ann = add_rater(campaign, "ann", n_checks=4, n_checks_right=1)
    bob = add_rater(campaign, "bob")
    for pair in campaign.pairs.order_by("position")[:3]:
        add_vote(ann, pair, "a")
        add_vote(bob, pair, "a")
    return campaign


def test_the_table_shows_shares_with_their_n(lead: Client, voted: Campaign) -> None:
    text = lead.get(RATERS).content.decode()
    assert "1 of 4 attention checks right, below 70 %" in text
    assert "n = 3" in text
    assert "no check" in text


def test_a_partial_has_the_table_alone(lead: Client, voted: Campaign) -> None:
    text = lead.get(RATERS, {"standing": "voting"}, headers=PARTIAL).content.decode()
    assert "<h1" not in text
    assert "ann" in text


def test_empty_states_say_what_to_do(lead: Client, voted: Campaign) -> None:
    assert (
        "No rater is in that standing."
        in lead.get(RATERS, {"standing": "finished"}).content.decode()
    )
    make_campaign(slug="fresh")
    assert "Nobody has joined yet." in lead.get("/campaigns/fresh/raters/").content.decode()


@pytest.mark.parametrize("wrong", [{"standing": "x"}, {"sort": "x"}, {"page": "x"}])
def test_a_filter_nobody_offers_is_refused(
    lead: Client, voted: Campaign, wrong: dict[str, str]
) -> None:
    assert lead.get(RATERS, wrong).status_code == 400


def test_what_is_undefined_is_said(lead: Client, voted: Campaign) -> None:
    add_rater(voted, "eve")
    text = lead.get(f"{RATERS}eve/").content.decode()
    assert "undefined: no vote for a side" in text
    assert "undefined: nobody else has a counted vote on the same pairs" in text
    assert "not known: no vote with a time" in text


def test_a_rater_is_excluded_with_a_reason_and_counted_again(lead: Client, voted: Campaign) -> None:
    page = f"{RATERS}ann/"
    text = lead.post(page, {"action": "exclude", "reason": "always left"}, follow=True)
    assert "ann is excluded; the votes are kept." in text.content.decode()
    assert Vote.objects.filter(rater__pseudonym="ann", not_counted="excluded").count() == 3
    assert "always left" in lead.get(page).content.decode()
    text = lead.post(page, {"action": "restore"}, follow=True)
    assert "ann is counted again." in text.content.decode()
    assert Vote.objects.counted().filter(rater__pseudonym="ann").count() == 3
    entries = AuditEntry.objects.order_by("pk").values_list("action", "actor_name")
    assert list(entries) == [("rater excluded", "lead"), ("rater restored", "lead")]


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"action": "exclude", "reason": "  "}, "An exclusion needs a reason."),
        ({"action": "exclude", "reason": "x" * 501}, "at most 500"),
        ({"action": "burn"}, ""),
    ],
)
def test_an_exclusion_without_a_reason_is_refused(
    lead: Client, voted: Campaign, sent: dict[str, str], sentence: str
) -> None:
    reply = lead.post(f"{RATERS}ann/", sent)
    assert reply.status_code == 400
    assert sentence in reply.content.decode()
    assert not Rater.objects.exclude(excluded_at=None).exists()


def test_a_rater_who_is_not_there_is_a_404(lead: Client, voted: Campaign) -> None:
    assert lead.get(f"{RATERS}nobody/").status_code == 404


def test_a_name_with_slashes_and_marks_has_its_page(lead: Client, voted: Campaign) -> None:
    add_rater(voted, "lab/ann? & co")
    address = lead.get(RATERS).content.decode().split("/raters/lab")[1].split('"')[0]
    address = address.replace("&amp;", "&")
    assert lead.get(f"{RATERS}lab{address}").status_code == 200


def test_the_rules_exclude_who_meets_one(lead: Client, voted: Campaign) -> None:
    reply = lead.post("/campaigns/toy/rules/", follow=True)
    assert "excluded: ann." in reply.content.decode()
    reply = lead.post("/campaigns/toy/rules/", follow=True)
    assert "nobody who was not excluded before" in reply.content.decode()
    entries = AuditEntry.objects.filter(action="exclusion rules applied")
    assert [entry.actor_name for entry in entries] == ["lead", "lead"]


@pytest.mark.parametrize("page", ["/campaigns/toy/", RATERS])
def test_a_page_after_the_closing_time_shows_the_rules_applied(
    lead: Client, voted: Campaign, page: str
) -> None:
    Campaign.objects.update(closes_at=NOW)
    text = lead.get(page).content.decode()
    assert "exclusion rule and is not excluded" not in text
    assert Rater.objects.get(pseudonym="ann").excluded_at is not None


def test_rules_are_told_before_they_act(lead: Client, voted: Campaign) -> None:
    overview = lead.get("/campaigns/toy/").content.decode()
    assert "1 rater meets an exclusion rule and is not excluded." in overview
    assert "raters who meet an exclusion rule are excluded then" in overview
    assert (
        "Fixed before opening, excluded are raters with: Fewer than 70 %"
        in lead.get(RATERS).content.decode()
    )


def test_too_fast_raters_are_told_where_no_rule_looks_at_them(lead: Client, db: None) -> None:
    campaign = make_campaign(overlap=3)
    hasty, steady, slow = (add_rater(campaign, name) for name in ("hasty", "steady", "slow"))
    for number, pair in enumerate(campaign.pairs.order_by("position")[:4]):
        add_vote(hasty, pair, "a", is_too_fast=number < 2)
        add_vote(steady, pair, "a", is_too_fast=number < 1)
        add_vote(slow, pair, "b")
    overview = lead.get("/campaigns/toy/").content.decode()
    assert "1 rater answered too fast on more than 25 % of their votes: under 15 %" in overview
    text = lead.get(RATERS).content.decode()
    assert text.count("too fast on more than 25 % of the votes") == 1
    assert "Answered too fast on 2 of 4 votes" in lead.get(f"{RATERS}hasty/").content.decode()
    assert "Answered too fast" not in lead.get(f"{RATERS}steady/").content.decode()


def test_the_share_that_is_said_is_the_one_that_counts(
    lead: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exclusion_rules, "OFTEN", 0.4)
    monkeypatch.setattr(raters, "OFTEN", 0.4)
    campaign = make_campaign(overlap=1)
    add_vote(add_rater(campaign, "hasty"), campaign.pairs.all()[0], "a", is_too_fast=True)
    assert "too fast on more than 40 % of the votes" in lead.get(RATERS).content.decode()
    assert "on 1 of 1 votes, more than 40 %:" in lead.get(f"{RATERS}hasty/").content.decode()


@pytest.fixture
def invited(db: None) -> Campaign:
    return make_campaign(invite_only=True)


def test_invitations_are_made_listed_and_revoked(lead: Client, invited: Campaign) -> None:
    lead.post("/campaigns/toy/invitations/", {"n": "2", "note": "the lab"})
    first, second = Invitation.objects.order_by("pk")
    text = lead.get(RATERS).content.decode()
    assert f"http://testserver/vote/link-toy/?seat={first.token}" in text
    lead.post(f"/campaigns/toy/invitations/{first.pk}/revoke/")
    text = lead.get(RATERS).content.decode()
    assert first.token not in text
    assert second.token in text


@pytest.mark.parametrize("n", ["0", "1001", "many", ""])
def test_a_number_that_cannot_be_is_refused_in_words(
    lead: Client, invited: Campaign, n: str
) -> None:
    reply = lead.post("/campaigns/toy/invitations/", {"n": n}, follow=True)
    assert "No invitation was made. How many:" in reply.content.decode()
    assert not Invitation.objects.exists()


def test_an_invitation_that_is_not_there_is_refused_in_words(
    lead: Client, invited: Campaign
) -> None:
    reply = lead.post("/campaigns/toy/invitations/99/revoke/", follow=True)
    assert "no invitation 99" in reply.content.decode()


def test_nothing_on_these_pages_names_a_system(lead: Client, voted: Campaign) -> None:
    labels = list(voted.systems.values_list("label", flat=True))
    for page in (RATERS, f"{RATERS}ann/"):
        text = lead.get(page).content.decode()
        assert not [label for label in labels if label in text]


def test_the_pages_cost_few_queries(
    lead: Client, voted: Campaign, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        add_rater(voted, f"r{number}", created_at=NOW + dt.timedelta(minutes=number))
    for page in (RATERS, f"{RATERS}ann/"):
        with django_assert_max_num_queries(10):
            lead.get(page)


def test_controls_in_names_and_comments_are_written_out_on_every_page(
    lead: Client, voted: Campaign
) -> None:
    turned = "ann\u202e\u2066evil"
    Campaign.objects.update(name=f"Vote {turned}")
    Rater.objects.filter(pseudonym="ann").update(pseudonym=turned)
    Vote.objects.update(comment=f"so {turned}", reasons=[f"why {turned}"])
    voted.systems.update(label=Concat(Value(f"sys {turned} "), "label"))
    AuditEntry.objects.create(
        at=NOW, actor_name=turned, campaign=voted, action="opened", detail={"note": turned}
    )
    rater = quote(turned, safe="")
    lead.post(f"{RATERS}{rater}/", {"action": "exclude", "reason": f"is {turned}"}, follow=True)
    Rater.objects.filter(pseudonym="bob").update(excluded_reason=turned)
    shown = "ann⟦U+202E⟧⟦U+2066⟧evil"
    for page in (
        "/campaigns/", "/campaigns/toy/", RATERS, f"{RATERS}{rater}/", "/campaigns/toy/votes/",
        "/campaigns/toy/pairs/", "/campaigns/toy/audit/", "/campaigns/toy/export/",
        "/calibration/", "/calibration/toy/",
    ):  # fmt: skip
        text = lead.get(page).content.decode()
        assert shown in text, page
        for control in "\u202e\u2066":
            assert control not in text, page


def test_names_that_read_from_the_right_do_not_turn_what_stands_beside_them(
    lead: Client, voted: Campaign
) -> None:
    Rater.objects.filter(pseudonym="ann").update(pseudonym="שם")
    assert "<bdi>שם</bdi>" in lead.get(RATERS).content.decode()
