"""Krippendorff's alpha from counts of values, so that raters cost no memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.calibration.pairs import Integers
from evaluation.statistics.refusals import StatisticUndefined


class Scale(StrEnum):
    """Level of measurement: votes are nominal, graded ratings ordinal or interval."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Alpha:
    """``alpha``: 1 is perfect agreement, 0 is chance, below 0 is worse. ``n_units`` units with two
    or more of ``n_ratings`` ratings went into it; ``n_single`` units with fewer are left out."""

    alpha: float
    scale: Scale
    n_units: int
    n_ratings: int
    n_single: int


def krippendorff_alpha(
    counts: Integers, *, scale: Scale, values: Sequence[float] | None = None
) -> Alpha:
    """Krippendorff's alpha. ``counts``: shape (n_units, n_values), how many raters gave each value
    to each unit; values rise. ``values``: their numbers, read by the interval scale alone.

    Raters may differ from unit to unit. Assumes that raters are interchangeable. Raises
    StatisticUndefined when no unit has two ratings or only one value was ever given.
    Source: Krippendorff (2004), Content Analysis, chapter 11; computed by ``krippendorff``.
    """
    import krippendorff

    if counts.ndim != 2 or (counts < 0).any():
        raise ValueError("value counts have the shape (n_units, n_values) and are not negative")
    if values is not None and len(values) != counts.shape[1]:
        raise ValueError(f"{counts.shape[1]} columns of counts have {len(values)} values")
    is_pairable = counts.sum(axis=1) > 1
    pairable = counts[is_pairable]
    if len(pairable) == 0:
        raise StatisticUndefined(
            "Nothing was rated by two raters, so agreement among raters cannot be measured. "
            "Wanting more than one vote a pair would help."
        )
    used = pairable.any(axis=0)
    if used.sum() < 2:
        raise StatisticUndefined(
            "All ratings are the same, so agreement cannot be told from chance. "
            "Ratings that differ between units would help."
        )
    domain = np.arange(counts.shape[1]) if values is None else np.asarray(values, dtype=np.float64)
    alpha = krippendorff.alpha(
        value_counts=pairable[:, used],
        value_domain=domain[used],
        level_of_measurement=scale.value,
    )
    n_single = int((counts.sum(axis=1) == 1).sum())
    return Alpha(float(alpha), scale, len(pairable), int(pairable.sum()), n_single)


def value_counts(unit: Integers, value: NDArray[np.float64]) -> tuple[Integers, tuple[float, ...]]:
    """Counts (n_units, n_values) and the rising values, from one unit and value a rating; a
    missing rating (NaN) is left out."""
    present = ~np.isnan(value)
    units, row = np.unique(unit[present], return_inverse=True)
    values, column = np.unique(value[present], return_inverse=True)
    cells = np.bincount(row * len(values) + column, minlength=len(units) * len(values))
    return cells.reshape(len(units), len(values)).astype(np.int64), tuple(values.tolist())
