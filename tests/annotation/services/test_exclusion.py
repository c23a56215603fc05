"""Withdrawal, exclusion and unblinding reopen places; a reversal never counts one too many."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from annotation.blinding import voting_page as stages
from annotation.models import (
    Assignment,
    AuditEntry,
    CampaignTally,
    Invitation,
    Rater,
    Unblinding,
    Vote,
    VoteEvent,
)
from annotation.services.exclusion import (
    ExclusionPointless,
    RaterNotFound,
    exclude_rater,
    restore_rater,
)
from annotation.services.unblinding import mark_unblinded
from annotation.services.voting import admit_rater, admit_simulated_rater
from annotation.services.voting_refusals import (
    CampaignClosed,
    InvitationUnusable,
    RaterBarred,
)
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import NOW, make_campaign

pytestmark = pytest.mark.django_db


def test_withdrawing_erases_votes_and_history_and_reopens_the_places() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    for _ in range(3):
        rater.cast()
    rater.undo()
    page = rater.withdraw()
    assert (page.stage, page.pair) == (stages.CLOSED, None)
    rows = (Vote, VoteEvent, Assignment)
    assert [model.objects.count() for model in rows] == [0, 0, 0]
    assert rater.withdraw() == page
    with pytest.raises(RaterBarred):
        rater.finish()
    check_books(campaign)
    assert ActingRater(campaign).page().stage == stages.VOTING


def test_an_exclusion_reopens_places_and_is_on_record() -> None:
    campaign = make_campaign(n_pairs=2)
    bad, other = ActingRater(campaign), ActingRater(campaign, seed=2)
    bad.cast()
    bad.cast()
    assert other.page().stage == stages.DONE
    by = User.objects.create(username="lead")
    version = CampaignTally.objects.get(campaign=campaign).version
    exclude_rater(campaign=campaign, pseudonym=bad.row.pseudonym, reason="always A", by=by, now=NOW)
    assert CampaignTally.objects.get(campaign=campaign).version > version
    assert set(Vote.objects.values_list("slot", "not_counted")) == {(None, "excluded")}
    assert VoteEvent.objects.filter(action="excluded").count() == 2
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor) == ("rater excluded", by)
    assert entry.detail == {"rater": bad.row.pseudonym, "reason": "always A", "n_votes": 2}
    assert bad.page().stage == stages.CLOSED
    assert other.page().stage == stages.VOTING
    check_books(campaign)


def test_a_reversed_exclusion_counts_where_a_place_is_free_and_is_surplus_elsewhere() -> None:
    campaign = make_campaign(n_pairs=2)
    bad, other = ActingRater(campaign), ActingRater(campaign, seed=2)
    bad.cast()
    bad.cast()
    name = bad.row.pseudonym
    exclude_rater(campaign=campaign, pseudonym=name, reason="x", by=None, now=NOW)
    other.cast()
    other.finish()
    restore_rater(campaign=campaign, pseudonym=name, by=None, now=NOW)
    own = Vote.objects.filter(rater=bad.row)
    assert sorted(own.values_list("not_counted", flat=True)) == ["", "surplus"]
    assert (bad.row.n_votes, bad.row.n_counted) == (2, 1)
    assert Vote.objects.counted().count() == 2
    check_books(campaign)


def test_an_exclusion_needs_a_rater_a_reason_and_a_change() -> None:
    campaign = make_campaign()
    name = ActingRater(campaign).row.pseudonym
    with pytest.raises(RaterNotFound):
        exclude_rater(campaign=campaign, pseudonym="nobody", reason="x", by=None, now=NOW)
    with pytest.raises(ExclusionPointless):
        exclude_rater(campaign=campaign, pseudonym=name, reason=" ", by=None, now=NOW)
    with pytest.raises(ExclusionPointless):
        restore_rater(campaign=campaign, pseudonym=name, by=None, now=NOW)


def test_who_opened_an_embargoed_answer_cannot_vote_and_earlier_votes_count_no_more() -> None:
    campaign = make_campaign()
    user = User.objects.create(username="lead")
    rater = ActingRater(campaign, user=user)
    page = rater.cast()
    for _ in range(2):
        mark_unblinded(user=user, campaign_id=campaign.pk, what="/benchmarks/x/", now=NOW)
    assert Unblinding.objects.count() == 1
    assert Vote.objects.get().not_counted == "unblinded"
    assert not Assignment.objects.filter(is_live=True).exists()
    with pytest.raises(RaterBarred):
        rater.cast(on=page)
    assert rater.page().stage == stages.CLOSED
    assert rater.page(user=user, rater_key=None).stage == stages.CLOSED
    with pytest.raises(RaterBarred):
        ActingRater(campaign, user=user)
    check_books(campaign)


def test_votes_of_who_was_unblinded_while_excluded_do_not_count_again() -> None:
    campaign = make_campaign()
    user = User.objects.create(username="lead")
    rater = ActingRater(campaign, user=user)
    rater.cast()
    name = rater.row.pseudonym
    exclude_rater(campaign=campaign, pseudonym=name, reason="x", by=None, now=NOW)
    mark_unblinded(user=user, campaign_id=campaign.pk, what="/benchmarks/x/", now=NOW)
    restore_rater(campaign=campaign, pseudonym=name, by=None, now=NOW)
    vote = Vote.objects.get()
    assert (vote.slot, vote.not_counted, rater.row.n_counted) == (None, "unblinded", 0)
    check_books(campaign)


def test_a_browser_that_holds_a_place_gets_no_second_one() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    assert ActingRater(campaign, rater_key=rater.key).key == rater.key
    exclude_rater(campaign=campaign, pseudonym=rater.row.pseudonym, reason="x", by=None, now=NOW)
    assert ActingRater(campaign, rater_key=rater.key).key == rater.key
    other = make_campaign(slug="other")
    assert ActingRater(other, rater_key=rater.key).key != rater.key


def test_a_signed_in_person_is_one_rater_wherever_they_join() -> None:
    campaign = make_campaign()
    user = User.objects.create(username="ada")
    assert ActingRater(campaign, user=user).key == ActingRater(campaign, user=user).key
    assert ActingRater(campaign).key != ActingRater(campaign).key
    assert Rater.objects.count() == 3


def test_the_next_person_at_a_shared_browser_does_not_vote_as_the_one_before() -> None:
    campaign = make_campaign()
    ada, bob = (User.objects.create(username=name) for name in ("ada", "bob"))
    first = ActingRater(campaign, user=ada)
    assert first.page(user=ada).stage == stages.VOTING
    assert first.page(user=bob).stage == stages.CONSENT
    assert ActingRater(campaign, user=bob, rater_key=first.key).row.user == bob
    nobody = ActingRater(campaign)
    eve = User.objects.create(username="eve")
    assert nobody.page(user=eve).stage == stages.VOTING
    assert ActingRater(campaign, user=eve, rater_key=nobody.key).key == nobody.key


def test_an_invitation_is_one_seat() -> None:
    campaign = make_campaign(invite_only=True)
    Invitation.objects.create(campaign=campaign, token="seat", created_at=NOW)
    key = ActingRater(campaign, invitation="seat").key
    assert ActingRater(campaign, invitation="seat").key == key
    for token in (None, "", "other"):
        with pytest.raises(InvitationUnusable):
            ActingRater(campaign, invitation=token)
    Invitation.objects.update(revoked_at=NOW)
    with pytest.raises(InvitationUnusable):
        ActingRater(campaign, invitation="seat")


def test_people_and_simulated_raters_never_share_a_campaign() -> None:
    real, simulated = make_campaign(), make_campaign(slug="sim", is_simulated=True)
    with pytest.raises(CampaignClosed):
        admit_rater(campaign_token=simulated.link_token, user=None, invitation=None, now=NOW)
    with pytest.raises(CampaignClosed):
        admit_simulated_rater(campaign_token=real.link_token, name="sim-1", now=NOW)
    token = simulated.link_token
    key = admit_simulated_rater(campaign_token=token, name="sim-1", now=NOW)
    assert admit_simulated_rater(campaign_token=token, name="sim-1", now=NOW) == key
