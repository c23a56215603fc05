import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.missing import MissingBounds, is_rankable, missing_bounds
from evaluation.statistics.refusals import StatisticUndefined


def test_bounds_are_worked_by_hand():
    # 8 + 6 scored, two of four missing: 14 / 4 and (14 + 20) / 4.
    assert missing_bounds([8.0, None, 6.0], 4) == MissingBounds(3.5, 8.5, 2, 4, 0.5)


def test_a_complete_row_has_its_mean_twice():
    assert missing_bounds([8.0, 6.0], 2) == MissingBounds(7.0, 7.0, 2, 2, 1.0)


def test_an_unscored_row_can_be_anything():
    assert missing_bounds([], 5, scale=(0.0, 1.0)) == MissingBounds(0.0, 1.0, 0, 5, 0.0)


@given(st.lists(st.floats(0, 10), max_size=20), st.lists(st.floats(0, 10), max_size=8))
def test_the_bounds_hold_the_mean_whatever_the_missing_scores_are(scored, missing):
    n_total = len(scored) + len(missing)
    if n_total == 0:
        return
    bounds = missing_bounds(scored, n_total)
    assert bounds.low - 1e-9 <= np.mean([*scored, *missing]) <= bounds.high + 1e-9
    width = 10 * (1 - bounds.share_scored)
    assert bounds.high - bounds.low == pytest.approx(width, abs=1e-9)


@given(st.lists(st.floats(0, 10), min_size=1, max_size=20), st.integers(0, 8))
def test_the_bounds_are_the_means_of_the_filled_rows_in_scipy(scored, n_missing):
    bounds = missing_bounds(scored, len(scored) + n_missing)
    assert bounds.low == pytest.approx(stats.tmean([*scored, *[0.0] * n_missing]))
    assert bounds.high == pytest.approx(stats.tmean([*scored, *[10.0] * n_missing]))


@pytest.mark.parametrize(
    ("n_scored", "n_total", "expected"),
    [(19, 20, True), (57, 60, True), (63, 66, True), (62, 66, False), (0, 1, False), (0, 0, False)],
)
def test_rows_are_ranked_from_ninety_five_percent(n_scored, n_total, expected):
    assert is_rankable(n_scored, n_total) is expected


def test_the_papers_incomplete_rows_are_ranked():
    # "Beyond Memory Leaderboards", Table 7: 65 of 66 and 95 of 98 common questions.
    assert is_rankable(65, 66)
    assert is_rankable(95, 98)


@given(st.integers(1, 2000))
def test_the_threshold_is_exact_at_the_edge(n):
    assert is_rankable(19 * n, 20 * n)
    assert not is_rankable(19 * n - 1, 20 * n)


def test_it_refuses_an_empty_question_set_and_impossible_counts():
    with pytest.raises(StatisticUndefined, match="no unit to score"):
        missing_bounds([], 0)
    with pytest.raises(ValueError, match="2 scores for 1 units"):
        missing_bounds([1.0, 2.0], 1)
    with pytest.raises(ValueError, match="outside the scale from 0 to 10"):
        missing_bounds([11.0], 1)
    with pytest.raises(ValueError, match="3 of 2 units"):
        is_rankable(3, 2)
