import pytest
from hypothesis import assume, given, settings

from evaluation.statistics.calibration.disagreement import disagreement_table
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.cells import cell_tables, judge_cells


def test_means_are_worked_by_hand_and_follow_the_order_of_names():
    table = disagreement_table(
        judge_cells(
            [
                (0, 1, 0, 2, 0, 5.0, 7.0),
                (1, 1, 0, 2, 1, 5.0, 4.0),
                (0, 0, 1, 0, 0, 5.0, 5.5),
                (1, 0, 0, 0, 0, None, 5.0),
            ]
        )
    )
    assert [(c.track, c.modality, c.tier, c.n) for c in table] == [
        ("10k", "hybrid", "L1", 1),
        ("50k", "dense", "L3", 2),
    ]
    assert (table[0].mean_absolute, table[0].mean_signed) == (0.5, 0.5)
    assert (table[1].mean_absolute, table[1].mean_signed) == (1.5, 0.5)


@given(cell_tables())
@settings(max_examples=40)
def test_every_shared_cell_is_in_the_table_once(cells):
    assume(cells.is_shared.any())
    table = disagreement_table(cells)
    assert sum(cell.n for cell in table) == cells.is_shared.sum()
    total = abs(cells.second - cells.first)[cells.is_shared].sum()
    assert sum(cell.n * cell.mean_absolute for cell in table) == pytest.approx(total)
    assert all(abs(cell.mean_signed) <= cell.mean_absolute + 1e-12 for cell in table)


def test_no_shared_cell_is_refused():
    with pytest.raises(StatisticUndefined, match="no scored cell in common"):
        disagreement_table(judge_cells([]))
