import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats import inter_rater

from evaluation.statistics.calibration.kappa import cohen_kappa, fleiss_kappa
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.real_files import real_file

TABLES = st.lists(st.integers(0, 9), min_size=9, max_size=9).map(
    lambda cells: np.array(cells).reshape(3, 3)
)


def test_cohens_kappa_is_worked_by_hand():
    # Observed 35 / 50; by chance 0.5 * 0.6 + 0.5 * 0.4.
    found = cohen_kappa(np.array([[20, 5], [10, 15]]))
    assert found.observed == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert (found.n_units, found.n_raters) == (50, 2)


def test_fleiss_kappa_is_worked_by_hand():
    # Three raters: agreeing pairs 3, 1 and 1 of 3; shares 5 / 9 and 4 / 9.
    found = fleiss_kappa(np.array([[3, 0], [1, 2], [1, 2]]))
    by_chance = (25 + 16) / 81
    assert found.observed == pytest.approx(5 / 9)
    assert found.kappa == pytest.approx((5 / 9 - by_chance) / (1 - by_chance))
    assert (found.n_units, found.n_raters) == (3, 3)


@given(TABLES)
def test_cohens_kappa_agrees_with_statsmodels_and_is_symmetric(table):
    assume(np.count_nonzero(table.sum(axis=0) + table.sum(axis=1)) > 1)
    found = cohen_kappa(table)
    reference = inter_rater.cohens_kappa(table, return_results=False)
    assert found.kappa == pytest.approx(reference)
    assert found.kappa == pytest.approx(cohen_kappa(table.T).kappa)


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=2, max_size=12))
def test_fleiss_kappa_agrees_with_statsmodels(ratings):
    counts = np.array([np.bincount(row, minlength=3) for row in ratings])
    assume(np.count_nonzero(counts.sum(axis=0)) > 1)
    assert fleiss_kappa(counts).kappa == pytest.approx(inter_rater.fleiss_kappa(counts))


@pytest.mark.parametrize(
    ("first", "second", "kappa"), [(1, 2, 0.8520), (1, 3, 0.8789), (2, 3, 0.8617)]
)
def test_pandalms_annotators_have_the_published_kappas(first, second, kappa):
    path = real_file("data", "pandalm", "testset-v1.json")
    table = np.zeros((3, 3), dtype=int)
    for item in json.loads(path.read_text(encoding="utf-8")):
        table[item[f"annotator{first}"], item[f"annotator{second}"]] += 1
    found = cohen_kappa(table)
    assert found.n_units == 999
    assert found.kappa == pytest.approx(kappa, abs=5e-5)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (np.zeros((3, 3), dtype=int), "no unit in common"),
        (np.diag([5, 0, 0]), "All ratings are the same"),
    ],
)
def test_cohens_kappa_refuses_what_has_none(table, sentence):
    with pytest.raises(StatisticUndefined, match=sentence):
        cohen_kappa(table)


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([[2, 0], [2, 1]], "range from 2 to 3. Krippendorff"),
        ([[1, 0], [0, 1]], "two or more raters"),
        ([[2, 0], [2, 0]], "All ratings are the same"),
    ],
)
def test_fleiss_kappa_refuses_what_has_none(counts, sentence):
    with pytest.raises(StatisticUndefined, match=sentence):
        fleiss_kappa(np.array(counts))
    with pytest.raises(StatisticUndefined, match="two or more raters"):
        fleiss_kappa(np.zeros((0, 2), dtype=int))


def test_other_tables_are_a_mistake():
    with pytest.raises(ValueError, match="square"):
        cohen_kappa(np.ones((2, 3), dtype=int))
    with pytest.raises(ValueError, match="not negative"):
        fleiss_kappa(np.array([[-1, 3]]))
