"""What some raters' votes come to: the median time, and agreement with the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from annotation.models import Pair, Vote
from evaluation.statistics.calibration.pairs import Outcome, majority_of


@dataclass(slots=True)
class VoteSums:
    """``n_agree`` of ``n_shared`` counted votes, on pairs that others voted on too, say what the
    majority of the others says."""

    seconds: list[float] = field(default_factory=list)
    n_shared: int = 0
    n_agree: int = 0

    @property
    def median_s(self) -> float | None:
        return median(self.seconds) if self.seconds else None


def sums_of_votes(rater_ids: Collection[int]) -> Mapping[int, VoteSums]:
    """By rater, in one query. Checks are left out; only counted votes, of the rater as of the
    others, are compared, by the rule of ``raters_against_others``: no majority is a tie."""
    sums = {rater_id: VoteSums() for rater_id in rater_ids}
    rows = Vote.objects.filter(rater__in=rater_ids, pair__kind=Pair.VOTE).values_list(
        "rater", "seconds", "choice", "left_is_first", "slot",
        "pair__n_first", "pair__n_second", "pair__n_tie", "pair__n_both_bad",
    )  # fmt: skip
    compared: list[tuple[int, Outcome]] = []
    others: list[tuple[int, int, int]] = []
    for rater, seconds, choice, left_is_first, slot, *counted in rows.iterator(chunk_size=5_000):
        if seconds is not None:
            sums[rater].seconds.append(seconds)
        if slot is not None:
            label = label_of(choice, left_is_first=left_is_first)
            compared.append((rater, label))
            others.append(without(label, counted))
    table = np.array(others, dtype=np.int64).reshape(-1, len(Outcome))
    is_shared = table.sum(axis=1) > 0
    for (rater, label), majority, shared in zip(
        compared, majority_of(table), is_shared, strict=True
    ):
        sums[rater].n_shared += int(shared)
        sums[rater].n_agree += int(shared and majority == label)
    return sums


def label_of(choice: str, *, left_is_first: bool) -> Outcome:
    """Which answer of the pair won, whatever the side it stood on; both bad is a tie."""
    if choice in (Vote.TIE, Vote.BOTH_BAD):
        return Outcome.TIE
    return Outcome.FIRST if (choice == Vote.A) == left_is_first else Outcome.SECOND


def without(label: Outcome, counted: Collection[int]) -> tuple[int, int, int]:
    """The other votes of a pair for first, second and tie. ``counted``: first, second, tie and
    both bad, the vote itself among them."""
    first, second, tie, both_bad = counted
    others = [first, second, tie + both_bad]
    others[label] -= 1
    return others[0], others[1], others[2]
