from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.raters import (
    rater_agreement,
    raters_against_others,
    two_rater_table,
)
from evaluation.statistics.calibration.votes import VoteTable
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval
from tests.evaluation.statistics.calibration.defined import defined, reason
from tests.evaluation.statistics.calibration.tables import pair_tables, votes_of

FIRST, SECOND, TIE = Outcome


def votes(*rows):
    """Rows of (pair, rater, label)."""
    pair, rater, label = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    shown = np.ones(len(pair), dtype=np.bool_)
    return VoteTable(pair, rater, label.astype(np.int8), shown, np.zeros(len(pair), dtype=int))


THREE = votes(
    (0, 1, FIRST), (0, 2, FIRST), (0, 3, SECOND), (1, 1, TIE), (1, 2, FIRST), (2, 3, FIRST)
)


def test_each_rater_is_held_against_the_majority_of_the_others():
    first, second, third = raters_against_others(THREE, n_pairs=3)
    # Rater 1: others split on pair 0 (a tie), and say first on pair 1.
    assert (first.n_votes, first.n_shared) == (2, 2)
    assert first.agreement == wilson_interval(0, 2)
    assert second.agreement == wilson_interval(0, 2)
    # Rater 3: both others say first on pair 0; nobody else voted on pair 2.
    assert (third.n_votes, third.n_shared) == (2, 1)
    assert third.agreement == wilson_interval(0, 1)


def test_a_rater_whom_nobody_shares_a_pair_with_has_no_agreement():
    alone = raters_against_others(votes((0, 4, FIRST), (1, 5, FIRST), (1, 6, FIRST)), n_pairs=2)
    assert (alone[0].rater, alone[0].agreement) == (4, None)
    assert "No one else" in alone[0].undefined
    assert alone[1].agreement == wilson_interval(1, 1)


@given(pair_tables())
@settings(max_examples=40)
def test_it_agrees_with_a_plain_loop(pairs):
    table = votes_of(pairs, n_raters=9)
    rows = list(zip(table.pair, table.rater, table.label, strict=True))
    for found in raters_against_others(table, n_pairs=pairs.n_pairs):
        n_shared = n_agree = 0
        for pair, rater, label in rows:
            others = Counter(lab for p, r, lab in rows if p == pair and r != rater)
            if rater != found.rater or not others:
                continue
            top, count = others.most_common(1)[0]
            n_shared += 1
            n_agree += label == (top if count > others.total() / 2 else TIE)
        assert found.n_shared == n_shared
        assert found.agreement == (wilson_interval(n_agree, n_shared) if n_shared else None)


@given(pair_tables())
@settings(max_examples=40)
def test_showing_every_pair_the_other_way_round_changes_nothing(pairs):
    table = votes_of(pairs, n_raters=9)
    turned = replace(table, left_is_first=~table.left_is_first)
    one, other = (rater_agreement(t, n_pairs=pairs.n_pairs) for t in (table, turned))
    assert one == other


def test_two_raters_have_a_cohens_kappa_over_their_common_pairs():
    table = votes((0, 5, FIRST), (0, 7, FIRST), (1, 7, SECOND), (1, 5, TIE), (2, 7, TIE))
    assert two_rater_table(table).tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    found = rater_agreement(table, n_pairs=4)
    assert defined(found.cohen).observed == 0.5
    assert defined(found.alpha).n_single == 1
    assert "range from 1 to 2" in reason(found.fleiss)


def test_three_raters_have_no_cohens_kappa():
    found = rater_agreement(THREE, n_pairs=3)
    assert "there are 3" in reason(found.cohen)
    assert found.n_raters == 3


def test_one_rater_and_no_votes_are_refused_in_words():
    alone = rater_agreement(votes((0, 4, FIRST)), n_pairs=1)
    assert alone.alpha == alone.cohen == alone.fleiss
    assert "only one rater" in reason(alone.alpha)
    with pytest.raises(StatisticUndefined, match="no counted vote"):
        rater_agreement(votes(), n_pairs=1)
    assert raters_against_others(votes(), n_pairs=1) == ()
