from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings

from evaluation.statistics.calibration.pairs import Outcome
from evaluation.statistics.calibration.position import agreement_by_reveals, left_share
from evaluation.statistics.calibration.votes import VoteTable
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import wilson_interval
from tests.evaluation.statistics.calibration.defined import defined
from tests.evaluation.statistics.calibration.tables import labelled, pair_tables, votes_of

FIRST, SECOND, TIE = Outcome


def votes(labels, left_is_first, reveals):
    n = len(labels)
    return VoteTable(
        np.arange(n),
        np.zeros(n, dtype=int),
        np.array(labels, dtype=np.int8),
        np.array(left_is_first, dtype=np.bool_),
        np.array(reveals),
    )


FIVE = votes([FIRST, FIRST, SECOND, SECOND, TIE], [1, 0, 1, 0, 1], [0, 5, 6, 0, 0])


def test_the_left_share_is_worked_by_hand():
    # First shown left, second shown left (not first): the first and the fourth chose left.
    assert left_share(FIVE) == wilson_interval(2, 4)


@given(pair_tables())
@settings(max_examples=40)
def test_showing_every_pair_the_other_way_round_mirrors_the_left_share(pairs):
    assume((pairs.n_first + pairs.n_second).any())
    table = votes_of(pairs, n_raters=9)
    one = left_share(table)
    other = left_share(replace(table, left_is_first=~table.left_is_first))
    assert one.rate == pytest.approx(1 - other.rate)
    assert one.low == pytest.approx(1 - other.high)


def test_agreement_is_split_by_the_number_of_reveals():
    pairs = labelled([(90, FIRST), (-90, FIRST), (-90, SECOND), (None, SECOND), (0, TIE)])
    groups = agreement_by_reveals(pairs, FIVE)
    assert [(g.fewest, g.most, g.n_decisive) for g in groups] == [
        (0, 0, 1),
        (1, 5, 1),
        (6, 20, 1),
        (21, None, 0),
    ]
    assert [defined(g.agreement).rate for g in groups[:3]] == [1.0, 0.0, 1.0]
    assert groups[3].agreement is None
    assert "after so many reveals" in groups[3].undefined


@given(pair_tables())
@settings(max_examples=40)
def test_reveals_split_the_decisive_votes_and_the_side_shown_does_not_matter(pairs):
    assume((pairs.is_judged & (pairs.n_first + pairs.n_second > 0)).any())
    table = votes_of(pairs, n_raters=9)
    groups = agreement_by_reveals(pairs, table)
    decisive = (pairs.n_first + pairs.n_second)[pairs.is_judged].sum()
    assert sum(group.n_decisive for group in groups) == decisive
    turned = replace(table, left_is_first=~table.left_is_first)
    assert agreement_by_reveals(pairs, turned) == groups


def test_only_ties_and_unjudged_pairs_are_refused():
    tied = votes([TIE], [1], [0])
    with pytest.raises(StatisticUndefined, match="No vote prefers a side"):
        left_share(tied)
    with pytest.raises(StatisticUndefined, match="No decisive vote"):
        agreement_by_reveals(labelled([(5, TIE)]), tied)
    with pytest.raises(StatisticUndefined, match="No decisive vote"):
        agreement_by_reveals(labelled([(None, FIRST)]), votes([FIRST], [1], [0]))


def test_other_edges_are_a_mistake():
    with pytest.raises(ValueError, match="rise from 0"):
        agreement_by_reveals(labelled([(5, FIRST)]), votes([FIRST], [1], [0]), edges=(1, 2))
