import numpy as np
import pytest
from scipy import stats

from evaluation.statistics.calibration.outcomes import Unit
from evaluation.statistics.calibration.rank_agreement import rank_agreement, row_spearman
from evaluation.statistics.calibration.ratings import Model
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import changed, joined, pair_table


def found_in(pairs, **options):
    return rank_agreement(pairs, rng=np.random.default_rng(0), n_resamples=200, **options)


def judged_pairs(n=400, noise=1.0, seed=0):
    """People's and the judge's preferences both follow the systems' order."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        a, b = rng.permutation(4)[:2]
        people, judge = (b - a) + rng.normal(0, noise), (b - a) + rng.normal(0, noise)
        label = 2 if abs(people) < 0.3 else int(people < 0)
        rows.append((i % 40, int(a), int(b), round(100 * judge), *np.eye(3, dtype=int)[label]))
    return pair_table(rows)


@pytest.mark.parametrize("model", list(Model))
def test_the_same_order_gives_a_correlation_of_one(model):
    found = found_in(judged_pairs(), model=model, tolerance_hundredths=30)
    assert [row.rank for row in found.people.rows] == [row.rank for row in found.judge.rows]
    assert found.correlation.coefficient == pytest.approx(1.0)
    assert found.correlation.n == 4
    if found.low is None:
        assert "Every draw" in found.interval_undefined
    else:
        assert found.low < found.high == 1.0


def test_both_rank_the_same_pairs_by_one_estimator():
    pairs = judged_pairs(noise=3.0)
    unjudged = pair_table([(0, 0, 1, None, 1, 0, 0)] * 50)
    mixed = joined(pairs, unjudged)
    one, other = found_in(pairs), found_in(mixed)
    assert one.people.rows == other.people.rows
    assert one.judge.n_comparisons == one.people.n_comparisons == 400
    assert (one.low, one.high) == (other.low, other.high)


def test_rows_agree_with_scipy():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 30, 6)).round(1)
    expected = [stats.spearmanr(x, y).statistic for x, y in zip(first, second, strict=True)]
    assert row_spearman(first, second) == pytest.approx(np.array(expected))


def test_one_question_leaves_the_correlation_without_a_bootstrap():
    pairs = judged_pairs(noise=3.0)
    found = found_in(changed(pairs, "question", np.zeros(400, dtype=int)))
    assert found.low is None
    assert found.interval_undefined


def test_constant_scores_two_systems_and_no_judgments_are_refused():
    pairs = judged_pairs(noise=3.0)
    constant = changed(pairs, "gap_hundredths", np.zeros(400, dtype=int))
    with pytest.raises(StatisticUndefined, match="all values on one side are the same"):
        found_in(constant)
    two = pair_table([(i, 0, 1, (-1) ** i, i % 2, 1 - i % 2, 0) for i in range(9)])
    with pytest.raises(StatisticUndefined, match="at least 3 pairs; there are 2"):
        found_in(two)
    with pytest.raises(StatisticUndefined, match="No voted pair"):
        found_in(pair_table([(0, 0, 1, None, 1, 0, 0)]))


def test_people_cannot_be_counted_by_the_judge():
    with pytest.raises(ValueError, match="by pairs or by votes"):
        found_in(judged_pairs(), unit=Unit.JUDGE)
