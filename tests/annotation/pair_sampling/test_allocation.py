from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.pair_sampling.allocation import AllocationTooLarge, fill, round_at_random


def shares(
    total: float, capacities: list[float], weights: list[float] | None = None
) -> list[float]:
    given_weights = None if weights is None else np.array(weights)
    return [float(share) for share in fill(total, np.array(capacities), given_weights)]


def test_shares_are_equal_where_there_is_room() -> None:
    assert shares(9, [10, 10, 10]) == [3, 3, 3]


def test_what_a_full_stratum_cannot_take_goes_to_the_others() -> None:
    # 4 each: the first takes its 2, the 10 left are 5 each.
    assert shares(12, [2, 8, 10]) == [2, 5, 5]
    # 5 each fills the first two, and the third gets the rest.
    assert shares(15, [1, 4, 20]) == [1, 4, 10]


def test_weights_share_in_proportion_and_an_empty_stratum_gets_nothing() -> None:
    assert shares(12, [0, 20, 20], [5, 1, 3]) == [0, 3, 9]
    # 3 and 9, of which 7 find room: the other 2 go to the first.
    assert shares(12, [20, 7], [1, 3]) == [5, 7]


def test_more_than_there_is_cannot_be_shared() -> None:
    with pytest.raises(AllocationTooLarge, match="12 are to be drawn and 10 exist"):
        shares(12, [4, 6])


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=30),
    st.floats(0, 1),
    st.integers(0, 2**32 - 1),
)
def test_shares_and_their_roundings_sum_to_the_total_and_fit(
    capacities: list[int], part: float, seed: int
) -> None:
    total = round(part * sum(capacities))
    found = fill(total, np.array(capacities, dtype=float))
    assert found.sum() == pytest.approx(total)
    assert (found <= np.array(capacities) + 1e-9).all()
    whole = round_at_random(found, np.random.default_rng(seed))
    assert whole.sum() == total
    assert (np.abs(whole - found) < 1 + 1e-9).all()
    assert (whole <= np.array(capacities)).all()


def test_a_share_is_the_expected_value_of_its_rounding() -> None:
    wanted = np.array([0.25, 1.5, 0.05, 2.0, 0.2])
    rng = np.random.default_rng(3)
    mean = np.mean([round_at_random(wanted, rng) for _ in range(20_000)], axis=0)
    assert mean == pytest.approx(wanted, abs=0.02)
