"""When to stop voting: pairs still needed until every bucket's interval is narrow enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.statistics.calibration.decisive import GapBucket
from evaluation.statistics.wilson import wilson_interval

DEFAULT_WIDTH = 0.2
RATE_OF_AN_EMPTY_BUCKET = 0.5


@dataclass(frozen=True, slots=True)
class BucketNeed:
    """``width``: of the bucket's 95 % interval now, 1 when it is empty. ``decisive_needed`` more
    decisive pairs bring it to the target if the rate stays; ``pairs_needed`` at the bucket's share
    of ties so far."""

    label: str
    width: float
    decisive_needed: int
    pairs_needed: int


@dataclass(frozen=True, slots=True)
class StoppingHint:
    """``widest`` has the widest interval; ``pairs_needed`` pairs in all, drawn bucket by bucket as
    ``needs`` says, make every interval narrower than ``target_width``."""

    target_width: float
    widest: BucketNeed
    needs: tuple[BucketNeed, ...]
    pairs_needed: int

    @property
    def is_reached(self) -> bool:
        return self.pairs_needed == 0


def stopping_hint(
    buckets: Sequence[GapBucket], *, target_width: float = DEFAULT_WIDTH, level: float = 0.95
) -> StoppingHint:
    """Pairs still needed until the widest bucket's Wilson interval (upper minus lower bound, on
    rates from 0 to 1) is narrower than ``target_width``.

    Assumes that each bucket keeps its rate and its share of ties; an empty one is taken at a rate
    of one half and without ties. It reads widths, never who won. Raises ValueError for no bucket or
    a width outside 0 to 1. Source: inverting Wilson (1927).
    """
    if not 0.0 < target_width < 1.0:
        raise ValueError(f"a width lies between 0 and 1, not at {target_width}")
    if not buckets:
        raise ValueError("there is no bucket to narrow")
    needs = tuple(bucket_need(bucket, target_width, level) for bucket in buckets)
    widest = max(needs, key=lambda need: need.width)
    return StoppingHint(target_width, widest, needs, sum(need.pairs_needed for need in needs))


def bucket_need(bucket: GapBucket, target_width: float, level: float) -> BucketNeed:
    """What one bucket still needs; widths of rates from 0 to 1."""
    if bucket.n_decisive == 0:
        rate, width = RATE_OF_AN_EMPTY_BUCKET, 1.0
    else:
        rate = bucket.n_agree / bucket.n_decisive
        width = interval_width(rate, bucket.n_decisive, level)
    needed = max(0, decisive_for_width(rate, target_width, level) - bucket.n_decisive)
    decisive_share = bucket.n_decisive / bucket.n_pairs if bucket.n_decisive else 1.0
    return BucketNeed(bucket.label, width, needed, math.ceil(needed / decisive_share - 1e-9))


def interval_width(rate: float, n: int, level: float) -> float:
    """Upper minus lower bound of Wilson's interval at this rate."""
    interval = wilson_interval(rate * n, n, level=level)
    return interval.high - interval.low


def decisive_for_width(rate: float, target_width: float, level: float) -> int:
    """The smallest n whose Wilson interval at ``rate`` is narrower than ``target_width``."""
    enough = 1
    while interval_width(rate, enough, level) >= target_width:
        enough *= 2
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if interval_width(rate, middle, level) < target_width:
            enough = middle
        else:
            too_few = middle
    return enough
