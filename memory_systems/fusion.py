"""Reciprocal rank fusion of ranked lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RRF_K = 60
FUSED_DEPTH = 200


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[int]], *, k: int = RRF_K
) -> list[tuple[int, float]]:
    """(index, score) of every index that any ranking holds, best first.

    score = Σ 1 / (k + rank), ranks from 1, over the rankings that hold the index; equal scores
    are ordered by index. Source: Cormack, Clarke and Büttcher, SIGIR 2009. Raises ValueError
    where a ranking names an index twice or ``k`` is negative.
    """
    if k < 0:
        raise ValueError("the constant of reciprocal rank fusion is not negative")
    if any(len(set(ranking)) != len(ranking) for ranking in rankings):
        raise ValueError("a ranking names an index twice")
    named = np.array([index for ranking in rankings for index in ranking], np.int64)
    parts = [1.0 / np.arange(k + 1, k + 1 + len(ranking)) for ranking in rankings]
    indices, places = np.unique(named, return_inverse=True)
    scores = np.bincount(places, weights=np.concatenate([*parts, []]))
    order = np.argsort(-scores, kind="stable")
    return list(zip(indices[order].tolist(), scores[order].tolist(), strict=True))
