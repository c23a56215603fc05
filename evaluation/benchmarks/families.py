"""Families of benchmarks: each declares its measures, and pages are generic over them.

A measure turns one variant's cells at one track into values, one a resampling unit. Scorers give
every cell a composite from 0 to 10; a measure that needs right or wrong calls a cell right from
``RIGHT_FROM`` up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from evaluation.records import CellRecord, MeasureValue

RIGHT_FROM = 5.0
Compute = Callable[[Sequence[CellRecord]], list[MeasureValue]]


@dataclass(frozen=True, slots=True)
class Measure:
    """``scale`` is (lowest, highest). ``unit`` is what bootstraps resample."""

    name: str
    title: str
    scale: tuple[float, float]
    unit: Literal["question", "episode", "world"]
    slices: tuple[str, ...]
    compute: Compute


@dataclass(frozen=True, slots=True)
class Family:
    """``measures``: the first is the board's. ``primary_slice`` gives the board its columns."""

    slug: str
    title: str
    measures: tuple[Measure, ...]
    primary_slice: str


class UnknownFamily(ValueError):
    """No family has this name."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"unknown benchmark family '{slug}'; known: {', '.join(FAMILIES)}")


def family(slug: str) -> Family:
    """Raises UnknownFamily."""
    if slug not in FAMILIES:
        raise UnknownFamily(slug)
    return FAMILIES[slug]


def composite_per_question(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """The mean composite of a question's scored cells (phases and repeats); None without any."""
    return [
        MeasureValue(question_id, _mean(group), group[0].slices)
        for question_id, group in _by(cells, lambda cell: cell.question_id).items()
    ]


def real_pass_per_question(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """1 where the question is right both before and after its change, else 0; a question asked in
    one phase only counts by that phase. None while any of its cells is not scored."""
    return [
        MeasureValue(question_id, _all_right(group), group[0].slices)
        for question_id, group in _by(cells, lambda cell: cell.question_id).items()
    ]


def update_per_world(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Share of right answers on questions that a shift changed, a world."""
    return _share_per_world(cells, item_class="changed")


def stability_per_world(cells: Sequence[CellRecord]) -> list[MeasureValue]:
    """Share of right answers on questions that no shift touched, a world."""
    return _share_per_world(cells, item_class="unchanged")


def _share_per_world(cells: Sequence[CellRecord], *, item_class: str) -> list[MeasureValue]:
    chosen = [cell for cell in cells if item_class in cell.slices.get("item_class", ())]
    values = []
    for world, group in _by(chosen, lambda cell: cell.scenario_id).items():
        right = [cell.score >= RIGHT_FROM for cell in group if cell.score is not None]
        values.append(MeasureValue(world, fmean(right) if right else None))
    return values


def _by(
    cells: Sequence[CellRecord], key: Callable[[CellRecord], str]
) -> dict[str, list[CellRecord]]:
    groups: dict[str, list[CellRecord]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return groups


def _mean(group: Sequence[CellRecord]) -> float | None:
    scores = [cell.score for cell in group if cell.score is not None]
    return fmean(scores) if scores else None


def _all_right(group: Sequence[CellRecord]) -> float | None:
    if any(cell.score is None for cell in group):
        return None
    return float(all((cell.score or 0.0) >= RIGHT_FROM for cell in group))


_COMPOSITE = (0.0, 10.0)
_RATE = (0.0, 1.0)
FAMILIES: dict[str, Family] = {
    "scientific": Family(
        "scientific",
        "Scientific memory",
        (
            Measure(
                "composite",
                "composite score",
                _COMPOSITE,
                "question",
                ("tier", "type"),
                composite_per_question,
            ),
        ),
        "tier",
    ),
    "conversational": Family(
        "conversational",
        "Conversations",
        (
            Measure(
                "composite",
                "composite score",
                _COMPOSITE,
                "question",
                ("category", "type"),
                composite_per_question,
            ),
        ),
        "category",
    ),
    "toy-dependency": Family(
        "toy-dependency",
        "Facts that depend on each other (toy)",
        (
            Measure(
                "real_pass",
                "real pass rate",
                _RATE,
                "question",
                ("task", "domain"),
                real_pass_per_question,
            ),
        ),
        "task",
    ),
    "toy-staleness": Family(
        "toy-staleness",
        "Stale memory (toy)",
        (
            Measure("update", "update", _RATE, "world", ("shift", "item_class"), update_per_world),
            Measure(
                "stability",
                "stability",
                _RATE,
                "world",
                ("shift", "item_class"),
                stability_per_world,
            ),
        ),
        "shift",
    ),
}
