"""Picks the best of many scores, the same way on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_DECIMALS = 6


def products(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row's product with the query: shapes (rows, dim) and (dim,) to (rows,).

    Row by row on one thread: a matrix product's last bits depend on the row's place and the
    number of threads, and its threads starve each other where several processes search at once.
    """
    scores: NDArray[np.float32] = np.vecdot(vectors, query)
    return scores


def top_indices(
    scores: NDArray[np.floating[Any]], k: int, *, among: NDArray[np.bool_] | None = None
) -> list[tuple[int, float]]:
    """At most ``k`` (index, score), best first; ``among`` leaves the others out.

    Scores are compared at six decimals and equal ones are ordered by index, so that the last
    bits of floating-point sums never decide an order.
    """
    candidates = np.arange(len(scores)) if among is None else np.flatnonzero(among)
    if k <= 0 or len(candidates) == 0:
        return []
    if among is not None:
        scores = scores[candidates]
    if k < len(scores):
        kth_best = float(np.partition(scores, len(scores) - k)[len(scores) - k])
        # Twice the rounding step: what rounds to the same as the k-th best is kept.
        kept = np.flatnonzero(scores >= kth_best - 2 * 10**-_DECIMALS)
        candidates, scores = candidates[kept], scores[kept]
    rounded = np.round(scores.astype(np.float64), _DECIMALS)
    order = np.argsort(-rounded, kind="stable")[:k]
    return list(zip(candidates[order].tolist(), rounded[order].tolist(), strict=True))
