import numpy as np
import pytest
from hypothesis import given, settings

from evaluation.statistics.calibration.outcomes import Unit, count_outcomes
from evaluation.statistics.refusals import StatisticUndefined
from tests.evaluation.statistics.calibration.tables import (
    SYSTEMS,
    labelled,
    pair_table,
    pair_tables,
    swapped,
)

PAIRS = pair_table(
    [
        (4, 0, 1, 300, 2, 1, 0),
        (4, 1, 0, 300, 1, 0, 0),
        (9, 1, 0, -50, 0, 0, 2),
        (9, 3, 1, None, 3, 0, 0),
    ],
    probability=[0.5, 1.0, 1.0, 1.0],
)


def totals(counts):
    return {
        (counts.systems[a], counts.systems[b]): tuple(side[0, k] for side in counts.totals())
        for k, (a, b) in enumerate(zip(counts.low, counts.high, strict=True))
    }


def test_pairs_votes_and_the_judge_are_counted_by_hand():
    theoria, mem0, _, hindsight = SYSTEMS
    assert totals(count_outcomes(PAIRS)) == {
        (theoria, mem0): (1, 1, 1),
        (mem0, hindsight): (0, 1, 0),
    }
    assert totals(count_outcomes(PAIRS, unit=Unit.VOTE)) == {
        (theoria, mem0): (2, 2, 2),
        (mem0, hindsight): (0, 3, 0),
    }
    judge = count_outcomes(PAIRS, unit=Unit.JUDGE, tolerance_hundredths=50)
    assert totals(judge) == {(theoria, mem0): (1, 1, 1)}
    assert judge.systems == (theoria, mem0)
    weighted = count_outcomes(PAIRS, weighted=True)
    assert totals(weighted)[theoria, mem0] == (2, 1, 1)


def test_draws_weight_questions():
    counts = count_outcomes(PAIRS, unit=Unit.VOTE)
    low_wins, high_wins, ties = counts.sums(np.array([[2.0, 0.0], [0.0, 2.0]]))
    assert low_wins.tolist() == [[4, 0], [0, 0]]
    assert high_wins.tolist() == [[4, 0], [0, 6]]
    assert ties.tolist() == [[0, 0], [4, 0]]


@given(pair_tables())
@settings(max_examples=40)
def test_every_pair_and_vote_is_counted_once_however_it_is_turned(pairs):
    for unit, expected in ((Unit.PAIR, pairs.n_pairs), (Unit.VOTE, pairs.n_votes.sum())):
        counts = count_outcomes(pairs, unit=unit)
        assert sum(side.sum() for side in counts.totals()) == expected
        assert totals(counts) == totals(count_outcomes(swapped(pairs), unit=unit))


def test_nothing_to_count_is_refused():
    with pytest.raises(StatisticUndefined, match="no counted vote"):
        count_outcomes(labelled([]))
    with pytest.raises(StatisticUndefined, match="No voted pair has a judge's score"):
        count_outcomes(PAIRS.where(~PAIRS.is_judged), unit=Unit.JUDGE)


def test_one_question_cannot_be_resampled():
    counts = count_outcomes(PAIRS.where(PAIRS.question == 4))
    with pytest.raises(StatisticUndefined, match="at least 2 questions; there is 1"):
        counts.draws(np.random.default_rng(0))
