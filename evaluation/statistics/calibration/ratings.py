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
    require_tie_parameter,
    strongly_connected,
    wins_go_round,
)
from evaluation.statistics.calibration.outcomes import OutcomeCounts, Unit
from evaluation.statistics.calibration.pairs import Reals
from evaluation.statistics.calibration.strengths import fitted_strengths
from evaluation.statistics.draws import percentile_bounds
from evaluation.statistics.refusals import StatisticUndefined

DRAW_PRIOR_WINS = 0.25
SAME_STRENGTH = 1e-8


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
    ``n_comparisons``: outcomes (or their weights). ``prior_wins``: virtual wins added both ways to
    each compared pairing. ``n_draws_with_prior`` of ``n_draws`` had no strengths of their own and
    got a quarter of a win both ways. ``replicates``: log strengths (B, n_systems), without rows
    when nothing could be drawn. ``interval_undefined`` says why there are no bounds."""

    model: Model
    unit: Unit
    rows: tuple[Rating, ...]
    tie_parameter: float | None
    n_comparisons: float
    n_questions: int
    prior_wins: float
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
    prior_wins: float = 0.0,
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
) -> Ratings:
    """Strength of every compared system by maximum likelihood, with percentile intervals.

    The interval resamples questions: by ``rng``, or by ``drawn`` (B, n_questions) when several
    ratings must share their draws; with neither there is none. A draw in which no strengths exist
    (a system lost all) gets a quarter of a win both ways a pairing and is counted. Assumes that
    outcomes depend on strengths alone and that questions are drawn independently.

    Raises StatisticUndefined, naming systems, when no strengths exist in the data; ``prior_wins``
    above 0 makes them exist wherever pairs connect the systems. Sources: Bradley and Terry (1952),
    Biometrika 39, 324-345; Newman (2023), JMLR 24, 1-25; checked against evalica's golden files.
    """
    if not (math.isfinite(prior_wins) and prior_wins >= 0.0):
        raise ValueError(f"a prior is a number of wins from 0 up, not {prior_wins}")
    a_question = prior_wins / max(1, counts.n_questions)
    counts = replace(
        counts, low_wins=counts.low_wins + a_question, high_wins=counts.high_wins + a_question
    )
    require_strengths(counts)
    if model is Model.NEWMAN:
        require_tie_parameter(counts)
    strengths, log_tie = fitted(counts, model)
    replicates, n_draws_with_prior, undefined = np.empty((0, counts.n_systems)), 0, ""
    bounds: tuple[Reals, Reals] | None = None
    try:
        if drawn is None and rng is not None:
            drawn = counts.draws(rng, n_resamples)
        if drawn is None:
            undefined = "No interval was asked for."
        else:
            replicates, n_draws_with_prior = refitted(
                counts, drawn, strengths, log_tie, model=model
            )
            bounds = percentile_bounds(replicates.T, level)
            if np.max(bounds[1] - bounds[0]) < SAME_STRENGTH:
                bounds, undefined = None, "Every draw of questions gives the same strengths."
    except StatisticUndefined as refusal:
        undefined = str(refusal)
    tie_parameter = None
    if model is Model.NEWMAN:
        tie_parameter = math.exp(log_tie) / 2.0 if counts.ties.any() else 0.0
    rows = tuple(
        Rating(
            system,
            float(strengths[index]),
            None if bounds is None else float(bounds[0][index]),
            None if bounds is None else float(bounds[1][index]),
            1 + int((strengths > strengths[index] + SAME_STRENGTH).sum()),
        )
        for index, system in enumerate(counts.systems)
    )
    return Ratings(
        model,
        counts.unit,
        rows,
        tie_parameter,
        float(sum(side.sum() for side in counts.totals())) - 2 * prior_wins * len(counts.low),
        counts.n_questions,
        prior_wins,
        len(replicates),
        n_draws_with_prior,
        replicates,
        undefined,
    )


def fitted(counts: OutcomeCounts, model: Model) -> tuple[Reals, float]:
    """Log strengths with mean 0 (n_systems,), and log 2 nu."""
    sums, start = counts.totals(), np.zeros(counts.n_systems)
    with_ties = model is Model.NEWMAN
    theta, eta = fitted_strengths(counts.low, counts.high, sums, start, with_ties=with_ties)
    if np.isnan(theta).any():
        raise StatisticUndefined(
            "The strengths do not settle. More pairs would help, or a declared prior."
        )
    return theta[0], float(eta[0])


def refitted(
    counts: OutcomeCounts, drawn: Reals, strengths: Reals, log_tie: float, *, model: Model
) -> tuple[Reals, int]:
    """Log strengths in every draw (B, n_systems), and how many draws needed a prior."""
    low, high, (low_wins, high_wins, ties) = counts.low, counts.high, counts.sums(drawn)
    sums = (low_wins, high_wins, ties)
    falls_apart = ~strongly_connected(beaten(low, high, sums, counts.n_systems))
    if model is Model.NEWMAN:
        falls_apart |= ties.any(axis=1) & ~wins_go_round(low, high, sums, counts.n_systems)
    low_wins[falls_apart] += DRAW_PRIOR_WINS
    high_wins[falls_apart] += DRAW_PRIOR_WINS
    replicates, _ = fitted_strengths(
        low, high, sums, strengths, with_ties=model is Model.NEWMAN, start_log_tie=log_tie
    )
    return replicates, int(falls_apart.sum())
