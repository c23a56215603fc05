import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.correlation import pearson, spearman
from evaluation.statistics.refusals import StatisticUndefined

PAIRS = st.lists(
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=4, max_size=30
).map(lambda pairs: np.array(pairs, dtype=float).T)


def test_pearson_is_worked_by_hand():
    # Deviations (-1, 0, 1, 0) and (-1, 1, 1, -1): 2 / sqrt(2 * 4).
    result = pearson([1, 2, 3, 2], [1, 3, 3, 1])
    assert result.coefficient == pytest.approx(1 / math.sqrt(2))
    assert result.n == 4
    margin = 1.959963984540054
    assert result.low == pytest.approx(math.tanh(math.atanh(1 / math.sqrt(2)) - margin))


def test_spearman_is_worked_by_hand_with_the_formula_for_untied_ranks():
    # Rank differences 1, 1, 0, 1, 1: 1 - 6 * 4 / (5 * 24).
    assert spearman([10, 20, 30, 40, 50], [2, 1, 3, 5, 4]).coefficient == pytest.approx(0.8)


def test_spearman_of_the_two_judges_published_means_is_the_papers_picture():
    # "Beyond Memory Leaderboards", Table 8: Gemini and DeepSeek means of seven systems at 50K.
    gemini = [9.14, 9.48, 9.39, 9.41, 9.32, 9.53, 1.79]
    deepseek = [8.61, 9.14, 9.11, 8.91, 8.87, 8.95, 2.18]
    result = spearman(gemini, deepseek)
    # Ranks differ by 0, -1, -2, 1, 0, 2, 0: 1 - 6 * 10 / (7 * 48).
    assert result.coefficient == pytest.approx(1 - 60 / 336)
    assert result.low is not None
    assert 0.0 < result.low < 0.5
    assert pearson(gemini, deepseek).coefficient > 0.99


@given(PAIRS)
def test_coefficients_agree_with_pandas(pairs):
    x, y = pairs
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    frame = pd.DataFrame({"x": x, "y": y})
    assert pearson(x, y).coefficient == pytest.approx(frame.corr().loc["x", "y"], abs=1e-9)
    assert spearman(x, y).coefficient == pytest.approx(
        frame.corr(method="spearman").loc["x", "y"], abs=1e-9
    )


@given(PAIRS)
def test_fishers_interval_agrees_with_scipy(pairs):
    x, y = pairs
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    ours = pearson(x, y)
    assume(ours.low is not None)
    theirs = stats.pearsonr(x, y).confidence_interval(0.95)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(PAIRS)
def test_it_is_symmetric_bounded_and_flips_with_the_sign(pairs):
    x, y = pairs
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    for correlate in (pearson, spearman):
        result = correlate(x, y)
        assert -1 <= result.coefficient <= 1
        assert (result.low is None) == bool(result.interval_undefined)
        if result.low is not None and result.high is not None:
            assert -1 <= result.low <= result.coefficient <= result.high <= 1
        assert correlate(y, x).coefficient == pytest.approx(result.coefficient, abs=1e-9)
        assert correlate(x, -y).coefficient == pytest.approx(-result.coefficient, abs=1e-9)


def test_pairs_with_a_missing_side_are_left_out():
    result = pearson([1, None, 3, 4, 9], [2, 5, 1, 4, float("nan")])
    assert result.n == 3
    assert result.coefficient == pytest.approx(stats.pearsonr([1, 3, 4], [2, 1, 4]).statistic)


def test_the_size_of_the_values_does_not_matter():
    x, y = np.array([1.0, 2.0, 3.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0])
    expected = pearson(x, y).coefficient
    assert pearson(x * 1e200, y * 1e-200).coefficient == pytest.approx(expected)


@pytest.mark.parametrize("correlate", [pearson, spearman])
@pytest.mark.parametrize(
    ("x", "y", "sentence"),
    [
        ([1, 2], [2, 1], "at least 3 pairs; there are 2"),
        ([1, 2, 3], [None, None, 1], "there is 1"),
        ([5, 5, 5, 5], [1, 2, 3, 4], "all values on one side are the same"),
        ([1, 2, 3, 4], [0.1 + 0.2, 0.3, 0.3, 0.3], "all values on one side are the same"),
    ],
)
def test_it_refuses_what_has_no_correlation(correlate, x, y, sentence):
    with pytest.raises(StatisticUndefined, match=sentence):
        correlate(x, y)


@pytest.mark.parametrize("correlate", [pearson, spearman])
def test_it_says_why_there_is_no_interval(correlate):
    three = correlate([1, 2, 3], [1, 3, 2])
    assert (three.low, three.high) == (None, None)
    assert "more than 3 pairs" in three.interval_undefined
    perfect = correlate([1, 2, 3, 4], [2, 4, 6, 8])
    assert perfect.coefficient == pytest.approx(1.0)
    assert "perfect" in perfect.interval_undefined


def test_unequal_lengths_are_a_mistake():
    with pytest.raises(ValueError, match="differ in length"):
        pearson([1, 2, 3], [1, 2])
