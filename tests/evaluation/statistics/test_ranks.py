import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.statistics.ranks import RankInterval, rank_intervals
from evaluation.statistics.simultaneous import Contrast, simultaneous_contrasts


def contrast(a: int, b: int, delta: float, *, is_separated: bool) -> Contrast:
    return Contrast(a, b, delta, delta, delta, delta, delta, 10, is_separated, 0.01)


def test_a_like_b_and_b_like_c_but_a_above_c_gives_overlapping_places():
    ranks = rank_intervals(
        3,
        [
            contrast(0, 1, 0.5, is_separated=False),
            contrast(1, 2, 0.5, is_separated=False),
            contrast(0, 2, 1.0, is_separated=True),
        ],
    )
    assert ranks == (RankInterval(1, 2), RankInterval(1, 3), RankInterval(2, 3))
    assert [rank.band for rank in ranks] == ["1–2", "1–3", "2–3"]


def test_the_loser_is_the_first_row_where_the_difference_is_negative():
    assert rank_intervals(2, [contrast(0, 1, -1.0, is_separated=True)]) == (
        RankInterval(2, 2),
        RankInterval(1, 1),
    )


def test_identical_systems_share_their_places():
    row = np.random.default_rng(0).uniform(0, 5, size=40)
    table = np.array([row, row, row + 4])
    ranks = rank_intervals(3, simultaneous_contrasts(table, rng=np.random.default_rng(1)))
    assert [rank.band for rank in ranks] == ["2–3", "2–3", "1"]


def test_one_row_holds_the_first_place():
    assert rank_intervals(1, []) == (RankInterval(1, 1),)
    assert rank_intervals(0, []) == ()


@given(st.lists(st.floats(0, 10), min_size=1, max_size=8), st.floats(0, 3))
def test_every_interval_holds_the_observed_place(means, gap):
    pairs = [(a, b) for a in range(len(means)) for b in range(a + 1, len(means))]
    ranks = rank_intervals(
        len(means),
        [
            contrast(a, b, means[a] - means[b], is_separated=abs(means[a] - means[b]) > gap)
            for a, b in pairs
        ],
    )
    for mean, rank in zip(means, ranks, strict=True):
        place = 1 + sum(other > mean for other in means)
        assert 1 <= rank.best <= place <= rank.worst <= len(means)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8))
def test_with_every_difference_separated_best_is_the_competition_rank_of_scipy(means):
    pairs = [(a, b) for a in range(len(means)) for b in range(a + 1, len(means))]
    ranks = rank_intervals(
        len(means),
        [contrast(a, b, means[a] - means[b], is_separated=means[a] != means[b]) for a, b in pairs],
    )
    downwards = [-mean for mean in means]
    assert [rank.best for rank in ranks] == stats.rankdata(downwards, method="min").tolist()
    assert [rank.worst for rank in ranks] == stats.rankdata(downwards, method="max").tolist()


def test_a_contrast_of_a_row_outside_the_table_is_a_mistake():
    with pytest.raises(ValueError, match="outside the 2 rows"):
        rank_intervals(2, [contrast(0, 2, 1.0, is_separated=True)])
