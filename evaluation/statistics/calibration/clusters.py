"""Intervals of rates whose votes hang together: by question, and by rater where there are enough.

Votes are first summed into categories; a draw takes questions (and raters) with replacement and
sums the categories again. Every rate of a table is a ratio of two such sums, so one set of draws
serves them all and a million votes cost a matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from evaluation.statistics.bootstrap import resample_counts
from evaluation.statistics.calibration.pairs import Integers, Reals
from evaluation.statistics.draws import percentile_bounds
from evaluation.statistics.inputs import require_level
from evaluation.statistics.refusals import StatisticUndefined

N_RESAMPLES = 1000
FEWEST_QUESTIONS = 2
FEWEST_RATERS = 10
SMALLEST_SPREAD = 1e-12
LARGEST_TABLED = 10_000_000
DENSE_FROM_SHARE = 0.05
NO_SPREAD = "Resampling shows no spread: all are the same. Wilson's interval over pairs stands."


@dataclass(frozen=True, slots=True)
class ClusteredRate:
    """A rate from 0 to 1 over ``n`` votes or pairs (or their weights) with a percentile bootstrap
    interval. ``low`` and ``high`` are None exactly when ``interval_undefined`` says why."""

    rate: float
    low: float | None
    high: float | None
    n: float
    interval_undefined: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CategorySums:
    """Sums of m categories: ``totals`` (m,) in the data, ``replicates`` (B, m) in each draw (no
    rows when ``undefined`` says why). ``clustered_by`` is a sentence about the resampling."""

    totals: Reals
    replicates: Reals
    n_questions: int
    clustered_by: str
    undefined: str = ""

    def rate(self, numerator: Reals, denominator: Reals, *, level: float) -> ClusteredRate:
        """The ratio of two weighted sums of categories; ``numerator`` and ``denominator``: (m,).

        Raises StatisticUndefined when nothing is in the denominator.
        """
        n = float(self.totals @ denominator)
        if n <= 0.0:
            raise StatisticUndefined("There is nothing to take a rate of: n is 0.")
        rate = float(self.totals @ numerator) / n
        if self.undefined:
            return ClusteredRate(rate, None, None, n, self.undefined)
        try:
            low, high = ratio_bounds(
                self.replicates @ numerator, self.replicates @ denominator, level=level
            )
        except StatisticUndefined as refusal:
            return ClusteredRate(rate, None, None, n, str(refusal))
        if high - low < SMALLEST_SPREAD:
            return ClusteredRate(rate, None, None, n, NO_SPREAD)
        return ClusteredRate(rate, low, high, n)


def ratio_bounds(numerators: Reals, denominators: Reals, *, level: float) -> tuple[float, float]:
    """Percentile bounds of the ratios (B,), leaving out draws with an empty denominator.

    Raises StatisticUndefined when too few draws are left.
    """
    ratios = np.full(numerators.shape, np.nan)
    np.divide(numerators, denominators, out=ratios, where=denominators > 0.0)
    low, high = percentile_bounds(ratios[None, :], require_level(level))
    return float(low[0]), float(high[0])


def codes_of(values: Integers) -> tuple[NDArray[np.intp], int]:
    """``values`` as codes without gaps, and how many there are."""
    if values.max(initial=0) >= LARGEST_TABLED:
        distinct, codes = np.unique(values, return_inverse=True)
        return codes.ravel(), len(distinct)
    present = np.bincount(values) > 0
    return np.cumsum(present)[values] - 1, int(present.sum())


def resampled_category_sums(
    question: Integers,
    category: Integers,
    amount: Reals,
    *,
    n_categories: int,
    rng: np.random.Generator,
    rater: Integers | None = None,
    n_resamples: int = N_RESAMPLES,
) -> CategorySums:
    """Sums of ``amount`` a category, in the data and in every draw of questions.

    ``question``, ``category``, ``amount`` and ``rater``: shape (n_entries,). From 10 raters up,
    raters are drawn too, and an entry counts as often as its question times its rater was drawn;
    below that, or without ``rater``, questions alone. Assumes that questions (and raters) are
    drawn independently; drawing both errs to the wide side. Undefined under 2 questions. Source:
    Owen (2007), The Annals of Applied Statistics 1, 386-411; Field and Welsh (2007), JRSS B 69.
    """
    totals = np.bincount(category, amount, minlength=n_categories).astype(np.float64)
    question_code, n_questions = codes_of(question)
    rater_code, n_raters = (None, 0) if rater is None else codes_of(rater)
    two_ways = n_raters >= FEWEST_RATERS
    clustered_by = sentence_about(rater is not None, n_raters)
    if n_questions < FEWEST_QUESTIONS:
        reason = (
            f"An interval by resampling needs at least {FEWEST_QUESTIONS} questions; "
            f"there {'is' if n_questions == 1 else 'are'} {n_questions}."
        )
        none = np.empty((0, n_categories))
        return CategorySums(totals, none, n_questions, clustered_by, reason)
    drawn = resample_counts(n_questions, n_resamples, rng).astype(np.float64)
    if two_ways and rater_code is not None:
        drawn_raters = resample_counts(n_raters, n_resamples, rng).astype(np.float64)
        replicates = np.empty((n_resamples, n_categories))
        for index in range(n_categories):
            chosen = category == index
            by_rater = sums_by_rater(
                question_code[chosen],
                rater_code[chosen],
                amount[chosen],
                n_raters=n_raters,
                drawn=drawn,
            )
            replicates[:, index] = np.einsum("rb,br->b", by_rater, drawn_raters)
    else:
        cells = question_code * n_categories + category
        by_question = np.bincount(cells, amount, minlength=n_questions * n_categories)
        replicates = drawn @ by_question.reshape(n_questions, n_categories)
    return CategorySums(totals, replicates, n_questions, clustered_by)


def sums_by_rater(
    question: NDArray[np.intp],
    rater: NDArray[np.intp],
    amount: Reals,
    *,
    n_raters: int,
    drawn: Reals,
) -> Reals:
    """Each rater's sum in each draw of questions (B, n_questions): shape (n_raters, B). A
    well-filled table of raters and questions is multiplied faster when dense."""
    shape = (n_raters, drawn.shape[1])
    if len(amount) < DENSE_FROM_SHARE * shape[0] * shape[1]:
        return np.asarray(csr_array((amount, (rater, question)), shape=shape) @ drawn.T)
    table = np.bincount(rater * shape[1] + question, amount, minlength=shape[0] * shape[1])
    return np.asarray(table.reshape(shape) @ drawn.T)


def sentence_about(has_raters: bool, n_raters: int) -> str:
    """What was drawn, in one sentence for the foot of a table."""
    if not has_raters:
        return "Intervals are clustered by question."
    if n_raters >= FEWEST_RATERS:
        return f"Intervals are clustered by question and by rater ({n_raters} raters)."
    return (
        f"Intervals are clustered by question alone: {n_raters} raters are fewer than the "
        f"{FEWEST_RATERS} from which raters are resampled too."
    )
