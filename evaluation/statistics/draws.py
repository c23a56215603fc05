"""Bootstrap draws that a whole table shares, and the resampled means they give.

Every column of a table is averaged over the same draws, so differences are paired. Sums are
taken over scores rounded to a binary grid (about 1 part in 10^12 of the largest score or finer)
on which double precision adds without error: the outcome depends neither on the order of rows
and columns nor on the machine's linear algebra.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.inputs import require_level
from evaluation.statistics.refusals import StatisticUndefined

CELLS_A_CHUNK = 1_000_000
EXACT_BITS = 51


@dataclass(frozen=True, slots=True, eq=False)
class ResampledMeans:
    """Means of m columns under B shared draws.

    ``estimates`` (m,) and ``n`` (m,): mean and number of the units present. ``replicates``
    (m, B): the mean of each draw, NaN where a draw holds none of the column's units.
    """

    estimates: NDArray[np.float64]
    n: NDArray[np.int64]
    replicates: NDArray[np.float64]


def count_chunks(
    n_units: int, n_resamples: int, rng: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """How often each unit is drawn: arrays of shape (draws in chunk, n_units), rows summing to
    ``n_units``, ``n_resamples`` rows in all. The chunk size changes memory, never the draws."""
    if n_units < 1 or n_resamples < 1:
        raise ValueError("draws need at least one unit and one resample")
    size = max(1, CELLS_A_CHUNK // n_units)
    for start in range(0, n_resamples, size):
        n_rows = min(size, n_resamples - start)
        drawn = rng.integers(0, n_units, size=(n_rows, n_units))
        drawn += np.arange(n_rows)[:, None] * n_units
        yield np.bincount(drawn.ravel(), minlength=n_rows * n_units).reshape(n_rows, n_units)


def on_exact_grid(
    columns: NDArray[np.float64], n_units: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Whole numbers and the exponents (m,) with ``columns = whole * 2**-exponent``, small enough
    for sums of ``n_units`` of them to be exact. Missing values become 0."""
    filled = np.nan_to_num(columns, nan=0.0)
    largest = np.abs(filled).max(axis=0, initial=0.0)
    exponents = (EXACT_BITS - math.ceil(math.log2(n_units)) - np.frexp(largest)[1]).astype(np.int64)
    return np.rint(np.ldexp(filled, exponents)), exponents


def resampled_means(
    columns: NDArray[np.float64], *, rng: np.random.Generator, n_resamples: int
) -> ResampledMeans:
    """Mean of each column over its present units, in the data and in every draw.

    ``columns``: shape (n_units, m), NaN where missing. A draw takes ``n_units`` units with
    replacement; a column's mean in it weights its present units by how often they were drawn.
    Raises StatisticUndefined when a column has no present unit. Assumes that units are drawn
    independently from one population. Source: Efron and Tibshirani (1993), chapter 6.
    """
    n_units, n_columns = columns.shape
    present = ~np.isnan(columns)
    n_present = present.sum(axis=0)
    if n_units == 0 or (n_present == 0).any():
        raise StatisticUndefined("There is no scored unit to average.")
    whole, exponents = on_exact_grid(columns, n_units)
    masks, mask_of = np.unique(present, axis=1, return_inverse=True)
    weights_of = masks.astype(np.float64)
    sums = np.empty((n_columns, n_resamples))
    weights = np.empty((masks.shape[1], n_resamples))
    start = 0
    for counts in count_chunks(n_units, n_resamples, rng):
        drawn = counts.astype(np.float64)
        stop = start + len(drawn)
        sums[:, start:stop] = (drawn @ whole).T
        weights[:, start:stop] = (drawn @ weights_of).T
        start = stop
    np.ldexp(sums, -exponents[:, None], out=sums)
    for column, mask in enumerate(mask_of.ravel()):
        weight = weights[mask]
        np.divide(sums[column], weight, out=sums[column], where=weight > 0.0)
        sums[column, weight == 0.0] = np.nan
    estimates = np.ldexp(whole.sum(axis=0), -exponents) / n_present
    return ResampledMeans(estimates, n_present, sums)


def percentile_bounds(
    replicates: NDArray[np.float64], level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentile interval of each row of ``replicates`` (m, B): two arrays of shape (m,).

    The k-th smallest and k-th largest of the B defined replicates, k = floor((B + 1)(1 - level)
    / 2): order statistics, not interpolated, so that negating the replicates mirrors the interval.
    Raises StatisticUndefined when B is too small for k >= 1.
    Source: Efron and Tibshirani (1993), section 13.3.
    """
    tail = (1.0 - require_level(level)) / 2.0
    ordered = np.sort(replicates, axis=1)
    n_defined = ordered.shape[1] - np.isnan(ordered).sum(axis=1)
    rank = np.floor((n_defined + 1) * tail + 1e-9).astype(np.int64)
    if (rank < 1).any():
        needed = math.ceil(1.0 / tail - 1e-9) - 1
        raise StatisticUndefined(
            f"A {100 * level:g} % interval needs at least {needed} resamples in which the mean "
            f"exists; there are {int(n_defined.min())}."
        )
    rows = np.arange(len(ordered))
    return ordered[rows, rank - 1], ordered[rows, n_defined - rank]
