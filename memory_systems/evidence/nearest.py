"""Nearest neighbours by cosine, exactly and the same in whatever order they are computed.

Vectors are rounded to multiples of 1/2048. A product of two such numbers is a multiple of 2^-22,
and partial sums of a product of unit-length vectors stay near 1, so a 32-bit float holds every
one of them without rounding: a block, a thread or another order of the sums changes no bit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

_STEP = 2048.0
_ROWS_AT_ONCE = 512
_GROUP = 64
_NEVER = np.float32(-2.0)

Vectors = NDArray[np.float32]
Indices = NDArray[np.int64]


def steady(vectors: Vectors) -> Vectors:
    """The vectors at the precision that makes their products exact; a cosine moves by less than
    0.001. Shape is kept."""
    rounded = np.round(vectors * np.float32(_STEP)) / np.float32(_STEP)
    return rounded.astype(np.float32, copy=False)


def nearest(
    vectors: Vectors, k: int, *, groups: Indices | None = None, since: int = 0
) -> tuple[Indices, Vectors]:
    """(indices, cosines), both of shape (rows, k), best first, equal ones by index.

    Without ``groups`` the ``k`` nearest others of each row. With it (a number a row, never falling)
    only rows of lower groups are searched. Missing neighbours have index -1 and cosine 0. Rows
    before ``since`` are left without.
    """
    n = len(vectors)
    # Whole groups of columns, so that no block of products is copied to fill the last one up.
    others = np.zeros((_whole_groups(n), vectors.shape[1]), np.float32)
    others[:n] = vectors
    found = np.full((n, k), -1, np.int64)
    cosines = np.zeros((n, k), np.float32)
    for first, last in _blocks(since, n):
        # Groups never fall, so nothing behind the last row's own group is searched.
        reach = n if groups is None else int(np.searchsorted(groups, groups[last - 1]))
        if reach == 0:
            continue
        products = vectors[first:last] @ others[: _whole_groups(reach)].T
        products[:, reach:] = _NEVER
        if groups is None:
            products[np.arange(last - first), np.arange(first, last)] = _NEVER
        else:
            own_start = np.searchsorted(groups, groups[first:last])
            for row in range(last - first):
                products[row, own_start[row] : reach] = _NEVER
        places, values = best_of_rows(products, k)
        kept = values > _NEVER
        width = places.shape[1]
        found[first:last, :width] = np.where(kept, places, -1)
        cosines[first:last, :width] = np.where(kept, values, 0)
    return found, cosines


def best_of_rows(scores: Vectors, k: int) -> tuple[Indices, Vectors]:
    """The ``k`` greatest of each row (fewer where the row is shorter), equal ones by index.

    An element among the best k lies in one of the k groups with the greatest maxima, so only those
    groups are looked through.
    """
    n_rows, n = scores.shape
    k = min(k, n)
    if n > 4 * k * _GROUP:
        padded = scores
        if n % _GROUP:
            padded = np.full((n_rows, _whole_groups(n)), _NEVER, np.float32)
            padded[:, :n] = scores
        grouped = padded.reshape(n_rows, -1, _GROUP)
        best_groups = np.argsort(-grouped.max(axis=2), axis=1, kind="stable")[:, :k]
        best_groups.sort(axis=1)
        candidates = np.take_along_axis(grouped, best_groups[:, :, None], axis=1)
        values = candidates.reshape(n_rows, -1)
        columns = (best_groups[:, :, None] * _GROUP + np.arange(_GROUP)).reshape(n_rows, -1)
    else:
        values, columns = scores, np.broadcast_to(np.arange(n), scores.shape)
    order = np.argsort(-values, axis=1, kind="stable")[:, :k]
    return (
        np.take_along_axis(columns, order, axis=1).astype(np.int64),
        np.take_along_axis(values, order, axis=1),
    )


def _whole_groups(n: int) -> int:
    """The least multiple of the group size that is not less."""
    return -(-n // _GROUP) * _GROUP


def _blocks(since: int, n: int) -> Iterator[tuple[int, int]]:
    for first in range(since, n, _ROWS_AT_ONCE):
        yield first, min(n, first + _ROWS_AT_ONCE)
