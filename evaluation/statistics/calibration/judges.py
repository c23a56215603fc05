"""Judges among each other, on the cells that both have scored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.stats import linregress

from evaluation.statistics.calibration.clusters import N_RESAMPLES, codes_of
from evaluation.statistics.calibration.judge_bias import Bias, biases
from evaluation.statistics.calibration.judge_cells import JudgeCells
from evaluation.statistics.calibration.pairs import Integers, Reals
from evaluation.statistics.calibration.undefined import Undefined, value_or_reason
from evaluation.statistics.correlation import Correlation, pearson, spearman
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval

WITHIN_HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class Line:
    """Least squares: second = ``slope`` * first + ``intercept``."""

    slope: float
    intercept: float


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho of the systems' means on one track, or on all ("pooled")."""

    track: str
    value: Correlation | Undefined
    n_cells: int


@dataclass(frozen=True, slots=True)
class JudgeComparison:
    """Two judges on ``n_shared`` cells; ``n_first_only`` and ``n_second_only`` are left out.
    ``within_one_point``: share with a difference of at most 1 point, over cells."""

    n_shared: int
    n_first_only: int
    n_second_only: int
    n_questions: int
    pooled_ranks: RankCorrelation
    ranks_by_track: tuple[RankCorrelation, ...]
    pearson: Correlation | Undefined
    spearman: Correlation | Undefined
    within_one_point: RateInterval
    line: Line | Undefined
    bias: Bias
    bias_by_tier: tuple[Bias, ...]


def compare_judges(
    cells: JudgeCells,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> JudgeComparison:
    """How far two judges agree on shared cells. Differences are compared with 1 point in exact
    hundredths, 1 included.

    Intervals of correlations and of the share assume independent cells, those of biases
    independent questions. Raises StatisticUndefined without a shared cell; a part without a value
    is ``Undefined``. Source: "Beyond Memory Leaderboards", section 6.5, Figure 6a and Table 8.
    """
    shared = cells.is_shared
    if not shared.any():
        raise StatisticUndefined(
            "The two judges have no scored cell in common. Judging the same answers by both "
            "would help."
        )
    x, y = cells.first[shared], cells.second[shared]
    system, track, tier = (c[shared] for c in (cells.system, cells.track, cells.tier))
    apart = np.abs(np.rint(100 * x) - np.rint(100 * y))
    n_within = int((apart <= WITHIN_HUNDREDTHS).sum())
    slices = [("all", np.ones(len(x), dtype=np.bool_))]
    slices += [(name, tier == index) for index, name in enumerate(cells.tiers)]
    bias, *by_tier = biases(
        y - x, cells.question[shared], slices, rng=rng, level=level, n_resamples=n_resamples
    )
    return JudgeComparison(
        len(x),
        int((~np.isnan(cells.first) & ~shared).sum()),
        int((~np.isnan(cells.second) & ~shared).sum()),
        codes_of(cells.question[shared])[1],
        rank_correlation("pooled", system, x, y, level=level),
        tuple(
            rank_correlation(name, system[on], x[on], y[on], level=level)
            for name, on in ((name, track == index) for index, name in enumerate(cells.tracks))
            if on.any()
        ),
        value_or_reason(partial(pearson, x, y, level=level)),
        value_or_reason(partial(spearman, x, y, level=level)),
        wilson_interval(n_within, len(x), level=level),
        value_or_reason(partial(least_squares, x, y)),
        bias,
        tuple(by_tier),
    )


def rank_correlation(
    track: str, system: Integers, x: Reals, y: Reals, *, level: float
) -> RankCorrelation:
    """Spearman's rho of the systems' mean scores over their shared cells."""
    code, n_systems = codes_of(system)
    n = np.bincount(code, minlength=n_systems)
    means = (np.round(np.bincount(code, scores) / n, 9) for scores in (x, y))
    return RankCorrelation(track, value_or_reason(partial(spearman, *means, level=level)), len(x))


def least_squares(x: Reals, y: Reals) -> Line:
    """The line through (x, y) by least squares in y; both in points.

    Raises StatisticUndefined when x is constant. Source: Legendre (1805); computed by scipy.
    """
    if np.ptp(x) == 0.0:
        raise StatisticUndefined("The first judge gave one and the same score everywhere.")
    line = linregress(x, y)
    return Line(float(line.slope), float(line.intercept))
