"""The frame that pairs are drawn from: every two answered systems of every question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]

ABSENT, UNSCORED = -2, -1
"""In a table of scores: no answer; an answer that the reference judge did not score."""
UNKNOWN_GAP = "gap unknown"


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """One entry a pair in every column, ordered by question, then by systems; shape (n,).

    ``left`` and ``right`` are columns of the table of scores, left < right. ``bucket`` indexes
    ``bucket_names``, whose last is ``UNKNOWN_GAP``. ``system_pair`` numbers the pairs of systems,
    whether or not they have candidates, row by row of the upper triangle. ``n_identical`` pairs
    of two equal texts are none of them: there is nothing to decide.
    """

    question: Integers
    left: Integers
    right: Integers
    bucket: Integers
    system_pair: Integers
    bucket_names: tuple[str, ...]
    n_systems: int
    n_identical: int = 0

    def __len__(self) -> int:
        return int(self.question.size)

    @property
    def unknown_bucket(self) -> int:
        return len(self.bucket_names) - 1


def candidate_pairs(
    scores: Integers, edges: Sequence[int], texts: Integers | None = None
) -> Candidates:
    """``scores``: hundredths of the reference judge's composite, ABSENT or UNSCORED, of shape
    (n_questions, n_systems). ``edges``: the lower edges of the buckets in hundredths, rising from
    0; a lower edge belongs to its bucket and the last bucket is open. ``texts``: of the same shape
    as ``scores``, the same number where answers read the same; such pairs are left out."""
    n_systems = scores.shape[1]
    lefts, rights = np.triu_indices(n_systems, k=1)
    present = scores != ABSENT
    is_pair = present[:, lefts] & present[:, rights]
    n_identical = 0
    if texts is not None:
        is_identical = is_pair & (texts[:, lefts] == texts[:, rights])
        n_identical = int(is_identical.sum())
        is_pair &= ~is_identical
    question, system_pair = np.nonzero(is_pair)
    left, right = lefts[system_pair], rights[system_pair]
    of_left, of_right = scores[question, left], scores[question, right]
    bucket = np.searchsorted(np.asarray(edges), np.abs(of_left - of_right), side="right") - 1
    bucket[(of_left == UNSCORED) | (of_right == UNSCORED)] = len(edges)
    return Candidates(
        question=question.astype(np.int64),
        left=left.astype(np.int64),
        right=right.astype(np.int64),
        bucket=bucket.astype(np.int64),
        system_pair=system_pair.astype(np.int64),
        bucket_names=(*bucket_names(edges), UNKNOWN_GAP),
        n_systems=n_systems,
        n_identical=n_identical,
    )


def bucket_names(edges: Sequence[int]) -> tuple[str, ...]:
    """``0–2``, ``2–4``, ``4+`` for the lower edges 0, 200, 400 in hundredths."""
    points = [f"{edge / 100:g}" for edge in edges]
    return (*(f"{low}–{high}" for low, high in pairwise(points)), f"{points[-1]}+")
