import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval


@pytest.mark.parametrize(
    ("successes", "n", "rate", "low", "high"),
    [
        # Decisive agreement of "Beyond Memory Leaderboards", Figure 6b: 50 %, 90 %, 100 %.
        (11, 22, 0.50, 0.307, 0.693),
        (9, 10, 0.90, 0.596, 0.982),
        (29, 29, 1.00, 0.883, 1.000),
    ],
)
def test_it_gives_the_published_rates_with_bounds_worked_by_hand(successes, n, rate, low, high):
    interval = wilson_interval(successes, n)
    assert interval.rate == pytest.approx(rate)
    assert interval.low == pytest.approx(low, abs=5e-4)
    assert interval.high == pytest.approx(high, abs=5e-4)


def test_all_successes_are_bounded_by_n_over_n_plus_z_squared():
    z = 1.959963984540054
    assert wilson_interval(29, 29).low == pytest.approx(29 / (29 + z * z))


@given(st.integers(1, 2000), st.floats(0, 1), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_it_agrees_with_statsmodels(n, share, level):
    successes = round(share * n)
    interval = wilson_interval(successes, n, level=level)
    low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    assert interval.low == pytest.approx(low, abs=1e-9)
    assert interval.high == pytest.approx(high, abs=1e-9)


@given(st.integers(1, 500), st.floats(0, 1))
def test_it_stays_inside_zero_to_one_and_mirrors_failures(n, share):
    successes = round(share * n)
    interval = wilson_interval(successes, n)
    assert 0 <= interval.low <= interval.rate <= interval.high <= 1
    assert interval.low < interval.high
    failures = wilson_interval(n - successes, n)
    assert failures.low == pytest.approx(1 - interval.high)


def test_it_refuses_an_empty_count():
    with pytest.raises(StatisticUndefined, match="n is 0"):
        wilson_interval(0, 0)


@pytest.mark.parametrize(("successes", "n"), [(3, 2), (-1, 2), (float("nan"), 2), (0, -1)])
def test_impossible_counts_are_a_mistake(successes, n):
    with pytest.raises(ValueError, match="0 <= successes <= n"):
        wilson_interval(successes, n)
