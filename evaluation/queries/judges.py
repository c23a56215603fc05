"""Judges beside each other on the answers that both have scored."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.queries.board_keys import BoardKeys
from evaluation.statistics.calibration.disagreement import DisagreementCell
from evaluation.statistics.calibration.judges import JudgeComparison

SHOWN_DISTINCT = 600
GRID = 4
"""Where points are many they are counted on a grid of quarters of a point."""


@dataclass(frozen=True, slots=True)
class PointCount:
    """``n`` cells that the first judge scored ``x`` and the second ``y``."""

    x: float
    y: float
    n: int


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges by name. ``comparison`` is None where ``undefined`` says why; then nothing else
    is there. ``is_binned``: the points are counted on a grid."""

    first: str
    second: str
    comparison: JudgeComparison | None
    disagreement: tuple[DisagreementCell, ...]
    points: tuple[PointCount, ...]
    is_binned: bool
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class JudgesPage:
    """``pairs``: every two judges of the comparison key; ``shown`` is looked at closely. ``runs``:
    public ids of the key's complete runs, for the command that adds a judge. ``tier_name``: what
    the benchmark's tiers are called."""

    keys: BoardKeys
    names: tuple[str, ...]
    pairs: tuple[JudgePair, ...]
    shown: JudgePair | None
    runs: tuple[str, ...]
    tier_name: str
