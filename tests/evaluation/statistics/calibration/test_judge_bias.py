import numpy as np
import pytest

from evaluation.statistics.bootstrap import bootstrap_mean_interval
from evaluation.statistics.calibration.judge_bias import biases
from evaluation.statistics.refusals import StatisticUndefined

DIFFERENCE = np.array([-0.5, 0.25, -1.0, 0.0, -0.75, 0.5])
ALL = np.ones(6, dtype=np.bool_)


def test_one_cell_a_question_gives_the_bootstrap_of_a_mean():
    (found,) = biases(
        DIFFERENCE, np.arange(6), [("all", ALL)], rng=np.random.default_rng(0), n_resamples=2000
    )
    expected = bootstrap_mean_interval(DIFFERENCE, rng=np.random.default_rng(0), n_resamples=2000)
    assert (found.mean, found.low, found.high) == pytest.approx(
        (expected.estimate, expected.low, expected.high)
    )
    assert found.n == 6


def test_cells_of_one_question_hang_together():
    questions = np.array([0, 0, 0, 1, 1, 1])
    difference = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    (found,) = biases(difference, questions, [("all", ALL)], rng=np.random.default_rng(0))
    assert (found.mean, found.low, found.high) == (0.0, -1.0, 1.0)


def test_empty_slices_are_left_out_and_no_cells_are_refused():
    slices = [("L1", DIFFERENCE < 0), ("L2", ~ALL)]
    found = biases(DIFFERENCE, np.arange(6), slices, rng=np.random.default_rng(0))
    assert [bias.label for bias in found] == ["L1"]
    with pytest.raises(StatisticUndefined, match="no shared cell"):
        biases(DIFFERENCE[:0], np.arange(0), [], rng=np.random.default_rng(0))
