import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from evaluation.statistics.calibration.connectivity import require_strengths, strongly_connected
from evaluation.statistics.calibration.outcomes import count_outcomes
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import pair_table


def require(*rows):
    require_strengths(count_outcomes(pair_table((0, *row[:2], 0, *row[2:]) for row in rows)))


def test_a_circle_of_wins_is_enough():
    require((0, 1, 1, 0, 0), (1, 2, 1, 0, 0), (2, 0, 1, 0, 0))


def test_a_tie_counts_both_ways():
    require((0, 1, 0, 0, 1), (1, 2, 0, 0, 1))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([(0, 1, 1, 0, 0)], "mem0 never won, nor tied and theoria never lost, nor tied"),
        (
            [(0, 1, 1, 0, 0), (1, 0, 1, 0, 0), (0, 2, 1, 0, 0)],
            "simple-rag never won, nor tied, so no strength fits everyone. More pairs would help",
        ),
        (
            [(0, 1, 0, 0, 1), (2, 3, 0, 0, 1)],
            r"2 groups that no pair connects \(theoria and mem0; simple-rag and hindsight\)",
        ),
        (
            [(0, 1, 0, 0, 1), (2, 3, 0, 0, 1), (0, 2, 1, 0, 0)],
            "No other system won against or tied with theoria and mem0",
        ),
    ],
)
def test_systems_without_a_common_scale_are_named(rows, sentence):
    with pytest.raises(StatisticUndefined, match=sentence):
        require(*rows)


@given(st.integers(2, 7), st.data())
def test_it_agrees_with_scipy(n_systems, data):
    cells = st.lists(st.booleans(), min_size=n_systems**2, max_size=n_systems**2)
    arrows = np.array(data.draw(st.lists(cells, min_size=1, max_size=4)))
    graphs = arrows.reshape(-1, n_systems, n_systems)
    expected = [connected_components(g, connection="strong")[0] == 1 for g in graphs]
    assert strongly_connected(graphs).tolist() == expected
