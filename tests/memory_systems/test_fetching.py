"""How much a budget fetches, in every mode."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.base import Budget
from memory_systems.fetching import Ranking, estimated_tokens, fetch_ranked, sum_chars


def ranked_by_index(n_units: int) -> list[tuple[int, float]]:
    return [(index, 1.0 - index / 1000) for index in range(n_units)]


def fetch(budget: Budget, lengths: list[int]) -> tuple[Ranking, dict[str, int | float | str]]:
    everything = ranked_by_index(len(lengths))
    return fetch_ranked(
        lambda k: everything[:k], budget, native_k=20, n_chars=np.array(lengths, np.int64)
    )


def test_native_takes_the_systems_own_k() -> None:
    ranked, knobs = fetch(Budget(), [100] * 50)
    assert len(ranked) == 20
    assert knobs == {"k": 20}


def test_a_budget_of_k_takes_exactly_k() -> None:
    ranked, knobs = fetch(Budget(k=7), [100] * 50)
    assert len(ranked) == 7
    assert knobs == {"k": 7}


@pytest.mark.parametrize(("chars", "k"), [(1_000, 1), (30_000, 30), (999 * 20 + 600, 21), (10, 1)])
def test_targeted_sets_k_from_the_mean_of_the_store(chars: int, k: int) -> None:
    ranked, knobs = fetch(Budget(chars=chars, mode="targeted"), [999] * 80)
    assert len(ranked) == k
    assert knobs == {"k": k, "mean_unit_chars": 999.0}


def test_capped_takes_the_first_units_that_reach_it_by_far_and_one_more() -> None:
    ranked, knobs = fetch(Budget(chars=1_000), [100, 500, 900, 101, 50, 70])
    assert [index for index, _ in ranked] == [0, 1, 2, 3, 4]
    assert knobs == {"k": 5, "overfetch": 1.6}


def test_tokens_fetch_like_four_characters_each() -> None:
    assert fetch(Budget(tokens=250), [100] * 50)[0] == fetch(Budget(chars=1_000), [100] * 50)[0]


def test_an_empty_store_gives_nothing() -> None:
    for budget in (Budget(), Budget(chars=9), Budget(chars=9, mode="targeted"), Budget(k=2)):
        assert list(fetch(budget, [])[0]) == []


@given(st.lists(st.integers(1, 3_000), max_size=60), st.integers(1, 40_000))
def test_capped_fetches_enough_or_everything(lengths: list[int], chars: int) -> None:
    ranked, _ = fetch(Budget(chars=chars), lengths)
    fetched = sum_chars(ranked, np.array(lengths, np.int64))
    assert fetched >= 1.6 * chars or len(ranked) == len(lengths)
    assert list(ranked) == ranked_by_index(len(lengths))[: len(ranked)]


def test_tokens_are_estimated_upwards() -> None:
    assert [estimated_tokens(n) for n in (0, 1, 4, 5, 400)] == [0, 1, 1, 2, 100]
