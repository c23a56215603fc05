import numpy as np
import pytest
from hypothesis import given

from evaluation.statistics.calibration.pairs import Outcome
from tests.evaluation.statistics.calibration.defined import defined
from tests.evaluation.statistics.calibration.tables import changed, pair_table, pair_tables, swapped

FIRST, SECOND, TIE = Outcome


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        ((1, 0, 0), FIRST),
        ((0, 2, 1), SECOND),
        ((2, 1, 1), TIE),
        ((1, 1, 0), TIE),
        ((1, 0, 1), TIE),
        ((0, 0, 3), TIE),
        ((3, 1, 1), FIRST),
    ],
)
def test_a_majority_is_more_than_half_of_the_votes_and_else_a_tie(votes, outcome):
    assert pair_table([(0, 0, 1, 0, *votes)]).majority.tolist() == [outcome]


@pytest.mark.parametrize(
    ("gap", "tolerance", "outcome"),
    [(1, 0, FIRST), (-1, 0, SECOND), (0, 0, TIE), (100, 100, TIE), (101, 100, FIRST)],
)
def test_the_judge_ties_up_to_and_including_the_tolerance(gap, tolerance, outcome):
    pairs = pair_table([(0, 0, 1, gap, 1, 0, 0)])
    assert pairs.judged_outcome(tolerance).tolist() == [outcome]


@given(pair_tables())
def test_exchanging_first_and_second_exchanges_both_outcomes(pairs):
    mirror = np.array([SECOND, FIRST, TIE])
    assert (swapped(pairs).majority == mirror[pairs.majority]).all()
    assert (swapped(pairs).judged_outcome(50) == mirror[pairs.judged_outcome(50)]).all()


@given(pair_tables())
def test_weights_are_the_inverse_of_the_probability_and_add_up_in_any_order(pairs):
    assert pairs.weight == pytest.approx(1 / pairs.inclusion_probability, rel=1e-8)
    assert pairs.weight.sum() == sum(reversed(pairs.weight.tolist()))


def test_chosen_pairs_keep_their_columns_together():
    pairs = pair_table([(0, 0, 1, 5, 1, 0, 0), (3, 1, 2, None, 0, 2, 0)], lengths=[4, 9])
    chosen = pairs.where(~pairs.is_judged)
    assert (chosen.question.tolist(), chosen.n_second.tolist()) == ([3], [2])
    assert defined(chosen.length_difference).tolist() == [9]
    assert chosen.systems == pairs.systems


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("n_first", [0], "without a counted vote"),
        ("n_first", [-1], "not negative"),
        ("n_both_bad", [1], "both bad is counted as a tie"),
        ("system_first", [1], "two different systems"),
        ("system_second", [9], "outside the 4 systems"),
        ("question", [-1], "not negative"),
        ("inclusion_probability", [0.0], "above 0 and up to 1"),
        ("inclusion_probability", [float("nan")], "above 0 and up to 1"),
        ("n_tie", [0, 0], "one value a pair"),
    ],
)
def test_columns_that_contradict_each_other_are_a_mistake(column, value, sentence):
    pairs = pair_table([(0, 0, 1, 5, 1, 0, 0)])
    with pytest.raises(ValueError, match=sentence):
        changed(pairs, column, value)
