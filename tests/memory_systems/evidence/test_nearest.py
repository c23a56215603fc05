"""Nearest neighbours are exact, and the same bit for bit however they are computed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_systems.evidence.nearest import best_of_rows, nearest, steady


def random_vectors(n: int, dim: int = 24, seed: int = 5) -> np.ndarray:
    made = np.random.default_rng(seed).normal(size=(n, dim))
    return steady((made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


def test_the_neighbours_are_those_of_the_whole_table_of_cosines() -> None:
    vectors = random_vectors(1200)
    found, cosines = nearest(vectors, 4)
    table = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    np.fill_diagonal(table, -2)
    expected = np.argsort(-table, axis=1, kind="stable")[:, :4]
    assert np.array_equal(found, expected)
    assert np.array_equal(cosines, np.take_along_axis(table, expected, axis=1).astype(np.float32))


def test_products_of_steady_vectors_are_exact_in_any_order() -> None:
    vectors = random_vectors(700, dim=384)
    rng = np.random.default_rng(1)
    order = rng.permutation(384)
    exact = vectors.astype(np.float64) @ vectors.T.astype(np.float64)
    assert np.array_equal((vectors @ vectors.T).astype(np.float64), exact)
    assert np.array_equal(vectors[:, order] @ vectors[:, order].T, vectors @ vectors.T)
    assert np.array_equal(vectors[3:10] @ vectors.T, (vectors @ vectors.T)[3:10])


def test_rounding_moves_a_cosine_by_less_than_a_thousandth() -> None:
    made = np.random.default_rng(2).normal(size=(200, 256)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    assert np.abs(made @ made.T - steady(made) @ steady(made).T).max() < 1e-3


def test_with_groups_only_lower_groups_are_searched() -> None:
    vectors = random_vectors(900)
    groups = np.repeat(np.arange(90), 10)
    found, cosines = nearest(vectors, 3, groups=groups)
    assert (found[:10] == -1).all()
    assert (cosines[:10] == 0).all()
    table = vectors @ vectors.T
    for row in (10, 57, 511, 512, 899):
        allowed = 10 * groups[row]
        expected = np.argsort(-table[row, :allowed], kind="stable")[:3]
        assert np.array_equal(found[row], expected)
    later, _ = nearest(vectors, 3, groups=groups, since=605)
    assert np.array_equal(later[605:], found[605:])


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_rows_have_few_neighbours(n: int) -> None:
    found, cosines = nearest(random_vectors(n), 3)
    assert found.shape == cosines.shape == (n, 3)
    assert (found == -1).sum() == 3 * n - n * (n - 1)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 6), st.integers(1, 2000), st.integers(0, 10_000))
def test_the_best_of_rows_with_many_ties_are_those_of_a_stable_sort(
    k: int, n: int, seed: int
) -> None:
    scores = (np.random.default_rng(seed).integers(0, 6, (3, n)) / 8).astype(np.float32)
    places, values = best_of_rows(scores, k)
    expected = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    assert np.array_equal(places, expected)
    assert np.array_equal(values, np.take_along_axis(scores, expected, axis=1))
