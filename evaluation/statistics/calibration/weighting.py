"""Wilson's interval for a weighted share of pairs."""

from __future__ import annotations

from evaluation.statistics.calibration.pairs import Flags, Reals
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval

N_EFFECTIVE_DECIMALS = 6


def weighted_interval(success: Flags, weight: Reals, *, level: float = 0.95) -> RateInterval:
    """The weighted share of ``success`` with Wilson's interval at Kish's effective n.

    ``success`` and ``weight`` (positive, 1 / inclusion probability): shape (n_pairs,). ``n`` of
    the result is the effective n. Assumes independent pairs. Raises StatisticUndefined without
    pairs. Source: Hajek (1971) for the ratio; Wilson (1927).
    """
    n_effective = effective_n(weight)
    return share_interval(float(weight[success].sum() / weight.sum()), n_effective, level=level)


def effective_n(weight: Reals) -> float:
    """(sum w)^2 / sum w^2 to six decimals: the number of equally weighted pairs that would tell as
    much, n_pairs for equal weights. Raises StatisticUndefined without pairs.
    Source: Kish (1965), Survey Sampling, section 11.7.
    """
    if len(weight) == 0:
        raise StatisticUndefined("There is nothing to take a rate of: n is 0.")
    scaled = weight / weight.max()
    return round(float(scaled.sum() ** 2 / (scaled @ scaled)), N_EFFECTIVE_DECIMALS)


def share_interval(share: float, n_effective: float, *, level: float = 0.95) -> RateInterval:
    """Wilson's interval of a share from 0 to 1, clipped against rounding, at an effective n."""
    return wilson_interval(min(1.0, share) * n_effective, n_effective, level=level)
