"""The best of many scores, the same way every time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memory_systems.ranking import products, top_indices

scores_of_any_kind = st.lists(st.sampled_from([-1.0, -0.0, 0.0, 0.25, 0.5, 0.5000000001, 7.0]))


def test_ties_are_ordered_by_index() -> None:
    assert top_indices(np.array([0.5, 0.9, 0.5, 0.9]), 3) == [(1, 0.9), (3, 0.9), (0, 0.5)]


def test_the_last_bits_of_a_score_never_decide() -> None:
    assert [index for index, _ in top_indices(np.array([0.3, 0.3 + 5e-17, 0.3 + 1e-9]), 3)] == [
        0,
        1,
        2,
    ]


def test_those_left_out_never_come() -> None:
    among = np.array([True, False, True])
    assert top_indices(np.array([1.0, 9.0, 2.0]), 5, among=among) == [(2, 2.0), (0, 1.0)]


def test_nothing_is_ranked_where_nothing_is_asked_or_there() -> None:
    assert top_indices(np.array([1.0]), 0) == []
    assert top_indices(np.array([]), 5) == []


@given(scores_of_any_kind, st.integers(0, 12))
def test_it_is_the_beginning_of_a_full_stable_sort(scores: list[float], k: int) -> None:
    full = sorted(range(len(scores)), key=lambda index: (-round(scores[index], 6), index))
    found = [index for index, _ in top_indices(np.array(scores, np.float64), k)]
    assert found == full[:k]


@given(st.integers(0, 2**32 - 1), st.integers(1, 60))
def test_a_rows_product_does_not_depend_on_its_place(seed: int, n_rows: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n_rows, 48)).astype(np.float32)
    query = rng.normal(size=48).astype(np.float32)
    found = products(vectors, query)
    assert np.allclose(found, vectors @ query, atol=1e-4)
    places = rng.permutation(n_rows)
    assert np.array_equal(products(vectors[places], query), found[places])


def test_an_empty_store_has_no_products() -> None:
    assert products(np.zeros((0, 4), np.float32), np.zeros(4, np.float32)).shape == (0,)
