from dataclasses import replace

import pytest
from hypothesis import given

from evaluation.statistics.calibration.votes import require_same_votes
from tests.evaluation.statistics.calibration.tables import (
    changed,
    pair_table,
    pair_tables,
    votes_of,
)

TWO = pair_table([(0, 0, 1, 5, 2, 0, 1), (0, 0, 1, 5, 0, 1, 0)])


def test_votes_are_counted_by_pair_and_label():
    votes = votes_of(TWO, n_raters=5)
    assert votes.label_counts(3).tolist() == [[2, 0, 1], [0, 1, 0], [0, 0, 0]]
    assert votes.n_votes == 4
    assert 3 <= votes.n_raters <= 4


@given(pair_tables())
def test_counting_votes_gives_the_pair_table_back(pairs):
    require_same_votes(pairs, votes_of(pairs, n_raters=12))


def test_votes_of_other_pairs_are_a_mistake():
    votes = votes_of(TWO, n_raters=5)
    with pytest.raises(ValueError, match="not those that the pair table counts"):
        require_same_votes(replace(TWO, n_first=TWO.n_first + 1), votes)
    with pytest.raises(ValueError, match="outside the 1 pairs"):
        votes.label_counts(1)


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("rater", [0, 0, 1, 1], "one vote a pair"),
        ("label", [0, 0, 3, 1], "first, for the second or a tie"),
        ("n_reveals_seen", [-1, 0, 0, 0], "not negative"),
        ("pair", [0], "one value a vote"),
    ],
)
def test_columns_that_contradict_each_other_are_a_mistake(column, value, sentence):
    with pytest.raises(ValueError, match=sentence):
        changed(votes_of(TWO, n_raters=5), column, value)
