from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.stats.multitest import multipletests

from evaluation.statistics.bootstrap import paired_difference, resample_counts
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.simultaneous import simultaneous_contrasts, step_down

TABLES = arrays(
    np.float64,
    st.tuples(st.integers(2, 5), st.integers(8, 20)),
    elements=st.sampled_from([0.0, 2.5, 5.0, 7.3, 10.0]),
)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def paired_table(seed: int, means: list[float], n_units: int) -> np.ndarray:
    base = rng(seed).normal(0, 1, size=n_units)
    noise = rng(seed + 1).normal(0, 1, size=(len(means), n_units))
    return np.array(means)[:, None] + base + noise


def test_step_down_is_worked_by_hand():
    # B = 4. Maxima over both: 3, 2, 5, 1; over the second alone: 3, 0, 1, 1.
    replicates = np.array([[1.0, 2.0, 5.0, 0.0], [3.0, 0.0, 1.0, 1.0]])
    p_values, maxima = step_down(np.array([4.0, 2.0]), replicates)
    assert maxima.tolist() == [3.0, 2.0, 5.0, 1.0]
    assert p_values.tolist() == [2 / 5, 2 / 5]
    # The second was at (1 + 1) / 5 on its own; with a smaller first p it would stay there.
    p_values, _ = step_down(np.array([6.0, 2.0]), replicates)
    assert p_values.tolist() == [1 / 5, 2 / 5]


def test_a_table_with_one_row_far_off_separates_it_and_nothing_else():
    table = paired_table(1, [5.0, 5.0, 8.0], 60)
    contrasts = simultaneous_contrasts(table, rng=rng(), n_resamples=2000)
    assert [(c.a, c.b, c.is_separated) for c in contrasts] == [
        (0, 1, False),
        (0, 2, True),
        (1, 2, True),
    ]
    assert contrasts[1].delta == pytest.approx(table[0].mean() - table[2].mean())
    assert contrasts[1].simultaneous_high < 0


def test_identical_rows_are_never_separated():
    row = rng(3).uniform(0, 10, size=40)
    contrasts = simultaneous_contrasts(np.array([row, row, row + 4.0]), rng=rng())
    same = contrasts[0]
    assert (same.delta, same.low, same.high, same.adjusted_p) == (0.0, 0.0, 0.0, 1.0)
    assert (same.simultaneous_low, same.simultaneous_high) == (0.0, 0.0)
    assert not same.is_separated
    assert contrasts[1].is_separated


@pytest.mark.parametrize(("n_units", "is_separated"), [(5, False), (6, True)])
def test_a_constant_difference_is_separated_only_where_the_units_suffice(n_units, is_separated):
    # All of one sign: the two-sided sign test reaches 2 ** (1 - n), 0.0625 for five units.
    row = rng(3).uniform(0, 5, size=n_units)
    (contrast,) = simultaneous_contrasts(np.array([row + 1.0, row]), rng=rng())
    assert contrast.adjusted_p == 2.0 ** (1 - n_units)
    assert contrast.is_separated is is_separated


def test_contrasts_use_common_units_and_print_their_number():
    table = paired_table(5, [5.0, 6.0, 7.0], 30)
    table[0, :4] = np.nan
    table[2, 2:10] = np.nan
    contrasts = simultaneous_contrasts(table, rng=rng(), n_resamples=500)
    assert [c.n for c in contrasts] == [26, 20, 22]
    common = slice(10, None)
    assert contrasts[1].delta == pytest.approx(table[0, common].mean() - table[2, common].mean())


@given(TABLES, st.integers(0, 3))
def test_reversing_the_rows_changes_nothing_but_sign_and_order(table, seed):
    n_rows = len(table)
    forward = simultaneous_contrasts(table, rng=rng(seed), n_resamples=99)
    backward = simultaneous_contrasts(table[::-1], rng=rng(seed), n_resamples=99)
    mirrored = {(n_rows - 1 - c.b, n_rows - 1 - c.a): c for c in backward}
    for c in forward:
        other = mirrored[c.a, c.b]
        assert (c.delta, c.low, c.high) == (-other.delta + 0.0, -other.high, -other.low)
        assert (c.simultaneous_low, c.simultaneous_high) == (
            -other.simultaneous_high,
            -other.simultaneous_low,
        )
        assert (c.adjusted_p, c.is_separated, c.n) == (
            other.adjusted_p,
            other.is_separated,
            other.n,
        )


@given(TABLES, st.integers(0, 3))
def test_an_interval_that_excludes_zero_means_separated_and_p_falls_with_t(table, seed):
    contrasts = simultaneous_contrasts(table, rng=rng(seed), n_resamples=99)
    for c in contrasts:
        assert np.isfinite([c.delta, c.low, c.high, c.simultaneous_low, c.adjusted_p]).all()
        assert c.simultaneous_low <= c.delta <= c.simultaneous_high
        assert 0.0 < c.adjusted_p <= 1.0
        assert c.is_separated == (c.adjusted_p <= 0.05 + 1e-12)
        if c.simultaneous_low > 0 or c.simultaneous_high < 0:
            assert c.is_separated
        if c.is_separated:
            assert c.delta != 0


def test_stepping_down_can_separate_a_pair_whose_simultaneous_interval_holds_zero():
    # The third row is far off, so the close pair is measured last, against its own draws alone:
    # at 2.2 standard errors it passes 1.96 and stays under the 2.4 of three pairs at once.
    noise = stats.zscore(rng(1).normal(size=100))
    first = rng(2).normal(size=100)
    table = np.array(
        [first, first + noise + 2.2 / np.sqrt(100), first + 9 + rng(3).normal(size=100)]
    )
    contrasts = simultaneous_contrasts(table, rng=rng(), n_resamples=4000)
    close = contrasts[0]
    assert close.is_separated
    assert close.simultaneous_low < 0 < close.simultaneous_high


def brute_force(table: np.ndarray, n_resamples: int, seed: int) -> dict[tuple[int, int], float]:
    """Adjusted p-values by the definition, one draw and one hypothesis at a time."""
    counts = resample_counts(table.shape[1], n_resamples, rng(seed))
    pairs = list(combinations(range(len(table)), 2))
    differences = {(a, b): table[a] - table[b] for a, b in pairs}
    replicates = {p: np.array([np.average(d, weights=c) for c in counts])
                  for p, d in differences.items()}  # fmt: skip
    students = {p: stats.ttest_1samp(d, 0.0).statistic for p, d in differences.items()}
    widened = {p: replicates[p].std(ddof=1) / (d.std() / np.sqrt(len(d)))
               for p, d in differences.items()}  # fmt: skip
    t = {p: stats.norm.isf(stats.t.sf(abs(value) / widened[p], table.shape[1] - 1))
         for p, value in students.items()}  # fmt: skip
    null_t = {p: abs(replicates[p] - d.mean()) / replicates[p].std(ddof=1)
              for p, d in differences.items()}  # fmt: skip
    left, adjusted, floor = sorted(pairs, key=lambda p: -t[p]), {}, 0.0
    while left:
        leading = left[0]
        maxima = np.max([null_t[p] for p in left], axis=0)
        p_value = (1 + sum(maxima >= t[leading])) / (n_resamples + 1)
        floor = adjusted[leading] = max(floor, p_value)
        left = left[1:]
    return adjusted


def test_it_agrees_with_the_definition_carried_out_one_hypothesis_at_a_time():
    table = paired_table(8, [5.0, 5.3, 5.6, 6.4], 45)
    expected = brute_force(table, 400, seed=2)
    contrasts = simultaneous_contrasts(table, rng=rng(2), n_resamples=400)
    assert {(c.a, c.b): c.adjusted_p for c in contrasts} == pytest.approx(expected)
    assert len(set(expected.values())) >= 3


def test_the_unadjusted_interval_is_the_paired_bootstrap_of_the_pair():
    table = paired_table(9, [5.0, 5.5], 50)
    (contrast,) = simultaneous_contrasts(table, rng=rng(4), n_resamples=999)
    alone = paired_difference(table[0], table[1], rng=rng(4), n_resamples=999)
    assert (contrast.delta, contrast.low, contrast.high) == (alone.estimate, alone.low, alone.high)


@pytest.mark.parametrize(("n_units", "published_q"), [(1000, 3.63), (31, 3.85)])
def test_the_critical_value_is_tukeys_for_independent_rows(n_units, published_q):
    # scipy's studentized range; Tukey's table gives q(0.05; 4, inf) = 3.63 and (4, 30) = 3.85.
    # Each pair has its own standard error, so that few units leave it near, not at, Tukey's.
    expected = stats.studentized_range.ppf(0.95, 4, n_units - 1) / np.sqrt(2)
    assert expected == pytest.approx(published_q / np.sqrt(2), abs=0.01)
    ratios = []
    for seed in range(5):
        table = rng(100 + seed).normal(0, 1, size=(4, n_units))
        for c in simultaneous_contrasts(table, rng=rng(seed), n_resamples=5000):
            error = stats.sem(table[c.a] - table[c.b])
            ratios.append((c.simultaneous_high - c.delta) / error / expected)
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.035)


def test_it_is_never_much_weaker_than_holms_bound_of_statsmodels():
    table = rng(14).normal([[0.0], [0.1], [0.22], [0.3]], 1, size=(4, 800))
    contrasts = simultaneous_contrasts(table, rng=rng(1), n_resamples=10_000)
    raw = [stats.ttest_rel(table[c.a], table[c.b]).pvalue for c in contrasts]
    bound = multipletests(raw, method="holm")[1]
    ours = np.array([c.adjusted_p for c in contrasts])
    assert (ours <= bound + 0.01).all()
    assert (ours < bound - 0.01).any()


@pytest.mark.parametrize("n_units", [12, 50])
def test_the_family_wise_error_stays_near_five_percent_and_intervals_cover_together(n_units):
    n_tables, false_alarms, misses = 300, 0, 0
    truth = np.array([5.0, 5.0, 5.0, 6.0])
    for seed in range(n_tables):
        table = paired_table(1000 + 2 * seed, truth.tolist(), n_units)
        contrasts = simultaneous_contrasts(table, rng=rng(seed), n_resamples=299)
        false_alarms += any(c.is_separated for c in contrasts if c.b < 3)
        misses += any(
            not c.simultaneous_low <= truth[c.a] - truth[c.b] <= c.simultaneous_high
            for c in contrasts
        )
    # 300 tables at 5 %: 15 expected, standard deviation 3.8.
    assert 4 <= false_alarms <= 26
    assert 4 <= misses <= 26


def test_one_row_or_none_has_no_contrasts():
    assert simultaneous_contrasts(np.zeros((1, 4)), rng=rng()) == ()
    assert simultaneous_contrasts(np.zeros((0, 4)), rng=rng()) == ()


def test_it_refuses_pairs_without_enough_common_units():
    nan = float("nan")
    with pytest.raises(StatisticUndefined, match="share no scored unit"):
        simultaneous_contrasts(np.array([[1.0, nan], [nan, 1.0]]), rng=rng())
    with pytest.raises(StatisticUndefined, match="at least 2 units that both rows"):
        simultaneous_contrasts(np.array([[1.0, 2.0], [nan, 1.0]]), rng=rng())


def test_it_refuses_too_few_resamples_and_malformed_tables():
    with pytest.raises(StatisticUndefined, match="at least 39 resamples"):
        simultaneous_contrasts(np.eye(3), rng=rng(), n_resamples=20)
    with pytest.raises(ValueError, match="shape"):
        simultaneous_contrasts(np.zeros(3), rng=rng())
    with pytest.raises(ValueError, match="never infinite"):
        simultaneous_contrasts(np.array([[1.0, np.inf], [1.0, 2.0]]), rng=rng())
