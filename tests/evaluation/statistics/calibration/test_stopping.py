import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics.calibration.decisive import decisive_agreement
from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.stopping import (
    decisive_for_width,
    interval_width,
    stopping_hint,
)
from evaluation.statistics.wilson import wilson_interval
from tests.evaluation.statistics.calibration.seed_votes import seed_votes
from tests.evaluation.statistics.calibration.tables import labelled


def buckets_of(pairs):
    return decisive_agreement(pairs, rng=np.random.default_rng(0), n_resamples=50).buckets


def test_the_published_votes_need_more_close_pairs():
    hint = stopping_hint(buckets_of(seed_votes()), target_width=0.2)
    close, middle, far = hint.needs
    assert hint.widest.width == max(need.width for need in hint.needs)
    # At a rate of one half, z / sqrt(n + z^2) < 0.2 from n = 93 on.
    assert close.decisive_needed == 93 - 22
    assert close.width == pytest.approx(0.386, abs=1e-3)
    # 22 of the 67 pairs in the bucket are decisive: 71 * 67 / 22 = 216.2.
    assert close.pairs_needed == 217
    assert far.pairs_needed == 0
    assert hint.pairs_needed == close.pairs_needed + middle.pairs_needed
    assert not hint.is_reached


@given(st.integers(0, 60), st.integers(1, 60), st.floats(0.05, 0.6))
def test_the_needed_number_is_the_first_that_is_narrow_enough(agree, n, width):
    rate = min(agree, n) / n
    enough = decisive_for_width(rate, width, 0.95)
    assert interval_width(rate, enough, 0.95) < width
    assert enough == 1 or interval_width(rate, enough - 1, 0.95) >= width


def test_an_empty_bucket_is_taken_at_one_half():
    hint = stopping_hint(buckets_of(labelled([(0, Outcome.TIE)])))
    assert [need.width for need in hint.needs] == [1.0, 1.0, 1.0]
    assert hint.needs[2].decisive_needed == 93
    interval = wilson_interval(93 / 2, 93)
    assert interval.high - interval.low < 0.2


def test_nothing_is_needed_once_all_are_narrow():
    hint = stopping_hint(buckets_of(seed_votes()), target_width=0.9)
    assert hint.is_reached
    assert hint.pairs_needed == 0


@pytest.mark.parametrize("width", [0.0, 1.0, float("nan")])
def test_an_impossible_width_is_a_mistake(width):
    with pytest.raises(ValueError, match="between 0 and 1"):
        stopping_hint(buckets_of(seed_votes()), target_width=width)
    with pytest.raises(ValueError, match="no bucket"):
        stopping_hint([])
