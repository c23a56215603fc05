"""All pairwise contrasts of a table, separated with one family-wise error rate.

Two answers per pair. ``is_separated`` comes from the step-down max-|t| test: hypotheses are taken
from the largest |t| down, and each is measured against the maximum over those not yet rejected.
``simultaneous_low`` and ``simultaneous_high`` use the single-step critical value and therefore
all hold at once. An interval that excludes 0 implies separation (given enough units); the
converse can fail, because stepping down is sharper than any interval that holds for every pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student_t

from evaluation.statistics.bootstrap import DEFAULT_LEVEL, DEFAULT_RESAMPLES, FEWEST_UNITS
from evaluation.statistics.draws import ResampledMeans, percentile_bounds, resampled_means
from evaluation.statistics.inputs import as_score_table, require_level
from evaluation.statistics.refusals import StatisticUndefined

ROUNDING = 1e-12

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Row ``a`` minus row ``b`` over their ``n`` common units, on the scale of the scores.

    ``low``, ``high``: unadjusted percentile interval. ``adjusted_p``: step-down, in (0, 1].
    """

    a: int
    b: int
    delta: float
    low: float
    high: float
    simultaneous_low: float
    simultaneous_high: float
    n: int
    is_separated: bool
    adjusted_p: float


def row_pairs(n_rows: int) -> Pairs:
    return tuple(combinations(range(n_rows), 2))


def pair_columns(scores: NDArray[np.float64], pairs: Pairs) -> NDArray[np.float64]:
    """Differences a - b of shape (n_units, n_pairs), NaN outside the common units."""
    first = [a for a, _ in pairs]
    second = [b for _, b in pairs]
    differences: NDArray[np.float64] = (scores[first] - scores[second]).T
    return differences


def standard_errors(means: ResampledMeans) -> NDArray[np.float64]:
    """Standard deviation (m,) of each column's replicates, exactly 0 for a constant column."""
    deviations = means.replicates - means.estimates[:, None]
    n_defined = np.maximum((~np.isnan(deviations)).sum(axis=1), 2)
    np.nan_to_num(deviations, copy=False, nan=0.0)
    centre = deviations.sum(axis=1) / n_defined
    squares = np.einsum("ij,ij->i", deviations, deviations) - n_defined * centre**2
    errors: NDArray[np.float64] = np.sqrt(np.maximum(squares, 0.0) / (n_defined - 1))
    return errors


def step_down(
    observed: NDArray[np.float64], replicates: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Adjusted p-values (m,) of ``observed`` |t| (m,) against ``replicates`` of |t| (m, B) under
    the null, and the maxima (B,) over all m. Source: Romano and Wolf (2005), Econometrica 73;
    the p-values as in Romano and Wolf (2016), Statistics and Probability Letters 113."""
    n_resamples = replicates.shape[1]
    order = np.argsort(-observed, kind="stable")
    maxima = np.zeros(n_resamples)
    p_values = np.empty(len(observed))
    for index in order[::-1]:
        np.maximum(maxima, replicates[index], out=maxima)
        n_as_large = int((maxima >= observed[index]).sum())
        p_values[index] = (1 + n_as_large) / (n_resamples + 1)
    p_values[order] = np.maximum.accumulate(p_values[order])
    return p_values, maxima


def contrasts_of(pairs: Pairs, means: ResampledMeans, *, level: float) -> tuple[Contrast, ...]:
    """Contrasts of ``pairs`` from the resampled means of their difference columns.

    Raises StatisticUndefined when a pair has fewer than 2 common units or when the resamples are
    too few for ``level``.
    """
    alpha = 1.0 - require_level(level)
    if not pairs:
        return ()
    if (means.n < FEWEST_UNITS).any():
        raise StatisticUndefined(
            f"Contrasts need at least {FEWEST_UNITS} units that both rows of a pair have."
        )
    low, high = percentile_bounds(means.replicates, level)
    errors = standard_errors(means)
    varies = errors > 0.0
    scale = np.where(varies, errors, 1.0)[:, None]
    null_t = np.abs(means.replicates - means.estimates[:, None]) / scale
    np.nan_to_num(null_t, copy=False, nan=0.0)
    # Bootstrap draws spread sqrt((n - 1) / n) too little and have normal tails where the estimate
    # over its standard error has Student's: |t| is brought to the scale of the draws, and the
    # critical value back from it.
    expansion = np.sqrt(means.n / (means.n - 1.0))
    size = np.abs(means.estimates)
    t = np.where(varies, size / (scale[:, 0] * expansion), np.inf)
    observed = np.where(size > 0.0, norm.isf(student_t.sf(t, means.n - 1)), 0.0)
    p_values, maxima = step_down(observed, null_t)
    p_values = np.maximum(p_values, smallest_p(means.n))
    n_allowed = math.floor((alpha + ROUNDING) * (len(maxima) + 1)) - 1
    critical = np.sort(maxima)[len(maxima) - 1 - n_allowed]
    margin = student_t.isf(norm.sf(critical), means.n - 1) * expansion * errors
    reaches_zero = observed <= critical
    lower, upper = means.estimates - margin, means.estimates + margin
    lower = np.where(reaches_zero, np.minimum(lower, 0.0), lower)
    upper = np.where(reaches_zero, np.maximum(upper, 0.0), upper)
    return tuple(
        Contrast(
            a=a,
            b=b,
            delta=float(means.estimates[i]),
            low=float(low[i]),
            high=float(high[i]),
            simultaneous_low=float(lower[i]),
            simultaneous_high=float(upper[i]),
            n=int(means.n[i]),
            is_separated=bool(p_values[i] <= alpha + ROUNDING),
            adjusted_p=float(p_values[i]),
        )
        for i, (a, b) in enumerate(pairs)
    )


def smallest_p(n: NDArray[np.int64]) -> NDArray[np.float64]:
    """Smallest two-sided p-value that n units can show, all of one sign: 2 ** (1 - n). It keeps
    a bootstrap over a handful of units, which knows no other signs, from separating them."""
    floor: NDArray[np.float64] = np.exp2(1.0 - n)
    return floor


def simultaneous_contrasts(
    scores: NDArray[np.float64],
    *,
    rng: np.random.Generator,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> tuple[Contrast, ...]:
    """Every pair of rows of ``scores`` (n_rows, n_units; NaN where missing), a before b.

    Differences are taken over common units, on the same paired draws of units for all pairs, and
    studentised by their bootstrap standard error, expanded for the number of units. The
    family-wise error rate is 1 - level: the chance that any pair without a true difference is
    separated. Rows equal on all common units are never separated, nor are pairs with too few
    common units to show it (fewer than 6 at 95 %). The order of rows changes nothing but the
    order and sign of the contrasts.

    Assumes units drawn independently from one population and enough of them for means to be near
    normal. Raises StatisticUndefined for a pair with fewer than 2 common units or too few
    resamples. Source: Romano and Wolf (2005, 2016); the expansion for small n as in Hesterberg
    (2015), The American Statistician 69, section 5.
    """
    table = as_score_table(scores)
    pairs = row_pairs(len(table))
    require_level(level)
    if not pairs:
        return ()
    columns = pair_columns(table, pairs)
    if np.isnan(columns).all(axis=0).any():
        raise StatisticUndefined("Two rows of the table share no scored unit.")
    means = resampled_means(columns, rng=rng, n_resamples=n_resamples)
    return contrasts_of(pairs, means, level=level)
