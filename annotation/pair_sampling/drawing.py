"""Drawing pairs by a policy: which, with what probability, in what order, and which is first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.pair_sampling.allocation import round_at_random
from annotation.pair_sampling.candidates import Candidates, Flags, Integers, Reals
from annotation.pair_sampling.strata import Strata, shares_of, strata_of

UNIFORM, STRATIFIED, ACTIVE = "uniform", "stratified", "active"


class TooFewCandidates(ValueError):
    """More pairs are to be drawn than there are."""


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """``chosen``: candidates in the order of serving, shape (k,). ``right_is_first``: whether the
    right one of the pair is its first. ``left_out``: for each stratum the probability that one of
    its candidates has not been drawn up to now, shape (n_strata,). ``expected``: how many of this
    draw each stratum was to get, real numbers, shape (n_strata,).
    """

    strata: Strata
    chosen: Integers
    right_is_first: Flags
    expected: Reals
    left_out: Reals

    def inclusion_probabilities(self, candidates: Integers) -> Reals:
        """Of these candidates (positions in the frame): the probability, before anything was
        drawn, of having been drawn by now."""
        # Without the last digit, or 0.2 would come back from 1 − 0.8 as 0.19999999999999996.
        return np.round(1.0 - self.left_out[self.strata.of[candidates]], 15)


def generator(seed: int, wave: int = 0) -> np.random.Generator:
    """The source of randomness of one wave of a campaign's drawing."""
    return np.random.default_rng(np.random.SeedSequence((seed % 2**64, wave)))


def draw_pairs(candidates: Candidates, n: int, *, policy: str, rng: np.random.Generator) -> Draw:
    """``n`` different pairs.

    ``uniform``: a simple random sample. ``stratified`` (and the first wave of ``active``): equal
    shares for the strata, see ``shares_of``. A share is a real number a_h, rounded at random to a
    neighbouring whole number, and that many of the stratum's N_h candidates are a simple random
    sample: each has the inclusion probability a_h / N_h (n_h / N_h where the share is whole).
    Over all candidates these sum to ``n``. Raises TooFewCandidates.
    """
    strata = strata_of(candidates)
    _check_enough(n, len(candidates))
    if policy == UNIFORM:
        expected = strata.n * (n / max(len(candidates), 1))
        chosen = np.sort(rng.choice(len(candidates), size=n, replace=False))
    else:
        expected = shares_of(
            n, strata=strata, left=strata.n, unknown_bucket=candidates.unknown_bucket
        )
        chosen = _drawn_in_strata(strata, np.ones(len(candidates), dtype=bool), expected, rng)
    left_out = 1.0 - expected / strata.n
    return _served_at_random(strata, chosen, expected, left_out, rng)


def draw_wave(
    candidates: Candidates,
    n: int,
    *,
    is_drawn: Flags,
    left_out: Reals,
    decided: Integers,
    rng: np.random.Generator,
) -> Draw:
    """The next ``n`` pairs of the policy ``active``.

    ``decided``: how many votes each drawn candidate has (0 for the others), shape (n_candidates,).
    Only whether a pair has votes is looked at: buckets and pairs of systems with few voted pairs,
    whose intervals are still wide, get more (see ``width``). Who won is not an argument.

    Inside a stratum every wave is a simple random sample of what is left, so a candidate of
    stratum h stays out with probability Π(1 − a_hw / R_hw) over the waves w, where R_hw were left
    and a_hw were expected. One minus that is the inclusion probability of all pairs of the
    stratum, earlier ones too; with whole shares it is n_h / N_h. Raises TooFewCandidates.
    """
    strata = strata_of(candidates)
    still = strata.n - np.bincount(strata.of[is_drawn], minlength=len(strata))
    _check_enough(n, int(still.sum()))
    has_votes = decided > 0
    n_system_pairs = candidates.n_systems * (candidates.n_systems - 1) // 2
    expected = shares_of(
        n,
        strata=strata,
        left=still,
        unknown_bucket=candidates.unknown_bucket,
        bucket_weights=width(
            np.bincount(candidates.bucket[has_votes], minlength=len(candidates.bucket_names))
        ),
        system_pair_weights=width(
            np.bincount(candidates.system_pair[has_votes], minlength=n_system_pairs)
        ),
    )
    chosen = _drawn_in_strata(strata, ~is_drawn, expected, rng)
    still_out = left_out * (1.0 - expected / np.maximum(still, 1))
    return _served_at_random(strata, chosen, expected, still_out, rng)


def width(n: Integers) -> Reals:
    """How wide Wilson's 95 % interval of a rate is when half of ``n`` went either way: from 1 for
    n = 0 towards 0. Any shape."""
    z = 1.959963984540054
    wide: Reals = z / np.sqrt(n.astype(np.float64) + z * z)
    return wide


def _check_enough(n: int, n_left: int) -> None:
    if n > n_left:
        raise TooFewCandidates(f"{n} pairs are to be drawn and {n_left} exist")


def _drawn_in_strata(
    strata: Strata, is_free: Flags, expected: Reals, rng: np.random.Generator
) -> Integers:
    """A simple random sample in each stratum of as many as its share is rounded to."""
    if not is_free.any():
        return np.zeros(0, dtype=np.int64)
    # Neighbours of a bucket change places, so that no two pairs of systems always go together.
    order = np.lexsort((rng.random(len(strata)), strata.bucket))
    n_each = np.zeros(len(strata), dtype=np.int64)
    n_each[order] = round_at_random(expected[order], rng)
    free = np.flatnonzero(is_free)
    shuffled = free[rng.permutation(free.size)]
    by_stratum = shuffled[np.argsort(strata.of[shuffled], kind="stable")]
    sizes = np.bincount(strata.of[free], minlength=len(strata))
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    place = np.arange(free.size) - np.repeat(starts, sizes)
    return np.sort(by_stratum[place < np.repeat(n_each, sizes)])


def _served_at_random(
    strata: Strata,
    chosen: Integers,
    expected: NDArray[np.floating[Any]],
    left_out: NDArray[np.floating[Any]],
    rng: np.random.Generator,
) -> Draw:
    return Draw(
        strata=strata,
        chosen=chosen[rng.permutation(chosen.size)].astype(np.int64),
        right_is_first=rng.random(chosen.size) < 0.5,
        expected=expected.astype(np.float64),
        left_out=np.clip(left_out, 0.0, 1.0).astype(np.float64),
    )
