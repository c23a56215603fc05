"""Who gets a completion code: whoever has done all that was asked, and nobody else."""

from __future__ import annotations

import pytest

from annotation.blinding import voting_page as stages
from annotation.models import Assignment
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import NOW, make_campaign

pytestmark = pytest.mark.django_db


def test_a_rater_stops_at_the_votes_asked_of_them_and_gets_a_code_then() -> None:
    campaign = make_campaign(votes_per_rater=2, gives_completion_code=True)
    rater = ActingRater(campaign)
    page = rater.cast()
    assert (page.stage, page.completion_code, page.progress.n_wanted) == (stages.VOTING, "", 2)
    page = rater.cast()
    assert page.stage == stages.DONE
    assert len(page.completion_code) == 14
    assert rater.page().completion_code == page.completion_code


def test_a_code_goes_with_a_vote_taken_back_and_comes_back_with_it() -> None:
    campaign = make_campaign(votes_per_rater=2, gives_completion_code=True)
    rater = ActingRater(campaign)
    rater.cast()
    code = rater.cast().completion_code
    rater.skip(rater.undo())
    assert (rater.row.completion_code, rater.row.n_votes) == ("", 1)
    assert rater.cast().completion_code == code
    other = ActingRater(campaign)
    other.cast()
    assert other.cast().completion_code != code


def test_who_leaves_the_last_pair_undecided_gets_no_code() -> None:
    campaign = make_campaign(n_pairs=2, gives_completion_code=True)
    rater = ActingRater(campaign)
    rater.cast()
    assert rater.finish().completion_code == ""


def test_who_had_done_all_before_the_closing_gets_a_code() -> None:
    campaign = make_campaign(votes_per_rater=1, gives_completion_code=True, reveal="each")
    rater = ActingRater(campaign)
    assert rater.cast().stage == stages.REVEALED
    campaign.closed_at = NOW
    campaign.save()
    assert len(rater.finish().completion_code) == 14


def test_who_stops_early_gets_no_code() -> None:
    campaign = make_campaign(votes_per_rater=2, gives_completion_code=True)
    rater = ActingRater(campaign)
    rater.cast()
    page = rater.finish()
    assert (page.stage, page.completion_code) == (stages.DONE, "")
    assert not Assignment.objects.filter(is_live=True).exists()
    check_books(campaign)
