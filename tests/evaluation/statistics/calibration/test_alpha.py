import csv
import json

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.statistics.calibration.alpha import Scale, krippendorff_alpha, value_counts
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.real_files import real_file

RATINGS = st.integers(2, 5).flatmap(
    lambda n_raters: st.lists(
        st.lists(st.sampled_from([np.nan, 1.0, 2.0, 4.0]), min_size=n_raters, max_size=n_raters),
        min_size=2,
        max_size=12,
    )
)


def counted(table):
    """Counts and values of a table (n_units, n_raters) with NaN for what is missing."""
    ratings = np.asarray(table, dtype=float)
    return value_counts(np.repeat(np.arange(len(ratings)), ratings.shape[1]), ratings.ravel())


def test_two_raters_are_worked_by_hand():
    # Four of four values: 2 disagreements of 8 pairable; by chance (8^2 - 3^2 - 5^2) / 7.
    counts, values = counted([[1, 1], [2, 2], [2, 2], [1, 2]])
    found = krippendorff_alpha(counts, scale=Scale.NOMINAL, values=values)
    assert found.alpha == pytest.approx(1 - 2 / (30 / 7))
    assert (found.n_units, found.n_ratings, found.n_single) == (4, 8, 0)


def test_units_with_one_rating_are_left_out_and_counted():
    counts, _ = counted([[1, 1], [2, 2], [1, np.nan], [np.nan, np.nan]])
    found = krippendorff_alpha(counts, scale=Scale.NOMINAL)
    assert (found.alpha, found.n_units, found.n_single) == (pytest.approx(1.0), 2, 1)


@given(RATINGS, st.sampled_from(Scale))
def test_counts_of_values_agree_with_the_dense_matrix(table, scale):
    ratings = np.array(table)
    pairable = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    assume(len(np.unique(pairable[~np.isnan(pairable)])) > 1)
    counts, values = counted(table)
    found = krippendorff_alpha(counts, scale=scale, values=values)
    dense = krippendorff.alpha(reliability_data=pairable.T, level_of_measurement=scale.value)
    assert found.alpha == pytest.approx(dense)


@given(RATINGS, st.randoms(use_true_random=False))
def test_the_order_of_units_and_raters_does_not_matter(table, random):
    ratings = np.array(table)
    pairable = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    assume(len(np.unique(pairable[~np.isnan(pairable)])) > 1)
    shuffled = [random.sample(row, len(row)) for row in random.sample(table, len(table))]
    one, other = (
        krippendorff_alpha(counted(rows)[0], scale=Scale.NOMINAL) for rows in (table, shuffled)
    )
    assert one.alpha == pytest.approx(other.alpha)


@pytest.mark.parametrize(("name", "alpha"), [("codings", 904 / 1216), ("gcl", 1 / 12)])
def test_evalicas_codings_give_the_published_alpha(name, alpha):
    with real_file("data", "evalica", f"{name}.csv").open(encoding="utf-8") as lines:
        by_rater = list(csv.reader(lines))
    labels = sorted({cell for row in by_rater for cell in row} - {""})
    codes = {label: float(code) for code, label in enumerate(labels)} | {"": np.nan}
    table = np.array([[codes[cell] for cell in row] for row in by_rater]).T
    found = krippendorff_alpha(counted(table)[0], scale=Scale.NOMINAL)
    assert found.alpha == pytest.approx(alpha, rel=1e-12)


@pytest.mark.parametrize(
    ("data", "expected", "n_metrics"),
    [
        ("newsroom", "newsroom", 4),
        ("meta_evaluation_recipes", "recipe-crowd-sourcing-data", 6),
        ("dices_350_crowdsourced", "dices-350-crowdsourced", 1),
    ],
)
def test_judge_bench_gives_the_published_alphas(data, expected, n_metrics):
    folder = ("data", "judge_bench")
    bench = json.loads(real_file(*folder, f"{data}.json").read_text(encoding="utf-8"))
    by_judge = json.loads(real_file(*folder, f"expected_{expected}.json").read_text("utf-8"))
    assert len(bench["annotations"]) == n_metrics
    for annotation in bench["annotations"]:
        metric, labels = annotation["metric"], annotation.get("labels_list")
        rated = [
            (unit, float(labels.index(score)) if labels else float(score))
            for unit, instance in enumerate(bench["instances"])
            for score in instance["annotations"][metric]["individual_human_scores"]
            if score is not None
        ]
        units, scores = (np.array(column) for column in zip(*rated, strict=True))
        counts, values = value_counts(units, scores)
        scale = Scale.NOMINAL if labels else Scale.ORDINAL
        found = krippendorff_alpha(counts, scale=scale, values=values)
        published = {
            judge[metric]["krippendorff_alpha"] for judge in by_judge.values() if metric in judge
        }
        assert len(published) == 1
        assert found.alpha == pytest.approx(published.pop(), rel=1e-12)


def test_single_ratings_and_one_value_are_refused():
    with pytest.raises(StatisticUndefined, match="Nothing was rated by two raters"):
        krippendorff_alpha(np.array([[1, 0], [0, 1]]), scale=Scale.NOMINAL)
    with pytest.raises(StatisticUndefined, match="All ratings are the same"):
        krippendorff_alpha(np.array([[2, 0], [3, 0]]), scale=Scale.NOMINAL)
    with pytest.raises(StatisticUndefined, match="Nothing was rated"):
        krippendorff_alpha(np.zeros((0, 3), dtype=int), scale=Scale.NOMINAL)


def test_other_counts_are_a_mistake():
    with pytest.raises(ValueError, match="not negative"):
        krippendorff_alpha(np.array([[-1, 2]]), scale=Scale.NOMINAL)
    with pytest.raises(ValueError, match="2 columns of counts have 3 values"):
        krippendorff_alpha(np.array([[1, 2]]), scale=Scale.INTERVAL, values=(1, 2, 3))
