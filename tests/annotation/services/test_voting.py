"""A vote from joining to the end, and everything that happens twice, late or out of turn."""

from __future__ import annotations

import datetime as dt

import pytest

from annotation.blinding import voting_page as stages
from annotation.models import Assignment, Pair, Vote
from annotation.services.voting_refusals import (
    AlreadyDecided,
    AssignmentForeign,
    CampaignClosed,
    ChoiceUnknown,
    CommentTooLong,
    ReasonUnknown,
)
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import NOW, make_campaign

pytestmark = pytest.mark.django_db


def test_a_rater_decides_every_pair_once_and_is_done() -> None:
    campaign = make_campaign(n_pairs=5)
    rater = ActingRater(campaign)
    page, seen = rater.page(), []
    while page.stage == stages.VOTING:
        assert page.pair is not None
        seen.append(page.pair.left_html)
        page = rater.wait(seconds=20).cast("tie", on=page)
    assert page.stage == stages.DONE
    assert len(set(seen)) == 5
    assert page.progress.n_done == 5
    assert page.can_undo
    assert Vote.objects.counted().count() == 5
    check_books(campaign)


def test_the_end_claims_nothing_of_pairs_that_want_votes_of_others() -> None:
    rater = ActingRater(make_campaign(n_pairs=1, overlap=2))
    page = rater.cast()
    assert page.stage == stages.DONE
    assert page.sentence == "Thank you: there is no pair left for you to decide."


def test_loading_the_page_again_keeps_pair_and_sides() -> None:
    rater = ActingRater(make_campaign())
    assert rater.page() == rater.wait(minutes=5).page() == rater.wait(minutes=12).page()


def test_what_is_stored_is_what_was_sent() -> None:
    campaign = make_campaign(ask_confidence=True)
    rater = ActingRater(campaign)
    page = rater.page()
    rater.wait(seconds=12).cast(
        "b", on=page, reasons=("clearer", "clearer"), comment='=cmd "x"\n\x00שלום 😀\ud800',
        confidence=4, client_token="t1",
    )  # fmt: skip
    vote = Vote.objects.get()
    assert (vote.choice, vote.reasons, vote.confidence) == ("b", ["clearer"], 4)
    assert vote.comment == '=cmd "x"\nשלום 😀?'
    assert (vote.seconds, vote.is_too_fast, vote.slot) == (12.0, False, 1)
    pair = Pair.objects.get(pk=vote.pair_id)
    assert (pair.n_second if vote.left_is_first else pair.n_first) == 1


def test_too_fast_is_a_share_of_the_reading_time_with_a_floor() -> None:
    # 8 words of the question and 10 of each answer: 28 words are 6.72 s at 250 a minute.
    campaign = make_campaign(too_fast_share=0.5, too_fast_floor_s=1.0)
    rater = ActingRater(campaign)
    for seconds in (3.35, 3.37):
        page = rater.page()
        rater.wait(seconds=seconds).cast(on=page)
    votes = Vote.objects.order_by("pk").values_list("is_too_fast", flat=True)
    assert list(votes) == [True, False]


@pytest.mark.parametrize("client_token", ["", "t1"])
def test_the_same_vote_sent_twice_is_one_vote_and_gives_the_same_next_pair(
    client_token: str,
) -> None:
    campaign = make_campaign(overlap=2)
    rater = ActingRater(campaign)
    page = rater.page()
    first = rater.cast("a", on=page, client_token=client_token)
    assert rater.cast("a", on=page, client_token=client_token) == first == rater.page()
    assert Vote.objects.count() == 1
    check_books(campaign)


def test_another_choice_for_a_decided_pair_is_refused_and_the_vote_stands() -> None:
    rater = ActingRater(make_campaign())
    page = rater.page()
    rater.cast("a", on=page)
    with pytest.raises(AlreadyDecided):
        rater.cast("b", on=page)
    assert Vote.objects.get().choice == "a"


def test_two_tabs_show_the_same_pair_and_make_one_vote() -> None:
    rater = ActingRater(make_campaign())
    tabs = rater.page(), rater.page()
    assert tabs[0] == tabs[1]
    rater.cast("a", on=tabs[0])
    rater.cast("a", on=tabs[1])
    assert Vote.objects.count() == 1


def test_assignments_of_others_and_invented_ones_are_refused_alike() -> None:
    campaign = make_campaign()
    one, other = ActingRater(campaign), ActingRater(campaign)
    page = one.page()
    with pytest.raises(AssignmentForeign) as foreign:
        other.cast("a", on=page)
    Assignment.objects.all().delete()
    with pytest.raises(AssignmentForeign) as unknown:
        other.cast("a", on=page)
    assert str(foreign.value) == str(unknown.value)


def test_unknown_choices_reasons_and_long_comments_are_refused_and_store_nothing() -> None:
    rater = ActingRater(make_campaign(allow_both_bad=False))
    page = rater.page()
    for refusal, vote in (
        (ChoiceUnknown, {"choice": "both_bad"}),
        (ChoiceUnknown, {"choice": "theoria"}),
        (ReasonUnknown, {"reasons": ("it is theoria",)}),
        (CommentTooLong, {"comment": "x" * 5_001}),
    ):
        with pytest.raises(refusal):
            rater.cast(on=page, **vote)
    assert not Vote.objects.exists()
    rater.cast(on=page, comment="x" * 5_000)


def test_a_vote_after_its_lock_ran_out_counts_while_a_place_is_free() -> None:
    campaign = make_campaign(n_pairs=1)
    rater = ActingRater(campaign)
    page = rater.page()
    rater.wait(minutes=60).cast(on=page)
    assert Vote.objects.get().slot == 1
    check_books(campaign)


def test_a_vote_after_somebody_else_took_the_place_is_surplus() -> None:
    campaign = make_campaign(n_pairs=1)
    slow, quick = ActingRater(campaign), ActingRater(campaign, now=NOW + dt.timedelta(hours=1))
    page = slow.page()
    quick.cast()
    slow.wait(hours=2).cast(on=page)
    kept = Vote.objects.order_by("pk").values_list("slot", "not_counted")
    assert list(kept) == [(1, ""), (None, "surplus")]
    check_books(campaign)


def test_a_lock_that_ran_out_is_taken_over_and_its_vote_is_surplus_or_counts() -> None:
    campaign = make_campaign(n_pairs=1, overlap=2)
    raters = [ActingRater(campaign, seed=number) for number in range(3)]
    pages = [rater.page() for rater in raters]
    assert [page.stage for page in pages] == [stages.VOTING, stages.VOTING, stages.WAITING]
    assert raters[2].wait(minutes=21).page().stage == stages.VOTING
    check_books(campaign)
    raters[2].cast()
    for rater, page in zip(raters[:2], pages[:2], strict=True):
        rater.wait(minutes=30).cast(on=page)
    assert Vote.objects.counted().count() == 2
    assert Vote.objects.filter(not_counted="surplus").count() == 1
    check_books(campaign)


def test_waiting_ends_when_the_others_have_decided() -> None:
    campaign = make_campaign(n_pairs=1)
    one, other = ActingRater(campaign), ActingRater(campaign)
    page = one.page()
    assert other.page().stage == stages.WAITING
    one.cast(on=page)
    done = other.page()
    assert (done.stage, done.progress.n_done) == (stages.DONE, 0)


def test_a_skipped_pair_comes_back_when_nothing_else_is_left() -> None:
    campaign = make_campaign(n_pairs=3)
    rater = ActingRater(campaign)
    first = rater.page()
    page = rater.skip(first)
    assert first.pair is not None
    answers = {first.pair.left_html, first.pair.right_html}
    for _ in range(2):
        assert page.pair is not None
        assert page.pair.left_html not in answers
        page = rater.cast(on=page)
    assert page.pair is not None
    assert {page.pair.left_html, page.pair.right_html} == answers
    assert rater.cast(on=page).stage == stages.DONE
    assert rater.row.n_skips == 1
    check_books(campaign)


def test_a_skip_sent_twice_is_one_skip() -> None:
    rater = ActingRater(make_campaign())
    page = rater.page()
    assert rater.skip(page) == rater.skip(page)
    assert rater.row.n_skips == 1


def test_a_decided_pair_cannot_be_skipped_from_a_page_gone_back_to() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    page = rater.page()
    rater.cast("tie", on=page)
    with pytest.raises(AlreadyDecided):
        rater.skip(page)
    assert (rater.row.n_votes, rater.row.n_skips) == (1, 0)
    check_books(campaign)


def test_a_vote_on_a_skipped_pair_from_another_tab_counts() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    page = rater.page()
    rater.skip(page)
    rater.cast(on=page)
    assert Vote.objects.get().slot == 1
    check_books(campaign)


def test_a_campaign_that_closed_takes_no_vote_but_answers_for_one_it_has() -> None:
    campaign = make_campaign()
    rater = ActingRater(campaign)
    page = rater.page()
    following = rater.cast("a", on=page)
    campaign.closed_at = NOW
    campaign.save()
    with pytest.raises(CampaignClosed):
        rater.cast("a", on=following)
    assert rater.cast("a", on=page).stage == stages.DONE
    assert ActingRater.page(rater, rater_key=None).stage == stages.CLOSED
