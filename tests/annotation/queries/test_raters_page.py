"""Raters: their counts, shares with n, agreement with the others, and one rater's page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, Invitation, Pair, Rater, Vote, VoteEvent
from annotation.queries import rater_rows
from annotation.queries.exclusion_rules import met_rules, rules_in_words
from annotation.queries.rater_votes import sums_of_votes
from annotation.queries.raters_page import rater_page, raters_page
from evaluation.queries.choices import NotFound, UnknownChoice
from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.raters import raters_against_others
from evaluation.statistics.calibration.votes import VoteTable
from evaluation.statistics.wilson import wilson_interval
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote


@pytest.fixture
def voted(db: None) -> Campaign:
    """Three raters on four pairs, three votes wanted on each: ann agrees with bob and eve once."""
    campaign = make_campaign(n_pairs=4, overlap=3)
    ann, bob, eve = (add_rater(campaign, name) for name in ("ann", "bob", "eve"))
    first, second, third, _ = campaign.pairs.order_by("position")
    add_vote(ann, first, "a", seconds=10.0)
    add_vote(bob, first, "b", left_is_first=False, seconds=12.0)
    add_vote(eve, first, "a")
    add_vote(ann, second, "b", seconds=30.0)
    add_vote(bob, second, "a")
    add_vote(ann, third, "tie", seconds=None)
    return campaign


def label_of(vote: Vote) -> Outcome:
    if vote.choice in (Vote.TIE, Vote.BOTH_BAD):
        return Outcome.TIE
    return Outcome.FIRST if (vote.choice == Vote.A) == vote.left_is_first else Outcome.SECOND


@pytest.mark.parametrize(
    ("choice", "left_is_first", "agrees"),
    [
        ("a", True, True), ("b", False, True), ("a", False, False), ("b", True, False),
        ("tie", True, False), ("both_bad", False, False),
    ],
)  # fmt: skip
def test_votes_for_one_answer_agree_whatever_its_side(
    toy: Campaign, choice: str, left_is_first: bool, agrees: bool
) -> None:
    pair = toy.pairs.filter(kind=Pair.VOTE).order_by("position")[0]
    ann, bob = add_rater(toy, "ann"), add_rater(toy, "bob")
    add_vote(bob, pair, "a", left_is_first=True, seconds=None)
    add_vote(ann, pair, choice, left_is_first=left_is_first)
    sums = sums_of_votes([ann.pk, bob.pk])
    assert (sums[ann.pk].n_shared, sums[ann.pk].n_agree) == (1, int(agrees))
    assert sums[bob.pk].median_s is None


def test_agreement_is_with_the_majority_of_the_others(voted: Campaign) -> None:
    rows = {row.pseudonym: row for row in raters_page("toy", now=NOW).rows}
    ann = rows["ann"]
    assert ann.agreement is not None
    assert (ann.agreement.successes, ann.agreement.n) == (1, 2)
    assert (ann.agreement.low, ann.agreement.high) == pytest.approx(
        (wilson_interval(1, 2).low, wilson_interval(1, 2).high)
    )
    assert rows["eve"].agreement is not None
    assert (rows["eve"].agreement.successes, rows["eve"].agreement.n) == (1, 1)
    assert ann.median_s == pytest.approx(20.0)
    assert (ann.n_votes, ann.n_counted) == (3, 3)
    assert ann.left is not None
    assert (ann.left.successes, ann.left.n) == (1, 2)


def test_agreement_is_that_of_the_calibration_report(voted: Campaign) -> None:
    pairs = {pk: code for code, pk in enumerate(voted.pairs.values_list("pk", flat=True))}
    votes = list(Vote.objects.order_by("pk"))
    table = VoteTable(
        pair=np.array([pairs[vote.pair_id] for vote in votes]),
        rater=np.array([vote.rater_id for vote in votes]),
        label=np.array(
            [label_of(vote) for vote in votes],
            dtype=np.int8,
        ),
        left_is_first=np.array([vote.left_is_first for vote in votes]),
        n_reveals_seen=np.zeros(len(votes), dtype=np.int64),
    )
    reference = {
        one.rater: one.n_shared for one in raters_against_others(table, n_pairs=len(pairs))
    }
    sums = sums_of_votes(list(reference))
    assert {rater: of.n_shared for rater, of in sums.items()} == reference
    for one in raters_against_others(table, n_pairs=len(pairs)):
        assert one.agreement is not None
        assert sums[one.rater].n_agree == one.agreement.successes


def test_votes_that_do_not_count_are_not_compared(voted: Campaign) -> None:
    dan = add_rater(voted, "dan")
    add_vote(dan, voted.pairs.order_by("position")[0], "a", not_counted="surplus")
    rows = {row.pseudonym: row for row in raters_page("toy", now=NOW).rows}
    assert rows["dan"].agreement is None
    assert (rows["dan"].n_votes, rows["dan"].n_counted) == (1, 0)
    assert rows["eve"].agreement is not None
    assert rows["eve"].agreement.n == 1


def test_what_there_is_nothing_to_take_a_share_of_is_none(toy: Campaign) -> None:
    add_rater(toy, "ann")
    (row,) = raters_page("toy", now=NOW).rows
    assert (row.left, row.checks_right, row.agreement, row.median_s) == (None, None, None, None)
    assert row.is_summed


def test_too_many_votes_are_left_to_the_raters_own_pages(
    voted: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rater_rows, "MOST_VOTES_READ", 5)
    assert not any(row.is_summed for row in raters_page("toy", now=NOW).rows)
    assert rater_page("toy", "ann", now=NOW).row.is_summed


@pytest.mark.parametrize(
    ("times", "standing"),
    [
        ({}, "voting"),
        ({"finished_at": NOW}, "finished"),
        ({"disqualified_at": NOW}, "disqualified"),
        ({"finished_at": NOW, "unblinded_at": NOW}, "unblinded"),
        ({"unblinded_at": NOW, "excluded_at": NOW}, "excluded"),
        ({"excluded_at": NOW, "withdrawn_at": NOW}, "withdrawn"),
    ],
)
def test_a_rater_has_one_standing_and_is_found_by_it(
    toy: Campaign, times: dict[str, Any], standing: str
) -> None:
    add_rater(toy, "ann", **times)
    page = raters_page("toy", now=NOW, standing=standing)
    assert [(row.pseudonym, row.standing) for row in page.rows] == [("ann", standing)]
    counts = {choice.value: choice.count for choice in page.standings if choice.value}
    assert [name for name, n in counts.items() if n] == [standing]


def test_raters_are_sorted_as_asked(toy: Campaign) -> None:
    add_rater(toy, "b", n_votes=1, n_skips=9)
    add_rater(toy, "a", n_votes=5, created_at=NOW + dt.timedelta(minutes=1))
    add_rater(toy, "c", n_votes=2, n_too_fast=1)

    def order(sort: str) -> str:
        return "".join(row.pseudonym for row in raters_page("toy", now=NOW, sort=sort).rows)

    assert (order(""), order("name"), order("newest")) == ("acb", "abc", "acb")
    assert (order("skips")[0], order("too-fast")[0]) == ("b", "c")


@pytest.mark.parametrize("wrong", [{"standing": "asleep"}, {"sort": "height"}])
def test_a_filter_that_does_not_exist_is_refused(toy: Campaign, wrong: dict[str, Any]) -> None:
    with pytest.raises(UnknownChoice):
        raters_page("toy", now=NOW, **wrong)


def test_one_raters_page_says_what_does_not_count_and_why(voted: Campaign) -> None:
    ann = Rater.objects.get(pseudonym="ann")
    vote = Vote.objects.filter(rater=ann).first()
    assert vote is not None
    Vote.objects.filter(pk=vote.pk).update(slot=None, not_counted="excluded")
    VoteEvent.objects.create(
        campaign=voted, pair=vote.pair, rater=ann, action="undone", vote={}, at=NOW
    )
    page = rater_page("toy", "ann", now=NOW)
    assert [(one.name, one.n) for one in page.not_counted] == [("excluded", 1)]
    assert [(one.name, one.n) for one in page.events] == [("undone", 1)]
    assert [one.n for one in page.choices] == [1, 1, 1, 0]


@pytest.mark.parametrize("name", ["nobody", "nul\0"])
def test_a_rater_who_is_not_there_is_not_found(toy: Campaign, name: str) -> None:
    with pytest.raises(NotFound, match="there is no rater"):
        rater_page("toy", name, now=NOW)


def test_invitations_carry_the_seat_in_their_link(toy: Campaign) -> None:
    taken = Invitation.objects.create(
        campaign=toy, token="t1", created_at=NOW, rater=add_rater(toy, "ann"), note="lab"
    )
    Invitation.objects.create(campaign=toy, token="t2", created_at=NOW + dt.timedelta(minutes=1))
    newest, oldest = raters_page("toy", now=NOW).invitations
    assert newest.path == "/vote/link-toy/?seat=t2"
    assert (oldest.id, oldest.rater, oldest.note) == (taken.pk, "ann", "lab")


def test_the_list_costs_the_same_for_many_raters(
    voted: Campaign, django_assert_num_queries: Callable[..., Any]
) -> None:
    for number in range(12):
        add_rater(voted, f"r{number}")
    with django_assert_num_queries(5):
        raters_page("toy", now=NOW)
    with django_assert_num_queries(5):
        rater_page("toy", "ann", now=NOW)


def test_rules_are_said_and_met_strictly() -> None:
    options = CampaignOptions(attention_exclude_below=0.75, exclude_too_fast_above=0.2)
    assert rules_in_words(options)[0] == "Fewer than 75 % of the attention checks right."
    assert "More than 20 % of the votes too fast" in rules_in_words(options)[1]

    def met(right: int, fast: int) -> int:
        counts = {"n_checks": 4, "n_checks_right": right, "n_votes": 10, "n_too_fast": fast}
        return len(met_rules(options, **counts))

    assert (met(3, 2), met(2, 2), met(3, 3), met(0, 10)) == (0, 1, 1, 2)
    nothing = {"n_checks": 0, "n_checks_right": 0, "n_votes": 0, "n_too_fast": 0}
    assert met_rules(options, **nothing) == ()
    assert rules_in_words(CampaignOptions()) == ()
