"""Reciprocal rank fusion of ranked lists."""

from __future__ import annotations

from collections.abc import Sequence

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
    scores: dict[int, float] = {}
    for ranking in rankings:
        if len(set(ranking)) != len(ranking):
            raise ValueError("a ranking names an index twice")
        for rank, index in enumerate(ranking, start=1):
            scores[index] = scores.get(index, 0.0) + 1.0 / (k + rank)
    return sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
