"""Does one judge score higher than another, overall and in each slice?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.statistics.bootstrap import resample_counts
from evaluation.statistics.calibration.clusters import (
    FEWEST_QUESTIONS,
    N_RESAMPLES,
    SMALLEST_SPREAD,
    codes_of,
    ratio_bounds,
)
from evaluation.statistics.calibration.pairs import Flags, Integers, Reals
from evaluation.statistics.refusals import StatisticUndefined


@dataclass(frozen=True, slots=True)
class Bias:
    """Mean of the second judge's score minus the first's, in points, over ``n`` shared cells, with
    a bootstrap over questions; bounds are None exactly where ``interval_undefined`` says why."""

    label: str
    mean: float
    low: float | None
    high: float | None
    n: int
    interval_undefined: str = ""


def biases(
    difference: Reals,
    question: Integers,
    slices: Sequence[tuple[str, Flags]],
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> tuple[Bias, ...]:
    """Mean of ``difference`` (n_cells,), in points, in each labelled slice (n_cells,) that has a
    cell; all slices share the draws of questions.

    Assumes that questions are drawn independently. Raises StatisticUndefined without cells.
    Source: Efron and Tibshirani (1993), section 13.3, questions being the units.
    """
    if len(difference) == 0:
        raise StatisticUndefined("There is no shared cell to take a difference of.")
    code, n_questions = codes_of(question)
    drawn = (
        resample_counts(n_questions, n_resamples, rng).astype(np.float64)
        if n_questions >= FEWEST_QUESTIONS
        else None
    )
    return tuple(
        made_bias(label, difference[chosen], code[chosen], drawn, n_questions, level=level)
        for label, chosen in slices
        if chosen.any()
    )


def made_bias(
    label: str,
    difference: Reals,
    code: Integers,
    drawn: Reals | None,
    n_questions: int,
    *,
    level: float,
) -> Bias:
    """One slice: its cells, and the draws of all questions (B, n_questions) or None."""
    n, mean = len(difference), float(difference.mean())
    if drawn is None:
        reason = "An interval resamples questions and needs at least 2; there is 1."
        return Bias(label, mean, None, None, n, reason)
    sums = drawn @ np.bincount(code, difference, minlength=n_questions)
    counts = drawn @ np.bincount(code, minlength=n_questions)
    try:
        low, high = ratio_bounds(sums, counts, level=level)
    except StatisticUndefined as refusal:
        return Bias(label, mean, None, None, n, str(refusal))
    if high - low < SMALLEST_SPREAD:
        reason = "Every question shows the same difference, so resampling shows no spread."
        return Bias(label, mean, None, None, n, reason)
    return Bias(label, mean, low, high, n)
