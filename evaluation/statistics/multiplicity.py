"""Adjusting a family of p-values: Holm (family-wise) and Benjamini-Hochberg (false discoveries).

For p-values that can reach them. A resampling p-value is never below 1 / (B + 1); where even that
is too large for the family, an adjustment could reject nothing whatever the data say, and is
refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.inputs import require_level
from evaluation.statistics.refusals import StatisticUndefined


@dataclass(frozen=True, slots=True)
class AdjustedP:
    """A p-value and its adjusted form, both in [0, 1]; rejected where the latter is at most
    1 - level."""

    p: float
    adjusted: float
    is_rejected: bool


def holm(
    p_values: Sequence[float], *, n_resamples: int | None = None, level: float = 0.95
) -> tuple[AdjustedP, ...]:
    """Holm's step-down adjustment of m p-values, in their own order: family-wise error at most
    1 - level under any dependence.

    ``n_resamples``: B of the resampling that made them, None for exact p-values. Raises
    StatisticUndefined for an empty family or unreachable p-values, ValueError outside [0, 1].
    Source: Holm (1979), Scandinavian Journal of Statistics 6.
    """
    p = checked_family(p_values, n_resamples=n_resamples, level=level)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return judged(p, adjusted, level)


def benjamini_hochberg(
    p_values: Sequence[float], *, n_resamples: int | None = None, level: float = 0.95
) -> tuple[AdjustedP, ...]:
    """Benjamini and Hochberg's step-up adjustment, in the p-values' own order: false discovery
    rate at most 1 - level for independent or positively dependent p-values.

    Arguments and refusals as ``holm``; unreachable means that a single true finding among m could
    never be declared. Source: Benjamini and Hochberg (1995), JRSS B 57.
    """
    p = checked_family(p_values, n_resamples=n_resamples, level=level)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * (len(p) / np.arange(1, len(p) + 1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return judged(p, adjusted, level)


def checked_family(
    p_values: Sequence[float], *, n_resamples: int | None, level: float
) -> NDArray[np.float64]:
    alpha = 1.0 - require_level(level)
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0.0) & (p <= 1.0)).all():
        raise ValueError("p-values are numbers from 0 to 1, one a hypothesis")
    if len(p) == 0:
        raise StatisticUndefined("There is no p-value to adjust.")
    if n_resamples is not None:
        smallest = 1.0 / (n_resamples + 1)
        if (p < smallest * (1.0 - 1e-9)).any():
            raise ValueError(f"{n_resamples} resamples cannot give a p-value below {smallest:.3g}")
        if smallest * len(p) > alpha * (1.0 + 1e-9):
            needed = math.ceil(len(p) / alpha * (1.0 - 1e-9)) - 1
            raise StatisticUndefined(
                f"With {n_resamples:,} resamples no p-value is below {smallest:.2g}, and "
                f"{len(p):,} comparisons at {100 * level:g} % need {alpha / len(p):.2g}: "
                f"draw at least {needed:,} resamples."
            )
    return p


def judged(
    p: NDArray[np.float64], adjusted: NDArray[np.float64], level: float
) -> tuple[AdjustedP, ...]:
    alpha = (1.0 - level) * (1.0 + 1e-9)
    return tuple(
        AdjustedP(float(raw), float(value), bool(value <= alpha))
        for raw, value in zip(p, adjusted, strict=True)
    )
