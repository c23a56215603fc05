import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluation.statistics.calibration.decisive import decisive_agreement
from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import (
    labelled,
    pair_table,
    pair_tables,
    shuffled,
    swapped,
    votes_of,
)

FIRST, SECOND, TIE = Outcome


def agreement_of(pairs, seed=0, **options):
    return decisive_agreement(pairs, rng=np.random.default_rng(seed), n_resamples=100, **options)


def test_counts_are_worked_by_hand_and_a_lower_edge_belongs_to_its_bucket():
    found = agreement_of(
        labelled(
            [
                (0, FIRST),
                (199, FIRST),
                (-199, FIRST),
                (50, TIE),
                (200, FIRST),
                (-399, SECOND),
                (-400, SECOND),
                (None, FIRST),
            ]
        )
    )
    first, second, third = found.buckets
    assert (first.n_pairs, first.n_decisive, first.n_tie) == (4, 3, 1)
    assert (first.n_agree, first.n_disagree, first.n_gap_zero) == (1, 1, 1)
    assert first.rate.rate == pytest.approx(1 / 3)
    assert (second.n_agree, second.n_decisive) == (2, 2)
    assert (third.label, third.n_decisive) == ("4+", 1)
    assert (found.overall.n_agree, found.overall.n_decisive, found.n_unjudged) == (4, 6, 1)
    # Half for the tie and for the gap of 0, 1 for each of four agreements, of seven votes.
    assert found.overall.ties_half.rate == pytest.approx(5 / 7)


def test_votes_stand_beside_the_majority():
    # The judge prefers the first; majorities agree 1 of 2, votes 3 + 1 of 4 + 3.
    found = agreement_of(pair_table([(0, 0, 1, 90, 3, 1, 0), (1, 0, 1, 50, 1, 2, 0)]))
    bucket = found.buckets[0]
    assert (bucket.n_agree, bucket.n_disagree) == (1, 1)
    assert bucket.votes.rate == pytest.approx(4 / 7)
    assert bucket.votes.n == 7


def test_the_weighted_figure_counts_rarely_drawn_pairs_more():
    pairs = pair_table([(0, 0, 1, 90, 1, 0, 0), (1, 0, 1, 90, 0, 1, 0)], probability=[0.25, 1.0])
    found = agreement_of(pairs)
    assert found.overall.rate.rate == 0.5
    assert found.overall_weighted.rate == pytest.approx(0.8)


def test_both_bad_is_a_tie_and_is_counted_beside():
    pairs = replace(labelled([(90, TIE), (90, TIE), (90, FIRST)]), n_both_bad=np.array([1, 0, 0]))
    found = agreement_of(pairs)
    assert (found.n_votes, found.n_both_bad, found.overall.n_tie) == (3, 1, 2)


def test_edges_can_be_chosen():
    found = agreement_of(labelled([(40, FIRST), (60, FIRST)]), edges_hundredths=(0, 50))
    assert [(b.label, b.n_pairs) for b in found.buckets] == [("0–0.5", 1), ("0.5+", 1)]


@given(pair_tables(min_size=2))
@settings(max_examples=40)
def test_exchanging_first_and_second_changes_nothing(pairs):
    assume(pairs.is_judged.any())
    assert agreement_of(pairs) == agreement_of(swapped(pairs))


@given(pair_tables(min_size=2), st.integers(0, 99))
@settings(max_examples=40)
def test_the_order_of_pairs_changes_no_digit(pairs, seed):
    assume(pairs.is_judged.any())
    assert agreement_of(pairs) == agreement_of(shuffled(pairs, seed))


@given(pair_tables(min_size=2))
@settings(max_examples=40)
def test_showing_every_pair_the_other_way_round_changes_nothing(pairs):
    assume(pairs.is_judged.any())
    votes = votes_of(pairs, n_raters=12)
    turned = replace(votes, left_is_first=~votes.left_is_first)
    assert agreement_of(pairs, votes=votes) == agreement_of(pairs, votes=turned)


@given(pair_tables(min_size=2))
@settings(max_examples=40)
def test_single_votes_give_the_rates_of_their_counts(pairs):
    assume(pairs.is_judged.any())
    counted, single = agreement_of(pairs), agreement_of(pairs, votes=votes_of(pairs, n_raters=9))
    for one, other in zip(counted.buckets, single.buckets, strict=True):
        assert (one.votes, one.ties_half) == (other.votes, other.ties_half)
    assert "raters are fewer than" in single.clustered_by


@given(pair_tables())
@settings(max_examples=40)
def test_buckets_add_up_and_every_number_is_finite(pairs):
    assume(pairs.is_judged.any())
    found = agreement_of(pairs)
    assert sum(b.n_pairs for b in found.buckets) == found.overall.n_pairs
    assert found.overall.n_pairs + found.n_unjudged == pairs.n_pairs
    for bucket in (*found.buckets, found.overall):
        assert bucket.n_agree + bucket.n_disagree + bucket.n_gap_zero == bucket.n_decisive
        assert bucket.n_decisive + bucket.n_tie == bucket.n_pairs
        assert (bucket.rate is None) == bool(bucket.undefined)
        for rate in (bucket.votes, bucket.ties_half):
            if rate is not None:
                assert (rate.low is None) == bool(rate.interval_undefined)
                assert 0 <= rate.rate <= 1
                assert rate.low is None or (math.isfinite(rate.low) and rate.low <= rate.high)


def test_empty_and_tied_buckets_say_what_would_help():
    found = agreement_of(labelled([(10, TIE), (20, TIE)]))
    assert "pairs with a majority" in found.buckets[0].undefined
    assert found.buckets[0].ties_half.rate == 0.5
    assert "more pairs from here" in found.buckets[2].undefined
    assert found.overall_weighted is None


def test_a_table_without_judgments_is_refused():
    with pytest.raises(StatisticUndefined, match="No voted pair has a judge's score"):
        agreement_of(labelled([(None, FIRST)]))
    with pytest.raises(StatisticUndefined, match="no counted vote"):
        agreement_of(labelled([]))


@pytest.mark.parametrize("edges", [(), (1, 2), (0, 2, 2), (0, 3, 1)])
def test_other_edges_are_a_mistake(edges):
    with pytest.raises(ValueError, match="edges rise from 0"):
        agreement_of(labelled([(10, FIRST)]), edges_hundredths=edges)
