import numpy as np
import pytest

from evaluation.statistics.bootstrap import resample_counts
from evaluation.statistics.calibration.clusters import (
    FEWEST_RATERS,
    ratio_bounds,
    resampled_category_sums,
)
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.defined import defined

HITS, ALL = np.array([1.0, 0.0]), np.array([1.0, 1.0])


def entries(n=400, n_questions=12, n_raters=15, seed=0):
    rng = np.random.default_rng(seed)
    return (
        rng.integers(0, n_questions, n),
        rng.integers(0, 2, n),
        rng.integers(1, 4, n).astype(float),
        rng.integers(0, n_raters, n),
    )


def test_a_rate_is_the_ratio_of_its_categories():
    sums = resampled_category_sums(
        np.array([0, 0, 1]),
        np.array([0, 1, 0]),
        np.array([2.0, 1.0, 1.0]),
        n_categories=2,
        rng=np.random.default_rng(0),
    )
    rate = sums.rate(HITS, ALL, level=0.95)
    assert (rate.rate, rate.n) == (0.75, 4.0)
    # Questions have 2 of 3 and 1 of 1: a draw takes one twice, or both.
    assert (rate.low, rate.high) == (pytest.approx(2 / 3), 1.0)


def test_draws_of_questions_agree_with_a_plain_loop():
    question, category, amount, _ = entries()
    sums = resampled_category_sums(
        question, category, amount, n_categories=2, rng=np.random.default_rng(5), n_resamples=40
    )
    drawn = resample_counts(12, 40, np.random.default_rng(5))
    expected = [
        [sum(amount[(category == c)] * row[question[category == c]]) for c in (0, 1)]
        for row in drawn
    ]
    assert sums.replicates == pytest.approx(np.array(expected))


def test_draws_of_questions_and_raters_agree_with_a_plain_loop():
    question, category, amount, rater = entries()
    sums = resampled_category_sums(
        question,
        category,
        amount,
        n_categories=2,
        rng=np.random.default_rng(5),
        rater=rater,
        n_resamples=40,
    )
    rng = np.random.default_rng(5)
    questions, raters = resample_counts(12, 40, rng), resample_counts(15, 40, rng)
    expected = [
        [sum((amount * q[question] * r[rater])[category == c]) for c in (0, 1)]
        for q, r in zip(questions, raters, strict=True)
    ]
    assert sums.replicates == pytest.approx(np.array(expected))
    assert "by question and by rater (15 raters)" in sums.clustered_by


def test_fewer_than_ten_raters_are_not_resampled_and_it_is_said():
    question, category, amount, rater = entries(n_raters=FEWEST_RATERS - 1)
    with_raters, without = (
        resampled_category_sums(
            question,
            category,
            amount,
            n_categories=2,
            rng=np.random.default_rng(1),
            rater=given,
            n_resamples=50,
        )
        for given in (rater, None)
    )
    assert np.array_equal(with_raters.replicates, without.replicates)
    assert "by question alone: 9 raters are fewer than the 10" in with_raters.clustered_by


def test_raters_widen_the_interval_when_they_differ():
    rng = np.random.default_rng(3)
    rater = np.repeat(np.arange(20), 50)
    question = np.tile(np.arange(50), 20)
    category = (rng.random(1000) > np.where(rater < 10, 0.9, 0.3)).astype(int)
    widths = []
    for given in (rater, None):
        rate = resampled_category_sums(
            question,
            category,
            np.ones(1000),
            n_categories=2,
            rng=np.random.default_rng(1),
            rater=given,
        ).rate(HITS, ALL, level=0.95)
        widths.append(defined(rate.high) - defined(rate.low))
    assert widths[0] > 2 * widths[1]


def test_one_question_has_a_rate_but_no_interval():
    sums = resampled_category_sums(
        np.array([7, 7]),
        np.array([0, 1]),
        np.ones(2),
        n_categories=2,
        rng=np.random.default_rng(0),
    )
    rate = sums.rate(HITS, ALL, level=0.95)
    assert (rate.rate, rate.low, rate.high) == (0.5, None, None)
    assert "at least 2 questions; there is 1" in rate.interval_undefined


def test_a_rate_without_spread_has_no_interval():
    sums = resampled_category_sums(
        np.arange(9),
        np.zeros(9, dtype=int),
        np.ones(9),
        n_categories=2,
        rng=np.random.default_rng(0),
    )
    assert "no spread" in sums.rate(HITS, ALL, level=0.95).interval_undefined


def test_too_few_draws_and_empty_rates_are_refused():
    question, category, amount, _ = entries()
    sums = resampled_category_sums(
        question, category, amount, n_categories=3, rng=np.random.default_rng(1), n_resamples=10
    )
    with pytest.raises(StatisticUndefined, match="n is 0"):
        sums.rate(np.array([0.0, 0, 1]), np.array([0.0, 0, 1]), level=0.95)
    few = sums.rate(np.array([1.0, 0, 0]), np.array([1.0, 1, 0]), level=0.95)
    assert few.low is None
    assert "resamples" in few.interval_undefined


def test_draws_without_a_denominator_are_left_out():
    numerators, denominators = np.arange(100.0), np.full(100, 100.0)
    denominators[0] = 0.0
    assert ratio_bounds(numerators, denominators, level=0.95) == (0.02, 0.98)
