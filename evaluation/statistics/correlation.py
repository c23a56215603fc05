"""Pearson's and Spearman's correlation, with an interval or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from evaluation.statistics.inputs import as_scores, require_level
from evaluation.statistics.refusals import StatisticUndefined

FEWEST_PAIRS = 3
CONSTANT_TO_WITHIN = 1e-12

Values = Sequence[float | None] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient from -1 to 1 over ``n`` pairs. ``low`` and ``high`` are None exactly when
    ``interval_undefined`` says why."""

    coefficient: float
    low: float | None
    high: float | None
    n: int
    interval_undefined: str = ""


def pearson(x: Values, y: Values, *, level: float = 0.95) -> Correlation:
    """Pearson's r over the pairs that both have (None or NaN is missing), with Fisher's interval.

    The interval assumes independent pairs, near bivariate normal: standard error of artanh r is
    1 / sqrt(n - 3). Raises StatisticUndefined for fewer than 3 pairs or constant values, and
    ValueError for unequal lengths. Source: Fisher (1921), Metron 1.
    """
    first, second = common_pairs(x, y)
    r = product_moment(first, second)
    return with_interval(r, len(first), variance_factor=1.0, level=level)


def spearman(x: Values, y: Values, *, level: float = 0.95) -> Correlation:
    """Spearman's rho: Pearson's r of the ranks (ties share their mean rank), over common pairs.

    Standard error of artanh rho is sqrt((1 + rho^2 / 2) / (n - 3)). Assumes independent pairs; a
    rough interval for few systems. Refusals as ``pearson``.
    Source: Bonett and Wright (2000), Psychometrika 65.
    """
    first, second = common_pairs(x, y)
    rho = product_moment(rankdata(first), rankdata(second))
    return with_interval(rho, len(first), variance_factor=1.0 + rho * rho / 2.0, level=level)


def common_pairs(x: Values, y: Values) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values of the pairs present in both; refuses what has no correlation."""
    first, second = as_scores(x), as_scores(y)
    if len(first) != len(second):
        raise ValueError(f"paired values differ in length: {len(first)} and {len(second)}")
    present = ~(np.isnan(first) | np.isnan(second))
    first, second = first[present], second[present]
    if len(first) < FEWEST_PAIRS:
        raise StatisticUndefined(
            f"A correlation needs at least {FEWEST_PAIRS} pairs; there "
            f"{'is' if len(first) == 1 else 'are'} {len(first)}."
        )
    for values in (first, second):
        if np.ptp(values) <= CONSTANT_TO_WITHIN * np.abs(values).max():
            raise StatisticUndefined(
                "A correlation does not exist: all values on one side are the same."
            )
    return first, second


def product_moment(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Pearson's r, clipped to [-1, 1] against rounding. Values are scaled before squaring."""
    dx, dy = first - first.mean(), second - second.mean()
    dx, dy = dx / np.abs(dx).max(), dy / np.abs(dy).max()
    r = float(dx @ dy) / math.sqrt(float(dx @ dx) * float(dy @ dy))
    return min(1.0, max(-1.0, r))


def with_interval(r: float, n: int, *, variance_factor: float, level: float) -> Correlation:
    require_level(level)
    if n <= FEWEST_PAIRS:
        return Correlation(r, None, None, n, f"An interval needs more than {FEWEST_PAIRS} pairs.")
    if 1.0 - abs(r) < CONSTANT_TO_WITHIN:
        return Correlation(
            r, None, None, n, "The agreement is perfect, and a perfect one has no interval."
        )
    margin = float(norm.ppf(0.5 + level / 2.0)) * math.sqrt(variance_factor / (n - 3))
    centre = math.atanh(r)
    return Correlation(r, math.tanh(centre - margin), math.tanh(centre + margin), n)
