"""Scores by unit id, laid out as an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.inputs import require_finite_or_missing


def score_table(
    rows: Sequence[Mapping[str, float | None]], units: Sequence[str]
) -> NDArray[np.float64]:
    """Array of shape (len(rows), len(units)), NaN where a row has no score for a unit.

    Raises ValueError for a unit listed twice, a score of a unit not listed, or an infinite score.
    """
    place = {unit: i for i, unit in enumerate(units)}
    if len(place) != len(units):
        raise ValueError("a unit is listed twice")
    table = np.full((len(rows), len(units)), np.nan)
    for i, row in enumerate(rows):
        for unit, value in row.items():
            if unit not in place:
                raise ValueError(f"a score belongs to the unit {unit!r}, which is not listed")
            if value is not None:
                table[i, place[unit]] = value
    return require_finite_or_missing(table)
