import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import make_interp_spline
from scipy.optimize import brentq

from evaluation.statistics.crossover import crossovers, overtaking_budgets
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.sweep import SweepLine, SweepPoint

UNITS = [f"q{i}" for i in range(50)]


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def line(
    variant: str, budgets: Sequence[float], means: Sequence[float], noise: float = 0.0
) -> SweepLine:
    """A line whose points have exactly these means; noise differs by variant and point."""
    points = []
    for i, (budget, mean) in enumerate(zip(budgets, means, strict=True)):
        spread = rng(sum(map(ord, variant)) + i).normal(0, 1, size=50)
        scores = mean + noise * (spread - spread.mean())
        points.append(SweepPoint(f"t{i}", budget, dict(zip(UNITS, scores.tolist(), strict=True))))
    return SweepLine(variant, tuple(points))


def test_the_crossing_is_worked_by_hand_on_the_log_scale():
    # b trails by 1 at 10,000 and leads by 1 at 40,000: level at the geometric mean.
    lines = [line("a", [10_000, 40_000], [6, 6]), line("b", [10_000, 40_000], [5, 7])]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert (cross.overtaker, cross.overtaken, cross.n) == ("b", "a", 50)
    assert cross.chars == pytest.approx(20_000)
    assert (cross.low, cross.high) == pytest.approx((20_000, 20_000))
    assert cross.sentence == (
        "b stays ahead of a from 20,000 characters on (95 % interval: 20,000 to 20,000)."
    )


def test_only_the_shared_range_counts():
    lines = [line("a", [10_000, 30_000], [6, 6]), line("b", [20_000, 90_000], [5, 9])]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert (cross.range_low, cross.range_high) == (20_000, 30_000)
    # b at 30,000 is 5 + 4 log(1.5) / log(4.5) = 6.08, level with 6 a little before.
    assert cross.chars == pytest.approx(20_000 * 4.5**0.25)


def test_a_line_ahead_throughout_has_no_crossover_in_range():
    lines = [line("a", [10_000, 50_000], [7, 8]), line("b", [10_000, 50_000], [5, 6])]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert (cross.chars, cross.low, cross.high) == (None, None, None)
    assert cross.sentence == ("No crossover in 10,000–50,000 characters: a is nowhere behind b.")


def test_identical_lines_end_level():
    lines = [line("a", [10_000, 50_000], [7, 8]), line("b", [10_000, 50_000], [7, 8])]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert cross.chars is None
    assert cross.sentence == "No crossover in 10,000–50,000 characters: a and b end level."


def test_the_last_of_several_crossings_is_the_one_reported():
    budgets = [10_000, 20_000, 40_000, 80_000]
    lines = [line("a", budgets, [5, 5, 5, 5]), line("b", budgets, [4, 6, 4, 6])]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert cross.chars == pytest.approx(math.sqrt(40_000 * 80_000))


def test_an_uncertain_crossing_says_where_its_interval_leaves_the_range():
    lines = [
        line("a", [10_000, 40_000], [6.0, 6.0], noise=2),
        line("b", [10_000, 40_000], [4.0, 6.1], noise=2),
    ]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert cross.chars is not None
    assert cross.low is not None
    assert cross.high is None
    assert cross.sentence.endswith("to beyond the range measured).")
    noisy = [
        line("a", [10_000, 40_000], [6.0, 6.0], noise=9),
        line("b", [10_000, 40_000], [5.9, 6.1], noise=9),
    ]
    (cross,) = crossovers(noisy, units=UNITS, seed=1).pairs
    assert (cross.low, cross.high) == (None, None)
    assert "wider than the 10,000–40,000 characters measured" in cross.sentence
    early = [
        line("a", [10_000, 40_000], [6.0, 6.0], noise=2),
        line("b", [10_000, 40_000], [5.9, 8.5], noise=2),
    ]
    (cross,) = crossovers(early, units=UNITS, seed=1).pairs
    assert cross.low is None
    assert "below the range measured to" in cross.sentence


def test_points_with_equal_characters_are_merged():
    lines = [
        line("a", [19_000, 19_000, 40_000], [5.0, 7.0, 6.0]),
        line("b", [19_000, 40_000], [5.0, 7.0]),
    ]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert cross.chars == pytest.approx(math.sqrt(19_000 * 40_000))


def test_the_papers_dense_theoria_overtakes_its_hybrid_between_its_30k_and_50k_tracks():
    # "Beyond Memory Leaderboards", Table 4 (Paim): achieved characters and scores.
    lines = [
        line("theoria", [16_000, 41_000, 60_000], [6.32, 7.19, 7.60]),
        line("theoria+bm25", [16_000, 40_000, 57_000], [6.70, 7.41, 7.34]),
    ]
    (cross,) = crossovers(lines, units=UNITS, seed=1).pairs
    assert (cross.overtaker, cross.overtaken) == ("theoria", "theoria+bm25")
    assert cross.chars is not None
    assert 41_000 < cross.chars < 57_000


@given(st.lists(st.floats(0, 10), min_size=8, max_size=8))
def test_the_crossing_is_the_last_root_that_scipy_finds(means):
    budgets = [10_000.0, 20_000.0, 35_000.0, 60_000.0]
    lines = [line("a", budgets, means[:4]), line("b", budgets, means[4:])]
    (cross,) = crossovers(lines, units=UNITS, seed=1, n_resamples=99).pairs
    sign = 1 if cross.overtaker == "a" else -1
    gaps = sign * (np.array(means[:4]) - np.array(means[4:]))
    if np.abs(gaps).min() < 1e-6:
        return
    spline = make_interp_spline(np.log(budgets), gaps, k=1)
    changes = np.flatnonzero(np.diff(np.sign(gaps)))
    if len(changes) == 0:
        assert cross.chars is None
        return
    i = changes[-1]
    root = brentq(spline, math.log(budgets[i]), math.log(budgets[i + 1]))
    assert cross.chars == pytest.approx(math.exp(root), rel=1e-6)


@given(st.integers(0, 50), st.permutations(["a", "b", "c"]))
def test_the_order_of_lines_changes_nothing(seed, order):
    means = rng(seed).uniform(4, 8, size=(3, 3)).tolist()
    budgets = [10_000.0, 30_000.0, 50_000.0]
    lines = {v: line(v, budgets, m, noise=1) for v, m in zip("abc", means, strict=True)}
    expected = crossovers(list(lines.values()), units=UNITS, seed=1, n_resamples=99)
    shuffled = [lines[v] for v in order]
    assert crossovers(shuffled, units=UNITS, seed=1, n_resamples=99) == expected
    assert len(expected.pairs) == 3


def test_crossings_of_draws_are_worked_by_hand():
    knots = np.array([1.0, math.e, math.e**2])
    lead = np.array([[-1.0, 1.0, -1.0, 0.0, -1.0], [1.0, 2.0, -1.0, 0.0, 0.0], [1, 1, -2, 0, 3]])
    expected = [math.exp(0.5), -math.inf, math.inf, math.inf, math.e]
    assert overtaking_budgets(knots, lead) == pytest.approx(expected)


def test_pairs_that_cannot_be_compared_are_named_in_words():
    flat = line("hindsight", [19_000, 19_000], [6, 6])
    far = line("graphiti", [200_000, 900_000], [6, 7])
    empty = SweepLine("prism", ())
    holed = SweepLine(
        "x", tuple(SweepPoint(t, b, {"q0": 1.0}) for t, b in (("a", 1.0), ("b", 2.0)))
    )
    other = line("y", [1, 2], [1, 2])
    result = crossovers([flat, far, empty], units=UNITS, seed=1)
    assert result.pairs == ()
    assert result.undefined == (
        "graphiti and hindsight were measured over no common range of budgets.",
        "graphiti and prism were not both measured.",
        "hindsight and prism were not both measured.",
    )
    assert crossovers([holed, other], units=UNITS, seed=1).undefined == (
        "x and y share fewer than 2 units scored at every point.",
    )


def test_it_refuses_too_few_resamples_and_a_variant_twice():
    a = line("a", [1, 2], [1, 2])
    with pytest.raises(StatisticUndefined, match="resamples"):
        crossovers([a, line("b", [1, 2], [2, 1])], units=UNITS, seed=1, n_resamples=9)
    with pytest.raises(ValueError, match="two lines"):
        crossovers([a, a], units=UNITS, seed=1)
