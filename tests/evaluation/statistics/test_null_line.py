import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.bootstrap import Interval
from evaluation.statistics.null_line import null_line_deltas
from evaluation.statistics.refusals import StatisticUndefined

UNITS = [f"q{i}" for i in range(40)]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def by_unit(values) -> dict[str, float]:
    return {f"q{i}": float(value) for i, value in enumerate(values)}


def test_every_other_row_is_compared_with_both_null_lines():
    rows = {
        "simple-rag": by_unit([5, 5, 5]),
        "simple-rag+bm25": by_unit([6, 6, 6]),
        "theoria": by_unit([7, 7, 7]),
    }
    result = null_line_deltas(rows, units=["q0", "q1", "q2"], rng=rng())
    assert [(d.variant, d.null_line, d.delta) for d in result.deltas] == [
        ("simple-rag+bm25", "simple-rag", Interval(1.0, 1.0, 1.0, 3)),
        ("theoria", "simple-rag", Interval(2.0, 2.0, 2.0, 3)),
        ("simple-rag", "simple-rag+bm25", Interval(-1.0, -1.0, -1.0, 3)),
        ("theoria", "simple-rag+bm25", Interval(1.0, 1.0, 1.0, 3)),
    ]
    assert (result.absent, result.sentence) == ((), "")


def test_an_anchor_on_a_subset_is_compared_on_common_questions():
    rows = {"simple-rag": by_unit([4, 6, 1, 1]), "direct-read": {"q1": 9.0, "q0": 5.0}}
    result = null_line_deltas(
        rows, units=["q0", "q1", "q2", "q3"], rng=rng(), null_lines=["simple-rag"]
    )
    (delta,) = result.deltas
    assert delta.delta == Interval(estimate=2.0, low=1.0, high=3.0, n=2)


def test_a_table_without_null_lines_says_so():
    rows = {"mem0": by_unit([5, 5])}
    result = null_line_deltas(rows, units=["q0", "q1"], rng=rng())
    assert result.deltas == ()
    assert result.absent == ("simple-rag", "simple-rag+bm25")
    assert result.sentence == (
        "This table has no null line: simple-rag and simple-rag+bm25 are missing."
    )
    rows["simple-rag"] = by_unit([5, 5])
    result = null_line_deltas(rows, units=["q0", "q1"], rng=rng())
    assert result.sentence == "One null line is missing: simple-rag+bm25."


def test_too_few_common_units_are_said_in_words():
    rows: dict[str, dict[str, float | None]] = {
        "simple-rag": {"q0": 5.0, "q1": 4.0},
        "a": {"q1": 5.0},
        "b": {"q2": 5.0, "q0": None},
    }
    result = null_line_deltas(rows, units=["q0", "q1", "q2"], rng=rng(), null_lines=["simple-rag"])
    assert [(d.variant, d.delta, d.undefined) for d in result.deltas] == [
        ("a", None, "Only 1 common unit: too few for a difference."),
        ("b", None, "No common unit."),
    ]


@given(st.integers(0, 20), st.permutations(["a", "b", "simple-rag"]))
def test_the_order_of_rows_changes_nothing(seed, order):
    values = rng(seed).uniform(0, 10, size=(3, 40))
    rows = {v: by_unit(x) for v, x in zip(["a", "b", "simple-rag"], values, strict=True)}
    expected = null_line_deltas(rows, units=UNITS, rng=rng(1), n_resamples=99)
    shuffled = {variant: rows[variant] for variant in order}
    assert null_line_deltas(shuffled, units=UNITS, rng=rng(1), n_resamples=99) == expected


def test_the_intervals_agree_with_the_paired_bootstrap_of_scipy():
    null, other = rng(3).normal(6, 2, size=40), rng(4).normal(7, 2, size=40)
    result = null_line_deltas(
        {"simple-rag": by_unit(null), "x": by_unit(other)},
        units=UNITS,
        rng=rng(5),
        null_lines=["simple-rag"],
    )
    theirs = stats.bootstrap(
        (other - null,), np.mean, n_resamples=10_000, method="percentile", rng=rng(6)
    ).confidence_interval
    delta = result.deltas[0].delta
    assert delta is not None
    assert (delta.low, delta.high) == pytest.approx((theirs.low, theirs.high), abs=0.06)


def test_it_refuses_too_few_resamples_and_unknown_units():
    rows = {"simple-rag": by_unit([1, 2]), "a": by_unit([2, 3])}
    with pytest.raises(StatisticUndefined, match="resamples"):
        null_line_deltas(rows, units=["q0", "q1"], rng=rng(), n_resamples=10)
    with pytest.raises(ValueError, match="'q1', which is not listed"):
        null_line_deltas(rows, units=["q0"], rng=rng())
    with pytest.raises(ValueError, match="listed twice"):
        null_line_deltas(rows, units=["q0", "q1", "q1"], rng=rng())
