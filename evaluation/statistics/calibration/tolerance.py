"""Overall agreement: judge and people give the same of three outcomes, by the tie tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.clusters import (
    N_RESAMPLES,
    CategorySums,
    ClusteredRate,
    resampled_category_sums,
)
from evaluation.statistics.calibration.pairs import (
    Flags,
    Integers,
    Outcome,
    PairTable,
)
from evaluation.statistics.calibration.weighting import effective_n, share_interval
from evaluation.statistics.wilson import RateInterval, wilson_interval

DEFAULT_TAUS = tuple(range(0, 401, 10))
SAME_SIDE, TIED, OTHER = range(3)
N_KINDS = 3


@dataclass(frozen=True, slots=True)
class AgreementAtTau:
    """Share of pairs with the same outcome by people and judge, when the judge ties at
    |gap| <= ``tau_hundredths``. ``unweighted``: ``n_agree`` of the pairs, Wilson. ``weighted``: by
    1 / inclusion probability, Wilson at the effective n. ``clustered``: the weighted share with a
    bootstrap over questions."""

    tau_hundredths: int
    n_agree: int
    unweighted: RateInterval
    weighted: RateInterval
    clustered: ClusteredRate


@dataclass(frozen=True, slots=True)
class ToleranceCurve:
    """``points`` by rising tau over ``n_pairs`` judged pairs, ``n_tie`` of them tied by people.
    ``best`` has the highest weighted share, ``best_unweighted`` the highest unweighted one; of
    equals the smallest tau. ``n_unjudged`` pairs are left out."""

    points: tuple[AgreementAtTau, ...]
    best: AgreementAtTau
    best_unweighted: AgreementAtTau
    n_pairs: int
    n_tie: int
    n_unjudged: int
    n_questions: int
    clustered_by: str


def tolerance_curve(
    pairs: PairTable,
    *,
    rng: np.random.Generator,
    taus_hundredths: Sequence[int] = DEFAULT_TAUS,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> ToleranceCurve:
    """Overall agreement over all judged pairs (first, second or tie alike) at each tolerance.

    Gaps are compared with tau in exact hundredths of a point. Wilson assumes independent pairs,
    the bootstrap independent questions. Raises StatisticUndefined when no pair is judged and
    ValueError for tolerances that do not rise from 0 or more.
    Source: "Beyond Memory Leaderboards", section 6.5 (inset of Figure 6b).
    """
    taus = np.asarray(taus_hundredths, dtype=np.int64)
    if len(taus) == 0 or taus[0] < 0 or (np.diff(taus) <= 0).any():
        raise ValueError("tolerances rise from 0 or more, in hundredths of a point")
    kept = pairs.judged()
    n_taus = len(taus)
    kind = kinds_of(kept)
    # The first tolerance at which the judge ties; n_taus where it never does.
    tied_from = np.searchsorted(taus, np.abs(kept.gap_hundredths))
    category, n_categories = kind * (n_taus + 1) + tied_from, N_KINDS * (n_taus + 1)
    sums = resampled_category_sums(
        kept.question,
        category,
        kept.weight,
        n_categories=n_categories,
        rng=rng,
        n_resamples=n_resamples,
    )
    n_pairs_in = np.bincount(category, minlength=n_categories)
    n_effective = effective_n(kept.weight)
    points = tuple(
        made_point(int(tau), index, n_pairs_in, n_effective, sums, level=level)
        for index, tau in enumerate(taus)
    )
    return ToleranceCurve(
        points,
        max(points, key=lambda point: (round(point.weighted.rate, 12), -point.tau_hundredths)),
        max(points, key=lambda point: (point.n_agree, -point.tau_hundredths)),
        kept.n_pairs,
        int((kind == TIED).sum()),
        pairs.n_pairs - kept.n_pairs,
        sums.n_questions,
        sums.clustered_by,
    )


def kinds_of(pairs: PairTable) -> Integers:
    """Whether the higher score is on the side of the majority, there is none, or neither."""
    majority = pairs.majority
    kind = np.where(majority == pairs.judged_outcome(), SAME_SIDE, OTHER)
    kind[majority == Outcome.TIE] = TIED
    return kind


def made_point(
    tau: int,
    index: int,
    n_pairs_in: Integers,
    n_effective: float,
    sums: CategorySums,
    *,
    level: float,
) -> AgreementAtTau:
    """One point, from the number of pairs in each category and their weights in ``sums``."""
    n_positions = len(n_pairs_in) // N_KINDS
    agrees = agrees_at(index, *np.divmod(np.arange(len(n_pairs_in)), n_positions))
    n_agree = int(n_pairs_in[agrees].sum())
    clustered = sums.rate(agrees.astype(np.float64), np.ones(len(agrees)), level=level)
    return AgreementAtTau(
        tau,
        n_agree,
        wilson_interval(n_agree, int(n_pairs_in.sum()), level=level),
        share_interval(clustered.rate, n_effective, level=level),
        clustered,
    )


def agrees_at(index: int, kind: Integers, tied_from: Integers) -> Flags:
    """Same outcome at the tolerance with this index: the same side while the judge still prefers
    one, or a tie once the judge ties."""
    agrees: Flags = np.where(tied_from <= index, kind == TIED, kind == SAME_SIDE)
    return agrees
