"""Pairs in their order, and the queue of those that wait for review."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from annotation.models import Assignment, Campaign, Pair
from annotation.queries import pairs_page as module
from annotation.queries.pairs_page import pairs_page
from evaluation.queries.choices import UnknownChoice
from tests.annotation.toy_campaigns import LABELS, NOW, make_campaign
from tests.annotation.toy_votes import add_rater

ENTRY = {
    "side": "first", "kind": "name", "found": "Mem0", "quote": "as Mem0 recalls", "times": 2,
    "is_topic": False,
}  # fmt: skip


@pytest.fixture
def varied(db: None) -> Campaign:
    """Pair 1 waits, 2 is rejected, 3 is complete, 4 to 6 are on vote; two checks."""
    campaign = make_campaign(n_attention=1, n_qualification=1)
    on_vote = campaign.pairs.filter(kind=Pair.VOTE)
    on_vote.filter(position=0).update(needs_review=True, n_wanted=0, scan=[ENTRY])
    on_vote.filter(position=1).update(is_rejected=True, n_wanted=0, reviewed_at=NOW)
    on_vote.filter(position=2).update(n_first=1, n_taken=1)
    return campaign


@pytest.mark.parametrize(
    ("state", "positions"),
    [
        ("rejected", [1]),
        ("complete", [2]),
        ("on-vote", [3, 4, 5]),
        ("checks", [0, 0]),
        ("", [0, 0, 0, 1, 2, 3, 4, 5]),
    ],
)
def test_pairs_are_found_by_their_state(varied: Campaign, state: str, positions: list[int]) -> None:
    page = pairs_page("toy", now=NOW, state=state)
    assert [row.position for row in page.rows] == positions
    if state:
        assert {row.state for row in page.rows} == {state}


@pytest.mark.parametrize(("is_live", "positions"), [(True, [3, 4, 5]), (False, [4, 5])])
def test_a_pair_whose_last_place_is_in_hand_is_still_on_vote(
    varied: Campaign, is_live: bool, positions: list[int]
) -> None:
    held = varied.pairs.get(kind=Pair.VOTE, position=3)
    Assignment.objects.create(
        public_id="held", campaign=varied, pair=held, rater=add_rater(varied, "ann"),
        left_is_first=True, assigned_at=NOW, lock_until=NOW, is_live=is_live,
    )  # fmt: skip
    Pair.objects.filter(pk=held.pk).update(n_taken=1)
    if not is_live:  # they have decided
        Pair.objects.filter(pk=held.pk).update(n_tie=1)
    rows = pairs_page("toy", now=NOW, state="on-vote").rows
    assert [row.position for row in rows] == positions


def test_pairs_come_with_their_texts_where_the_reader_asks_for_them(varied: Campaign) -> None:
    page = pairs_page("toy", now=NOW, state="on-vote", with_texts=True)
    assert page.rows == ()
    assert [texts.row.position for texts in page.texts] == [3, 4, 5]
    for texts in page.texts:
        assert "anneals after" in texts.first_html
        assert texts.row.can_be_rejected
        assert not texts.row.can_be_accepted


def test_contexts_are_among_the_texts_only_where_raters_see_them(db: None) -> None:
    for shows in (False, True):
        campaign = make_campaign(slug=f"of-{shows}".lower(), show_context=shows)
        for pair in campaign.pairs.all():
            pair.first_context = pair.second_text
            pair.save()
        page = pairs_page(campaign.slug, now=NOW, with_texts=True)
        assert {bool(texts.first_context_html) for texts in page.texts} == {shows}


def test_what_can_be_decided_of_a_pair_follows_its_state(varied: Campaign) -> None:
    page = pairs_page("toy", now=NOW, with_texts=True)
    told = {
        texts.row.position: (texts.row.can_be_accepted, texts.row.can_be_rejected)
        for texts in page.texts
        if texts.row.kind == Pair.VOTE
    }
    assert told == {
        0: (True, True), 1: (True, False), 2: (False, False),
        3: (False, True), 4: (False, True), 5: (False, True),
    }  # fmt: skip


def test_pairs_that_wait_come_with_their_texts_and_what_was_found(varied: Campaign) -> None:
    page = pairs_page("toy", now=NOW, state="waiting")
    (texts,) = page.texts
    assert page.rows == ()
    assert "anneals after" in texts.first_html
    assert texts.first_html != texts.second_html
    assert asdict(texts.row.findings[0]) == ENTRY
    assert page.can_review


def test_counts_stand_on_the_states(varied: Campaign) -> None:
    counts = {one.value: one.count for one in pairs_page("toy", now=NOW).states}
    assert counts == {
        "": None, "waiting": 1, "on-vote": None, "complete": 1, "rejected": 1, "checks": 2,
    }  # fmt: skip


def test_nothing_here_says_who_wrote_what(varied: Campaign) -> None:
    for state in ("", "waiting", "checks"):
        said = repr(pairs_page("toy", now=NOW, state=state))
        said += repr(pairs_page("toy", now=NOW, state=state, with_texts=True))
        assert not [label for label in LABELS if label in said]


def test_a_question_narrows_the_pairs(varied: Campaign) -> None:
    assert [row.question for row in pairs_page("toy", now=NOW, question="TQ3").rows] == ["TQ3"]
    page = pairs_page("toy", now=NOW, question="TQ99")
    assert page.is_unknown_question
    assert page.rows == ()


@pytest.mark.parametrize(("state", "size"), [("", 3), ("on-vote", 2), ("on-vote", 1)])
def test_pages_hold_every_pair_once(
    varied: Campaign, monkeypatch: pytest.MonkeyPatch, state: str, size: int
) -> None:
    held = varied.pairs.get(kind=Pair.VOTE, position=4)
    Assignment.objects.create(
        public_id="held", campaign=varied, pair=held, rater=add_rater(varied, "ann"),
        left_is_first=True, assigned_at=NOW, lock_until=NOW,
    )  # fmt: skip
    Pair.objects.filter(pk=held.pk).update(n_taken=1)
    everything = pairs_page("toy", now=NOW, state=state).rows
    monkeypatch.setattr(module, "ROWS_A_PAGE", size)
    seen: list[Any] = []
    after = ""
    for _ in range(5):
        page = pairs_page("toy", now=NOW, state=state, after=after)
        seen += page.rows
        after = page.next_after
        if not after:
            break
    assert seen == list(everything)


@pytest.mark.parametrize("wrong", [{"state": "lost"}, {"after": "third"}, {"after": "vote.x"}])
def test_what_nobody_offers_is_refused(varied: Campaign, wrong: dict[str, Any]) -> None:
    with pytest.raises(UnknownChoice):
        pairs_page("toy", now=NOW, **wrong)


def test_the_list_costs_the_same_for_many_pairs(
    db: None, django_assert_num_queries: Callable[..., Any]
) -> None:
    make_campaign(n_pairs=70)
    with django_assert_num_queries(4):
        assert pairs_page("toy", now=NOW).next_after
    with django_assert_num_queries(5):
        assert pairs_page("toy", now=NOW, state="on-vote", with_texts=True).next_after
