"""Scores of two judges on the same cells, as columns."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from evaluation.statistics.calibration.pairs import Flags, Integers, Reals


@dataclass(frozen=True, slots=True, eq=False)
class JudgeCells:
    """One row a cell; columns have the shape (n_cells,). ``first`` and ``second``: the two judges'
    scores 0 to 10, NaN where unscored. ``system``, ``track``, ``modality`` and ``tier`` index
    their names; ``question`` is any non-negative code. Raises ValueError for other columns."""

    systems: tuple[str, ...]
    tracks: tuple[str, ...]
    modalities: tuple[str, ...]
    tiers: tuple[str, ...]
    system: Integers
    track: Integers
    modality: Integers
    tier: Integers
    question: Integers
    first: Reals
    second: Reals

    def __post_init__(self) -> None:
        columns = [getattr(self, field.name) for field in fields(self)][4:]
        if {column.shape for column in columns} != {(len(self.system),)}:
            raise ValueError("the columns of judged cells have one value a cell")
        for names, codes in (
            (self.systems, self.system),
            (self.tracks, self.track),
            (self.modalities, self.modality),
            (self.tiers, self.tier),
        ):
            if ((codes < 0) | (codes >= len(names))).any():
                raise ValueError("a cell has a code without a name")
        if np.isinf(self.first).any() or np.isinf(self.second).any():
            raise ValueError("a score is a finite number or missing, never infinite")

    @property
    def is_shared(self) -> Flags:
        """Cells that both judges have scored."""
        return ~(np.isnan(self.first) | np.isnan(self.second))
