import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics.calibration.weighting import weighted_interval
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval

FLAGS = st.lists(st.booleans(), min_size=1, max_size=40).map(np.array)


def test_a_weighted_share_and_its_effective_n_are_worked_by_hand():
    # Weights 4, 1, 1: share 4 / 6; effective n 36 / 18 = 2.
    interval = weighted_interval(np.array([True, False, False]), np.array([4.0, 1.0, 1.0]))
    assert interval.rate == pytest.approx(2 / 3)
    assert interval.n == pytest.approx(2.0)
    assert (interval.low, interval.high) == pytest.approx(
        (wilson_interval(4 / 3, 2).low, wilson_interval(4 / 3, 2).high)
    )


@given(FLAGS, st.floats(0.01, 1.0))
def test_equal_weights_give_the_unweighted_interval(success, probability):
    weight = np.full(len(success), 1.0 / probability)
    found, expected = (
        weighted_interval(success, weight),
        wilson_interval(success.sum(), len(weight)),
    )
    assert found.n == expected.n
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@given(FLAGS, st.data())
def test_the_scale_of_the_weights_does_not_matter_and_n_is_at_most_the_number_of_pairs(
    success, data
):
    size = len(success)
    weight = np.array(data.draw(st.lists(st.floats(1, 50), min_size=size, max_size=size)))
    one, other = weighted_interval(success, weight), weighted_interval(success, 7.3 * weight)
    assert one.rate == pytest.approx(np.average(success, weights=weight))
    assert (one.low, one.high) == pytest.approx((other.low, other.high))
    assert 1 - 1e-9 <= one.n <= size + 1e-9


def test_no_pairs_are_refused():
    with pytest.raises(StatisticUndefined, match="n is 0"):
        weighted_interval(np.array([], dtype=bool), np.array([]))
