"""Agreement beyond chance: Cohen's kappa of two raters, Fleiss' kappa of a fixed number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.pairs import Integers
from evaluation.statistics.refusals import StatisticUndefined

ONE_VALUE = (
    "All ratings are the same, so agreement cannot be told from chance. "
    "Ratings that differ between units would help."
)


@dataclass(frozen=True, slots=True)
class Kappa:
    """``kappa``: 1 is perfect agreement, 0 is chance. ``observed``: share of agreeing pairs of
    ratings, 0 to 1. ``n_units`` units by ``n_raters`` raters each."""

    kappa: float
    observed: float
    n_units: int
    n_raters: int


def cohen_kappa(table: Integers) -> Kappa:
    """Cohen's kappa. ``table``: shape (n_values, n_values), units by the first rater's value (row)
    and the second's (column).

    Raises StatisticUndefined without a common unit or when both only ever gave one same value.
    Source: Cohen (1960), Educational and Psychological Measurement 20, 37-46; computed by
    scikit-learn.
    """
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table < 0).any():
        raise ValueError("a table of two raters is square and not negative")
    n_units = int(table.sum())
    if n_units == 0:
        raise StatisticUndefined("The two raters have no unit in common. Overlap would help.")
    if np.count_nonzero(table.sum(axis=0) + table.sum(axis=1)) < 2:
        raise StatisticUndefined(ONE_VALUE)
    from sklearn.metrics import cohen_kappa_score

    first, second = (index.ravel() for index in np.indices(table.shape))
    kappa = cohen_kappa_score(first, second, sample_weight=table.ravel())
    return Kappa(float(kappa), float(np.trace(table)) / n_units, n_units, 2)


def fleiss_kappa(counts: Integers) -> Kappa:
    """Fleiss' kappa. ``counts``: shape (n_units, n_values), ratings of each value for each unit.

    Needs the same number of ratings, two or more, for every unit, and raters drawn from one crowd.
    Raises StatisticUndefined otherwise, or when only one value was ever given.
    Source: Fleiss (1971), Psychological Bulletin 76, 378-382.
    """
    if counts.ndim != 2 or (counts < 0).any():
        raise ValueError("value counts have the shape (n_units, n_values) and are not negative")
    n_ratings = counts.sum(axis=1)
    if len(counts) == 0 or n_ratings.max() < 2:
        raise StatisticUndefined("Fleiss' kappa needs units that two or more raters rated.")
    fewest, most = int(n_ratings.min()), int(n_ratings.max())
    if fewest != most:
        raise StatisticUndefined(
            f"Fleiss' kappa needs the same number of ratings everywhere; they range from {fewest} "
            f"to {most}. Krippendorff's alpha needs no such thing."
        )
    shares = counts.sum(axis=0) / counts.sum()
    by_chance = float(shares @ shares)
    if np.count_nonzero(shares) < 2:
        raise StatisticUndefined(ONE_VALUE)
    observed = float((counts * (counts - 1)).sum()) / (len(counts) * most * (most - 1))
    return Kappa((observed - by_chance) / (1.0 - by_chance), observed, len(counts), most)
