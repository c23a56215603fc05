"""Wilson's score interval for a rate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.stats import norm

from evaluation.statistics.inputs import require_level
from evaluation.statistics.refusals import StatisticUndefined


@dataclass(frozen=True, slots=True)
class RateInterval:
    """A rate from 0 to 1 with its bounds; ``successes`` of ``n``."""

    rate: float
    low: float
    high: float
    successes: float
    n: float


def wilson_interval(successes: float, n: float, *, level: float = 0.95) -> RateInterval:
    """The rate ``successes / n`` with its Wilson score interval, inside [0, 1] and never of zero
    width. Counts may be fractional (weighted votes with an effective n).

    Assumes independent trials. Raises StatisticUndefined for n = 0 and ValueError for counts
    outside 0 <= successes <= n. Source: Wilson (1927), JASA 22, 209-212.
    """
    require_level(level)
    if not (math.isfinite(n) and 0.0 <= successes <= n):
        raise ValueError(f"a rate needs 0 <= successes <= n, not {successes} of {n}")
    if n == 0:
        raise StatisticUndefined("There is nothing to take a rate of: n is 0.")
    z = float(norm.ppf(0.5 + level / 2.0))
    rate = successes / n
    shrink = 1.0 + z * z / n
    centre = (rate + z * z / (2.0 * n)) / shrink
    margin = z * math.sqrt(rate * (1.0 - rate) / n + z * z / (4.0 * n * n)) / shrink
    low = 0.0 if successes == 0 else max(0.0, centre - margin)
    high = 1.0 if successes == n else min(1.0, centre + margin)
    return RateInterval(rate, low, high, successes, n)
