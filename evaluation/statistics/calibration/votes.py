"""Votes as columns, for the statistics that need to know the rater or the side shown."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from evaluation.statistics.calibration.pairs import Flags, Integers, Labels, Outcome, PairTable


@dataclass(frozen=True, slots=True, eq=False)
class VoteTable:
    """One row a counted vote; every column has the shape (n_votes,).

    ``pair``: row of the pair in its ``PairTable``. ``rater``: a code from 0 up. ``label``: an
    ``Outcome`` (both bad is a tie). ``left_is_first``: whether the pair's first answer was shown
    on the left. ``n_reveals_seen``: reveals that the rater had seen before. Raises ValueError for
    columns that contradict this, such as two votes of a rater on a pair.
    """

    pair: Integers
    rater: Integers
    label: Labels
    left_is_first: Flags
    n_reveals_seen: Integers

    def __post_init__(self) -> None:
        columns = [getattr(self, field.name) for field in fields(self)]
        if {column.shape for column in columns} != {(len(self.pair),)}:
            raise ValueError("the columns of a vote table have one value a vote")
        if any((column < 0).any() for column in (self.pair, self.rater, self.n_reveals_seen)):
            raise ValueError("pairs, raters and reveals are not negative")
        if not np.isin(self.label, tuple(Outcome)).all():
            raise ValueError("a vote is for the first, for the second or a tie")
        # Sorting: np.unique hashes, which takes six times as long where all differ.
        cells = np.sort(self.cell)
        if (cells[1:] == cells[:-1]).any():
            raise ValueError("a rater has one vote a pair")

    @property
    def n_votes(self) -> int:
        return len(self.pair)

    @property
    def n_raters(self) -> int:
        """Raters with at least one counted vote."""
        return int(np.count_nonzero(np.bincount(self.rater)))

    @property
    def cell(self) -> Integers:
        """A number that is one and the same only for votes of one rater on one pair."""
        n_codes = int(self.rater.max(initial=0)) + 1
        return self.pair * n_codes + self.rater

    def label_counts(self, n_pairs: int) -> Integers:
        """Votes for first, second and tie: shape (n_pairs, 3)."""
        codes = self.pair * len(Outcome) + self.label
        counts = np.bincount(codes, minlength=n_pairs * len(Outcome))
        if len(counts) > n_pairs * len(Outcome):
            raise ValueError(f"a vote names a pair outside the {n_pairs} pairs")
        return counts.reshape(n_pairs, len(Outcome)).astype(np.int64)


def require_same_votes(pairs: PairTable, votes: VoteTable) -> None:
    """ValueError unless ``votes`` are exactly the votes counted in ``pairs``."""
    counted = np.column_stack((pairs.n_first, pairs.n_second, pairs.n_tie))
    if not np.array_equal(votes.label_counts(pairs.n_pairs), counted):
        raise ValueError("the votes are not those that the pair table counts")
