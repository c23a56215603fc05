"""How far each row stands above the null lines: plain retrieval without any architecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.statistics.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    FEWEST_UNITS,
    Interval,
    intervals_of,
)
from evaluation.statistics.draws import resampled_means
from evaluation.statistics.score_table import score_table

NULL_LINES = ("simple-rag", "simple-rag+bm25")


@dataclass(frozen=True, slots=True)
class NullDelta:
    """``variant`` minus ``null_line`` over common units; ``delta`` is None exactly when
    ``undefined`` says why."""

    variant: str
    null_line: str
    delta: Interval | None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class NullLineDeltas:
    """Every other row against every null line that is present, ordered by null line as asked for
    and then by variant. ``absent``: null lines that the table lacks; ``sentence`` says so."""

    deltas: tuple[NullDelta, ...]
    absent: tuple[str, ...]
    sentence: str = ""


def null_line_deltas(
    rows: Mapping[str, Mapping[str, float | None]],
    *,
    units: Sequence[str],
    rng: np.random.Generator,
    null_lines: Sequence[str] = NULL_LINES,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> NullLineDeltas:
    """Paired differences to the null lines, all on the same draws of ``units``.

    ``rows``: variant to its scores by unit id. A pair with fewer than 2 common units gets a
    sentence in place of an interval. Intervals are unadjusted, one a row. Raises ValueError for a
    score of a unit not in ``units`` and StatisticUndefined for too few resamples.
    Source: as ``paired_difference``.
    """
    variants = sorted(rows)
    table = score_table([rows[variant] for variant in variants], units)
    index = {variant: i for i, variant in enumerate(variants)}
    absent = tuple(line for line in null_lines if line not in index)
    pairs = [
        (variant, line)
        for line in null_lines
        if line in index
        for variant in variants
        if variant != line
    ]
    columns = {pair: table[index[pair[0]]] - table[index[pair[1]]] for pair in pairs}
    n_common = {pair: int((~np.isnan(column)).sum()) for pair, column in columns.items()}
    defined = [pair for pair in pairs if n_common[pair] >= FEWEST_UNITS]
    intervals: dict[tuple[str, str], Interval] = {}
    if defined:
        stacked = np.column_stack([columns[pair] for pair in defined])
        means = resampled_means(stacked, rng=rng, n_resamples=n_resamples)
        intervals = dict(zip(defined, intervals_of(means, level=level), strict=True))
    return NullLineDeltas(
        deltas=tuple(
            NullDelta(*pair, intervals.get(pair), "" if pair in intervals else too_few(n))
            for pair, n in n_common.items()
        ),
        absent=absent,
        sentence=absence_sentence(absent, n_asked=len(null_lines)),
    )


def too_few(n_common: int) -> str:
    counted = "1 common unit" if n_common == 1 else f"{n_common} common units"
    return f"Only {counted}: too few for a difference." if n_common else "No common unit."


def absence_sentence(absent: Sequence[str], *, n_asked: int) -> str:
    if not absent:
        return ""
    named = " and ".join(absent)
    if len(absent) == n_asked:
        return f"This table has no null line: {named} {'is' if n_asked == 1 else 'are'} missing."
    return f"One null line is missing: {named}." if len(absent) == 1 else f"Missing: {named}."
