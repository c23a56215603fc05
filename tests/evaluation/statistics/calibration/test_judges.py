import math
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy import stats

from evaluation.statistics.calibration.judges import Line, compare_judges
from evaluation.statistics.calibration.undefined import Undefined
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval
from tests.evaluation.statistics.calibration.cells import cell_tables, judge_cells
from tests.evaluation.statistics.calibration.tables import changed


def compared(cells, seed=0):
    return compare_judges(cells, rng=np.random.default_rng(seed), n_resamples=100)


def test_two_judges_are_compared_by_hand():
    found = compared(
        judge_cells(
            [
                (0, 1, 0, 0, 0, 8.0, 7.0),
                (1, 1, 0, 1, 0, 6.0, 6.0),
                (2, 1, 1, 2, 1, 4.0, 2.75),
                (3, 1, 1, 2, 1, 2.0, 2.25),
                (4, 0, 0, 0, 2, 5.0, None),
                (4, 0, 0, 0, 2, None, 1.0),
            ]
        )
    )
    assert (found.n_shared, found.n_first_only, found.n_second_only) == (4, 1, 1)
    # Differences -1, 0, -1.25, 0.25: a whole point still is within one.
    assert found.within_one_point == wilson_interval(3, 4)
    assert found.bias.mean == pytest.approx(-0.5)
    assert [(b.label, b.mean, b.n) for b in found.bias_by_tier] == [
        ("L1", -1.0, 1),
        ("L2", 0.0, 1),
        ("L3", -0.5, 2),
    ]
    # Deviations of x 3, 1, -1, -3: slope (3 * 7 + 6 - 2.75 - 3 * 2.25) / 20.
    assert found.line.slope == pytest.approx(17.5 / 20)
    assert found.line.intercept == pytest.approx(4.5 - 5 * 17.5 / 20)
    assert found.pooled_ranks.value.coefficient == pytest.approx(1.0)
    assert [rank.track for rank in found.ranks_by_track] == ["50k"]


def test_ranks_are_those_of_the_systems_means():
    rows = [
        (0, 0, 0, 0, 0, 9.0, 5.0),
        (0, 0, 0, 0, 1, 1.0, 5.0),
        (1, 0, 0, 0, 0, 4.0, 4.0),
        (2, 0, 0, 0, 0, 3.0, 3.0),
        (1, 1, 0, 0, 0, 9.0, 1.0),
    ]
    found = compared(judge_cells(rows))
    first_track, second_track = found.ranks_by_track
    assert first_track.value.coefficient == pytest.approx(1.0)
    assert (first_track.value.n, first_track.n_cells) == (3, 4)
    assert "at least 3 pairs; there is 1" in second_track.value.reason


@given(cell_tables(min_size=4, complete=True))
@settings(max_examples=40)
def test_coefficients_agree_with_numpy_and_scipy(cells):
    x, y = cells.first[cells.is_shared], cells.second[cells.is_shared]
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    found = compared(cells)
    design = np.column_stack((x, np.ones(len(x))))
    slope, intercept = np.linalg.lstsq(design, y, rcond=None)[0]
    assert found.line.slope == pytest.approx(slope, abs=1e-9)
    assert found.line.intercept == pytest.approx(intercept, abs=1e-9)
    assert found.pearson.coefficient == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
    assert found.spearman.coefficient == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)


@given(cell_tables())
@settings(max_examples=40)
def test_exchanging_the_judges_turns_the_bias_and_nothing_else(cells):
    assume(cells.is_shared.any())
    one, other = compared(cells), compared(replace(cells, first=cells.second, second=cells.first))
    assert one.bias.mean == pytest.approx(-other.bias.mean)
    if one.bias.low is not None:
        assert one.bias.low == pytest.approx(-other.bias.high)
    assert one.within_one_point == other.within_one_point
    assert (one.n_first_only, one.n_second_only) == (other.n_second_only, other.n_first_only)


@given(cell_tables())
@settings(max_examples=40)
def test_no_number_is_nan_or_infinite(cells):
    assume(cells.is_shared.any())
    for value in numbers_in(compared(cells)):
        assert math.isfinite(value)


def numbers_in(part):
    if isinstance(part, float | int):
        yield part
    elif isinstance(part, tuple):
        for element in part:
            yield from numbers_in(element)
    elif is_dataclass(part):
        for field in fields(part):
            yield from numbers_in(getattr(part, field.name))


def test_constant_scores_and_one_question_say_why():
    found = compared(judge_cells([(s, 0, 0, 0, 3, 5.0, float(s)) for s in range(4)]))
    for part in (found.pearson, found.spearman, found.pooled_ranks.value):
        assert "all values on one side are the same" in part.reason
    assert found.line == Undefined("The first judge gave one and the same score everywhere.")
    assert "resamples questions" in found.bias.interval_undefined
    same = compared(judge_cells([(0, 0, 0, 0, q, 5.0, 4.0) for q in range(6)]))
    assert "no spread" in same.bias.interval_undefined


def test_a_constant_second_judge_has_a_flat_line():
    found = compared(judge_cells([(0, 0, 0, 0, q, float(q), 4.0) for q in range(2)]))
    assert found.line == Line(0.0, 4.0)


def test_judges_without_a_common_cell_are_refused():
    with pytest.raises(StatisticUndefined, match="no scored cell in common"):
        compared(judge_cells([(0, 0, 0, 0, 0, 5.0, None), (1, 0, 0, 0, 0, None, 5.0)]))
    with pytest.raises(StatisticUndefined, match="no scored cell in common"):
        compared(judge_cells([]))


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("tier", [3], "a code without a name"),
        ("first", [math.inf], "never infinite"),
        ("second", [1.0, 2.0], "one value a cell"),
    ],
)
def test_columns_that_contradict_each_other_are_a_mistake(column, value, sentence):
    with pytest.raises(ValueError, match=sentence):
        changed(judge_cells([(0, 0, 0, 0, 0, 5.0, 5.0)]), column, value)
