"""How many pairs each stratum gets."""

from __future__ import annotations

import numpy as np

from annotation.pair_sampling.candidates import Integers, Reals


class AllocationTooLarge(ValueError):
    """More is to be given out than there is room for."""


def fill(total: float, capacities: Reals, weights: Reals | None = None) -> Reals:
    """Shares that sum to ``total``, in proportion to ``weights`` (equal by default) and never over
    the capacities: what a full stratum cannot take goes to the others, in the same proportion.

    All of shape (n_strata,); the shares are real numbers. Weights of strata with room must be
    positive. Raises AllocationTooLarge.
    """
    room = np.asarray(capacities, dtype=np.float64)
    if total > room.sum() + 1e-9:
        raise AllocationTooLarge(f"{total:g} are to be drawn and {room.sum():g} exist")
    weight = np.ones_like(room) if weights is None else np.asarray(weights, dtype=np.float64)
    shares = np.zeros_like(room)
    is_open = room > 0
    left = float(total)
    while left > 1e-12 and is_open.any():
        offered = left * weight[is_open] / weight[is_open].sum()
        full = offered >= room[is_open]
        if not full.any():
            shares[is_open] = offered
            break
        filled = np.flatnonzero(is_open)[full]
        shares[filled] = room[filled]
        left -= float(room[filled].sum())
        is_open[filled] = False
    return shares


def round_at_random(shares: Reals, rng: np.random.Generator) -> Integers:
    """Whole numbers with the shares as their expected values and, up to rounding, the same sum:
    each is its share rounded down or up.

    Systematic sampling over the cumulated shares with one random start, so that any run of
    neighbouring strata is also within one of its sum. Source: Madow (1949), Annals of
    Mathematical Statistics 20, 333-354.
    """
    total = round(float(shares.sum()))
    # The cumulated sum is pinned to the whole total, or rounding errors could lose the last one.
    borders = np.concatenate(([0.0], np.cumsum(shares)))
    borders[borders > borders[-1] - 1e-9] = total
    start = rng.uniform()
    return np.diff(np.floor(borders + start)).astype(np.int64)
