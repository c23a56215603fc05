"""Is the longer answer preferred, and by how much?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.pairs import Labels, Outcome, PairTable
from evaluation.statistics.calibration.undefined import Undefined
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval


@dataclass(frozen=True, slots=True)
class LengthPreference:
    """``longer_preferred``: share of decisive pairs in which the longer answer won; pairs of equal
    length (``n_equal``) are left out. ``mean_lead_chars`` and ``median_lead_chars``: length of the
    preferred answer minus the other's over all decisive pairs."""

    longer_preferred: RateInterval
    mean_lead_chars: float
    median_lead_chars: float
    n_equal: int


@dataclass(frozen=True, slots=True)
class LengthBias:
    """The preference of people, and of the judge on the same pairs where it prefers a side."""

    people: LengthPreference | Undefined
    judge: LengthPreference | Undefined


def length_bias(pairs: PairTable, *, level: float = 0.95) -> LengthBias:
    """How often and by how much the longer answer is preferred, by majority and by the judge.

    A longer answer may be the better one: the share is a hint, not a proof of bias, and is read
    beside the judge's. Wilson assumes independent pairs. Raises StatisticUndefined when lengths
    are not known. Source: Wilson (1927); Dubois et al. (2024), "Length-Controlled AlpacaEval".
    """
    if pairs.length_difference is None:
        raise StatisticUndefined("The lengths of the answers are not known.")
    judged = pairs.where(pairs.is_judged)
    return LengthBias(
        preference(pairs, pairs.majority, level=level),
        preference(judged, judged.judged_outcome(), level=level),
    )


def preference(pairs: PairTable, label: Labels, *, level: float) -> LengthPreference | Undefined:
    """The preference of whoever gave ``label`` (n_pairs,)."""
    longer_by = pairs.length_difference
    decisive = label != Outcome.TIE
    if longer_by is None or not decisive.any():
        return Undefined("No pair has a preferred side.")
    lead = np.where(label == Outcome.FIRST, longer_by, -longer_by)[decisive]
    unequal = lead != 0
    if not unequal.any():
        return Undefined("All preferred answers are as long as the others.")
    return LengthPreference(
        wilson_interval(float((lead > 0).sum()), float(unequal.sum()), level=level),
        float(lead.mean()),
        float(np.median(lead)),
        int((~unequal).sum()),
    )
