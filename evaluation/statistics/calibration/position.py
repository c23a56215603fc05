"""Biases of votes: is the left side preferred, and do votes change once winners are revealed?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.pairs import Outcome, PairTable
from evaluation.statistics.calibration.votes import VoteTable
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval

DEFAULT_REVEAL_EDGES = (0, 1, 6, 21)


@dataclass(frozen=True, slots=True)
class RevealGroup:
    """Decisive votes on judged pairs by raters who had seen ``fewest`` to ``most`` reveals (None
    is open). ``agreement``: share for the judge's side, None where ``undefined`` says why."""

    fewest: int
    most: int | None
    n_decisive: int
    agreement: RateInterval | None
    undefined: str = ""


def left_share(votes: VoteTable, *, level: float = 0.95) -> RateInterval:
    """Share of decisive votes for the answer shown on the left, from 0 to 1; 0.5 is no bias when
    sides are balanced.

    Wilson over votes assumes independent votes. Raises StatisticUndefined without a decisive vote.
    Source: Wilson (1927).
    """
    decisive = votes.label != Outcome.TIE
    if not decisive.any():
        raise StatisticUndefined("No vote prefers a side, so no side can be preferred too often.")
    chose_left = (votes.label == Outcome.FIRST) == votes.left_is_first
    return wilson_interval(float((chose_left & decisive).sum()), float(decisive.sum()), level=level)


def agreement_by_reveals(
    pairs: PairTable,
    votes: VoteTable,
    *,
    edges: Sequence[int] = DEFAULT_REVEAL_EDGES,
    level: float = 0.95,
) -> tuple[RevealGroup, ...]:
    """Agreement of decisive votes with the judge by how many reveals the rater had seen.

    ``edges``: rising lower edges from 0, the last group open. A gap of 0 does not agree. Rising
    agreement suggests that raters learn the judge's taste. Wilson over votes assumes independent
    votes. Raises StatisticUndefined without a decisive vote on a judged pair.
    Source: Wilson (1927).
    """
    lows = np.asarray(edges, dtype=np.int64)
    if len(lows) == 0 or lows[0] != 0 or (np.diff(lows) <= 0).any():
        raise ValueError(f"edges of reveals rise from 0, not {edges}")
    counted = pairs.is_judged[votes.pair] & (votes.label != Outcome.TIE)
    if not counted.any():
        raise StatisticUndefined("No decisive vote is on a pair with a judge's gap.")
    agrees = votes.label[counted] == pairs.judged_outcome()[votes.pair[counted]]
    group = np.searchsorted(lows, votes.n_reveals_seen[counted], side="right") - 1
    n_votes = np.bincount(group, minlength=len(lows))
    n_agree = np.bincount(group, agrees, minlength=len(lows))
    mosts = [*(int(low) - 1 for low in lows[1:]), None]
    return tuple(
        RevealGroup(
            int(low),
            most,
            int(n),
            wilson_interval(float(k), float(n), level=level) if n else None,
            "" if n else "No decisive vote was cast after so many reveals.",
        )
        for low, most, n, k in zip(lows, mosts, n_votes, n_agree, strict=True)
    )
