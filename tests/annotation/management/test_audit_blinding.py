"""The audit of blinding: what it lists, and each thing that it calls wrong."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from annotation.models import Assignment, Campaign, CampaignTally, Pair, Rater, RenderedText, Vote
from annotation.services.campaign_control import open_campaign
from annotation.services.unblinding import mark_unblinded
from tests.annotation.rater_acts import ActingRater
from tests.annotation.services.measured_campaigns import LATER, NOW, campaign_of, scored_run
from tests.evaluation.management.commands_run import run_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    made = campaign_of(scored_run(), overlap=2)
    return open_campaign(campaign=made, by=None, now=NOW)


@pytest.fixture
def rater(campaign: Campaign) -> ActingRater:
    """Voted four times, skipped once, and has the next pair."""
    rater = ActingRater(campaign, now=LATER)
    rater.cast("a")
    rater.skip()
    for _ in range(3):
        rater.wait(seconds=30).cast("b")
    return rater


def audited(*options: str, code: int = 0) -> str:
    done = run_command("audit_blinding", *options, app="annotation")
    assert done.code == code, done.err
    return done.out


def test_it_lists_what_each_rater_was_shown_and_knew(
    campaign: Campaign, rater: ActingRater
) -> None:
    text = audited(campaign.slug)
    assert f"rater {rater.row.pseudonym}: anonymous, voting, 6 pairs, 0 reveals" in text
    assert text.count("voted b") == 3
    assert text.count("0 reveals before") == 4
    assert text.count("; skipped") == 1
    assert "A bm25" in text
    assert "Nothing is wrong." in text


def test_reveals_stand_beside_the_votes(campaign: Campaign, rater: ActingRater) -> None:
    Campaign.objects.update(closed_at=rater.wait(minutes=1).now)
    rater.finish()
    assert audited(campaign.slug).count("; revealed 2026-05-04") == 4


def test_json_holds_the_same(campaign: Campaign, rater: ActingRater) -> None:
    (told,) = json.loads(audited("--format", "json"))
    assert told["campaign"] == campaign.slug
    assert told["problems"] == []
    assert told["scan"]["n_questions"] == campaign.questions.count()
    (shown,) = told["raters"]
    assert [one["choice"] for one in shown["shown"]].count("b") == 3
    assert {side["system"] for side in told["sides"]} == {
        "bm25",
        "simple-rag@static",
        "orrery@static",
    }
    assert all(abs(side["n_left"] - side["n_right"]) <= 4 for side in told["sides"])


def test_unblinded_people_are_named_and_their_votes_do_not_count(campaign: Campaign) -> None:
    user = User.objects.create_user("ada")
    rater = ActingRater(campaign, now=LATER, user=user)
    rater.cast()
    mark_unblinded(user=user, campaign_id=campaign.pk, what="/benchmarks/x/", now=LATER)
    assert "unblinded: ada, 2026-05-04 10:00:00, /benchmarks/x/" in audited(campaign.slug)
    vote = Vote.objects.get()
    Vote.objects.filter(pk=vote.pk).update(slot=1, not_counted="")
    text = audited(campaign.slug, code=1)
    assert "ada is unblinded, and 1 of their votes count" in text


def name_a_system(campaign: Campaign) -> str:
    pair = campaign.pairs.order_by("position")[0]
    text = RenderedText.objects.get(pk=pair.first_text_id)
    text.html = "<p>As orrery@static recalls, it anneals.</p>"
    text.save()
    return "“orrery@static” can reach raters"


def hide_a_system(campaign: Campaign) -> str:
    pair = campaign.pairs.order_by("position")[0]
    text = RenderedText.objects.get(pk=pair.first_text_id)
    text.html = '<p class="orrery">It anneals.</p>'
    text.save()
    return "in the markup “orrery” can reach raters"


def shift_sides(campaign: Campaign) -> str:
    CampaignTally.objects.filter(campaign=campaign).update(side_balance={"1": 3})
    return "the balance that sides are drawn by is not what was shown"


def crowd_the_left(campaign: Campaign) -> str:
    bm25 = campaign.systems.get(label="bm25")
    for number in range(5):
        rater = ActingRater(campaign, now=LATER)
        pair = campaign.pairs.filter(first_system=bm25).order_by("position")[0]
        Assignment.objects.create(
            public_id=f"x{number}", campaign=campaign, pair=pair, rater=rater.row,
            left_is_first=True, assigned_at=LATER, lock_until=LATER,
        )  # fmt: skip
    return "bm25 stood 5 times on the left and 0 on the right"


def turn_a_vote(campaign: Campaign) -> str:
    ActingRater(campaign, now=LATER).cast()
    vote = Vote.objects.get()
    Vote.objects.update(left_is_first=not vote.left_is_first)
    return "1 vote: stand on other sides than were shown"


def vote_after_reveal(campaign: Campaign) -> str:
    rater = ActingRater(campaign, now=LATER)
    rater.cast()
    rater.row.reveals.create(pair=Vote.objects.get().pair, at=NOW)
    return "came after the pair was revealed"


def send_to_review(campaign: Campaign) -> str:
    ActingRater(campaign, now=LATER).cast()
    Pair.objects.update(needs_review=True)
    return "are on pairs that wait for review"


def forget_what_was_given(campaign: Campaign) -> str:
    ActingRater(campaign, now=LATER).cast()
    Vote.objects.update(assignment=None)
    return "never given to the rater"


def let_a_machine_in(campaign: Campaign) -> str:
    ActingRater(campaign, now=LATER)
    Rater.objects.update(kind=Rater.SIMULATED)
    return "1 simulated raters among its raters"


@pytest.mark.parametrize(
    "harm",
    [
        name_a_system, hide_a_system, shift_sides, crowd_the_left, turn_a_vote, vote_after_reveal,
        send_to_review, forget_what_was_given, let_a_machine_in,
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_ends_with_code_1(
    campaign: Campaign, harm: Callable[[Campaign], str]
) -> None:
    sentence = harm(campaign)
    text = audited(campaign.slug, code=1)
    assert sentence in text
    assert "WRONG:" in text


def test_an_accepted_finding_is_listed_and_not_wrong(campaign: Campaign) -> None:
    name_a_system(campaign)
    Pair.objects.update(reviewed_at=LATER)
    text = audited(campaign.slug)
    assert "(reviewed): name “orrery@static”" in text


def test_an_unknown_campaign_is_said_in_words() -> None:
    done = run_command("audit_blinding", "nowhere", app="annotation")
    assert done.code == 1
    assert "there is no campaign 'nowhere'" in done.err
