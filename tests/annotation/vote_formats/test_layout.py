"""The campaign that rows of votes make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.vote_formats.layout import Layout, lay_out
from annotation.vote_formats.rows import BrokenRows, VoteRow

HERE = Path("votes.csv")


def row(left: str, right: str, choice: str = "a", rater: str = "r", **more: Any) -> VoteRow:
    return VoteRow("row 2", more.pop("question", "q"), left, right, choice, rater, **more)


def laid(*rows: VoteRow, seed: int = 1) -> Layout:
    return lay_out(rows, seed=seed, path=HERE)


def test_a_pair_is_the_same_whichever_side_its_systems_were_on() -> None:
    made = laid(row("A", "B", "a", "r"), row("B", "A", "a", "s"))
    (pair,) = made.pairs
    assert pair.n_counted == 2
    assert pair.by_answer == {"first": 1, "second": 1}
    assert [vote.slot for vote in made.votes] == [1, 2]
    assert made.votes[0].left_is_first != made.votes[1].left_is_first


def test_what_a_rater_says_again_stands_on_a_pair_of_its_own() -> None:
    made = laid(row("A", "B", "a"), row("B", "A", "b"), row("A", "B", "tie"))
    assert [(pair.position, pair.n_counted) for pair in made.pairs] == [(0, 1), (1, 1), (2, 1)]
    assert len({(pair.question, pair.first, pair.second) for pair in made.pairs}) == 1
    assert (len(made.votes), made.n_repeated) == (3, 2)


def test_another_question_makes_another_pair() -> None:
    assert len(laid(row("A", "B"), row("A", "B", question="other")).pairs) == 2


def test_a_model_never_counts_beside_people_and_may_compare_a_system_with_itself() -> None:
    made = laid(row("A", "A", "tie", "m", voter="model"), row("A", "B", "a"))
    assert [(vote.slot, vote.not_counted) for vote in made.votes] == [(None, "model"), (1, "")]
    assert made.n_counted == 1


def test_models_count_where_nobody_else_voted() -> None:
    made = laid(row("A", "A", "tie", voter="model"), row("A", "B", "a", voter="model"))
    assert [(vote.slot, vote.not_counted) for vote in made.votes] == [(None, "model"), (1, "")]


def test_an_unscored_verdict_is_no_vote() -> None:
    made = laid(row("A", "B", "unscored", voter="model"))
    assert (made.votes, len(made.unscored), made.raters[0].n_votes) == ([], 1, 0)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([row("A", "A")], "compared with itself"),
        ([row("A", " ")], "the right system is empty"),
        ([row("A", "B" * 201)], "more than 200 characters"),
        ([row("A", "B", rater="r" * 121)], "more than 120 characters"),
        ([row("A", "B"), row("A", "C", voter="model")], "was a person before"),
        ([row("A", "B"), row("A", "B", rater="s", voter="simulated")], "never share a campaign"),
    ],
)
def test_what_no_campaign_can_hold_is_refused(rows: list[VoteRow], reason: str) -> None:
    with pytest.raises(BrokenRows, match=reason):
        lay_out(rows, seed=1, path=HERE)


NAMES = st.sampled_from("ABCD")
ROWS = st.lists(
    st.builds(
        row,
        NAMES,
        NAMES,
        st.sampled_from(["a", "b", "tie", "both_bad"]),
        st.sampled_from(["r", "s"]),
        question=st.sampled_from(["q1", "q2"]),
    ).filter(lambda one: one.left != one.right),
    min_size=1,
)


@given(ROWS, st.integers(0, 5))
def test_no_vote_is_lost_and_who_won_stays(rows: list[VoteRow], seed: int) -> None:
    made = laid(*rows, seed=seed)
    assert len(made.votes) == made.n_counted == len(rows)
    for vote in made.votes:
        pair = made.pairs[vote.pair]
        left, right = (pair.first, pair.second) if vote.left_is_first else (pair.second, pair.first)
        assert (made.systems[left], made.systems[right]) == (vote.row.left, vote.row.right)
    for pair in made.pairs:
        votes = [vote for vote in made.votes if made.pairs[vote.pair] is pair]
        assert len({vote.rater for vote in votes}) == len(votes)
        assert sorted(vote.slot or 0 for vote in votes) == list(range(1, len(votes) + 1))
        assert sum(pair.by_answer.values()) == len(votes)


@given(ROWS)
def test_which_is_first_does_not_depend_on_sides(rows: list[VoteRow]) -> None:
    def firsts(of: list[VoteRow]) -> list[str]:
        made = laid(*of)
        return [made.systems[pair.first] for pair in made.pairs]

    swapped = [
        row(one.right, one.left, one.choice, one.rater, question=one.question) for one in rows
    ]
    assert firsts(rows) == firsts(swapped)
