import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

from evaluation.statistics.calibration.connectivity import (
    require_strengths,
    require_tie_parameter,
    strongly_connected,
    wins_go_round,
)
from evaluation.statistics.calibration.outcomes import Unit, count_outcomes
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import pair_table


def counted(*rows):
    """Rows of (first, second, wins of first, wins of second, ties)."""
    table = pair_table((0, a, b, 0, *votes) for a, b, *votes in rows)
    return count_outcomes(table, unit=Unit.VOTE)


def require(*rows):
    require_strengths(counted(*rows))


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


@pytest.mark.parametrize(
    ("rows", "goes_round"),
    [
        ([(0, 1, 3, 1, 9)], True),
        ([(0, 1, 3, 0, 9)], False),
        ([(0, 1, 0, 0, 9)], False),
        # Two wins and a tie back, but not one win and two ties.
        ([(0, 1, 1, 0, 0), (1, 2, 1, 0, 0), (2, 0, 0, 0, 1)], True),
        ([(0, 1, 1, 0, 0), (1, 2, 0, 0, 1), (2, 0, 0, 0, 1)], False),
    ],
)
def test_a_model_of_ties_needs_more_wins_than_ties_on_a_way_round(rows, goes_round):
    counts = counted(*rows)
    found = wins_go_round(counts.low, counts.high, counts.totals(), counts.n_systems)
    assert found.tolist() == [goes_round]
    if goes_round:
        require_tie_parameter(counts)
    else:
        with pytest.raises(StatisticUndefined, match="No wins go round in a circle"):
            require_tie_parameter(counts)


@given(st.data())
def test_it_agrees_with_a_linear_programme(data):
    rows = [
        (a, b, *data.draw(st.tuples(*[st.integers(0, 1)] * 3).filter(any)))
        for a in range(4)
        for b in range(a + 1, 4)
        if data.draw(st.booleans())
    ]
    if not any(row[4] for row in rows):
        return
    counts = counted(*rows)
    # Is there a direction in which nothing seen becomes less likely while ties grow?
    bounds: list[np.ndarray] = []
    limits: list[int] = []
    for low, high, low_wins, high_wins, ties in zip(
        counts.low, counts.high, *(side[0] for side in counts.totals()), strict=True
    ):
        lead = np.eye(counts.n_systems)[low] - np.eye(counts.n_systems)[high]
        if low_wins:
            bounds, limits = [*bounds, -lead], [*limits, -1]
        if high_wins:
            bounds, limits = [*bounds, lead], [*limits, -1]
        if ties:
            bounds, limits = [*bounds, lead, -lead], [*limits, 1, 1]
    programme = linprog(
        np.zeros(counts.n_systems), A_ub=np.array(bounds), b_ub=limits, bounds=(None, None)
    )
    found = wins_go_round(counts.low, counts.high, counts.totals(), counts.n_systems)
    assert found.tolist() == [not programme.success]


def test_without_ties_there_is_nothing_to_go_round_for():
    require_tie_parameter(counted((0, 1, 3, 0, 0)))
