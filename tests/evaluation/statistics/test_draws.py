import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics.draws import on_exact_grid, percentile_bounds, resampled_means
from evaluation.statistics.refusals import StatisticUndefined


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_sums_on_the_grid_do_not_depend_on_their_order():
    column = rng().uniform(0, 10, size=(1235, 1))
    whole, exponents = on_exact_grid(column, 1235)
    sums = {float(rng(seed).permutation(whole.ravel()).sum()) for seed in range(20)}
    assert len(sums) == 1
    assert np.ldexp(whole, -exponents) == pytest.approx(column, abs=1e-11)


@given(st.integers(-900, 900), st.integers(1, 5000))
def test_the_grid_holds_scores_of_any_size(power, n_units):
    column = np.array([[2.0**power], [-(2.0**power) * 0.75], [0.0]])
    whole, exponents = on_exact_grid(column, n_units)
    assert (np.ldexp(whole, -exponents) == column).all()
    assert np.abs(whole).max() * n_units <= 2**52


def test_a_column_is_averaged_over_its_present_units():
    columns = np.array([[1.0, 1.0], [2.0, np.nan], [6.0, np.nan], [7.0, 9.0]])
    means = resampled_means(columns, rng=rng(), n_resamples=500)
    assert means.estimates.tolist() == [4.0, 5.0]
    assert means.n.tolist() == [4, 2]
    defined = means.replicates[1][~np.isnan(means.replicates[1])]
    assert defined.min() >= 1.0
    assert defined.max() <= 9.0
    # A draw of 4 from 4 units misses both present ones with chance (1/2) ** 4.
    assert 1 - len(defined) / 500 == pytest.approx(1 / 16, abs=0.03)


def test_a_column_is_the_same_alone_and_among_others():
    table = rng(2).uniform(0, 10, size=(50, 8))
    table[rng(3).random((50, 8)) < 0.1] = np.nan
    together = resampled_means(table, rng=rng(1), n_resamples=300).replicates
    alone = resampled_means(table[:, [5]], rng=rng(1), n_resamples=300).replicates
    assert (together[5] == alone[0]).all()


def test_draws_are_paired_across_columns():
    column = rng(2).uniform(0, 10, size=40)
    means = resampled_means(np.column_stack([column, column + 2.0]), rng=rng(), n_resamples=200)
    assert means.replicates[1] - means.replicates[0] == pytest.approx(2.0)


def test_bounds_are_the_order_statistics_counted_from_both_ends():
    replicates = np.array([np.arange(1.0, 40.0)])
    low, high = percentile_bounds(replicates, 0.95)
    assert (low[0], high[0]) == (1.0, 39.0)
    low, high = percentile_bounds(replicates, 0.9)
    assert (low[0], high[0]) == (2.0, 38.0)


def test_undefined_draws_are_left_out_of_the_bounds():
    replicates = np.array([[np.nan, *np.arange(1.0, 40.0), np.nan]])
    low, high = percentile_bounds(replicates, 0.95)
    assert (low[0], high[0]) == (1.0, 39.0)


def test_a_column_without_a_present_unit_is_refused():
    with pytest.raises(StatisticUndefined, match="no scored unit"):
        resampled_means(np.array([[1.0, np.nan], [2.0, np.nan]]), rng=rng(), n_resamples=50)
