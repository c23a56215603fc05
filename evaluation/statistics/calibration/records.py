"""Wins, losses and ties of each system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.clusters import N_RESAMPLES, CategorySums, ClusteredRate
from evaluation.statistics.calibration.outcomes import OutcomeCounts
from evaluation.statistics.calibration.pairs import Integers, Reals
from evaluation.statistics.refusals import StatisticUndefined
from evaluation.statistics.wilson import RateInterval, wilson_interval


@dataclass(frozen=True, slots=True)
class SystemRecord:
    """``wins``, ``losses`` and ``ties`` of one system, in the unit of the counts. ``decisive``:
    wins / (wins + losses) with Wilson's interval, None where ``undefined`` says why.
    ``win_rate``: (wins + ties / 2) / all, with a bootstrap over questions."""

    system: str
    wins: float
    losses: float
    ties: float
    decisive: RateInterval | None
    win_rate: ClusteredRate
    undefined: str = ""


def system_records(
    counts: OutcomeCounts,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> tuple[SystemRecord, ...]:
    """One record a compared system, in the order of ``counts.systems``.

    Wilson assumes independent pairs (with weighted counts its n is the sum of weights: count
    unweighted for it); the win rate assumes independent questions. Sources: Wilson (1927); Efron
    and Tibshirani (1993), section 13.3, questions being the units.
    """
    undefined, replicates = "", np.empty((0, 3 * counts.n_systems))
    totals = by_system(counts, counts.totals())[0]
    try:
        replicates = by_system(counts, counts.sums(counts.draws(rng, n_resamples)))
    except StatisticUndefined as refusal:
        undefined = str(refusal)
    sums = CategorySums(totals, replicates, counts.n_questions, "", undefined)
    return tuple(
        made_record(counts.systems[index], index, sums, level=level)
        for index in range(counts.n_systems)
    )


def by_system(counts: OutcomeCounts, sums: tuple[Reals, Reals, Reals]) -> Reals:
    """Wins, losses and ties of every system, interleaved: shape (B, 3 * n_systems)."""
    low_wins, high_wins, ties = sums
    low, high = (side_matrix(side, counts.n_systems) for side in (counts.low, counts.high))
    wins = low_wins @ low + high_wins @ high
    losses = low_wins @ high + high_wins @ low
    stacked = np.stack((wins, losses, ties @ (low + high)), axis=2)
    return stacked.reshape(len(ties), -1)


def side_matrix(side: Integers, n_systems: int) -> Reals:
    """Which system each pairing has on this side: (k, n_systems), ones and zeros."""
    return np.eye(n_systems)[side]


def made_record(system: str, index: int, sums: CategorySums, *, level: float) -> SystemRecord:
    """One system's record from its three categories in ``sums``."""
    wins, losses, ties = (float(total) for total in sums.totals[3 * index : 3 * index + 3])
    numerator, denominator = np.zeros(len(sums.totals)), np.zeros(len(sums.totals))
    numerator[3 * index : 3 * index + 3] = (1.0, 0.0, 0.5)
    denominator[3 * index : 3 * index + 3] = 1.0
    decisive = wins + losses
    return SystemRecord(
        system,
        wins,
        losses,
        ties,
        wilson_interval(wins, decisive, level=level) if decisive else None,
        sums.rate(numerator, denominator, level=level),
        "" if decisive else f"{system} has only ties: a rate of wins needs a win or a loss.",
    )
