"""What calibration starts from: one row a pair, with its counted votes and the judge's gap.

The flow of this folder::

    PairTable ─┬─► decisive      agreement by size of the judge's gap
               ├─► tolerance     three-way agreement over the tie tolerance, and the best one
               ├─► resolution    the gap from which the judge can be relied on
               ├─► outcomes ─► ratings ─► rank_agreement    wins, strengths, both ranks
               ├─► length        is the longer answer preferred
               └─► stopping      pairs still needed
    VoteTable ─┬─► raters        alpha (alpha), kappa (kappa), each rater against the others
               └─► position      left share, agreement by reveals seen
    JudgeCells ──► judges        judges among each other; flips: one judge in both orders
    preferences                  win rates of graded preferences

Everything works on numpy columns of counted votes: attention checks, surplus and excluded votes
are left out by whoever fills the tables. "First" and "second" are drawn once a pair, independent
of the side that a rater saw. Gaps and tolerances are whole hundredths of a point. Every interval
by resampling takes ``rng``. What has no value raises ``StatisticUndefined`` or stands as None
beside a sentence that says why; NaN and infinity never come out.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.draws import on_exact_grid
from evaluation.statistics.refusals import StatisticUndefined

Integers = NDArray[np.int64]
Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]
Labels = NDArray[np.int8]

MOST_OFTEN_DRAWN = 16


class Outcome(IntEnum):
    """Whom a vote, a majority or a judge prefers."""

    FIRST = 0
    SECOND = 1
    TIE = 2


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """One row a pair with at least one counted vote; every column has the shape (n_pairs,).

    ``systems``: names that ``system_first`` and ``system_second`` index. ``question``: any
    non-negative code. ``gap_hundredths``: the judge's score of first minus second, times 100;
    read only where ``is_judged``. ``n_tie`` counts "both bad" too, ``n_both_bad`` says how many
    of them. ``inclusion_probability``: in (0, 1]. ``length_difference``: characters of first
    minus second, or None when not known. Raises ValueError for columns that contradict this.
    """

    systems: tuple[str, ...]
    pair_id: Integers
    question: Integers
    system_first: Integers
    system_second: Integers
    gap_hundredths: Integers
    is_judged: Flags
    n_first: Integers
    n_second: Integers
    n_tie: Integers
    n_both_bad: Integers
    inclusion_probability: Reals
    length_difference: Integers | None = None

    def __post_init__(self) -> None:
        columns = [getattr(self, name) for name in column_names(self)]
        if {column.shape for column in columns} != {(len(self.pair_id),)}:
            raise ValueError("the columns of a pair table have one value a pair")
        for system in (self.system_first, self.system_second):
            if ((system < 0) | (system >= len(self.systems))).any():
                raise ValueError(f"a pair names a system outside the {len(self.systems)} systems")
        if (self.system_first == self.system_second).any():
            raise ValueError("a pair compares two different systems")
        if (self.question < 0).any():
            raise ValueError("a question's code is not negative")
        counts = (self.n_first, self.n_second, self.n_tie, self.n_both_bad)
        if any((count < 0).any() for count in counts) or (self.n_both_bad > self.n_tie).any():
            raise ValueError("counts of votes are not negative, and both bad is counted as a tie")
        if (self.n_votes < 1).any():
            raise ValueError("a pair without a counted vote does not belong into the table")
        probability = self.inclusion_probability
        if not ((probability > 0.0) & (probability <= 1.0)).all():
            raise ValueError("an inclusion probability lies above 0 and up to 1")

    @property
    def n_pairs(self) -> int:
        return len(self.pair_id)

    @property
    def n_votes(self) -> Integers:
        """Counted votes of each pair."""
        return self.n_first + self.n_second + self.n_tie

    @property
    def majority(self) -> Labels:
        """``Outcome`` of each pair: what more than half of its votes say; without such a
        majority, a tie."""
        return majority_of(np.column_stack((self.n_first, self.n_second, self.n_tie)))

    @property
    def weight(self) -> Reals:
        """1 / inclusion probability, rounded to a binary grid (4 parts in 10^9 or finer) on which
        sums are exact, so that neither the order of pairs nor the machine matters. It is never
        less than a step of the grid: whatever else was drawn, no pair is left out."""
        column = 1.0 / self.inclusion_probability[:, None]
        whole, exponents = on_exact_grid(column, max(1, self.n_pairs) * MOST_OFTEN_DRAWN)
        return np.ldexp(np.maximum(whole, 1.0), -exponents)[:, 0]

    def judged_outcome(self, tolerance_hundredths: int = 0) -> Labels:
        """``Outcome`` by the judge: the side with the higher score, a tie where |gap| is at most
        the tolerance. Meaningless where not ``is_judged``."""
        label = np.full(self.n_pairs, Outcome.TIE, dtype=np.int8)
        label[self.gap_hundredths > tolerance_hundredths] = Outcome.FIRST
        label[self.gap_hundredths < -tolerance_hundredths] = Outcome.SECOND
        return label

    def judged(self) -> PairTable:
        """The pairs with a judge's gap. Raises StatisticUndefined when there are none."""
        if self.n_pairs == 0:
            raise StatisticUndefined("There is no counted vote yet.")
        if not self.is_judged.any():
            raise StatisticUndefined(
                "No voted pair has a judge's score on both answers. Judging the answers of the "
                "campaign would help."
            )
        return self.where(self.is_judged)

    def where(self, chosen: Flags) -> PairTable:
        """The table of the chosen pairs; ``chosen`` has the shape (n_pairs,)."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in column_names(self)})


def column_names(table: PairTable) -> tuple[str, ...]:
    """The fields of the table that have one value a pair."""
    return tuple(
        field.name
        for field in fields(table)
        if field.name != "systems" and getattr(table, field.name) is not None
    )


def majority_of(counts: Integers) -> Labels:
    """``Outcome`` that more than half of each row's votes name, else a tie; counts: (n, 3) votes
    for first, second and tie."""
    has_majority = counts > counts.sum(axis=1, keepdims=True) / 2
    labels = np.where(has_majority.any(axis=1), has_majority.argmax(axis=1), Outcome.TIE)
    return labels.astype(np.int8)
