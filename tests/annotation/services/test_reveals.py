"""Reveals come after the vote, close undo everywhere, and never show a check."""

from __future__ import annotations

import pytest

from annotation.blinding import voting_page as stages
from annotation.models import Assignment, Invitation, Pair, Reveal, Vote
from annotation.services.voting_refusals import VoteFrozen
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import LABELS, NOW, make_campaign

pytestmark = pytest.mark.django_db


def test_after_each_vote_undo_is_open_until_the_rater_goes_on() -> None:
    campaign = make_campaign(reveal="each")
    rater = ActingRater(campaign)
    page = rater.cast()
    assert (page.stage, page.can_undo, page.revealed) == (stages.REVEALED, True, ())
    assert rater.page() == page
    assert not Reveal.objects.exists()
    assert rater.undo().stage == stages.VOTING
    rater.cast("b")
    shown = rater.go_on()
    assert (shown.stage, shown.can_undo) == (stages.REVEALED, False)
    (revealed,) = shown.revealed
    vote = Vote.objects.get()
    names = [vote.pair.first_system, vote.pair.second_system]
    left, right = names if vote.left_is_first else names[::-1]
    assert left is not None
    assert right is not None
    assert (revealed.left_system, revealed.right_system) == (left.label, right.label)
    assert revealed.choice == "b"
    assert rater.page() == shown
    following = rater.go_on()
    assert (following.stage, following.can_undo) == (stages.VOTING, False)
    check_books(campaign)


def test_revealing_in_one_tab_freezes_the_vote_in_all() -> None:
    rater = ActingRater(make_campaign(reveal="each"))
    rater.cast()
    rater.go_on()
    with pytest.raises(VoteFrozen):
        rater.undo()
    rater.go_on()
    with pytest.raises(VoteFrozen):
        rater.undo()
    assert Vote.objects.count() == 1


def test_a_skip_does_not_open_a_check_before_it_for_undo() -> None:
    rater = ActingRater(make_campaign(reveal="each", n_qualification=1, n_pairs=3))
    trial = rater.page()
    rater.cast("a" if Assignment.objects.get().left_is_first else "b", on=trial)
    following = rater.skip(rater.go_on())
    assert (following.stage, following.can_undo) == (stages.VOTING, False)
    with pytest.raises(VoteFrozen):
        rater.undo()


def test_each_vote_knows_how_many_reveals_its_rater_had_seen() -> None:
    rater = ActingRater(make_campaign(reveal="each"))
    for _ in range(3):
        rater.cast()
        rater.go_on()
        rater.go_on()
    seen = Vote.objects.order_by("pk").values_list("n_reveals_seen", flat=True)
    assert list(seen) == [0, 1, 2]


def test_where_each_is_revealed_the_end_comes_after_the_last_reveal() -> None:
    rater = ActingRater(make_campaign(n_pairs=1, reveal="each"))
    assert rater.cast().stage == stages.REVEALED
    assert rater.go_on().revealed
    done = rater.go_on()
    assert (done.stage, len(done.revealed)) == (stages.DONE, 1)
    assert rater.page() == done


def test_a_check_is_never_revealed() -> None:
    campaign = make_campaign(reveal="each", n_qualification=1)
    rater = ActingRater(campaign)
    trial = rater.page()
    page = rater.cast("a" if Assignment.objects.get().left_is_first else "b", on=trial)
    assert (page.stage, page.can_undo, page.revealed) == (stages.REVEALED, True, ())
    assert rater.go_on().stage == stages.VOTING
    rater.finish()
    assert not Reveal.objects.filter(pair__kind=Pair.QUALIFICATION).exists()


@pytest.mark.parametrize("reveal", ["end", "each"])
def test_finishing_reveals_everything_and_freezes_it(reveal: str) -> None:
    campaign = make_campaign(reveal=reveal)
    rater = ActingRater(campaign)
    rater.cast()
    before = rater.page()
    assert before.revealed == ()
    done = rater.finish()
    assert (done.stage, done.can_undo, len(done.revealed)) == (stages.DONE, False, 1)
    assert {done.revealed[0].left_system, done.revealed[0].right_system} <= set(LABELS)
    assert rater.finish() == done == rater.page()
    with pytest.raises(VoteFrozen):
        rater.undo()
    check_books(campaign)


def test_an_open_link_reveals_no_pair_that_can_still_be_voted_on_until_it_closes() -> None:
    campaign = make_campaign(n_pairs=2, overlap=2)
    other, rater = ActingRater(campaign, seed=2), ActingRater(campaign)
    page = rater.page()
    rater.cast(on=page)
    rater.cast()
    first = Vote.objects.order_by("pk")[0].pair
    while (shown := other.page()).pair is not None:
        assert page.pair is not None
        if shown.pair.question_html == page.pair.question_html:
            other.cast(on=shown)
            break
        other.skip(shown)
    other.finish()
    done = rater.finish()
    assert [one.question_html for one in done.revealed] == [first.question.question_html]
    assert "Others still vote on one of your pairs" in done.sentence
    assert (done.can_undo, done.can_finish) == (False, False)
    assert rater.page() == done
    again = ActingRater(campaign, seed=3)
    wanted = again.page().pair
    assert wanted is not None
    assert wanted.question_html != first.question.question_html
    campaign.closed_at = NOW
    campaign.save()
    after = rater.page()
    assert (len(after.revealed), after.sentence) == (2, "Thank you: your votes are stored.")
    assert rater.row.n_reveals_seen == Reveal.objects.filter(rater=rater.row).count() == 2
    check_books(campaign)


def test_pairs_that_fill_up_later_are_revealed_when_the_rater_looks_again() -> None:
    campaign = make_campaign(n_pairs=1, overlap=2)
    rater, other = ActingRater(campaign), ActingRater(campaign, seed=2)
    rater.cast()
    assert rater.finish().revealed == ()
    other.cast()
    assert len(rater.page().revealed) == 1


def test_a_place_that_is_taken_and_not_decided_reveals_nothing() -> None:
    campaign = make_campaign(n_pairs=1, overlap=2)
    rater, other = ActingRater(campaign), ActingRater(campaign, seed=2)
    assert other.page().stage == stages.VOTING
    rater.cast()
    assert rater.finish().revealed == ()


def test_by_invitation_everything_is_revealed_at_once() -> None:
    campaign = make_campaign(n_pairs=2, overlap=2, invite_only=True)
    Invitation.objects.create(campaign=campaign, token="seat", created_at=NOW)
    rater = ActingRater(campaign, invitation="seat")
    rater.cast()
    assert len(rater.finish().revealed) == 1


def test_a_page_says_whether_the_rater_may_finish() -> None:
    campaign = make_campaign(n_pairs=2)
    rater = ActingRater(campaign)
    assert not rater.page().can_finish
    assert rater.cast().can_finish
    done = rater.cast()
    assert (done.stage, done.can_finish) == (stages.DONE, True)
    assert not rater.finish().can_finish
    assert not rater.withdraw().can_finish


def test_a_campaign_that_never_reveals_shows_no_system_at_the_end() -> None:
    rater = ActingRater(make_campaign(reveal="never"))
    rater.cast()
    assert rater.finish().revealed == ()
    assert not Reveal.objects.exists()
