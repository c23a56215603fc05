"""One campaign: counts, what was drawn, warnings, the audit log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from annotation.models import Assignment, Campaign, Invitation, Pair, PairScore
from annotation.queries.audit_entries import audit_page, detail_of
from annotation.queries.campaign import LiveCounts
from annotation.queries.campaign_page import campaign_page
from annotation.services.audit import record
from evaluation.queries.choices import NotFound
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

MINUTE = dt.timedelta(minutes=1)


def codes(campaign: Campaign) -> set[str]:
    return {warning.code for warning in campaign_page(campaign.slug, now=NOW).warnings}


def test_counts_are_those_of_the_votes(toy: Campaign) -> None:
    ann, bob = add_rater(toy, "ann", n_skips=2), add_rater(toy, "bob", n_skips=1)
    pairs = list(toy.pairs.order_by("position"))
    add_vote(ann, pairs[0], "a", cast_at=NOW - MINUTE)
    add_vote(bob, pairs[0], "tie", cast_at=NOW - 2 * MINUTE)
    add_vote(ann, pairs[1], "b", cast_at=NOW - 30 * MINUTE)
    add_vote(bob, pairs[2], "b", not_counted="surplus", cast_at=NOW - 40 * MINUTE)
    counts = campaign_page("toy", now=NOW).counts
    assert (counts.n_votes, counts.n_counted, counts.n_not_counted) == (4, 3, 1)
    assert (counts.n_wanted, counts.n_complete, counts.n_pairs) == (12, 1, 6)
    assert (counts.n_raters, counts.n_skips, counts.last_vote_at) == (2, 3, NOW - MINUTE)
    assert counts.per_hour == pytest.approx(12)
    assert counts.hours_left == pytest.approx(9 / 12)


def test_without_recent_votes_there_is_no_rate(toy: Campaign) -> None:
    counts = campaign_page("toy", now=NOW).counts
    assert (counts.per_hour, counts.hours_left, counts.last_vote_at) == (None, None, None)


def test_pairs_that_are_being_decided_are_counted_until_their_lock_ends(toy: Campaign) -> None:
    ann = add_rater(toy, "ann")
    for number, pair in enumerate(toy.pairs.order_by("position")[:3]):
        Assignment.objects.create(
            public_id=f"a{number}", campaign=toy, pair=pair, rater=ann, left_is_first=True,
            assigned_at=NOW, lock_until=NOW + (number - 1) * MINUTE,
        )  # fmt: skip
    assert campaign_page("toy", now=NOW).counts.n_at_work == 1


def test_what_was_drawn_stands_by_bucket_and_pair_of_systems(toy: Campaign) -> None:
    gaps = [0, 199, 200, 399, 400, None]
    for pair, gap in zip(toy.pairs.order_by("position"), gaps, strict=True):
        PairScore.objects.filter(pair=pair).update(
            first_hundredths=500, second_hundredths=None if gap is None else 500 + gap
        )
    add_vote(add_rater(toy, "ann"), toy.pairs.order_by("position")[0], "a")
    drawn = campaign_page("toy", now=NOW).distribution
    assert [(row.label, row.n_pairs, row.n_counted) for row in drawn.buckets] == [
        ("0–2", 2, 1),
        ("2–4", 2, 0),
        ("4+", 1, 0),
        ("gap unknown", 1, 0),
    ]
    assert [row.label for row in drawn.system_pairs] == [
        "bm25 × simple-rag+bm25@static",
        "bm25 × simple-rag@static",
        "simple-rag+bm25@static × simple-rag@static",
    ]
    assert {(row.n_pairs, row.n_wanted) for row in drawn.system_pairs} == {(2, 4)}
    assert (drawn.n_drawn, drawn.lowest_probability, drawn.median_probability) == (6, 0.5, 0.5)


def test_the_plan_stands_beside_what_was_drawn(toy: Campaign) -> None:
    toy.sampling = {
        "buckets": [{"bucket": "4+", "n_candidates": 9, "n_planned": 2.5, "n_drawn": 2}],
        "system_pairs": [
            {"systems": ["z", "a"], "n_candidates": 3, "n_planned": 0.5, "n_drawn": 0}
        ],
    }
    toy.save()
    drawn = campaign_page("toy", now=NOW).distribution
    last = drawn.buckets[2]
    assert (last.label, last.n_candidates, last.n_planned) == ("4+", 9, 2.5)
    assert drawn.buckets[0].n_planned is None
    empty = drawn.system_pairs[-1]
    assert (empty.label, empty.n_pairs, empty.n_planned) == ("a × z", 0, 0.5)


def test_pairs_that_we_did_not_draw_have_no_probability(toy: Campaign) -> None:
    toy.pairs.update(inclusion_probability=None)
    drawn = campaign_page("toy", now=NOW).distribution
    assert (drawn.lowest_probability, drawn.median_probability) == (None, None)
    assert drawn.buckets[0].lowest_probability is None


def test_a_quiet_campaign_has_no_warnings(toy: Campaign) -> None:
    assert codes(toy) == set()


def test_pairs_that_wait_for_review_are_a_warning(toy: Campaign) -> None:
    first = toy.pairs.order_by("position")[0]
    Pair.objects.filter(pk=first.pk).update(needs_review=True, n_wanted=0)
    page = campaign_page("toy", now=NOW)
    assert page.pairs.n_waiting_for_review == 1
    assert page.warnings[0].code == "review"
    assert page.warnings[0].sentence.startswith("1 pair waits")


def test_fewer_pairs_than_planned_are_a_warning(toy: Campaign) -> None:
    toy.options["n_pairs"] = 10
    toy.save()
    assert codes(toy) == {"short"}
    toy.options["policy"] = "active"
    toy.save()
    assert codes(toy) == set()


def test_an_open_campaign_with_nothing_left_says_so(toy: Campaign) -> None:
    toy.pairs.update(n_first=2, n_taken=2)
    assert codes(toy) == {"complete"}


def test_raters_who_meet_a_rule_and_raters_who_looked_are_warnings(db: None) -> None:
    campaign = make_campaign(attention_exclude_below=0.7)
    add_rater(campaign, "ann", n_checks=4, n_checks_right=1)
    add_rater(campaign, "bob", n_checks=4, n_checks_right=4)
    add_rater(campaign, "eve", unblinded_at=NOW)
    assert codes(campaign) == {"rules", "unblinded"}


def test_an_invite_only_campaign_without_invitations_says_so(db: None) -> None:
    campaign = make_campaign(invite_only=True)
    assert codes(campaign) == {"invitations"}
    Invitation.objects.create(campaign=campaign, token="seat", created_at=NOW)
    assert codes(campaign) == set()


def test_contexts_before_the_vote_are_said_not_to_be_blind(db: None) -> None:
    assert codes(make_campaign(show_context=True)) == {"not-blind"}


def test_the_audit_log_comes_newest_first_in_words(toy: Campaign) -> None:
    for number in range(52):
        record(
            action="opened", by=None, campaign=toy, now=NOW + number * MINUTE,
            detail={"n_pairs": number, "is_redrawn": True, "options": ["overlap", "seed"]},
        )  # fmt: skip
    page = audit_page("toy", now=NOW, page=1)
    assert (page.n_pages, len(page.rows)) == (2, 50)
    assert (page.rows[0].at, page.rows[0].actor) == (NOW + 51 * MINUTE, "a command")
    # Databases keep the names of an entry in orders of their own.
    assert sorted(page.rows[0].detail) == [
        ("options", "overlap, seed"),
        ("pairs", "51"),
        ("redrawn", "yes"),
    ]
    assert len(audit_page("toy", now=NOW, page=9).rows) == 2


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ({}, ()),
        ([1, 2], (("detail", "1, 2"),)),
        ({"a": None}, (("a", "none"),)),
        ({"a": {"b": 1}}, (("a", "b: 1"),)),
        ({"a": "x" * 400}, (("a", "x" * 299 + "…"),)),
    ],
)
def test_details_of_any_shape_are_said(detail: Any, said: tuple[tuple[str, str], ...]) -> None:
    assert detail_of(detail) == said


def test_a_campaign_that_is_not_there_is_not_found(db: None) -> None:
    with pytest.raises(NotFound, match="there is no campaign 'nothing'"):
        campaign_page("nothing", now=NOW)


def test_the_page_costs_the_same_for_more_pairs_and_raters(
    db: None, django_assert_num_queries: Callable[..., Any]
) -> None:
    campaign = make_campaign(n_pairs=40, attention_exclude_below=0.5)
    for number in range(10):
        add_vote(
            add_rater(campaign, f"r{number}"), campaign.pairs.order_by("position")[number], "a"
        )
    with django_assert_num_queries(14):
        campaign_page("toy", now=NOW)


@pytest.mark.parametrize(("hours", "minutes"), [(0.001, 1), (0.09, 6), (0.25, 15), (None, 1)])
def test_the_time_left_is_told_in_minutes_rounded_up(hours: float | None, minutes: int) -> None:
    counts = LiveCounts(
        n_votes=1, n_counted=1, n_wanted=9, n_complete=0, n_pairs=9, n_raters=1, n_skips=0,
        n_at_work=0, last_vote_at=None, per_hour=None, hours_left=hours,
    )  # fmt: skip
    assert counts.minutes_left == minutes
