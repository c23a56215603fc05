"""Percentile bootstrap of a mean and of a paired difference, over resampling units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.draws import (
    ResampledMeans,
    count_chunks,
    percentile_bounds,
    resampled_means,
)
from evaluation.statistics.inputs import as_scores
from evaluation.statistics.refusals import StatisticUndefined

DEFAULT_RESAMPLES = 10_000
DEFAULT_LEVEL = 0.95
FEWEST_UNITS = 2


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its bounds, all on the scale of the scores; ``n`` units went into it."""

    estimate: float
    low: float
    high: float
    n: int


def resample_counts(n_units: int, n_resamples: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """How often each unit is drawn in each resample: shape (n_resamples, n_units), rows summing
    to ``n_units``. Drawn once and used for every row of a table, it makes comparisons paired.

    Memory is 4 bytes a cell. Raises ValueError for less than one unit or resample.
    """
    counts = np.empty((n_resamples, n_units), dtype=np.int32)
    start = 0
    for chunk in count_chunks(n_units, n_resamples, rng):
        counts[start : start + len(chunk)] = chunk
        start += len(chunk)
    return counts


def intervals_of(means: ResampledMeans, *, level: float) -> tuple[Interval, ...]:
    """One percentile interval a column of ``means``.

    Raises StatisticUndefined for a column with fewer than 2 units or too few resamples.
    """
    if (means.n < FEWEST_UNITS).any():
        raise StatisticUndefined(
            f"An interval needs at least {FEWEST_UNITS} scored units; there is 1."
        )
    low, high = percentile_bounds(means.replicates, level)
    return tuple(
        Interval(float(estimate), float(lower), float(upper), int(n))
        for estimate, lower, upper, n in zip(means.estimates, low, high, means.n, strict=True)
    )


def bootstrap_mean_interval(
    values: Sequence[float | None] | NDArray[np.float64],
    *,
    rng: np.random.Generator,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Mean of ``values`` (one a resampling unit; None or NaN is missing and left out) with its
    percentile bootstrap interval, on the values' own scale.

    Assumes that units are drawn independently from one population; too narrow for a handful of
    units. Raises StatisticUndefined for fewer than 2 present values or too few resamples.
    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.
    """
    scores = as_scores(values)
    column = scores[~np.isnan(scores)][:, None]
    return intervals_of(resampled_means(column, rng=rng, n_resamples=n_resamples), level=level)[0]


def paired_difference(
    a: Sequence[float | None] | NDArray[np.float64],
    b: Sequence[float | None] | NDArray[np.float64],
    *,
    rng: np.random.Generator,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> Interval:
    """Mean of a - b over the units that both have, with its percentile bootstrap interval.

    ``a`` and ``b`` are aligned by unit; a unit missing in either is left out and ``n`` counts
    the rest. Raises ValueError for unequal lengths and StatisticUndefined for fewer than 2 common
    units. Source: as ``bootstrap_mean_interval``, on the per-unit differences.
    """
    scores_a, scores_b = as_scores(a), as_scores(b)
    if len(scores_a) != len(scores_b):
        raise ValueError(f"paired scores differ in length: {len(scores_a)} and {len(scores_b)}")
    difference = scores_a - scores_b
    common = difference[~np.isnan(difference)]
    if len(common) < FEWEST_UNITS:
        raise StatisticUndefined(
            f"A difference needs at least {FEWEST_UNITS} units that both have; "
            f"there {'is' if len(common) == 1 else 'are'} {len(common)}."
        )
    return bootstrap_mean_interval(common, rng=rng, n_resamples=n_resamples, level=level)
