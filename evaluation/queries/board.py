"""The statistics of a board, kept in memory until a score behind them changes.

A board is fixed by its vectors and their times of change, the slice of questions, and who is
ranked; the same board is never computed twice by one process.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.models import ScoreVector
from evaluation.queries.kept import Kept
from evaluation.queries.vectors import BoardVector
from evaluation.statistics.board import BoardInput, BoardStatistics, board_statistics
from evaluation.statistics.null_line import NULL_LINES

KEPT_BOARDS = 512


@dataclass(frozen=True, slots=True)
class BoardMember:
    """A row of a board to be computed, by what fixes its numbers."""

    ids: tuple[int, ...]
    updated_at: dt.datetime
    label: str
    slug: str
    is_ranked: bool
    is_internal: bool


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """``slices``: the questions counted, as (name, value) pairs that must all hold. ``tier_name``:
    the slice by whose values means are given."""

    members: tuple[BoardMember, ...]
    slices: tuple[tuple[str, str], ...]
    tier_name: str
    include_internal: bool
    scale_high: float
    seed: int
    least_difference: float = 0.0


@dataclass(frozen=True, slots=True)
class SliceMean:
    mean: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Board:
    """``statistics`` of the rows by label; ``by_tier``: label → tier → mean and n; ``missing``:
    label → the units without a score. ``units`` are all units of the chosen slice."""

    statistics: BoardStatistics
    by_tier: Mapping[str, Mapping[str, SliceMean]]
    missing: Mapping[str, tuple[str, ...]]
    n_units: Mapping[str, int]
    units: tuple[str, ...]
    tiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitScores:
    """One vector's scores: unit id → score or None, and unit id → its slices."""

    scores: Mapping[str, float | None]
    slices: Mapping[str, Mapping[str, Sequence[str]]]


def board_spec(
    vectors: Sequence[BoardVector],
    *,
    track: str,
    slices: Mapping[str, str],
    tier_name: str,
    include_internal: bool,
    scale_high: float,
    seed: int,
    least_difference: float = 0.0,
) -> BoardSpec:
    """Ranked are those measured at the track itself that are no anchors. Pairs closer than
    ``least_difference`` are not separated, whatever the draws say."""
    members = tuple(
        BoardMember(
            ids=vector.ids,
            updated_at=vector.updated_at,
            label=vector.label,
            slug=vector.slug,
            is_ranked=not vector.is_anchor and vector.track == track and vector.is_applicable,
            is_internal=vector.synthesis == "internal",
        )
        for vector in sorted(vectors, key=lambda vector: vector.label)
        if vector.is_applicable
    )
    return BoardSpec(
        members=members,
        slices=tuple(sorted(slices.items())),
        tier_name=tier_name,
        include_internal=include_internal,
        scale_high=scale_high,
        seed=seed,
        least_difference=least_difference,
    )


_BOARDS: Kept[BoardSpec, Board] = Kept(KEPT_BOARDS)


def kept_board(spec: BoardSpec) -> Board:
    """The board of a spec. The first call reads the scores and draws the bootstrap."""
    return kept_boards([spec])[0]


def kept_boards(specs: Sequence[BoardSpec]) -> list[Board]:
    """The boards of several specs in their order; the scores of new ones come in one query."""
    known = {spec: board for spec in specs if (board := _BOARDS.get(spec)) is not None}
    new = [spec for spec in dict.fromkeys(specs) if spec not in known]
    if new:
        scores = unit_scores(member.ids for spec in new for member in spec.members)
        known |= {spec: _BOARDS.put(spec, _computed(spec, scores)) for spec in new}
    return [known[spec] for spec in specs]


def _computed(spec: BoardSpec, scores: Mapping[tuple[int, ...], UnitScores]) -> Board:
    read = {member.label: sliced(scores[member.ids], spec.slices) for member in spec.members}
    units = tuple(dict.fromkeys(unit for one in read.values() for unit in one.scores))
    lines = [member.label for member in spec.members if member.slug in NULL_LINES]
    present = {member.slug for member in spec.members}
    statistics = board_statistics(
        [
            BoardInput(
                variant=member.label,
                values=read[member.label].scores,
                n_total=max(1, len(read[member.label].scores)),
                ranked=member.is_ranked,
                is_internal=member.is_internal,
            )
            for member in spec.members
        ],
        seed=spec.seed,
        units=units,
        scale=(0.0, spec.scale_high),
        include_internal=spec.include_internal,
        least_difference=spec.least_difference,
        null_lines=lines + [line for line in NULL_LINES if line not in present],
    )
    tiers = _values_of(spec.tier_name, read.values())
    return Board(
        statistics=statistics,
        by_tier={label: _by_tier(one, spec.tier_name, tiers) for label, one in read.items()},
        missing={
            label: tuple(unit for unit, score in one.scores.items() if score is None)
            for label, one in read.items()
        },
        n_units={label: len(one.scores) for label, one in read.items()},
        units=units,
        tiers=tiers,
    )


def unit_scores(vectors: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], UnitScores]:
    """The scores behind each tuple of vector rows; of several rows the mean over judges, where
    all of them scored the unit."""
    wanted = list(dict.fromkeys(vectors))
    values = dict(
        ScoreVector.objects.filter(pk__in={pk for ids in wanted for pk in ids}).values_list(
            "pk", "values"
        )
    )
    return {ids: _mean_of([values[pk] for pk in ids]) for ids in wanted}


def sliced(one: UnitScores, slices: Sequence[tuple[str, str]]) -> UnitScores:
    """Only the units that have every asked value."""
    kept = [
        unit
        for unit, of in one.slices.items()
        if all(value in of.get(name, ()) for name, value in slices)
    ]
    return UnitScores(
        {unit: one.scores[unit] for unit in kept}, {unit: one.slices[unit] for unit in kept}
    )


def _mean_of(
    rows: Sequence[Sequence[tuple[str, float | None, dict[str, list[str]]]]],
) -> UnitScores:
    scores: dict[str, list[float | None]] = {}
    slices: dict[str, Mapping[str, Sequence[str]]] = {}
    for row in rows:
        for unit, value, of in row:
            scores.setdefault(unit, []).append(value)
            slices.setdefault(unit, of)
    return UnitScores({unit: _mean(values, len(rows)) for unit, values in scores.items()}, slices)


def _mean(values: Sequence[float | None], n_judges: int) -> float | None:
    scored = [value for value in values if value is not None]
    return sum(scored) / n_judges if len(scored) == n_judges else None


def _values_of(name: str, reads: Iterable[UnitScores]) -> tuple[str, ...]:
    return tuple(
        sorted({value for one in reads for of in one.slices.values() for value in of.get(name, ())})
    )


def _by_tier(one: UnitScores, name: str, tiers: Sequence[str]) -> dict[str, SliceMean]:
    means = {}
    for tier in tiers:
        scored = [
            score
            for unit, score in one.scores.items()
            if score is not None and tier in one.slices[unit].get(name, ())
        ]
        means[tier] = SliceMean(sum(scored) / len(scored) if scored else None, len(scored))
    return means
