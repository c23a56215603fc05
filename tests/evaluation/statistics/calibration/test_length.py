import pytest
from hypothesis import given, settings

from evaluation.statistics.calibration.length import length_bias
from evaluation.statistics.calibration.undefined import Undefined
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval
from tests.evaluation.statistics.calibration.defined import defined, reason
from tests.evaluation.statistics.calibration.tables import pair_table, pair_tables, swapped

PAIRS = pair_table(
    [
        (0, 0, 1, 90, 1, 0, 0),
        (0, 0, 1, 90, 0, 1, 0),
        (0, 0, 1, -90, 0, 1, 0),
        (0, 0, 1, None, 1, 0, 0),
        (0, 0, 1, 0, 0, 0, 1),
    ],
    lengths=[300, 100, -50, 0, 700],
)


def test_the_preference_for_longer_answers_is_worked_by_hand():
    found = length_bias(PAIRS)
    people, judge = defined(found.people), defined(found.judge)
    # People: 300 and 50 longer, 100 shorter, one of equal length.
    assert people.longer_preferred == wilson_interval(2, 3)
    assert people.n_equal == 1
    assert people.mean_lead_chars == pytest.approx((300 - 100 + 50 + 0) / 4)
    assert people.median_lead_chars == pytest.approx(25)
    # The judge: 300, 100 and 50 longer.
    assert judge.longer_preferred == wilson_interval(3, 3)
    assert judge.mean_lead_chars == pytest.approx(150)


@given(pair_tables())
@settings(max_examples=40)
def test_exchanging_first_and_second_changes_nothing(pairs):
    assert length_bias(pairs) == length_bias(swapped(pairs))


def test_what_has_no_preference_says_so():
    tied = length_bias(PAIRS.where(PAIRS.n_tie > 0))
    assert tied.people == tied.judge == Undefined("No pair has a preferred side.")
    equal = length_bias(PAIRS.where(~PAIRS.is_judged))
    assert "as long as the others" in reason(equal.people)
    with pytest.raises(StatisticUndefined, match="lengths of the answers are not known"):
        length_bias(pair_table([(0, 0, 1, 90, 1, 0, 0)]))
