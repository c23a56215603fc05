"""Resolution: the smallest score gap from which the judge agrees with people often enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from evaluation.statistics.bootstrap import resample_counts
from evaluation.statistics.calibration.clusters import FEWEST_QUESTIONS, N_RESAMPLES, codes_of
from evaluation.statistics.calibration.pairs import Flags, Outcome, PairTable, Reals
from evaluation.statistics.draws import percentile_bounds
from evaluation.statistics.inputs import require_level
from evaluation.statistics.refusals import StatisticUndefined

DEFAULT_AGREEMENT = 0.75
FEWEST_DECISIVE = 30
FEWEST_CLOSE = 10
CLOSE_BELOW_HUNDREDTHS = 200
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class FittedAgreement:
    """The monotone curve at one observed |gap|: ``n_decisive`` pairs have it, ``n_agree`` agree;
    ``fitted`` is the agreement from 0 to 1 that the curve gives there."""

    gap_hundredths: int
    n_decisive: int
    n_agree: int
    fitted: float


@dataclass(frozen=True, slots=True)
class Resolution:
    """``gap_hundredths``: the smallest |gap| at which the curve reaches ``agreement``; None when
    it is not reached. ``low_hundredths`` and ``high_hundredths``: percentile interval, a None at
    ``high_hundredths`` alone saying that its end is not reached either; without an interval both
    are None and ``interval_undefined`` says why. ``share_not_reached``: of the draws."""

    gap_hundredths: int | None
    low_hundredths: int | None
    high_hundredths: int | None
    agreement: float
    level: float
    n_decisive: int
    n_close: int
    n_questions: int
    share_not_reached: float
    curve: tuple[FittedAgreement, ...]
    interval_undefined: str = ""

    @property
    def is_reached(self) -> bool:
        return self.gap_hundredths is not None

    @property
    def sentence(self) -> str:
        """The result in words, without its interval."""
        if self.gap_hundredths is None:
            return (
                f"Agreement of {100 * self.agreement:g} % is not reached at any gap seen: "
                "no difference between scores can be relied on."
            )
        return (
            f"From a gap of {self.gap_hundredths / 100:g} points up, the judge prefers the "
            f"voters' side in at least {100 * self.agreement:g} % of decisive pairs."
        )


def resolution(
    pairs: PairTable,
    *,
    rng: np.random.Generator,
    agreement: float = DEFAULT_AGREEMENT,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> Resolution:
    """Isotonic regression of decisive agreement on |gap|, one observation a decisive judged pair
    weighted by 1 / inclusion probability, and the smallest observed gap at which it reaches
    ``agreement`` (0 to 1). A gap of 0 prefers no side and does not agree.

    Assumes that agreement does not fall as the gap grows. Agreeing pairs added at or above the
    resolution cannot move it: the fit below depends on sums up to there alone. The interval
    resamples questions; a draw that does not reach ``agreement`` counts as beyond every gap.
    Raises StatisticUndefined under 30 decisive pairs, or under 10 with a gap below 2 points.
    Source: Barlow, Bartholomew, Bremner and Brunk (1972), Statistical Inference under Order
    Restrictions; Groeneboom and Jongbloed (2014), section 3.8, for the switch relation.
    """
    if not 0.0 < agreement <= 1.0:
        raise ValueError(f"an agreement to reach lies above 0 and up to 1, not at {agreement}")
    decisive = pairs.where(pairs.is_judged & (pairs.majority != Outcome.TIE))
    size = np.abs(decisive.gap_hundredths)
    n_close = int((size < CLOSE_BELOW_HUNDREDTHS).sum())
    require_enough(decisive.n_pairs, n_close)
    agrees = decisive.majority == decisive.judged_outcome()
    gaps, gap_index = np.unique(size, return_inverse=True)
    question, n_questions = codes_of(decisive.question)
    weight = decisive.weight
    cells = question * len(gaps) + gap_index
    shape = (n_questions, len(gaps))
    weights = np.bincount(cells, weight, minlength=shape[0] * shape[1]).reshape(shape)
    agreeing = np.bincount(cells, weight * agrees, minlength=shape[0] * shape[1]).reshape(shape)
    reached = switch_gaps(gaps, agreeing.sum(0)[None], weights.sum(0)[None], agreement)[0]
    low, high, share, undefined = None, None, 0.0, ""
    if n_questions < FEWEST_QUESTIONS:
        undefined = "An interval resamples questions and needs at least 2; there is 1."
    else:
        drawn = resample_counts(n_questions, n_resamples, rng).astype(np.float64)
        switches = switch_gaps(gaps, drawn @ agreeing, drawn @ weights, agreement)
        share = float(np.isinf(switches).mean())
        try:
            lows, highs = percentile_bounds(switches[None], require_level(level))
        except StatisticUndefined as refusal:
            undefined = str(refusal)
        else:
            low, high = finite_or_none(lows[0]), finite_or_none(highs[0])
            if low is None:
                undefined = "Hardly any draw of questions reaches the agreement at any gap."
    return Resolution(
        finite_or_none(reached),
        low,
        high,
        agreement,
        level,
        decisive.n_pairs,
        n_close,
        n_questions,
        share,
        fitted_curve(gaps, gap_index, agrees, weight),
        undefined,
    )


def require_enough(n_decisive: int, n_close: int) -> None:
    """Raises StatisticUndefined, saying what is missing."""
    if n_decisive < FEWEST_DECISIVE:
        raise StatisticUndefined(
            f"The resolution needs at least {FEWEST_DECISIVE} pairs with a judge's gap and a "
            f"majority for one side; there are {n_decisive}."
        )
    if n_close < FEWEST_CLOSE:
        raise StatisticUndefined(
            f"The resolution needs at least {FEWEST_CLOSE} decisive pairs with a gap below "
            f"{CLOSE_BELOW_HUNDREDTHS // 100} points; there are {n_close}. Votes on close pairs "
            "would help, votes on easy pairs would not."
        )


def switch_gaps(
    gaps: NDArray[np.int64], agreeing: Reals, weights: Reals, agreement: float
) -> Reals:
    """The smallest gap at which each row's isotonic fit reaches ``agreement``; infinity for none.

    ``gaps`` (g,) rise; ``agreeing`` and ``weights`` (B, g) are weighted sums at each gap, weight 0
    where a row has no pair. The fit reaches the level right after the first minimum of the running
    sum of weight * (agreement seen - level), so that no curve need be fitted.
    """
    excess = np.cumsum(agreeing - agreement * weights, axis=1)
    running = np.concatenate((np.zeros((len(excess), 1)), excess), axis=1)
    slack = ROUNDING * weights.sum(axis=1, keepdims=True)
    first_minimum = (running <= running.min(axis=1, keepdims=True) + slack).argmax(axis=1)
    after = (np.arange(len(gaps)) >= first_minimum[:, None]) & (weights > 0.0)
    return np.where(after.any(axis=1), gaps[after.argmax(axis=1)], np.inf)


def fitted_curve(
    gaps: NDArray[np.int64], gap_index: NDArray[np.intp], agrees: Flags, weight: Reals
) -> tuple[FittedAgreement, ...]:
    """The isotonic fit at each observed gap, with the pairs that were seen there."""
    sums = np.bincount(gap_index, weight)
    means = np.bincount(gap_index, weight * agrees) / sums
    fit = isotonic_regression(means, weights=sums).x
    counts, agreeing = np.bincount(gap_index), np.bincount(gap_index, agrees)
    return tuple(
        FittedAgreement(int(gap), int(n), int(n_agree), min(1.0, max(0.0, float(value))))
        for gap, n, n_agree, value in zip(gaps, counts, agreeing, fit, strict=True)
    )


def finite_or_none(gap: float) -> int | None:
    """A gap in hundredths, None for one beyond all."""
    return None if math.isinf(gap) else int(gap)
