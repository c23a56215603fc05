"""Budget sweeps: the lines of a sweep, and who leads at each track."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.statistics.bootstrap import DEFAULT_LEVEL, DEFAULT_RESAMPLES, FEWEST_UNITS
from evaluation.statistics.draws import resampled_means
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.score_table import score_table
from evaluation.statistics.sentences import NAMED_AT_MOST, listed
from evaluation.statistics.simultaneous import Contrast, simultaneous_contrasts


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One variant at one track: mean achieved characters (above 0) and its scores by unit id,
    None or absent where missing."""

    track: str
    achieved_chars: float
    scores: Mapping[str, float | None]

    def __post_init__(self) -> None:
        if not (np.isfinite(self.achieved_chars) and self.achieved_chars > 0):
            raise ValueError(f"the track {self.track!r} achieved no characters to draw it at")


@dataclass(frozen=True, slots=True)
class SweepLine:
    """A variant and its points, one a track."""

    variant: str
    points: tuple[SweepPoint, ...]

    def __post_init__(self) -> None:
        if len({point.track for point in self.points}) != len(self.points):
            raise ValueError(f"{self.variant!r} has two points at one track")


@dataclass(frozen=True, slots=True)
class Lead:
    """Who leads at a track. ``leaders``: the variants with the highest mean. ``behind``: those
    separated from every leader; ``level_with``: those that are not. ``n``: units in common."""

    track: str
    leaders: tuple[str, ...]
    behind: tuple[str, ...]
    level_with: tuple[str, ...]
    n: int
    sentence: str

    @property
    def is_separated(self) -> bool:
        """True when one variant leads and is separated from every other."""
        return len(self.leaders) == 1 and not self.level_with


def leads(
    lines: Sequence[SweepLine],
    *,
    units: Sequence[str],
    seed: int,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> tuple[Lead, ...]:
    """One ``Lead`` a track, in the order in which tracks first appear, over the units that all its
    variants have. Whether variants are separated comes from ``simultaneous_contrasts`` within the
    track, on the same draws of ``units`` at every track.

    Raises ValueError for a variant or a variant's track listed twice; StatisticUndefined for fewer
    than 2 common units at a track or too few resamples.
    """
    require_distinct(lines)
    tracks = list(dict.fromkeys(point.track for line in lines for point in line.points))
    return tuple(
        lead_at(track, lines, sorted(units), seed=seed, n_resamples=n_resamples, level=level)
        for track in tracks
    )


def require_distinct(lines: Sequence[SweepLine]) -> None:
    if len({line.variant for line in lines}) != len(lines):
        raise ValueError("a variant has two lines")


def lead_at(
    track: str,
    lines: Sequence[SweepLine],
    units: Sequence[str],
    *,
    seed: int,
    n_resamples: int,
    level: float,
) -> Lead:
    at_track = {
        line.variant: point.scores
        for line in sorted(lines, key=lambda line: line.variant)
        for point in line.points
        if point.track == track
    }
    variants = list(at_track)
    table = score_table(list(at_track.values()), units)
    table[:, np.isnan(table).any(axis=0)] = np.nan
    n = int((~np.isnan(table[0])).sum())
    if n < FEWEST_UNITS:
        raise StatisticUndefined(f"At {track}, the variants share fewer than 2 scored units.")
    contrasts = simultaneous_contrasts(
        table, rng=np.random.default_rng(seed), n_resamples=n_resamples, level=level
    )
    means = resampled_means(table.T, rng=np.random.default_rng(seed), n_resamples=1).estimates
    top = set(np.flatnonzero(means == means.max()).tolist())
    behind = {i for i in range(len(variants)) if i not in top and loses_to_all(i, top, contrasts)}
    rest = set(range(len(variants))) - top - behind
    leaders, losers, level_with = (
        tuple(variants[i] for i in sorted(group)) for group in (top, behind, rest)
    )
    sentence = lead_sentence(track, leaders, losers, level_with, level)
    return Lead(track, leaders, losers, level_with, n, sentence)


def loses_to_all(row: int, leaders: set[int], contrasts: Sequence[Contrast]) -> bool:
    separated = {(c.a, c.b) for c in contrasts if c.is_separated}
    return all((min(row, i), max(row, i)) in separated for i in leaders)


def lead_sentence(
    track: str,
    leaders: tuple[str, ...],
    behind: tuple[str, ...],
    level_with: tuple[str, ...],
    level: float,
) -> str:
    verb = "leads" if len(leaders) == 1 else "share the lead"
    start = f"At {track}, {listed(leaders)} {verb}"
    at_level = f"at {100 * level:g} %"
    if level_with:
        rivals = listed(level_with)
        if len(level_with) > NAMED_AT_MOST:
            rivals = f"{len(level_with)} others" if behind else "any other"
        return f"{start}, not separated from {rivals} {at_level}."
    if behind:
        return f"{start}, separated from all others {at_level}."
    return f"{start}." if len(leaders) > 1 else f"At {track}, {leaders[0]} is alone."
