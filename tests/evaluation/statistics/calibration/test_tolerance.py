import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.tolerance import tolerance_curve
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import (
    labelled,
    pair_table,
    pair_tables,
    shuffled,
    swapped,
)

FIRST, SECOND, TIE = Outcome


def curve_of(pairs, seed=0, **options):
    return tolerance_curve(pairs, rng=np.random.default_rng(seed), n_resamples=100, **options)


def test_agreement_is_worked_by_hand_at_each_tolerance():
    pairs = labelled([(0, TIE), (30, TIE), (30, FIRST), (-80, SECOND), (80, SECOND)])
    curve = curve_of(pairs, taus_hundredths=(0, 29, 30, 80))
    # 0: the first tie and two sides; 30: both ties, the first side is lost; 80: both ties alone.
    assert [point.n_agree for point in curve.points] == [3, 3, 3, 2]
    assert curve.best.tau_hundredths == 0
    assert (curve.n_pairs, curve.n_tie) == (5, 2)


def test_the_best_tolerance_follows_the_weights():
    pairs = pair_table(
        [(0, 0, 1, 50, 0, 0, 1), (1, 0, 1, 50, 1, 0, 0), (2, 0, 1, 50, 1, 0, 0)],
        probability=[0.1, 1.0, 1.0],
    )
    curve = curve_of(pairs)
    assert curve.best_unweighted.tau_hundredths == 0
    assert curve.best.tau_hundredths == 50
    assert curve.best.weighted.rate == pytest.approx(10 / 12)
    assert curve.best.clustered.rate == pytest.approx(10 / 12)


def test_the_default_curve_runs_from_0_to_4_by_tenths():
    taus = [point.tau_hundredths for point in curve_of(labelled([(0, TIE)])).points]
    assert taus == list(range(0, 401, 10))


@given(pair_tables(min_size=2))
@settings(max_examples=40)
def test_each_point_agrees_with_comparing_three_outcomes(pairs):
    assume(pairs.is_judged.any())
    judged = pairs.where(pairs.is_judged)
    for point in curve_of(pairs, taus_hundredths=(0, 50, 200, 201, 400)).points:
        same = judged.majority == judged.judged_outcome(point.tau_hundredths)
        assert point.n_agree == same.sum()
        assert point.weighted.rate == pytest.approx(np.average(same, weights=judged.weight))
        assert point.clustered.rate == pytest.approx(point.weighted.rate)


@given(pair_tables(min_size=2))
@settings(max_examples=40)
def test_exchanging_first_and_second_changes_nothing(pairs):
    assume(pairs.is_judged.any())
    assert curve_of(pairs) == curve_of(swapped(pairs))


@given(pair_tables(min_size=2), st.integers(0, 99))
@settings(max_examples=40)
def test_the_order_of_pairs_changes_no_digit(pairs, seed):
    assume(pairs.is_judged.any())
    assert curve_of(pairs) == curve_of(shuffled(pairs, seed))


def test_a_table_without_judgments_is_refused():
    with pytest.raises(StatisticUndefined, match="No voted pair has a judge's score"):
        curve_of(labelled([(None, FIRST)]))


@pytest.mark.parametrize("taus", [(), (-1, 0), (10, 10)])
def test_other_tolerances_are_a_mistake(taus):
    with pytest.raises(ValueError, match="tolerances rise"):
        curve_of(labelled([(0, TIE)]), taus_hundredths=taus)
