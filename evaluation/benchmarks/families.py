"""Benchmark families: what each measures, from the cells of one variant, track and judge.

Pages, API and exports read these declarations and know no family by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.benchmarks.measures import (
    after_passes,
    composite,
    real_passes,
    stability,
    update,
)
from evaluation.records import CellRecord, MeasureValue

Compute = Callable[[Sequence[CellRecord]], list[MeasureValue]]
COMPOSITE_HIGH, RATE_HIGH = 10.0, 1.0


@dataclass(frozen=True, slots=True)
class Measure:
    """Values lie from 0 to ``scale_high``, and more is better. ``unit`` is what varies and is
    resampled. ``slices`` are those its values can be cut by. ``compute`` gives one value for each
    unit that occurs in the cells, None where nothing of the unit was scored."""

    name: str
    title: str
    scale_high: float
    unit: Literal["question", "episode", "world"]
    slices: tuple[str, ...]
    compute: Compute


@dataclass(frozen=True, slots=True)
class Family:
    """``measures``: the primary one first. ``primary_slice`` gives boards their columns and
    stratified question sets their strata."""

    slug: str
    title: str
    measures: tuple[Measure, ...]
    primary_slice: str


class UnknownFamily(ValueError):
    """No benchmark family has this slug."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"unknown benchmark family “{slug}”; known: {', '.join(FAMILIES)}")


def family(slug: str) -> Family:
    """Raises UnknownFamily, which lists the known ones."""
    if slug not in FAMILIES:
        raise UnknownFamily(slug)
    return FAMILIES[slug]


def _composite(*slices: str) -> Measure:
    return Measure("composite", "composite score", COMPOSITE_HIGH, "question", slices, composite)


def _question_rate(name: str, title: str, compute: Compute) -> Measure:
    return Measure(name, title, RATE_HIGH, "question", ("task", "domain"), compute)


def _world_rate(name: str, title: str, compute: Compute) -> Measure:
    return Measure(name, title, RATE_HIGH, "world", ("shift", "item_class"), compute)


_DECLARED = (
    Family("scientific", "Scientific memory", (_composite("tier", "type"),), "tier"),
    Family("conversational", "Conversations", (_composite("category", "type"),), "category"),
    Family(
        "toy-meme",
        "Facts that depend on each other (toy)",
        (
            _question_rate("real_pass", "right before and after the change", real_passes),
            _question_rate("after_pass", "right after the change", after_passes),
        ),
        "task",
    ),
    Family(
        "toy-memshift",
        "Stale derived memory (toy)",
        (
            _world_rate("update", "changed items answered with the new value", update),
            _world_rate("stability", "unchanged items answered as before", stability),
        ),
        "item_class",
    ),
)
FAMILIES: dict[str, Family] = {one.slug: one for one in _DECLARED}
