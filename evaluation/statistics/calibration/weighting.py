"""Wilson's interval for a weighted share of pairs."""

from __future__ import annotations

import numpy as np

from evaluation.statistics.calibration.pairs import Flags, Reals
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval


def weighted_interval(success: Flags, weight: Reals, *, level: float = 0.95) -> RateInterval:
    """The weighted share of ``success`` with Wilson's interval at Kish's effective n.

    ``success`` and ``weight`` (positive, 1 / inclusion probability): shape (n_pairs,). ``n`` of
    the result is (sum w)^2 / sum w^2, equal to n_pairs for equal weights. Assumes independent
    pairs. Raises StatisticUndefined without pairs. Source: Hajek (1971) for the ratio, Kish
    (1965), Survey Sampling, section 11.7, for the effective n; Wilson (1927).
    """
    if len(weight) == 0:
        raise StatisticUndefined("There is nothing to take a rate of: n is 0.")
    if np.ptp(weight) == 0.0:
        return wilson_interval(float(success.sum()), float(len(success)), level=level)
    scaled = weight / weight.max()
    n_effective = float(scaled.sum() ** 2 / (scaled @ scaled))
    share = float(scaled[success].sum() / scaled.sum())
    return wilson_interval(min(1.0, share) * n_effective, n_effective, level=level)
