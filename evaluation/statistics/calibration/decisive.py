"""Decisive agreement: where people prefer a side, does the judge prefer the same one?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.clusters import (
    N_RESAMPLES,
    CategorySums,
    ClusteredRate,
    resampled_category_sums,
)
from evaluation.statistics.calibration.pairs import Integers, Labels, Outcome, PairTable
from evaluation.statistics.calibration.votes import VoteTable, require_same_votes
from evaluation.statistics.calibration.weighting import weighted_interval
from evaluation.statistics.wilson import RateInterval, wilson_interval

DEFAULT_EDGES = (0, 200, 400)
KINDS = ("agrees", "disagrees", "gap of 0", "tie")
AGREES, DISAGREES, GAP_ZERO, TIE = range(len(KINDS))
DECISIVE = np.array([1.0, 1.0, 1.0, 0.0])
AGREEING = np.array([1.0, 0.0, 0.0, 0.0])
HALF_FOR_TIES = np.array([1.0, 0.0, 0.5, 0.5])


@dataclass(frozen=True, slots=True)
class GapBucket:
    """Pairs whose |gap| lies in [``low_hundredths``, ``high_hundredths``); None is open.

    ``n_decisive = n_agree + n_disagree + n_gap_zero`` pairs have a majority for a side, ``n_tie``
    have none. ``rate``: n_agree / n_decisive over pairs (a gap of 0 does not agree). ``votes``:
    the same over decisive votes. ``ties_half``: over all votes, 1 for the judge's side and one
    half where the vote or the judge is tied. A rate is None where ``undefined`` says why.
    """

    low_hundredths: int
    high_hundredths: int | None
    n_pairs: int
    n_decisive: int
    n_agree: int
    n_disagree: int
    n_gap_zero: int
    n_tie: int
    rate: RateInterval | None
    votes: ClusteredRate | None
    ties_half: ClusteredRate | None
    undefined: str = ""

    @property
    def label(self) -> str:
        """``0–2``, ``4+``: in points."""
        if self.high_hundredths is None:
            return f"{self.low_hundredths / 100:g}+"
        return f"{self.low_hundredths / 100:g}–{self.high_hundredths / 100:g}"


@dataclass(frozen=True, slots=True)
class DecisiveAgreement:
    """``buckets`` by |gap|, ``overall`` over all of them, ``overall_weighted`` over decisive pairs
    weighted by 1 / inclusion probability. ``n_votes`` votes on judged pairs, ``n_both_bad`` of
    them counted as ties; ``n_unjudged`` pairs are left out of everything."""

    buckets: tuple[GapBucket, ...]
    overall: GapBucket
    overall_weighted: RateInterval | None
    n_votes: int
    n_both_bad: int
    n_unjudged: int
    n_questions: int
    clustered_by: str


def decisive_agreement(
    pairs: PairTable,
    *,
    rng: np.random.Generator,
    votes: VoteTable | None = None,
    edges_hundredths: Sequence[int] = DEFAULT_EDGES,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> DecisiveAgreement:
    """Share of decisive pairs in which the judge prefers the voters' side, by |gap|.

    ``edges_hundredths``: rising lower edges from 0, each included in its bucket, the last bucket
    open. Wilson over pairs assumes independent pairs; the rates over votes have a bootstrap
    clustered by question, and by rater when ``votes`` are given and come from 10 raters or more.
    Raises StatisticUndefined when no pair is judged, ValueError for other edges.
    Source: "Beyond Memory Leaderboards", section 6.5 and Figure 6b; Wilson (1927).
    """
    edges = require_edges(edges_hundredths)
    kept = pairs.judged()
    size = np.abs(kept.gap_hundredths)
    bucket = np.searchsorted(edges, size, side="right") - 1
    kind = kinds_of(kept.majority, kept.judged_outcome())
    sums = sums_of_votes(pairs, votes, edges, rng=rng, n_resamples=n_resamples)
    highs = [*(int(edge) for edge in edges[1:]), None]
    buckets = tuple(
        made_bucket(int(low), high, kind[bucket == index], sums, [index], level=level)
        for index, (low, high) in enumerate(zip(edges, highs, strict=True))
    )
    overall = made_bucket(0, None, kind, sums, range(len(edges)), level=level)
    decisive = kind != TIE
    weighted = (
        weighted_interval(kind[decisive] == AGREES, kept.weight[decisive], level=level)
        if decisive.any()
        else None
    )
    return DecisiveAgreement(
        buckets,
        overall,
        weighted,
        int(kept.n_votes.sum()),
        int(kept.n_both_bad.sum()),
        pairs.n_pairs - kept.n_pairs,
        sums.n_questions,
        sums.clustered_by,
    )


def kinds_of(label: Labels, judged: Labels) -> Integers:
    """Which of the four kinds each label is, beside the judge's outcome: shape as ``label``."""
    kind = np.where(label == judged, AGREES, DISAGREES)
    kind[judged == Outcome.TIE] = GAP_ZERO
    kind[label == Outcome.TIE] = TIE
    return kind


def sums_of_votes(
    pairs: PairTable,
    votes: VoteTable | None,
    edges: Integers,
    *,
    rng: np.random.Generator,
    n_resamples: int,
) -> CategorySums:
    """Votes on judged pairs by bucket and kind, category ``bucket * 4 + kind``."""
    bucket = np.searchsorted(edges, np.abs(pairs.gap_hundredths), side="right") - 1
    judged = pairs.judged_outcome()
    pair: Integers
    rater: Integers | None = None
    if votes is None:
        pair = np.tile(np.flatnonzero(pairs.is_judged), len(Outcome))
        label = np.repeat(np.array(Outcome, dtype=np.int8), int(pairs.is_judged.sum()))
        counts = np.stack((pairs.n_first, pairs.n_second, pairs.n_tie))
        amount = counts[:, pairs.is_judged].ravel().astype(np.float64)
    else:
        require_same_votes(pairs, votes)
        on_judged = pairs.is_judged[votes.pair]
        pair, rater = votes.pair[on_judged], votes.rater[on_judged]
        label = votes.label[on_judged]
        amount = np.ones(len(pair))
    return resampled_category_sums(
        pairs.question[pair],
        bucket[pair] * len(KINDS) + kinds_of(label, judged[pair]),
        amount,
        n_categories=len(edges) * len(KINDS),
        rng=rng,
        rater=rater,
        n_resamples=n_resamples,
    )


def made_bucket(
    low: int,
    high: int | None,
    kind: Integers,
    sums: CategorySums,
    indices: Iterable[int],
    *,
    level: float,
) -> GapBucket:
    """One row: ``kind`` of its pairs, ``indices`` of its buckets in ``sums``."""
    n_agree, n_disagree, n_gap_zero, n_tie = np.bincount(kind, minlength=len(KINDS)).tolist()
    n_decisive = n_agree + n_disagree + n_gap_zero
    chosen = np.zeros(len(sums.totals) // len(KINDS))
    chosen[list(indices)] = 1.0
    agreeing, decisive, half, everything = (
        np.outer(chosen, of_kind).ravel()
        for of_kind in (AGREEING, DECISIVE, HALF_FOR_TIES, np.ones(len(KINDS)))
    )
    undefined = ""
    if len(kind) == 0:
        undefined = "No judged pair has a gap of this size; more pairs from here would fill it."
    elif n_decisive == 0:
        undefined = "Every pair here is tied; a rate needs pairs with a majority for one side."
    return GapBucket(
        low,
        high,
        len(kind),
        n_decisive,
        n_agree,
        n_disagree,
        n_gap_zero,
        n_tie,
        wilson_interval(n_agree, n_decisive, level=level) if n_decisive else None,
        sums.rate(agreeing, decisive, level=level) if sums.totals @ decisive else None,
        sums.rate(half, everything, level=level) if len(kind) else None,
        undefined,
    )


def require_edges(edges_hundredths: Sequence[int]) -> Integers:
    """The edges as an array. ValueError unless they rise from 0."""
    edges = np.asarray(edges_hundredths, dtype=np.int64)
    if len(edges) == 0 or edges[0] != 0 or (np.diff(edges) <= 0).any():
        raise ValueError(f"edges rise from 0 in hundredths of a point, not {edges_hundredths}")
    return edges
