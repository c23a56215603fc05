import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import DescrStatsW

from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.sweep import SweepLine, SweepPoint, leads

UNITS = [f"q{i}" for i in range(40)]
BASE_LINE = np.random.default_rng(9).uniform(0, 1, size=40)


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def line(variant: str, scores_by_track: dict[str, np.ndarray]) -> SweepLine:
    return SweepLine(
        variant,
        tuple(
            SweepPoint(track, 10_000.0 * (i + 1), {f"q{j}": float(s) for j, s in enumerate(scores)})
            for i, (track, scores) in enumerate(scores_by_track.items())
        ),
    )


def test_each_track_names_its_leader_and_what_stands_level_with_it():
    base = rng(0).uniform(3, 5, size=40)
    near = base + rng(1).normal(0, 1, size=40)
    lines = [
        line("a", {"10k": base, "30k": base + 4}),
        line("b", {"10k": near - near.mean() + base.mean() - 0.01, "30k": base}),
        line("c", {"10k": base - 2 + 0.1 * near}),
    ]
    at_10k, at_30k = leads(lines, units=UNITS, seed=1, n_resamples=999)
    assert (at_10k.leaders, at_10k.level_with, at_10k.behind) == (("a",), ("b",), ("c",))
    assert at_10k.sentence == "At 10k, a leads, not separated from b at 95 %."
    assert not at_10k.is_separated
    assert (at_30k.leaders, at_30k.behind, at_30k.n) == (("a",), ("b",), 40)
    assert at_30k.sentence == "At 30k, a leads, separated from all others at 95 %."
    assert at_30k.is_separated


def test_many_rivals_are_counted_and_not_listed():
    near = [BASE_LINE + rng(i).normal(0, 2, size=40) for i in range(8)]
    lines = [line(f"s{i}", {"10k": x - x.mean() - 0.01 * i}) for i, x in enumerate(near)]
    (lead,) = leads(lines, units=UNITS, seed=1, n_resamples=999)
    assert lead.sentence == "At 10k, s0 leads, not separated from any other at 95 %."
    far = line("far", {"10k": near[0] - 9})
    (lead,) = leads([*lines, far], units=UNITS, seed=1, n_resamples=999)
    assert lead.sentence == "At 10k, s0 leads, not separated from 7 others at 95 %."
    assert lead.behind == ("far",)


def test_identical_lines_share_the_lead():
    scores = rng(2).uniform(0, 10, size=40)
    (lead,) = leads([line("b", {"10k": scores}), line("a", {"10k": scores})], units=UNITS, seed=1)
    assert lead.leaders == ("a", "b")
    assert lead.sentence == "At 10k, a and b share the lead."
    assert not lead.is_separated


def test_a_line_alone_at_a_track_is_said_to_be_alone():
    (lead,) = leads([line("a", {"native": np.ones(40)})], units=UNITS, seed=1)
    assert lead.sentence == "At native, a is alone."
    assert lead.is_separated


def test_the_lead_is_taken_over_the_units_that_all_have():
    full, holed = np.array([1.0, 5.0, 5.0]), {"q1": 4.0, "q2": 4.0}
    lines = [line("a", {"10k": full}), SweepLine("b", (SweepPoint("10k", 9_000.0, holed),))]
    (lead,) = leads(lines, units=["q0", "q1", "q2"], seed=1)
    assert (lead.leaders, lead.n) == (("a",), 2)


@given(st.integers(0, 30), st.permutations(["a", "b", "c"]))
def test_the_order_of_lines_changes_nothing(seed, order):
    values = rng(seed).uniform(0, 10, size=(3, 20))
    lines = {v: line(v, {"10k": x}) for v, x in zip("abc", values, strict=True)}
    units = UNITS[:20]
    expected = leads(list(lines.values()), units=units, seed=1, n_resamples=99)
    assert leads([lines[v] for v in order], units=units, seed=1, n_resamples=99) == expected


@pytest.mark.parametrize("shift", [0.05, 1.5])
def test_two_lines_are_separated_where_the_paired_t_test_of_statsmodels_says_so(shift):
    a = rng(3).normal(6, 1, size=40)
    b = a + shift + rng(4).normal(0, 1, size=40)
    p_value = DescrStatsW(b - a).ttest_mean(0)[1]
    (lead,) = leads([line("a", {"t": a}), line("b", {"t": b})], units=UNITS, seed=1)
    assert lead.is_separated == (p_value < 0.05)


def test_it_refuses_tracks_without_common_units_and_malformed_lines():
    lines = [
        SweepLine("a", (SweepPoint("10k", 9.0, {"q0": 1.0}),)),
        SweepLine("b", (SweepPoint("10k", 9.0, {"q1": 1.0}),)),
    ]
    with pytest.raises(StatisticUndefined, match="At 10k, the variants share fewer than 2"):
        leads(lines, units=UNITS, seed=1)
    with pytest.raises(ValueError, match="two lines"):
        leads([lines[0], lines[0]], units=UNITS, seed=1)
    with pytest.raises(ValueError, match="two points at one track"):
        SweepLine("a", lines[0].points * 2)
    with pytest.raises(ValueError, match="no characters"):
        SweepPoint("10k", 0.0, {})
