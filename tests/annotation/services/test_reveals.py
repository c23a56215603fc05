"""Reveals come after the vote, close undo everywhere, and never show a check."""

from __future__ import annotations

import pytest

from annotation.blinding import voting_page as stages
from annotation.models import Assignment, Pair, Reveal, Vote
from annotation.services.voting_refusals import VoteFrozen
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import LABELS, make_campaign

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


def test_a_campaign_that_never_reveals_shows_no_system_at_the_end() -> None:
    rater = ActingRater(make_campaign(reveal="never"))
    rater.cast()
    assert rater.finish().revealed == ()
    assert not Reveal.objects.exists()
