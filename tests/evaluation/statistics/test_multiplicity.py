import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from evaluation.statistics.multiplicity import benjamini_hochberg, holm
from evaluation.statistics.refusals import StatisticUndefined

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=40)


def test_holm_is_worked_by_hand():
    # Sorted 0.01, 0.02, 0.04 times 3, 2, 1, then the running maximum.
    adjusted = holm([0.04, 0.01, 0.02])
    assert [a.adjusted for a in adjusted] == pytest.approx([0.04, 0.03, 0.04])
    assert all(a.is_rejected for a in adjusted)
    assert [a.p for a in adjusted] == [0.04, 0.01, 0.02]


def test_benjamini_hochberg_is_worked_by_hand():
    # Sorted 0.01, 0.03, 0.04 times 3/1, 3/2, 3/3, then the running minimum from the end.
    adjusted = benjamini_hochberg([0.04, 0.01, 0.03])
    assert [a.adjusted for a in adjusted] == pytest.approx([0.04, 0.03, 0.04])


def test_benjamini_hochberg_rejects_the_four_of_the_original_paper():
    # Benjamini and Hochberg (1995), section 3.2: fifteen p-values, four rejected at 5 %;
    # Bonferroni (and Holm) reject three.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
         0.4262, 0.5719, 0.6528, 0.7590, 1.0000]  # fmt: skip
    assert sum(a.is_rejected for a in benjamini_hochberg(p)) == 4
    assert sum(a.is_rejected for a in holm(p)) == 3


@settings(max_examples=20)
@given(P_VALUES)
def test_both_agree_with_statsmodels(p):
    for ours, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        expected = multipletests(p, alpha=0.05, method=method)[1]
        assert [a.adjusted for a in ours(p)] == pytest.approx(expected.tolist(), abs=1e-12)


@given(P_VALUES)
def test_benjamini_hochberg_agrees_with_scipy(p):
    expected = false_discovery_control(p, method="bh")
    assert [a.adjusted for a in benjamini_hochberg(p)] == pytest.approx(expected.tolist())


@given(P_VALUES, st.randoms())
def test_adjusting_never_lowers_keeps_the_order_and_ignores_the_listing(p, random):
    shuffled = random.sample(range(len(p)), len(p))
    for adjust in (holm, benjamini_hochberg):
        adjusted = [a.adjusted for a in adjust(p)]
        assert all(0 <= raw <= value <= 1 for raw, value in zip(p, adjusted, strict=True))
        order = np.argsort(p)
        assert (np.diff(np.array(adjusted)[order]) >= 0).all()
        again = [a.adjusted for a in adjust([p[i] for i in shuffled])]
        assert again == [adjusted[i] for i in shuffled]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_it_refuses_p_values_that_the_resamples_cannot_bring_low_enough(adjust):
    # 1 / 1000 against 0.05 / 66: 1,319 resamples give 1 / 1320 = 0.05 / 66.
    with pytest.raises(StatisticUndefined, match="draw at least 1,319 resamples"):
        adjust([0.5] * 66, n_resamples=999)
    with pytest.raises(StatisticUndefined):
        adjust([0.5] * 66, n_resamples=1318)
    adjusted = adjust([1 / 1320, *[0.5] * 65], n_resamples=1319)
    assert adjusted[0].is_rejected


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_it_refuses_an_empty_family_and_impossible_p_values(adjust):
    with pytest.raises(StatisticUndefined, match="no p-value"):
        adjust([])
    for p in ([-0.1], [1.1], [float("nan")]):
        with pytest.raises(ValueError, match="from 0 to 1"):
            adjust(p)
    with pytest.raises(ValueError, match="cannot give a p-value below"):
        adjust([0.0], n_resamples=999)
