import numpy as np
import pytest

from evaluation.statistics.score_table import score_table


def test_scores_are_laid_out_by_unit_with_holes_for_the_missing():
    table = score_table([{"q2": 3.0, "q1": None}, {"q1": 1.0}], ["q1", "q2"])
    np.testing.assert_array_equal(table, [[np.nan, 3.0], [1.0, np.nan]])


def test_no_rows_or_no_units_give_an_empty_table():
    assert score_table([], ["q1"]).shape == (0, 1)
    assert score_table([{}], []).shape == (1, 0)


def test_scores_of_unknown_units_and_infinite_scores_are_mistakes():
    with pytest.raises(ValueError, match="'q9', which is not listed"):
        score_table([{"q9": 1.0}], ["q1"])
    with pytest.raises(ValueError, match="never infinite"):
        score_table([{"q1": float("inf")}], ["q1"])
    with pytest.raises(ValueError, match="listed twice"):
        score_table([], ["q1", "q1"])
