"""What every estimator accepts: scores with holes, and a confidence level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def as_scores(values: Sequence[float | None] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of shape (n_units,) as float64, missing ones as NaN.

    ``None`` and NaN both mean missing. Raises ValueError for an infinite score or another shape.
    """
    scores = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    if scores.ndim != 1:
        raise ValueError(f"scores come as one value a unit, not as shape {scores.shape}")
    return require_finite_or_missing(scores)


def as_score_table(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of shape (n_rows, n_units) as float64, NaN where missing.

    Raises ValueError for an infinite score or another shape.
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"a table has the shape (n_rows, n_units), not {table.shape}")
    return require_finite_or_missing(table)


def require_finite_or_missing(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    if np.isinf(scores).any():
        raise ValueError("a score is a finite number or missing, never infinite")
    return scores


def require_level(level: float) -> float:
    """``level`` unchanged; ValueError unless 0 < level < 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    return level
