"""The votes table: filters, and paging by the place of the last vote."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from annotation.models import Campaign, Pair, Rater
from annotation.queries import votes_page as module
from annotation.queries.votes import VoteFilters
from annotation.queries.votes_page import votes_page
from evaluation.queries.choices import NotFound, UnknownChoice
from tests.annotation.toy_campaigns import NOW, make_campaign
from tests.annotation.toy_votes import add_rater, add_vote

DAY = dt.timedelta(days=1)


@pytest.fixture
def voted(db: None) -> Campaign:
    """Ann votes on pairs 1 to 5, one a day; bob on pair 1 without a time and on a check."""
    campaign = make_campaign(n_attention=1, overlap=2)
    ann, bob = add_rater(campaign, "ann"), add_rater(campaign, "bob")
    pairs = list(campaign.pairs.filter(kind=Pair.VOTE).order_by("position"))
    for number, choice in enumerate(["a", "b", "tie", "both_bad", "a"]):
        add_vote(
            ann, pairs[number], choice, cast_at=NOW + number * DAY,
            left_is_first=number != 1,
            not_counted="surplus" if number == 4 else "",
            comment="because" if number == 2 else "",
        )  # fmt: skip
    add_vote(bob, pairs[0], "a", cast_at=None)
    add_vote(bob, campaign.pairs.get(kind=Pair.ATTENTION), "a", cast_at=NOW - DAY)
    return campaign


def shown(**filters: Any) -> list[tuple[str, str]]:
    rows = votes_page("toy", VoteFilters(**filters), now=NOW).rows
    return [(row.rater, row.choice) for row in rows]


def test_votes_come_newest_first_and_those_without_a_time_last(voted: Campaign) -> None:
    rows = votes_page("toy", VoteFilters(), now=NOW).rows
    assert [row.cast_at and (row.cast_at - NOW).days for row in rows] == [4, 3, 2, 1, 0, -1, None]


def test_a_row_says_who_stood_where_and_who_won(voted: Campaign) -> None:
    rows = votes_page("toy", VoteFilters(), now=NOW).rows
    right = rows[3]
    pair = voted.pairs.select_related("first_system", "second_system").get(
        kind=Pair.VOTE, position=1
    )
    assert pair.first_system is not None
    assert pair.second_system is not None
    assert (right.left, right.right) == (pair.second_system.label, pair.first_system.label)
    assert (right.choice, right.winner) == ("right", pair.first_system.label)
    assert (rows[2].choice, rows[2].winner, rows[2].comment) == ("tie", "", "because")
    check = rows[5]
    assert (check.status, check.left, check.winner, check.kind) == ("check", "", "", "attention")


@pytest.mark.parametrize(
    ("filters", "n"),
    [
        ({"rater": "ann"}, 5),
        ({"rater": "bob"}, 2),
        ({"question": "TQ1"}, 3),
        ({"question": "TQ1", "rater": "ann"}, 1),
        ({"choice": "a"}, 4),
        ({"choice": "both_bad"}, 1),
        ({"status": "counted"}, 5),
        ({"status": "surplus"}, 1),
        ({"status": "check"}, 1),
        ({"status": "excluded"}, 0),
        ({"has_comment": True}, 1),
        ({"since": (NOW + DAY).date()}, 4),
        ({"until": (NOW + DAY).date()}, 3),
        ({"since": NOW.date(), "until": NOW.date()}, 1),
        ({"system": "theoria@static"}, None),
        ({"rater": "nobody"}, 0),
        ({"question": "TQ99"}, 0),
    ],
)
def test_a_filter_leaves_what_is_like_that(
    voted: Campaign, filters: dict[str, Any], n: int | None
) -> None:
    if n is None:
        with pytest.raises(UnknownChoice, match="bm25"):
            shown(**filters)
    else:
        assert len(shown(**filters)) == n


def test_a_system_is_found_on_either_side(voted: Campaign) -> None:
    rows = votes_page("toy", VoteFilters(system="bm25"), now=NOW).rows
    everything = votes_page("toy", VoteFilters(), now=NOW).rows
    assert len(rows) == len([row for row in everything if "bm25" in (row.left, row.right)])
    assert 0 < len(rows) < len(everything)


def test_a_name_that_is_not_there_is_said(voted: Campaign) -> None:
    assert votes_page("toy", VoteFilters(rater="x"), now=NOW).is_unknown_rater
    assert votes_page("toy", VoteFilters(question="x"), now=NOW).is_unknown_question


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7])
def test_pages_hold_every_vote_once(
    voted: Campaign, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    everything = votes_page("toy", VoteFilters(), now=NOW).rows
    monkeypatch.setattr(module, "ROWS_A_PAGE", size)
    seen: list[Any] = []
    before = ""
    for _ in range(10):
        page = votes_page("toy", VoteFilters(before=before), now=NOW)
        seen += page.rows
        before = page.next_before
        if not before:
            break
    assert seen == list(everything)


def test_votes_of_one_moment_are_on_one_page_each(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = make_campaign()
    ann = add_rater(campaign, "ann")
    for pair in campaign.pairs.order_by("position"):
        add_vote(ann, pair, "a", cast_at=NOW)
    monkeypatch.setattr(module, "ROWS_A_PAGE", 4)
    first = votes_page("toy", VoteFilters(), now=NOW)
    rest = votes_page("toy", VoteFilters(before=first.next_before), now=NOW)
    questions = [row.question for row in (*first.rows, *rest.rows)]
    assert len(set(questions)) == len(questions) == 6
    assert rest.next_before == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"before": "yesterday"},
        {"before": "1.2.3"},
        {"before": "9" * 40 + ".1"},
        {"choice": "c"},
        {"status": "lost"},
    ],
)
def test_what_nobody_offers_is_refused(voted: Campaign, wrong: dict[str, str]) -> None:
    with pytest.raises(UnknownChoice):
        shown(**wrong)


def test_choices_are_counted_while_nothing_is_filtered(voted: Campaign) -> None:
    page = votes_page("toy", VoteFilters(), now=NOW)
    assert [(one.label, one.count) for one in page.choices[1:]] == [
        ("left", 3),
        ("right", 1),
        ("tie", 1),
        ("both bad", 1),
    ]
    narrowed = votes_page("toy", VoteFilters(rater="ann"), now=NOW)
    assert {one.count for one in narrowed.choices} == {None}


def test_a_campaign_that_is_not_there_is_not_found(db: None) -> None:
    with pytest.raises(NotFound):
        votes_page("nothing", VoteFilters(), now=NOW)


def test_the_table_costs_the_same_for_many_votes(
    db: None, django_assert_num_queries: Callable[..., Any]
) -> None:
    campaign = make_campaign(n_pairs=60)
    ann = add_rater(campaign, "ann")
    for pair in campaign.pairs.order_by("position"):
        add_vote(ann, pair, "a")
    with django_assert_num_queries(5):
        assert votes_page("toy", VoteFilters(), now=NOW).next_before
    with django_assert_num_queries(8):
        votes_page("toy", VoteFilters(rater="ann", question="TQ1"), now=NOW)
    assert Rater.objects.count() == 1
