"""Crossover budgets: from which budget on one variant stays ahead of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import DEFAULT_LEVEL, DEFAULT_RESAMPLES, FEWEST_UNITS
from evaluation.statistics.draws import percentile_bounds, resampled_means
from evaluation.statistics.score_table import score_table
from evaluation.statistics.sweep import SweepLine, require_distinct


@dataclass(frozen=True, slots=True)
class Crossover:
    """The budget in characters from which ``overtaker`` stays ahead of ``overtaken`` up to
    ``range_high``, the end of the range that both lines cover.

    ``chars`` is None when no crossing lies inside the range. ``low`` or ``high`` is None where
    the interval leaves the range on that side: a crossing below or above it cannot be excluded.
    ``n``: units that both have at every point. ``sentence`` says all of it.
    """

    overtaker: str
    overtaken: str
    chars: float | None
    low: float | None
    high: float | None
    range_low: float
    range_high: float
    n: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Crossovers:
    """One entry a pair of lines, in ``pairs`` or, where the pair cannot be compared, as a
    sentence in ``undefined``."""

    pairs: tuple[Crossover, ...]
    undefined: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairPoints:
    """Two lines on the units both have: rows of the score table and the shared range."""

    first: SweepLine
    second: SweepLine
    first_rows: tuple[int, ...]
    second_rows: tuple[int, ...]
    common: NDArray[np.bool_]
    range_low: float
    range_high: float


def crossovers(
    lines: Sequence[SweepLine],
    *,
    units: Sequence[str],
    seed: int,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> Crossovers:
    """Where lines cross, for every pair: means interpolated linearly in the logarithm of mean
    achieved characters, over the range that both lines cover. Of a pair, the overtaker is the line
    ahead at the end of that range.

    Points of a line with equal characters are merged. Interval: percentile bootstrap over the
    units that both have at every point, achieved characters held fixed. A draw in which the
    overtaker is never behind counts as a crossing below the range, one in which it does not end
    ahead as a crossing above it. Assumes that scores change evenly with log budget between
    measured points, and independent units.

    Raises ValueError for a variant listed twice or a score of a unit not in ``units``;
    StatisticUndefined for too few resamples.
    """
    require_distinct(lines)
    ordered = sorted(lines, key=lambda line: line.variant)
    points = [point for line in ordered for point in line.points]
    table = score_table([point.scores for point in points], sorted(units))
    present = ~np.isnan(table)
    starts = np.cumsum([0, *(len(line.points) for line in ordered)])
    rows = [tuple(range(a, b)) for a, b in pairwise(starts.tolist())]
    compared: list[PairPoints] = []
    undefined: list[str] = []
    for i, j in combinations(range(len(ordered)), 2):
        pair = pair_points(ordered[i], ordered[j], rows[i], rows[j], present)
        if isinstance(pair, str):
            undefined.append(pair)
        else:
            compared.append(pair)
    means = means_on_common_units(table, compared, seed=seed, n_resamples=n_resamples)
    return Crossovers(
        pairs=tuple(
            crossover_of(pair, first, second, level=level)
            for pair, (first, second) in zip(compared, means, strict=True)
        ),
        undefined=tuple(undefined),
    )


def pair_points(
    first: SweepLine,
    second: SweepLine,
    first_rows: tuple[int, ...],
    second_rows: tuple[int, ...],
    present: NDArray[np.bool_],
) -> PairPoints | str:
    """What two lines share, or the sentence why they cannot be compared."""
    names = f"{first.variant} and {second.variant}"
    budgets = [[point.achieved_chars for point in line.points] for line in (first, second)]
    if not all(budgets):
        return f"{names} were not both measured."
    range_low, range_high = max(map(min, budgets)), min(map(max, budgets))
    if range_low >= range_high:
        return f"{names} were measured over no common range of budgets."
    common: NDArray[np.bool_] = np.logical_and.reduce(present[[*first_rows, *second_rows]])
    if common.sum() < FEWEST_UNITS:
        return f"{names} share fewer than {FEWEST_UNITS} units scored at every point."
    return PairPoints(first, second, first_rows, second_rows, common, range_low, range_high)


def means_on_common_units(
    table: NDArray[np.float64], pairs: Sequence[PairPoints], *, seed: int, n_resamples: int
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Means of both lines of each pair: arrays (n_points, 1 + n_resamples), the data first and
    then the draws. Columns that pairs have in common are computed once."""
    if not pairs:
        return []
    places: dict[tuple[int, bytes], int] = {}
    columns: list[NDArray[np.float64]] = []
    for pair in pairs:
        for row in (*pair.first_rows, *pair.second_rows):
            key = (row, pair.common.tobytes())
            if key not in places:
                places[key] = len(columns)
                columns.append(np.where(pair.common, table[row], np.nan))
    means = resampled_means(
        np.column_stack(columns), rng=np.random.default_rng(seed), n_resamples=n_resamples
    )
    every = np.column_stack([means.estimates, means.replicates])

    def of(pair: PairPoints, rows: tuple[int, ...]) -> NDArray[np.float64]:
        return every[[places[row, pair.common.tobytes()] for row in rows]]

    return [(of(pair, pair.first_rows), of(pair, pair.second_rows)) for pair in pairs]


def crossover_of(
    pair: PairPoints,
    first_means: NDArray[np.float64],
    second_means: NDArray[np.float64],
    *,
    level: float,
) -> Crossover:
    knots, first_at = interpolated(pair, pair.first, first_means)
    _, second_at = interpolated(pair, pair.second, second_means)
    lead = first_at - second_at
    overtaker, overtaken = pair.first.variant, pair.second.variant
    if lead[-1, 0] < 0:
        lead, overtaker, overtaken = -lead, overtaken, overtaker
    crossings = overtaking_budgets(knots, lead)
    low, high = percentile_bounds(crossings[None, 1:], level)
    is_inside = bool(np.isfinite(crossings[0]))
    chars, lower, upper = (
        float(value) if is_inside and np.isfinite(value) else None
        for value in (crossings[0], low[0], high[0])
    )
    shared = f"{pair.range_low:,.0f}–{pair.range_high:,.0f} characters"
    if chars is not None:
        sentence = (
            f"{overtaker} stays ahead of {overtaken} from {chars:,.0f} characters on "
            f"({100 * level:g} % interval: {bounds_phrase(lower, upper, shared)})."
        )
    elif crossings[0] < 0:
        sentence = f"No crossover in {shared}: {overtaker} is nowhere behind {overtaken}."
    else:
        sentence = f"No crossover in {shared}: {overtaker} and {overtaken} end level."
    return Crossover(
        overtaker=overtaker,
        overtaken=overtaken,
        chars=chars,
        low=lower,
        high=upper,
        range_low=pair.range_low,
        range_high=pair.range_high,
        n=int(pair.common.sum()),
        sentence=sentence,
    )


def interpolated(
    pair: PairPoints, line: SweepLine, means: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The pair's budgets inside the shared range (k,) and the line's means there (k, draws)."""
    every = {point.achieved_chars for one in (pair.first, pair.second) for point in one.points}
    knots = np.array(sorted(x for x in every if pair.range_low <= x <= pair.range_high))
    budgets = np.array([point.achieved_chars for point in line.points])
    distinct, place = np.unique(budgets, return_inverse=True)
    merged = np.stack([means[place == i].mean(axis=0) for i in range(len(distinct))])
    weights = np.column_stack(
        [np.interp(np.log(knots), np.log(distinct), unit) for unit in np.eye(len(distinct))]
    )
    return knots, weights @ merged


def overtaking_budgets(
    knots: NDArray[np.float64], lead: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Where each column of ``lead`` (k, draws), linear in log ``knots`` (k,), last stops being
    negative: -inf if it never is, +inf if it does not end positive; shape (draws,)."""
    is_behind = lead < 0.0
    last = len(knots) - 1 - is_behind[::-1].argmax(axis=0)
    ever = is_behind.any(axis=0)
    ends_ahead = lead[-1] > 0.0
    crossing = np.where(ends_ahead, -np.inf, np.inf)
    inside = np.flatnonzero(ever & ends_ahead)
    i = last[inside]
    before, after = lead[i, inside], lead[i + 1, inside]
    log_knots = np.log(knots)
    step = before / (before - after)
    crossing[inside] = np.exp(log_knots[i] + step * (log_knots[i + 1] - log_knots[i]))
    return crossing


def bounds_phrase(low: float | None, high: float | None, shared: str) -> str:
    if low is None and high is None:
        return f"wider than the {shared} measured"
    if low is None:
        return f"below the range measured to {high:,.0f}"
    if high is None:
        return f"{low:,.0f} to beyond the range measured"
    return f"{low:,.0f} to {high:,.0f}"
