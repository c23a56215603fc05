"""Reciprocal rank fusion, worked by hand and as a property."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.fusion import reciprocal_rank_fusion

rankings = st.lists(st.lists(st.integers(0, 30), unique=True, max_size=20), max_size=4)


def test_scores_are_those_worked_by_hand() -> None:
    fused = reciprocal_rank_fusion([[7, 3, 5], [3, 9]])
    assert fused == [
        (3, pytest.approx(1 / 62 + 1 / 61)),
        (7, pytest.approx(1 / 61)),
        (9, pytest.approx(1 / 62)),
        (5, pytest.approx(1 / 63)),
    ]


def test_equal_scores_are_ordered_by_index() -> None:
    assert [index for index, _ in reciprocal_rank_fusion([[4, 1], [1, 4], [8], [2]])] == [
        1,
        4,
        2,
        8,
    ]


def test_nothing_fuses_to_nothing() -> None:
    assert reciprocal_rank_fusion([]) == []
    assert reciprocal_rank_fusion([[], []]) == []


@given(rankings)
def test_every_index_comes_once_and_the_order_of_rankings_does_not_matter(
    lists: list[list[int]],
) -> None:
    fused = reciprocal_rank_fusion(lists)
    assert sorted(index for index, _ in fused) == sorted({i for ranking in lists for i in ranking})
    backwards = dict(reciprocal_rank_fusion(lists[::-1]))
    assert all(backwards[index] == pytest.approx(score) for index, score in fused)


@given(st.lists(st.integers(0, 99), unique=True))
def test_one_ranking_keeps_its_order(ranking: list[int]) -> None:
    assert [index for index, _ in reciprocal_rank_fusion([ranking])] == ranking


def test_a_ranking_that_names_an_index_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="names an index twice"):
        reciprocal_rank_fusion([[1, 1]])


def test_a_negative_constant_is_refused() -> None:
    with pytest.raises(ValueError, match="not negative"):
        reciprocal_rank_fusion([[1]], k=-1)
