"""Qualification and attention checks: the same pages as pairs, and never counted."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from annotation.blinding import voting_page as stages
from annotation.blinding.voting_page import VotingPage
from annotation.models import Assignment, Pair, Vote
from annotation.services.exclusion_rules import apply_exclusion_rules
from tests.annotation.bookkeeping import check_books
from tests.annotation.rater_acts import ActingRater
from tests.annotation.toy_campaigns import make_campaign

pytestmark = pytest.mark.django_db


def is_check(page: VotingPage) -> bool:
    assert page.pair is not None
    given = Assignment.objects.get(public_id=page.pair.assignment_id)
    return given.pair.kind != Pair.VOTE


def right_choice(page: VotingPage) -> str:
    """The first answer wins every check of a toy campaign."""
    assert page.pair is not None
    given = Assignment.objects.get(public_id=page.pair.assignment_id)
    return "a" if given.left_is_first else "b"


def wrong_choice(page: VotingPage) -> str:
    return "b" if right_choice(page) == "a" else "a"


def test_passing_the_qualification_leads_on_without_saying_so() -> None:
    campaign = make_campaign(n_qualification=2, votes_per_rater=3)
    rater = ActingRater(campaign)
    page = rater.page()
    for n_done in range(5):
        assert page.stage == stages.VOTING
        assert (page.progress.n_done, page.progress.n_wanted) == (n_done, 5)
        assert is_check(page) == (n_done < 2)
        page = rater.cast(right_choice(page), on=page)
    assert page.stage == stages.DONE
    assert (rater.row.n_votes, rater.row.n_checks) == (3, 0)
    assert Vote.objects.filter(not_counted="check", slot=None).count() == 2
    check_books(campaign)


def test_failing_the_qualification_ends_the_rater_s_part() -> None:
    rater = ActingRater(make_campaign(n_qualification=2, qualification_pass_share=0.75))
    page = rater.page()
    page = rater.cast(right_choice(page), on=page)
    page = rater.cast(wrong_choice(page), on=page)
    assert (page.stage, page.can_undo) == (stages.CLOSED, False)
    assert rater.page().stage == stages.CLOSED
    assert rater.row.disqualified_at is not None


def test_a_last_trial_pair_can_be_undone_and_is_judged_again() -> None:
    rater = ActingRater(make_campaign(n_qualification=1, qualification_pass_share=1.0))
    page = rater.page()
    rater.cast(right_choice(page), on=page)
    page = rater.undo()
    assert is_check(page)
    assert rater.cast(wrong_choice(page), on=page).stage == stages.CLOSED


def test_attention_checks_come_about_every_so_often_at_places_that_differ() -> None:
    campaign = make_campaign(n_pairs=60, n_attention=12, attention_every=5, overlap=12)
    places = []
    for seed in range(12):
        rater = ActingRater(campaign, seed=seed)
        page, own = rater.page(), []
        for place in range(20):
            if is_check(page):
                own.append(place)
            page = rater.cast("tie", on=page)
        assert [place // 5 for place in own] == [0, 1, 2, 3]
        places.append(tuple(place % 5 for place in own))
        assert (rater.row.n_votes, rater.row.n_checks, rater.row.n_checks_right) == (16, 4, 0)
    assert {place for own in places for place in own} == {0, 1, 2, 3, 4}
    assert len(set(places)) > 6
    check_books(campaign)


def test_nothing_but_the_texts_differs_between_a_check_and_a_pair() -> None:
    campaign = make_campaign(n_attention=5, attention_every=3, votes_per_rater=6)
    rater = ActingRater(campaign)
    page = rater.page()
    shapes = []
    for n_done in range(6):
        assert page.pair is not None
        assert page.progress.n_done == n_done
        shape = dataclasses.replace(
            page,
            pair=dataclasses.replace(
                page.pair, assignment_id="", left_html="", right_html="",
                question_html="", gold_html="", facts=(), source_spans=(),
            ),
            progress=dataclasses.replace(page.progress, n_done=0),
            can_undo=True,
            can_finish=True,
        )  # fmt: skip
        shapes.append((is_check(page), shape))
        assert len(page.pair.assignment_id) == 32
        page = rater.cast(on=page)
    assert {one for one, _ in shapes} == {True, False}
    assert all(shape == shapes[0][1] for _, shape in shapes)


def test_the_rules_fixed_before_opening_exclude_who_fails_the_checks() -> None:
    campaign = make_campaign(
        n_attention=4, attention_every=3, overlap=2, attention_exclude_below=0.5,
        exclude_too_fast_above=0.9,
    )  # fmt: skip
    good, bad = ActingRater(campaign, seed=1), ActingRater(campaign, seed=2)
    for rater, choose in ((good, right_choice), (bad, wrong_choice)):
        page = rater.page()
        for _ in range(4):
            page = rater.wait(seconds=30).cast(choose(page), on=page)
    asked: dict[str, Any] = {"campaign": campaign, "by": None, "now": bad.now}
    assert apply_exclusion_rules(**asked) == (bad.row.pseudonym,)
    assert apply_exclusion_rules(**asked) == ()
    assert "attention checks" in bad.row.excluded_reason
    assert bad.page().stage == stages.CLOSED
    check_books(campaign)
