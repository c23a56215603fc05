import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from evaluation.statistics.calibration.flips import order_flips
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval

GAPS = arrays.arrays(np.int64, st.shared(st.integers(1, 20), key="n"), elements=st.integers(-9, 9))


def test_flips_are_worked_by_hand():
    found = order_flips(np.array([100, 100, -50, 0, 0]), np.array([100, -20, -50, 30, 0]))
    assert found.flipped == wilson_interval(1, 5)
    assert (found.n_flipped, found.n_tied_once) == (1, 1)
    # Preferred where shown first: 100, 100 of the first column, -20 and -50 of the second.
    assert found.first_shown == wilson_interval(4, 7)


def test_a_tolerance_turns_small_flips_into_ties():
    found = order_flips(np.array([100]), np.array([-20]), tolerance_hundredths=20)
    assert (found.n_flipped, found.n_tied_once) == (0, 1)


@given(GAPS, GAPS)
def test_naming_the_other_answer_changes_nothing_but_the_columns(first, second):
    one, other = order_flips(first, second), order_flips(-second, -first)
    assert one == other


@given(GAPS)
def test_a_judge_blind_to_order_never_flips(gaps):
    found = order_flips(gaps, gaps)
    assert (found.n_flipped, found.n_tied_once) == (0, 0)
    assert found.first_shown is None or found.first_shown.rate == 0.5


def test_no_pairs_and_no_preferences_are_said():
    empty = np.array([], dtype=np.int64)
    with pytest.raises(StatisticUndefined, match="No pair is judged in both orders"):
        order_flips(empty, empty)
    tied = order_flips(np.zeros(3, dtype=int), np.zeros(3, dtype=int))
    assert tied.first_shown is None
    assert "prefers no side" in tied.undefined


def test_unequal_columns_are_a_mistake():
    with pytest.raises(ValueError, match="one gap a pair"):
        order_flips(np.zeros(3, dtype=int), np.zeros(2, dtype=int))
