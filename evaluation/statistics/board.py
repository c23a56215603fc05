"""Everything a leaderboard says about one table, from one set of paired draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    FEWEST_UNITS,
    Interval,
    intervals_of,
)
from evaluation.statistics.draws import resampled_means
from evaluation.statistics.missing import (
    COMPOSITE_SCALE,
    RANKED_FROM,
    MissingBounds,
    is_rankable,
    missing_bounds,
)
from evaluation.statistics.null_line import NULL_LINES, NullLineDeltas, null_line_deltas
from evaluation.statistics.ranks import RankInterval, rank_intervals
from evaluation.statistics.score_table import score_table
from evaluation.statistics.sentences import separation_sentences
from evaluation.statistics.simultaneous import Contrast, simultaneous_contrasts

TOO_FEW_SCORED = f"Fewer than {FEWEST_UNITS} scored units: no interval."


@dataclass(frozen=True, slots=True)
class BoardInput:
    """One row as measured: scores by unit id (None or absent is missing) of ``n_total`` units.
    ``ranked`` is False for anchors and unmatched points."""

    variant: str
    values: Mapping[str, float | None]
    n_total: int
    ranked: bool = True
    is_internal: bool = False

    def __post_init__(self) -> None:
        if self.n_total < 1:
            raise ValueError(f"the row {self.variant!r} has an empty question set")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """``mean`` is None when nothing is scored; ``interval`` is None exactly when
    ``interval_undefined`` says why; ``rank`` exactly when ``unranked_because`` does."""

    variant: str
    mean: float | None
    interval: Interval | None
    interval_undefined: str
    bounds: MissingBounds
    rank: RankInterval | None
    unranked_because: str


@dataclass(frozen=True, slots=True)
class BoardStatistics:
    """``rows``: ranked ones first, each part by mean downwards, then by name; the first
    ``n_ranked`` rows are those that ``contrasts`` index. ``contrasts_undefined`` says why there
    are none where a table of two or more ranked rows has none."""

    rows: tuple[BoardRow, ...]
    n_ranked: int
    contrasts: tuple[Contrast, ...]
    contrasts_undefined: str
    sentences: tuple[str, ...]
    null_lines: NullLineDeltas
    n_units: int
    n_resamples: int
    level: float
    seed: int

    @property
    def separated(self) -> tuple[tuple[str, str], ...]:
        """(winner, loser) by variant, in table order."""
        return tuple(
            (self.rows[winner].variant, self.rows[loser].variant)
            for winner, loser in separated_pairs(self.contrasts)
        )


def separated_pairs(contrasts: Sequence[Contrast]) -> tuple[tuple[int, int], ...]:
    """(winner, loser) row indices of the separated contrasts."""
    return tuple(
        (contrast.a, contrast.b) if contrast.delta > 0 else (contrast.b, contrast.a)
        for contrast in contrasts
        if contrast.is_separated
    )


def board_statistics(
    rows: Sequence[BoardInput],
    *,
    seed: int,
    units: Sequence[str] | None = None,
    level: float = DEFAULT_LEVEL,
    n_resamples: int = DEFAULT_RESAMPLES,
    scale: tuple[float, float] = COMPOSITE_SCALE,
    threshold: float = RANKED_FROM,
    include_internal: bool = False,
    null_lines: Sequence[str] = NULL_LINES,
    least_difference: float = 0.0,
) -> BoardStatistics:
    """Means, intervals, simultaneous contrasts, rank intervals, null-line differences and the
    sentences of a table.

    A row is ranked when it asks to be, has ``threshold`` of its units scored, and answers from
    the shared synthesizer (or ``include_internal``). ``units``: the whole question set; with
    it, a row's interval does not depend on which other rows are shown. By default the units that
    any row lists. ``least_difference``: a separated pair with a smaller difference is treated as
    not separated. All parts use the same draws of units: ``seed`` and the sorted units fix the
    result, whatever the order of rows.

    Raises ValueError for a variant listed twice, more scores than units, a score outside
    ``scale`` or of a unit not in ``units``; StatisticUndefined when the resamples are too few.
    """
    if len({row.variant for row in rows}) != len(rows):
        raise ValueError("a variant is listed twice")
    listed_units = {unit for row in rows for unit in row.values}
    ordered_units = sorted(listed_units if units is None else units)
    table = score_table([row.values for row in rows], ordered_units)
    intervals = row_intervals(table, seed=seed, n_resamples=n_resamples, level=level)
    unplaced = [
        BoardRow(
            variant=row.variant,
            mean=mean_of(scores, interval),
            interval=interval,
            interval_undefined="" if interval else TOO_FEW_SCORED,
            bounds=missing_bounds(scores, row.n_total, scale=scale),
            rank=None,
            unranked_because=why_unranked(
                row, scores, threshold=threshold, include_internal=include_internal
            ),
        )
        for row, scores, interval in zip(rows, table, intervals, strict=True)
    ]
    order = sorted(range(len(rows)), key=lambda i: place_of(unplaced[i]))
    n_ranked = sum(not row.unranked_because for row in unplaced)
    contrasts, contrasts_undefined = ranked_contrasts(
        table[order[:n_ranked]], seed=seed, n_resamples=n_resamples, level=level
    )
    contrasts = tuple(
        replace(one, is_separated=one.is_separated and abs(one.delta) >= least_difference)
        for one in contrasts
    )
    ranks: list[RankInterval | None] = [*rank_intervals(n_ranked, contrasts)]
    ranks += [None] * (len(rows) - n_ranked)
    placed = tuple(replace(unplaced[i], rank=rank) for i, rank in zip(order, ranks, strict=True))
    labels = [row.variant for row in placed[:n_ranked]]
    return BoardStatistics(
        rows=placed,
        n_ranked=n_ranked,
        contrasts=contrasts,
        contrasts_undefined=contrasts_undefined,
        sentences=(contrasts_undefined,)
        if contrasts_undefined
        else separation_sentences(
            labels, separated_pairs(contrasts), level=level, least_difference=least_difference
        ),
        null_lines=null_line_deltas(
            {row.variant: row.values for row in rows},
            units=ordered_units,
            rng=np.random.default_rng(seed),
            null_lines=null_lines,
            n_resamples=n_resamples,
            level=level,
        ),
        n_units=len(ordered_units),
        n_resamples=n_resamples,
        level=level,
        seed=seed,
    )


def row_intervals(
    table: NDArray[np.float64], *, seed: int, n_resamples: int, level: float
) -> list[Interval | None]:
    """The interval of each row, None for a row with too few scored units."""
    enough = (~np.isnan(table)).sum(axis=1) >= FEWEST_UNITS
    intervals: list[Interval | None] = [None] * len(table)
    if enough.any():
        means = resampled_means(
            table[enough].T, rng=np.random.default_rng(seed), n_resamples=n_resamples
        )
        for i, interval in zip(
            np.flatnonzero(enough), intervals_of(means, level=level), strict=True
        ):
            intervals[i] = interval
    return intervals


def mean_of(scores: NDArray[np.float64], interval: Interval | None) -> float | None:
    if interval is not None:
        return interval.estimate
    scored = scores[~np.isnan(scores)]
    return float(scored[0]) if len(scored) else None


def why_unranked(
    row: BoardInput, scores: NDArray[np.float64], *, threshold: float, include_internal: bool
) -> str:
    """Empty for a row that takes part in the ranking, else the reason in a sentence."""
    n_scored = int((~np.isnan(scores)).sum())
    if not row.ranked:
        return "Shown for reference, never ranked."
    if row.is_internal and not include_internal:
        return "Answers itself instead of through the shared synthesizer."
    if not is_rankable(n_scored, row.n_total, threshold):
        return (
            f"{n_scored} of {row.n_total} scored: ranked from {100 * threshold:g} % of the "
            "question set."
        )
    return ""


def place_of(row: BoardRow) -> tuple[bool, bool, float, str]:
    """Sort key: ranked rows first, then by mean downwards, then by name."""
    return bool(row.unranked_because), row.mean is None, -(row.mean or 0.0), row.variant


def ranked_contrasts(
    scores: NDArray[np.float64], *, seed: int, n_resamples: int, level: float
) -> tuple[tuple[Contrast, ...], str]:
    """Contrasts of the ranked rows, or none and the reason. Too few resamples are refused."""
    present = (~np.isnan(scores)).astype(np.float64)
    if len(scores) > 1 and (present @ present.T).min() < FEWEST_UNITS:
        return (), "Too few questions were scored in common to compare the rows."
    contrasts = simultaneous_contrasts(
        scores, rng=np.random.default_rng(seed), n_resamples=n_resamples, level=level
    )
    return contrasts, ""
