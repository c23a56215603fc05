"""Ratings of systems from pairwise outcomes: Bradley and Terry, and Newman's model of ties."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from evaluation.statistics.calibration.clusters import N_RESAMPLES
from evaluation.statistics.calibration.connectivity import (
    beaten,
    require_strengths,
    strongly_connected,
)
from evaluation.statistics.calibration.outcomes import OutcomeCounts, Unit
from evaluation.statistics.calibration.pairs import Reals
from evaluation.statistics.calibration.strengths import fitted_strengths
from evaluation.statistics.draws import percentile_bounds
from evaluation.statistics.refusals import StatisticUndefined

TOLERANCE = 1e-12
MOST_ITERATIONS = 100_000
DRAW_PRIOR_TIES = 0.5
SAME_STRENGTH = 1e-9


class Model(StrEnum):
    """How a tie is read; the value is the name to show."""

    BRADLEY_TERRY = "Bradley–Terry, ties as half wins"
    NEWMAN = "Newman, ties of their own"


@dataclass(frozen=True, slots=True)
class Rating:
    """``log_strength``: natural logarithm, mean 0 over the systems; exp of a difference is the
    odds of winning. ``low`` and ``high`` bound it, or are None. ``rank``: 1 is the strongest;
    equals share the better rank."""

    system: str
    log_strength: float
    low: float | None
    high: float | None
    rank: int


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """``rows`` in the order of the counts' systems. ``tie_parameter``: Newman's nu, None without.
    ``n_comparisons``: outcomes (or their weights). ``prior_ties``: virtual ties added to each
    compared pairing. ``n_draws_with_prior`` of ``n_draws`` had no strengths of their own and got
    half a tie a pairing. ``replicates``: log strengths (B, n_systems), no rows where
    ``interval_undefined`` says why."""

    model: Model
    unit: Unit
    rows: tuple[Rating, ...]
    tie_parameter: float | None
    n_comparisons: float
    n_questions: int
    prior_ties: float
    n_draws: int
    n_draws_with_prior: int
    replicates: Reals
    interval_undefined: str = ""


def rate_systems(
    counts: OutcomeCounts,
    *,
    model: Model,
    rng: np.random.Generator | None = None,
    drawn: Reals | None = None,
    prior_ties: float = 0.0,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> Ratings:
    """Strength of every compared system by maximum likelihood, with percentile intervals.

    The interval resamples questions: by ``rng``, or by ``drawn`` (B, n_questions) when several
    ratings must share their draws; with neither there is none. A draw in which no strengths exist
    (a system lost all) gets half a tie a pairing and is counted. Assumes that outcomes depend on
    strengths alone and that questions are drawn independently.

    Raises StatisticUndefined, naming systems, when no strengths exist in the data (``prior_ties``
    above 0 always makes them exist within compared groups), or when a model of ties sees only
    ties. Sources: Bradley and Terry (1952), Biometrika 39, 324-345; Newman (2023), JMLR 24, 1-25;
    fitted by evalica (Ustalov, 2025).
    """
    if not (math.isfinite(prior_ties) and prior_ties >= 0.0):
        raise ValueError(f"a prior is a number of ties from 0 up, not {prior_ties}")
    counts = replace(counts, ties=counts.ties + prior_ties / counts.n_questions)
    require_strengths(counts)
    totals = counts.totals()
    if model is Model.NEWMAN and not (totals[0].any() or totals[1].any()):
        raise StatisticUndefined("Every outcome is a tie; a model of ties needs wins beside them.")
    strengths, nu = fitted_by_evalica(counts, model)
    replicates, n_draws_with_prior, undefined = np.empty((0, counts.n_systems)), 0, ""
    try:
        if drawn is None and rng is not None:
            drawn = counts.draws(rng, n_resamples)
        if drawn is not None:
            log_tie = None if nu is None else math.log(max(2.0 * nu, 1e-6))
            replicates, n_draws_with_prior = refitted(counts, drawn, strengths, log_tie)
            bounds = percentile_bounds(replicates.T, level)
        else:
            undefined = "No interval was asked for."
    except StatisticUndefined as refusal:
        undefined = str(refusal)
    rows = tuple(
        Rating(
            system,
            float(strengths[index]),
            None if undefined else float(bounds[0][index]),
            None if undefined else float(bounds[1][index]),
            1 + int((strengths > strengths[index] + SAME_STRENGTH).sum()),
        )
        for index, system in enumerate(counts.systems)
    )
    return Ratings(
        model,
        counts.unit,
        rows,
        nu,
        float(sum(side.sum() for side in totals)) - prior_ties * len(counts.low),
        counts.n_questions,
        prior_ties,
        len(replicates),
        n_draws_with_prior,
        replicates,
        undefined,
    )


def fitted_by_evalica(counts: OutcomeCounts, model: Model) -> tuple[Reals, float | None]:
    """Log strengths with mean 0 (n_systems,) and Newman's nu, from the aggregated counts."""
    from evalica import Winner, bradley_terry, newman

    low_wins, high_wins, ties = (side[0].tolist() for side in counts.totals())
    n_pairings = len(ties)
    outcomes = (counts.low.tolist() * 3, counts.high.tolist() * 3)
    winners = [winner for winner in (Winner.X, Winner.Y, Winner.Draw) for _ in range(n_pairings)]
    weights = [*low_wins, *high_wins, *ties]
    if model is Model.NEWMAN:
        by_ties = newman(
            *outcomes, winners, weights=weights, tolerance=TOLERANCE, limit=MOST_ITERATIONS
        )
        scores, nu = by_ties.scores, float(by_ties.v)
    else:
        halved = bradley_terry(
            *outcomes, winners, weights=weights, tolerance=TOLERANCE, limit=MOST_ITERATIONS
        )
        scores, nu = halved.scores, None
    strengths = np.log(scores.reindex(range(counts.n_systems)).to_numpy(dtype=np.float64))
    if not np.isfinite(strengths).all():
        raise StatisticUndefined("The strengths do not settle. More pairs would help.")
    return strengths - strengths.mean(), nu


def refitted(
    counts: OutcomeCounts, drawn: Reals, strengths: Reals, log_tie: float | None
) -> tuple[Reals, int]:
    """Log strengths in every draw (B, n_systems), and how many draws needed a prior."""
    low_wins, high_wins, ties = counts.sums(drawn)
    arrows = beaten(counts.low, counts.high, (low_wins, high_wins, ties), counts.n_systems)
    falls_apart = ~strongly_connected(arrows)
    ties[falls_apart] += DRAW_PRIOR_TIES
    sums = (low_wins, high_wins, ties)
    replicates = fitted_strengths(counts.low, counts.high, sums, strengths, log_tie=log_tie)
    return replicates, int(falls_apart.sum())
