"""Taking the last vote back: one vote, once, and with everything that hangs on it."""

from __future__ import annotations

import pytest

from annotation.blinding import voting_page as stages
from annotation.models import Vote, VoteEvent
from annotation.services.voting_refusals import (
    AssignmentForeign,
    NothingToUndo,
)
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import make_campaign

pytestmark = pytest.mark.django_db


def test_undo_brings_the_last_pair_back_on_the_same_sides_and_keeps_history() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    page = rater.page()
    following = rater.wait(seconds=30).cast("a", on=page, comment="hm", client_token="t1")
    returned = rater.undo()
    assert page.pair is not None
    assert returned.pair is not None
    assert returned.pair.left_html == page.pair.left_html
    assert returned.pair.assignment_id != page.pair.assignment_id
    assert not returned.can_undo
    assert rater.undo() == returned
    assert not Vote.objects.exists()
    event = VoteEvent.objects.get()
    assert (event.action, event.vote["choice"], event.vote["comment"]) == ("undone", "a", "hm")
    check_books(campaign)
    after = rater.wait(seconds=5).cast("b", on=returned)
    assert after.pair == following.pair
    assert Vote.objects.get().choice == "b"
    assert Vote.objects.get().seconds == pytest.approx(35)
    check_books(campaign)


def test_undo_reaches_one_vote_back_and_a_skip_takes_it_no_further() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    rater.cast("a")
    rater.cast("b")
    page = rater.skip(rater.undo())
    assert (page.stage, page.can_undo, rater.page().can_undo) == (stages.VOTING, False, False)
    with pytest.raises(NothingToUndo):
        rater.undo()
    assert Vote.objects.get().choice == "a"
    assert rater.cast("tie").can_undo
    assert rater.undo().stage == stages.VOTING
    rater.skip()
    with pytest.raises(NothingToUndo):
        rater.undo()
    assert Vote.objects.get().choice == "a"
    check_books(campaign)


def test_with_the_returned_pair_still_open_a_later_vote_can_be_taken_back() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    rater.cast("a")
    following = rater.cast("b")
    returned = rater.wait(seconds=5).undo()
    assert rater.wait(seconds=5).cast("tie", on=following).can_undo
    again = rater.wait(seconds=5).undo()
    assert following.pair is not None
    assert again.pair is not None
    assert again.pair.left_html == following.pair.left_html
    assert rater.undo() == again
    assert Vote.objects.get().choice == "a"
    assert rater.cast("b", on=returned).can_undo
    check_books(campaign)


def test_a_vote_that_was_taken_back_is_not_cast_by_a_late_copy_of_it() -> None:
    rater = ActingRater(make_campaign())
    page = rater.page()
    rater.cast("a", on=page, client_token="t1")
    rater.undo()
    with pytest.raises(AssignmentForeign):
        rater.cast("a", on=page, client_token="t1")
    assert not Vote.objects.exists()


def test_the_last_vote_of_all_can_be_taken_back() -> None:
    campaign = make_campaign(n_pairs=1)
    rater = ActingRater(campaign)
    assert rater.cast().stage == stages.DONE
    assert rater.undo().stage == stages.VOTING
    check_books(campaign)


def test_a_clock_set_back_does_not_change_which_vote_is_the_last() -> None:
    rater = ActingRater(make_campaign())
    rater.cast("a")
    page = rater.wait(hours=-2).page()
    rater.cast("b", on=page)
    back = rater.undo()
    assert page.pair is not None
    assert back.pair is not None
    assert back.pair.left_html == page.pair.left_html
    assert Vote.objects.get().choice == "a"
