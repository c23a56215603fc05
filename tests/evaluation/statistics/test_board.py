import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.board import BoardInput, board_statistics
from evaluation.statistics.bootstrap import paired_difference
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.simultaneous import simultaneous_contrasts

UNITS = [f"q{i:02d}" for i in range(60)]


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def row(variant: str, values: np.ndarray, **options) -> BoardInput:
    return BoardInput(variant, dict(zip(UNITS, values.tolist(), strict=False)), 60, **options)


BASE = rng(0).uniform(2, 6, size=60)


def measured_rows() -> list[BoardInput]:
    return [
        row("simple-rag", BASE + rng(1).normal(0, 0.5, size=60).clip(-1, 1)),
        row("simple-rag+bm25", BASE + 1.5 + rng(2).normal(0, 0.5, size=60).clip(-1, 1)),
        row("theoria", BASE + 1.5 + rng(3).normal(0, 0.5, size=60).clip(-1, 1)),
        row("base-model", BASE - 2, ranked=False),
        row("prism", BASE + 3, is_internal=True),
        BoardInput("direct-read", dict(zip(UNITS[:15], (BASE + 2).tolist(), strict=False)), 60,
                   ranked=False),
        BoardInput("mem0", dict(zip(UNITS[:50], BASE.tolist(), strict=False)), 60),
    ]  # fmt: skip


def test_ranked_rows_come_first_and_the_others_say_why_they_are_not():
    board = board_statistics(measured_rows(), seed=1, units=UNITS, n_resamples=999)
    ranked, others = board.rows[: board.n_ranked], board.rows[board.n_ranked :]
    assert {r.variant for r in ranked[:2]} == {"theoria", "simple-rag+bm25"}
    assert ranked[2].variant == "simple-rag"
    assert [r.rank.band for r in ranked if r.rank] == ["1–2", "1–2", "3"]
    assert {r.variant: r.unranked_because for r in others} == {
        "prism": "Answers itself instead of through the shared synthesizer.",
        "direct-read": "Shown for reference, never ranked.",
        "base-model": "Shown for reference, never ranked.",
        "mem0": "50 of 60 scored: ranked from 95 % of the question set.",
    }
    assert all(r.rank is None and r.interval is not None for r in others)
    first, second = ranked[0].variant, ranked[1].variant
    assert board.sentences == (
        f"The first two ({first} and {second}) cannot be separated at 95 %.",
        f"{first} and {second} score higher than simple-rag.",
    )
    assert board.separated == ((first, "simple-rag"), (second, "simple-rag"))


def test_means_and_bounds_are_worked_by_hand():
    rows = [BoardInput("a", {"q0": 4.0, "q1": 8.0, "q2": None}, 4, ranked=False)]
    (only,) = board_statistics(rows, seed=0, null_lines=()).rows
    assert only.mean == 6.0
    assert (only.bounds.low, only.bounds.high, only.bounds.n_scored) == (3.0, 8.0, 2)
    assert only.interval is not None
    assert (only.interval.low, only.interval.high, only.interval.n) == (4.0, 8.0, 2)


def test_internal_rows_are_ranked_when_the_reader_asks():
    board = board_statistics(
        measured_rows(), seed=1, units=UNITS, n_resamples=999, include_internal=True
    )
    assert board.rows[0].variant == "prism"
    assert board.n_ranked == 4


def test_null_lines_are_compared_with_every_row_anchors_too():
    board = board_statistics(measured_rows(), seed=1, units=UNITS, n_resamples=999)
    deltas = {(d.variant, d.null_line): d.delta for d in board.null_lines.deltas}
    anchor = deltas["direct-read", "simple-rag"]
    assert anchor is not None
    assert anchor.n == 15
    assert anchor.low > 0
    assert len(deltas) == 12


def test_every_part_uses_the_same_draws():
    rows = measured_rows()[:3]
    board = board_statistics(rows, seed=7, units=UNITS, n_resamples=499)
    a, b = board.rows[0].variant, board.rows[2].variant
    values = {r.variant: [r.values[u] for u in UNITS] for r in rows}
    alone = paired_difference(values[a], values[b], rng=rng(7), n_resamples=499)
    contrast = next(c for c in board.contrasts if (c.a, c.b) == (0, 2))
    assert (contrast.delta, contrast.low, contrast.high) == (alone.estimate, alone.low, alone.high)
    table = np.array([values[r.variant] for r in board.rows])
    assert board.contrasts == simultaneous_contrasts(table, rng=rng(7), n_resamples=499)


@given(st.permutations(range(7)), st.integers(0, 2))
def test_the_order_of_rows_changes_nothing(order, seed):
    rows = measured_rows()
    expected = board_statistics(rows, seed=seed, n_resamples=99)
    assert board_statistics([rows[i] for i in order], seed=seed, n_resamples=99) == expected


def test_with_the_question_set_given_a_row_does_not_depend_on_which_others_are_shown():
    rows = measured_rows()
    alone = board_statistics(rows[:1], seed=1, units=UNITS, n_resamples=199).rows[0]
    among = board_statistics(rows, seed=1, units=UNITS, n_resamples=199).rows
    assert next(r for r in among if r.variant == "simple-rag").interval == alone.interval


def test_another_seed_gives_other_draws():
    first, second = (
        board_statistics(measured_rows(), seed=seed, n_resamples=199) for seed in (1, 2)
    )
    assert first.rows[0].interval != second.rows[0].interval
    assert first.rows[0].mean == second.rows[0].mean


def test_identical_systems_share_their_places():
    rows = [row("b", BASE), row("a", BASE), row("c", BASE - 1.9)]
    board = board_statistics(rows, seed=1, n_resamples=999)
    assert [(r.variant, r.rank.band) for r in board.rows if r.rank] == [
        ("a", "1–2"),
        ("b", "1–2"),
        ("c", "3"),
    ]


def test_the_intervals_agree_with_scipy():
    board = board_statistics(measured_rows(), seed=1, units=UNITS)
    values = [v for v in measured_rows()[2].values.values() if v is not None]
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=10_000, method="percentile", rng=rng(5)
    ).confidence_interval
    ours = next(r.interval for r in board.rows if r.variant == "theoria")
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)


def holds_nan(value) -> bool:
    if isinstance(value, dict):
        return any(map(holds_nan, value.values()))
    if isinstance(value, list | tuple):
        return any(map(holds_nan, value))
    return isinstance(value, float) and not math.isfinite(value)


@given(st.lists(st.dictionaries(st.sampled_from(["q0", "q1", "q2", "q3"]),
                                st.sampled_from([None, 0.0, 3.3, 10.0])), max_size=4))  # fmt: skip
def test_sparse_tables_are_said_in_words_and_never_hold_nan(values):
    rows = [BoardInput(f"v{i}", scores, 4) for i, scores in enumerate(values)]
    board = board_statistics(rows, seed=1, n_resamples=99, threshold=0.25)
    assert not holds_nan(asdict(board))
    json.dumps(asdict(board), allow_nan=False)
    assert board.sentences
    for r in board.rows:
        assert (r.interval is None) == bool(r.interval_undefined)
        assert (r.rank is None) == bool(r.unranked_because)


def test_rows_without_scores_or_with_one_say_that_they_have_no_interval():
    rows = [BoardInput("none", {}, 4), BoardInput("one", {"q0": 3.0}, 4)]
    board = board_statistics(rows, seed=1, null_lines=())
    assert [(r.variant, r.mean, r.interval) for r in board.rows] == [
        ("one", 3.0, None),
        ("none", None, None),
    ]
    assert board.rows[0].interval_undefined == "Fewer than 2 scored units: no interval."
    assert board.sentences == ("No variant is ranked, so there is nothing to separate.",)


def test_one_question_cannot_compare_the_rows_and_all_share_the_places():
    rows = [BoardInput("a", {"q0": 3.0}, 1), BoardInput("b", {"q0": 9.0}, 1)]
    board = board_statistics(rows, seed=1)
    assert board.contrasts == ()
    assert board.sentences == ("Too few questions were scored in common to compare the rows.",)
    assert [r.rank.band for r in board.rows if r.rank] == ["1–2", "1–2"]


def test_an_empty_table_says_so():
    board = board_statistics([], seed=1)
    assert board.rows == ()
    assert board.sentences == ("No variant is ranked, so there is nothing to separate.",)


def test_it_refuses_mistakes_and_too_few_resamples():
    with pytest.raises(ValueError, match="listed twice"):
        board_statistics([row("a", BASE), row("a", BASE)], seed=1)
    with pytest.raises(ValueError, match="empty question set"):
        BoardInput("a", {}, 0)
    with pytest.raises(ValueError, match="outside the scale"):
        board_statistics([row("a", BASE + 9)], seed=1)
    with pytest.raises(ValueError, match="not listed"):
        board_statistics([row("a", BASE)], seed=1, units=UNITS[:5])
    with pytest.raises(StatisticUndefined, match="resamples"):
        board_statistics([row("a", BASE)], seed=1, n_resamples=10)
