"""Raters among each other: how far do votes on the same pair agree?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.alpha import Alpha, Scale, krippendorff_alpha
from evaluation.statistics.calibration.kappa import Kappa, cohen_kappa, fleiss_kappa
from evaluation.statistics.calibration.pairs import Integers, Outcome, majority_of
from evaluation.statistics.calibration.undefined import Undefined, value_or_reason
from evaluation.statistics.calibration.votes import VoteTable
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """``alpha`` of all votes, ``cohen`` when there are exactly two raters, ``fleiss`` when every
    pair has the same number of votes."""

    alpha: Alpha | Undefined
    cohen: Kappa | Undefined
    fleiss: Kappa | Undefined
    n_raters: int


@dataclass(frozen=True, slots=True)
class RaterAgainstOthers:
    """One rater's votes against the majority of the other votes on the same pair (no majority is a
    tie). ``agreement`` over ``n_shared`` pairs with another vote, None where there is none."""

    rater: int
    n_votes: int
    n_shared: int
    agreement: RateInterval | None
    undefined: str = ""


def rater_agreement(votes: VoteTable, *, n_pairs: int) -> RaterAgreement:
    """Agreement of votes (first, second, tie), independent of the sides shown.

    ``n_pairs``: of the pair table. Raises StatisticUndefined without votes.
    Sources: as ``krippendorff_alpha``, ``cohen_kappa`` and ``fleiss_kappa``.
    """
    if votes.n_votes == 0:
        raise StatisticUndefined("There is no counted vote yet.")
    if votes.n_raters == 1:
        alone = Undefined("There is only one rater; a second one on the same pairs would help.")
        return RaterAgreement(alone, alone, alone, 1)
    counts = votes.label_counts(n_pairs)
    voted = counts[counts.sum(axis=1) > 0]
    return RaterAgreement(
        value_or_reason(lambda: krippendorff_alpha(voted, scale=Scale.NOMINAL)),
        value_or_reason(lambda: cohen_kappa(two_rater_table(votes))),
        value_or_reason(lambda: fleiss_kappa(voted)),
        votes.n_raters,
    )


def two_rater_table(votes: VoteTable) -> Integers:
    """Pairs by the label of the first rater and of the second, shape (3, 3).

    Raises StatisticUndefined for another number of raters.
    """
    raters = np.unique(votes.rater)
    if len(raters) != 2:
        raise StatisticUndefined(
            f"Cohen's kappa compares two raters; there are {len(raters)}. "
            "Krippendorff's alpha takes any number."
        )
    is_first = votes.rater == raters[0]
    _, of_first, of_second = np.intersect1d(
        votes.pair[is_first], votes.pair[~is_first], assume_unique=True, return_indices=True
    )
    first, second = votes.label[is_first][of_first], votes.label[~is_first][of_second]
    cells = first.astype(np.int64) * len(Outcome) + second
    return (
        np.bincount(cells, minlength=len(Outcome) ** 2)
        .reshape(len(Outcome), len(Outcome))
        .astype(np.int64)
    )


def raters_against_others(
    votes: VoteTable, *, n_pairs: int, level: float = 0.95
) -> tuple[RaterAgainstOthers, ...]:
    """Each rater against the majority of the others, by rising rater code.

    Wilson over the rater's shared pairs, taken as independent. Source: leave-one-out agreement as
    in Snow, O'Connor, Jurafsky and Ng (2008), EMNLP, with the majority in place of the mean.
    """
    others = votes.label_counts(n_pairs)[votes.pair]
    others[np.arange(votes.n_votes), votes.label] -= 1
    is_shared = others.sum(axis=1) > 0
    agrees = is_shared & (majority_of(others) == votes.label)
    raters, code = np.unique(votes.rater, return_inverse=True)
    columns = (np.bincount(code, flags) for flags in (np.ones(len(code)), is_shared, agrees))
    return tuple(
        RaterAgainstOthers(
            int(rater),
            int(n_votes),
            int(n_shared),
            wilson_interval(float(n_agree), float(n_shared), level=level) if n_shared else None,
            "" if n_shared else "No one else voted on this rater's pairs.",
        )
        for rater, n_votes, n_shared, n_agree in zip(raters, *columns, strict=True)
    )
