import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics import draws
from evaluation.statistics.bootstrap import (
    Interval,
    bootstrap_mean_interval,
    paired_difference,
    resample_counts,
)
from evaluation.statistics.refusals import StatisticUndefined

SCORES = st.floats(min_value=0, max_value=10, allow_nan=False)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_two_units_give_the_binomial_bounds_worked_by_hand():
    # A draw of two units from (0, 10) has mean 0, 5 or 10 with chances 1/4, 1/2, 1/4.
    interval = bootstrap_mean_interval([0.0, 10.0], rng=rng(), n_resamples=999, level=0.95)
    assert interval == Interval(estimate=5.0, low=0.0, high=10.0, n=2)
    middle = bootstrap_mean_interval([0.0, 10.0], rng=rng(), n_resamples=999, level=0.4)
    assert (middle.low, middle.high) == (5.0, 5.0)


def test_missing_values_are_left_out_and_n_says_so():
    assert bootstrap_mean_interval([4.0, None, 4.0, float("nan")], rng=rng()) == Interval(
        4.0, 4.0, 4.0, 2
    )


def test_a_difference_is_taken_over_common_units_only():
    interval = paired_difference(
        [9.0, 5.0, None, 8.0], [1.0, 4.0, 0.0, None], rng=rng(), n_resamples=999
    )
    # Common units differ by 8 and 1.
    assert interval == Interval(estimate=4.5, low=1.0, high=8.0, n=2)


@given(st.lists(SCORES, min_size=2, max_size=30), st.integers(0, 5))
def test_the_interval_lies_within_the_values_and_follows_shift_and_mirror(values, seed):
    interval = bootstrap_mean_interval(values, rng=rng(seed), n_resamples=199)
    assert min(values) - 1e-9 <= interval.low <= interval.high <= max(values) + 1e-9
    mirrored = bootstrap_mean_interval([-v for v in values], rng=rng(seed), n_resamples=199)
    assert (mirrored.low, mirrored.high) == (-interval.high, -interval.low)
    shifted = bootstrap_mean_interval([v + 3 for v in values], rng=rng(seed), n_resamples=199)
    assert shifted.low == pytest.approx(interval.low + 3, abs=1e-9)


@given(st.integers(1, 60), st.integers(1, 200), st.integers(0, 9))
def test_every_resample_draws_as_many_units_as_there_are(n_units, n_resamples, seed):
    counts = resample_counts(n_units, n_resamples, rng(seed))
    assert counts.shape == (n_resamples, n_units)
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == n_units).all()


def test_the_chunk_size_changes_memory_and_never_the_draws(monkeypatch):
    whole = resample_counts(37, 500, rng(3))
    monkeypatch.setattr(draws, "CELLS_A_CHUNK", 101)
    assert (resample_counts(37, 500, rng(3)) == whole).all()


def test_it_agrees_with_the_percentile_bootstrap_of_scipy():
    values = rng(7).gamma(2.0, 1.5, size=66)
    ours = bootstrap_mean_interval(values, rng=rng(1), n_resamples=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=rng(2)
    ).confidence_interval
    assert ours.estimate == pytest.approx(values.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.03)
    assert ours.high == pytest.approx(theirs.high, abs=0.03)


def test_the_paired_difference_agrees_with_the_paired_bootstrap_of_scipy():
    base = rng(4).normal(6, 2, size=98)
    a, b = base + rng(5).normal(0.5, 1, size=98), base + rng(6).normal(0, 1, size=98)
    ours = paired_difference(a, b, rng=rng(1), n_resamples=20_000)
    theirs = stats.bootstrap(
        (a, b),
        lambda x, y, axis: (x - y).mean(axis=axis),
        paired=True,
        n_resamples=20_000,
        method="percentile",
        rng=rng(2),
    ).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.high, abs=0.02)


def test_the_interval_of_nearly_normal_values_is_as_wide_as_students():
    values = rng(9).normal(7, 2, size=400)
    ours = bootstrap_mean_interval(values, rng=rng(1))
    low, high = stats.t.interval(0.95, 399, loc=values.mean(), scale=stats.sem(values))
    assert ours.high - ours.low == pytest.approx(high - low, rel=0.03)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [([], "no scored unit"), ([None], "no scored unit"), ([3.0], "at least 2 scored units")],
)
def test_it_refuses_too_few_units(values, sentence):
    with pytest.raises(StatisticUndefined, match=sentence):
        bootstrap_mean_interval(values, rng=rng())


def test_it_refuses_too_few_resamples_for_the_level():
    with pytest.raises(StatisticUndefined, match="95 % interval needs at least 39 resamples"):
        bootstrap_mean_interval([1.0, 2.0], rng=rng(), n_resamples=38)
    bootstrap_mean_interval([1.0, 2.0], rng=rng(), n_resamples=39)
    bootstrap_mean_interval([1.0, 2.0], rng=rng(), n_resamples=19, level=0.9)


def test_it_refuses_a_difference_without_common_units():
    with pytest.raises(StatisticUndefined, match="there are 0"):
        paired_difference([1.0, None], [None, 1.0], rng=rng())


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, float("nan")])
def test_a_level_outside_zero_to_one_is_a_mistake(level):
    with pytest.raises(ValueError, match="confidence level"):
        bootstrap_mean_interval([1.0, 2.0], rng=rng(), level=level)


def test_malformed_scores_are_a_mistake():
    with pytest.raises(ValueError, match="never infinite"):
        bootstrap_mean_interval([1.0, float("inf")], rng=rng())
    with pytest.raises(ValueError, match="differ in length"):
        paired_difference([1.0], [1.0, 2.0], rng=rng())
    with pytest.raises(ValueError, match="at least one unit"):
        resample_counts(0, 10, rng())
