"""Strata of candidates: a bucket of the score gap and a pair of systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.pair_sampling.allocation import fill
from annotation.pair_sampling.candidates import Candidates, Integers, Reals


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """The strata that have candidates, by bucket, then by pair of systems; shape (n_strata,).

    ``of``: the stratum of each candidate. ``n``: candidates in each.
    """

    of: Integers
    bucket: Integers
    system_pair: Integers
    n: Integers

    def __len__(self) -> int:
        return int(self.n.size)


def strata_of(candidates: Candidates) -> Strata:
    """The strata that these candidates fall into."""
    n_system_pairs = candidates.n_systems * (candidates.n_systems - 1) // 2
    code = candidates.bucket * n_system_pairs + candidates.system_pair
    codes, of, n = np.unique(code, return_inverse=True, return_counts=True)
    return Strata(
        of=of.astype(np.int64),
        bucket=codes // max(n_system_pairs, 1),
        system_pair=codes % max(n_system_pairs, 1),
        n=n.astype(np.int64),
    )


def shares_of(
    total: float,
    *,
    strata: Strata,
    left: Integers,
    unknown_bucket: int,
    bucket_weights: Reals | None = None,
    system_pair_weights: Reals | None = None,
) -> Reals:
    """How many of ``total`` each stratum is expected to get, shape (n_strata,).

    First by bucket, then inside a bucket by pair of systems: equally, or by the weights (indexed
    by bucket and by pair of systems). Whatever has no more ``left`` passes its share on. Pairs of
    unknown gap say nothing about the judge, so their bucket gets its share of what is left in
    proportion to its size and no more.
    """
    room = np.asarray(left, dtype=np.float64)
    n_buckets = unknown_bucket + 1
    by_bucket: Reals = np.bincount(strata.bucket, weights=room, minlength=n_buckets).astype(
        np.float64
    )
    known = by_bucket.copy()
    known[unknown_bucket] = 0.0
    all_left = float(by_bucket.sum())
    for_unknown = total * by_bucket[unknown_bucket] / all_left if all_left else 0.0
    shares_by_bucket = fill(total - for_unknown, known, bucket_weights)
    shares_by_bucket[unknown_bucket] = for_unknown
    shares = np.zeros(len(strata))
    for bucket, share in enumerate(shares_by_bucket):
        inside = strata.bucket == bucket
        weights = None
        if system_pair_weights is not None:
            weights = system_pair_weights[strata.system_pair[inside]]
        shares[inside] = fill(float(share), room[inside], weights)
    return shares
