"""Do people and the judge rank the systems alike?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from evaluation.statistics.calibration.clusters import N_RESAMPLES, SMALLEST_SPREAD
from evaluation.statistics.calibration.outcomes import Unit, count_outcomes
from evaluation.statistics.calibration.pairs import PairTable, Reals
from evaluation.statistics.calibration.ratings import Model, Ratings, rate_systems
from evaluation.statistics.correlation import Correlation, spearman
from evaluation.statistics.draws import percentile_bounds
from evaluation.statistics.refusals import StatisticUndefined


@dataclass(frozen=True, slots=True, eq=False)
class RankAgreement:
    """Ratings by ``people`` and by the ``judge`` on the same pairs and draws. ``correlation``:
    Spearman's rho of the strengths with its interval over n systems. ``low`` and ``high``: of rho
    when questions are resampled, None where ``interval_undefined`` says why."""

    people: Ratings
    judge: Ratings
    correlation: Correlation
    low: float | None
    high: float | None
    interval_undefined: str = ""


def rank_agreement(
    pairs: PairTable,
    *,
    rng: np.random.Generator,
    model: Model = Model.BRADLEY_TERRY,
    unit: Unit = Unit.PAIR,
    weighted: bool = False,
    tolerance_hundredths: int = 0,
    prior_wins: float = 0.0,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> RankAgreement:
    """Both rankings by one estimator from the judged pairs, and Spearman's rho between them.

    ``unit`` says how people are counted; the judge prefers the higher score, and ties within
    ``tolerance_hundredths``. Assumes independent questions. Raises StatisticUndefined when either
    has no strengths, under 3 systems, or for constant ranks.
    Sources: as ``rate_systems`` and ``spearman``.
    """
    if unit is Unit.JUDGE:
        raise ValueError("people are counted by pairs or by votes")
    judged = pairs.judged()
    by_people = count_outcomes(judged, unit=unit, weighted=weighted)
    by_judge = count_outcomes(
        judged, unit=Unit.JUDGE, weighted=weighted, tolerance_hundredths=tolerance_hundredths
    )
    try:
        drawn: Reals | None = by_people.draws(rng, n_resamples)
    except StatisticUndefined:
        drawn = None
    people, judge = (
        rate_systems(counts, model=model, drawn=drawn, prior_wins=prior_wins, level=level)
        for counts in (by_people, by_judge)
    )
    correlation = spearman(strengths_of(people), strengths_of(judge), level=level)
    low, high, undefined = None, None, people.interval_undefined or judge.interval_undefined
    if not undefined:
        replicates = row_spearman(people.replicates, judge.replicates)
        try:
            lows, highs = percentile_bounds(replicates[None], level)
        except StatisticUndefined as refusal:
            undefined = str(refusal)
        else:
            if highs[0] - lows[0] < SMALLEST_SPREAD:
                undefined = "Every draw of questions gives the same correlation."
            else:
                low, high = float(lows[0]), float(highs[0])
    return RankAgreement(people, judge, correlation, low, high, undefined)


def strengths_of(ratings: Ratings) -> Reals:
    """Log strengths in the order of the rows: (n_systems,)."""
    return np.array([row.log_strength for row in ratings.rows])


def row_spearman(first: Reals, second: Reals) -> Reals:
    """Spearman's rho of each pair of rows (B, n): shape (B,), NaN where a row is constant."""
    ranks = [rankdata(rows, axis=1, nan_policy="propagate") for rows in (first, second)]
    x, y = (rank - rank.mean(axis=1, keepdims=True) for rank in ranks)
    spread = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    rho = np.full(len(spread), np.nan)
    np.divide((x * y).sum(axis=1), spread, out=rho, where=spread > 0.0)
    return np.asarray(np.clip(rho, -1.0, 1.0))
