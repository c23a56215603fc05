"""Picks the best of many scores, the same way on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_DECIMALS = 6


def top_indices(
    scores: NDArray[np.float64], k: int, *, among: NDArray[np.bool_] | None = None
) -> list[tuple[int, float]]:
    """At most ``k`` (index, score), best first; ``among`` leaves the others out.

    Scores are compared at six decimals and equal ones are ordered by index, so that the last
    bits of floating-point sums never decide an order.
    """
    candidates = np.arange(len(scores)) if among is None else np.flatnonzero(among)
    if k <= 0 or len(candidates) == 0:
        return []
    rounded = np.round(scores[candidates], _DECIMALS)
    if k < len(candidates):
        threshold = np.partition(rounded, len(rounded) - k)[len(rounded) - k]
        kept = rounded >= threshold
        candidates, rounded = candidates[kept], rounded[kept]
    order = np.argsort(-rounded, kind="stable")[:k]
    return list(zip(candidates[order].tolist(), rounded[order].tolist(), strict=True))
