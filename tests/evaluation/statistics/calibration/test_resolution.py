import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.resolution import resolution, switch_gaps
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import (
    changed,
    joined,
    labelled,
    shuffled,
    swapped,
)

FIRST, SECOND, TIE = Outcome


def found_in(pairs, seed=0, **options):
    return resolution(pairs, rng=np.random.default_rng(seed), n_resamples=200, **options)


def block(gap, n_agree, n_disagree):
    return [(gap, FIRST)] * n_agree + [(gap, SECOND)] * n_disagree


@st.composite
def decisive_tables(draw):
    gaps = st.one_of(st.sampled_from([0, 50, 100, 150, 300]), st.integers(0, 900))
    close = draw(st.lists(st.tuples(st.integers(0, 199), st.booleans()), min_size=15, max_size=25))
    rest = draw(st.lists(st.tuples(gaps, st.booleans()), min_size=20, max_size=40))
    return labelled([(gap, FIRST if agrees else SECOND) for gap, agrees in close + rest])


def test_it_is_the_first_gap_whose_pooled_agreement_reaches_the_level():
    # 50 %, then 90 % and 60 % which pool to 75 %, then 100 %.
    pairs = labelled(block(50, 10, 10) + block(100, 9, 1) + block(150, 6, 4) + block(400, 20, 0))
    found = found_in(pairs)
    assert found.gap_hundredths == 100
    assert [(p.gap_hundredths, p.fitted) for p in found.curve] == [
        (50, 0.5),
        (100, pytest.approx(0.75)),
        (150, pytest.approx(0.75)),
        (400, 1.0),
    ]
    assert "From a gap of 1 points up" in found.sentence
    assert found_in(pairs, agreement=0.76).gap_hundredths == 400


def test_not_reaching_the_level_is_a_result():
    found = found_in(labelled(block(50, 20, 20) + block(300, 7, 3)))
    assert found.gap_hundredths is None
    assert not found.is_reached
    assert "not reached at any gap" in found.sentence
    assert found.share_not_reached > 0.5
    assert found.high_hundredths is None


def test_rarely_drawn_pairs_count_more():
    pairs = labelled(block(50, 15, 5) + block(100, 10, 0))
    assert found_in(pairs).gap_hundredths == 50
    probability = np.where(pairs.majority == SECOND, 0.1, 1.0)
    weighted = changed(pairs, "inclusion_probability", probability)
    assert found_in(weighted).gap_hundredths == 100


@given(decisive_tables(), st.floats(0.3, 1.0))
@settings(max_examples=40)
def test_it_agrees_with_scikit_learns_isotonic_regression(pairs, agreement):
    found = found_in(pairs, agreement=agreement)
    size = np.abs(pairs.gap_hundredths)
    agrees = (pairs.majority == pairs.judged_outcome()).astype(float)
    gaps = np.unique(size)
    fit = IsotonicRegression().fit(size, agrees).predict(gaps)
    assert [p.fitted for p in found.curve] == pytest.approx(fit.tolist(), abs=1e-9)
    reached = gaps[fit >= agreement - 1e-9]
    assert found.gap_hundredths == (reached[0] if len(reached) else None)


@given(decisive_tables(), st.integers(1, 60), st.integers(0, 100))
@settings(max_examples=40)
def test_adding_easy_large_gap_votes_does_not_move_it(pairs, n_easy, beyond):
    before = found_in(pairs)
    if before.gap_hundredths is None:
        return
    easy = labelled([(max(600, before.gap_hundredths) + beyond, FIRST)] * n_easy)
    after = found_in(joined(pairs, easy))
    assert after.gap_hundredths == before.gap_hundredths


@given(decisive_tables())
@settings(max_examples=30)
def test_exchanging_first_and_second_changes_nothing(pairs):
    assert found_in(pairs) == found_in(swapped(pairs))


@given(decisive_tables(), st.integers(0, 99))
@settings(max_examples=30)
def test_the_order_of_pairs_changes_no_digit(pairs, seed):
    assert found_in(pairs) == found_in(shuffled(pairs, seed))


@given(decisive_tables())
@settings(max_examples=30)
def test_the_interval_says_where_it_ends_or_why_it_does_not_exist(pairs):
    found = found_in(pairs)
    if found.low_hundredths is None:
        assert found.interval_undefined
        assert found.high_hundredths is None
    else:
        assert found.high_hundredths is None or found.low_hundredths <= found.high_hundredths
    assert 0 <= found.share_not_reached <= 1


def test_a_gap_that_a_draw_does_not_hold_is_not_its_resolution():
    gaps = np.array([100, 200, 300])
    agreeing = np.array([[0.0, 0.0, 5.0], [0.0, 0.0, 0.0]])
    weights = np.array([[4.0, 0.0, 5.0], [4.0, 0.0, 0.0]])
    assert switch_gaps(gaps, agreeing, weights, 0.75).tolist() == [300, math.inf]


def test_one_question_has_no_interval():
    pairs = labelled(block(50, 20, 20) + block(300, 30, 0), n_questions=1)
    found = found_in(pairs)
    assert found.gap_hundredths == 300
    assert "resamples questions" in found.interval_undefined


def test_few_pairs_are_refused_with_what_would_help():
    with pytest.raises(StatisticUndefined, match=r"at least 30 pairs.*there are 29"):
        found_in(labelled(block(50, 20, 9) + [(50, TIE)] * 20 + [(None, FIRST)] * 20))
    with pytest.raises(StatisticUndefined, match=r"below 2 points; there are 9.*close pairs"):
        found_in(labelled(block(199, 5, 4) + block(200, 30, 0)))


def test_an_impossible_level_is_a_mistake():
    with pytest.raises(ValueError, match="above 0 and up to 1"):
        found_in(labelled([]), agreement=1.2)
