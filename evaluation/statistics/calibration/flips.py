"""Does a judge change its mind when two answers swap places?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.pairs import Integers
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval


@dataclass(frozen=True, slots=True)
class OrderFlips:
    """Pairs judged in both orders. ``flipped``: share whose preferred side turned into the other.
    ``n_tied_once`` pairs were a tie in exactly one order. ``first_shown``: of the preferences in
    either order, the share for the answer shown first, 0.5 without a position bias; None where
    ``undefined`` says why."""

    flipped: RateInterval
    n_flipped: int
    n_tied_once: int
    first_shown: RateInterval | None
    undefined: str = ""


def order_flips(
    shown_first_hundredths: Integers,
    shown_second_hundredths: Integers,
    *,
    tolerance_hundredths: int = 0,
    level: float = 0.95,
) -> OrderFlips:
    """How often a judge prefers another answer once the two swap places.

    Both columns (n_pairs,): score of one and the same answer minus the other's in hundredths of a
    point, when that answer was shown first and when it was shown second. |gap| up to the tolerance
    is a tie. Wilson assumes independent pairs. Raises StatisticUndefined without pairs.
    Source: Zheng et al. (2023), "Judging LLM-as-a-Judge", section 3.3.
    """
    if shown_first_hundredths.shape != shown_second_hundredths.shape:
        raise ValueError("both orders have one gap a pair")
    n_pairs = len(shown_first_hundredths)
    if n_pairs == 0:
        raise StatisticUndefined(
            "No pair is judged in both orders. Judging some pairs again with the answers swapped "
            "would help."
        )
    sides = [
        np.where(np.abs(gap) <= tolerance_hundredths, 0, np.sign(gap))
        for gap in (shown_first_hundredths, shown_second_hundredths)
    ]
    n_flipped = int((sides[0] * sides[1] < 0).sum())
    n_preferences = int(sum(np.count_nonzero(side) for side in sides))
    n_first = int((sides[0] > 0).sum() + (sides[1] < 0).sum())
    return OrderFlips(
        wilson_interval(n_flipped, n_pairs, level=level),
        n_flipped,
        int(((sides[0] == 0) != (sides[1] == 0)).sum()),
        wilson_interval(n_first, n_preferences, level=level) if n_preferences else None,
        "" if n_preferences else "The judge prefers no side in either order.",
    )
