"""What unscored units could do to a mean, and who may be ranked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.inputs import as_scores
from evaluation.statistics.refusals import StatisticUndefined

RANKED_FROM = 0.95
COMPOSITE_SCALE = (0.0, 10.0)


@dataclass(frozen=True, slots=True)
class MissingBounds:
    """The mean if every missing unit had the lowest (``low``) or highest (``high``) score of the
    scale; ``share_scored`` from 0 to 1."""

    low: float
    high: float
    n_scored: int
    n_total: int
    share_scored: float


def missing_bounds(
    values: Sequence[float | None] | NDArray[np.float64],
    n_total: int,
    *,
    scale: tuple[float, float] = COMPOSITE_SCALE,
) -> MissingBounds:
    """Worst-case bounds of the mean over all ``n_total`` units; None or NaN is missing, and so is
    every unit not listed. No assumption about why they are missing.

    Raises StatisticUndefined for n_total = 0; ValueError for more scores than units or a score
    outside ``scale``. Source: Manski (2003), Partial Identification of Probability
    Distributions, chapter 1.
    """
    scores = as_scores(values)
    scored = scores[~np.isnan(scores)]
    lowest, highest = scale
    if n_total == 0:
        raise StatisticUndefined("There is no unit to score.")
    if len(scored) > n_total:
        raise ValueError(f"{len(scored)} scores for {n_total} units")
    if len(scored) and not (lowest <= scored.min() and scored.max() <= highest):
        raise ValueError(f"a score lies outside the scale from {lowest:g} to {highest:g}")
    n_missing = n_total - len(scored)
    total = float(np.sort(scored).sum())
    return MissingBounds(
        low=(total + n_missing * lowest) / n_total,
        high=(total + n_missing * highest) / n_total,
        n_scored=len(scored),
        n_total=n_total,
        share_scored=len(scored) / n_total,
    )


def is_rankable(n_scored: int, n_total: int, threshold: float = RANKED_FROM) -> bool:
    """True when at least ``threshold`` of the question set is scored; False for an empty set.

    Raises ValueError unless 0 <= n_scored <= n_total.
    """
    if not 0 <= n_scored <= n_total:
        raise ValueError(f"{n_scored} of {n_total} units cannot be scored")
    return n_total > 0 and n_scored / n_total >= threshold
