"""Rank intervals: which places a row can hold, given what can be separated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.statistics.simultaneous import Contrast


@dataclass(frozen=True, slots=True)
class RankInterval:
    """Places from 1 (the top): ``best`` to ``worst``, both included."""

    best: int
    worst: int

    @property
    def band(self) -> str:
        """``best–worst`` as shown in a table, or the one place."""
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


def rank_intervals(n_rows: int, contrasts: Iterable[Contrast]) -> tuple[RankInterval, ...]:
    """One interval a row: best = 1 + rows significantly better, worst = n_rows - rows
    significantly worse.

    With simultaneous contrasts at level 1 - alpha, all intervals hold the true places together
    with at least that probability. Rows that nothing separates share their interval. Raises
    ValueError when a contrast names a row outside the table.
    Source: Mogstad, Romano, Shaikh and Wilhelm (2024), Review of Economic Studies 91.
    """
    n_better = [0] * n_rows
    n_worse = [0] * n_rows
    for contrast in contrasts:
        if not (0 <= contrast.a < n_rows and 0 <= contrast.b < n_rows):
            raise ValueError(f"a contrast names a row outside the {n_rows} rows of the table")
        if contrast.is_separated:
            winner, loser = (
                (contrast.a, contrast.b) if contrast.delta > 0 else (contrast.b, contrast.a)
            )
            n_worse[winner] += 1
            n_better[loser] += 1
    return tuple(
        RankInterval(1 + better, n_rows - worse)
        for better, worse in zip(n_better, n_worse, strict=True)
    )
