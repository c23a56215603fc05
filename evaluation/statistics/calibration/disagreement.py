"""Where two judges disagree: a table by track, modality and tier."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.judge_cells import JudgeCells
from evaluation.statistics.refusals import StatisticUndefined


@dataclass(frozen=True, slots=True)
class DisagreementCell:
    """``mean_absolute``: mean |second - first|, ``mean_signed``: mean of second - first, both in
    points over ``n`` shared cells of one track, modality and tier."""

    track: str
    modality: str
    tier: str
    mean_absolute: float
    mean_signed: float
    n: int


def disagreement_table(cells: JudgeCells) -> tuple[DisagreementCell, ...]:
    """One cell for each combination of track, modality and tier that has a shared cell, in the
    order of their names.

    Plain means, without intervals: a map of where to look. Raises StatisticUndefined without a
    shared cell. Source: "Beyond Memory Leaderboards", section 6.5 (bias by tier).
    """
    shared = cells.is_shared
    if not shared.any():
        raise StatisticUndefined(
            "The two judges have no scored cell in common. Judging the same answers by both "
            "would help."
        )
    shape = (len(cells.tracks), len(cells.modalities), len(cells.tiers))
    index = np.ravel_multi_index(
        (cells.track[shared], cells.modality[shared], cells.tier[shared]), shape
    )
    difference = (cells.second - cells.first)[shared]
    size = int(np.prod(shape))
    n = np.bincount(index, minlength=size)
    signed = np.bincount(index, difference, minlength=size)
    absolute = np.bincount(index, np.abs(difference), minlength=size)
    return tuple(
        DisagreementCell(
            cells.tracks[track],
            cells.modalities[modality],
            cells.tiers[tier],
            float(absolute[at] / n[at]),
            float(signed[at] / n[at]),
            int(n[at]),
        )
        for at in np.flatnonzero(n)
        for track, modality, tier in [np.unravel_index(at, shape)]
    )
