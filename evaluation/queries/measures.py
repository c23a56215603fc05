"""The measures that a benchmark's pages can show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.benchmarks.families import UnknownFamily, family
from evaluation.queries.choices import choose


@dataclass(frozen=True, slots=True)
class MeasureHeading:
    """Scores lie from 0 to ``scale_high``; ``slices`` are those the measure has, the first one
    being the columns of a board."""

    name: str
    scale_high: float
    slices: tuple[str, ...]

    def tier_name(self, present: Iterable[str]) -> str:
        """The slice that gives a board its columns: the first declared one that questions have."""
        there = list(present)
        declared = [name for name in self.slices if name in there]
        return (declared or there or [""])[0]


COMPOSITE = MeasureHeading("composite", 10.0, ())


def measures_of(family_name: str) -> tuple[MeasureHeading, ...]:
    """What the family declares, its main measure first; the composite alone for a family that is
    here only by its published numbers."""
    try:
        declared = family(family_name).measures
    except UnknownFamily:
        return (COMPOSITE,)
    return tuple(MeasureHeading(one.name, one.scale_high, one.slices) for one in declared)


def chosen_measure(measures: Iterable[MeasureHeading], asked: str) -> MeasureHeading:
    """The asked measure, or the first. Raises UnknownChoice."""
    listed = list(measures)
    name = choose("measure", asked, [one.name for one in listed], default=listed[0].name)
    return next(one for one in listed if one.name == name)
