"""Pairs in their order, and the queue of those that wait for review."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from annotation.models import Campaign, Pair
from annotation.queries import pairs_page as module
from annotation.queries.pairs_page import pairs_page
from evaluation.queries.choices import UnknownChoice
from tests.annotation.toy_campaigns import LABELS, NOW, make_campaign

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
        assert not [label for label in LABELS if label in said]


def test_a_question_narrows_the_pairs(varied: Campaign) -> None:
    assert [row.question for row in pairs_page("toy", now=NOW, question="TQ3").rows] == ["TQ3"]
    page = pairs_page("toy", now=NOW, question="TQ99")
    assert page.is_unknown_question
    assert page.rows == ()


def test_pages_hold_every_pair_once(varied: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = pairs_page("toy", now=NOW).rows
    monkeypatch.setattr(module, "ROWS_A_PAGE", 3)
    seen: list[Any] = []
    after = ""
    for _ in range(5):
        page = pairs_page("toy", now=NOW, after=after)
        seen += page.rows
        after = page.next_after
        if not after:
            break
    assert seen == list(everything)


@pytest.mark.parametrize("wrong", [{"state": "lost"}, {"after": "third"}, {"after": "vote.x"}])
def test_what_nobody_offers_is_refused(varied: Campaign, wrong: dict[str, str]) -> None:
    with pytest.raises(UnknownChoice):
        pairs_page("toy", now=NOW, **wrong)


def test_the_list_costs_the_same_for_many_pairs(
    db: None, django_assert_num_queries: Callable[..., Any]
) -> None:
    make_campaign(n_pairs=70)
    with django_assert_num_queries(3):
        assert pairs_page("toy", now=NOW).next_after
