"""Router headroom: what choosing the right system for each question could add.

The oracle takes, for every question, its best score: a ceiling that no router can pass and that
noise in the scores alone lifts above the best single system. The tier router is what can be had
from the tier label: for a question it takes the system that is best on the *other* questions of
the same tier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.bootstrap import (
    DEFAULT_LEVEL,
    DEFAULT_RESAMPLES,
    FEWEST_UNITS,
    Interval,
)
from evaluation.statistics.draws import count_chunks, on_exact_grid, percentile_bounds
from evaluation.statistics.inputs import as_score_table
from evaluation.statistics.refusals import StatisticUndefined

CELLS_A_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class RouterHeadroom:
    """All on the scale of the scores, over the ``n`` questions that every system has.

    ``best_single`` is the highest mean of one system and ``best_systems`` the row or, in a tie,
    rows that have it; ``oracle_gain`` and ``tier_gain`` are the routers' means minus it.
    """

    n: int
    best_systems: tuple[int, ...]
    best_single: Interval
    oracle: Interval
    oracle_gain: Interval
    tier_router: Interval
    tier_gain: Interval


def router_headroom(
    scores: NDArray[np.float64],
    tiers: Sequence[str],
    *,
    rng: np.random.Generator,
    n_resamples: int = DEFAULT_RESAMPLES,
    level: float = DEFAULT_LEVEL,
) -> RouterHeadroom:
    """Oracle and leave-one-question-out tier router of ``scores`` (n_systems, n_questions; NaN
    where missing) against the best single system; ``tiers`` has one label a question.

    The tier router leaves out the question itself (all its copies, in a draw); systems that tie
    share the question evenly; a question alone in its tier is routed by all other questions.
    Intervals: percentile bootstrap over questions, the best single system and the router's
    choices made anew in every draw. ``oracle_gain`` cannot be negative, so that its interval
    excludes 0 is no test. Assumes questions drawn independently from one population.

    Raises ValueError for a tier list of another length; StatisticUndefined for fewer than 2
    systems, fewer than 2 questions that every system has, or too few resamples.
    Source: "Beyond Memory Leaderboards: Evaluating Scientific Memory as Budgeted Context
    Restoration", the paragraph "How much can routing help?".
    """
    table = as_score_table(scores)
    if len(tiers) != table.shape[1]:
        raise ValueError(f"{len(tiers)} tiers for {table.shape[1]} questions")
    if len(table) < 2:
        raise StatisticUndefined("Routing needs at least 2 systems to choose from.")
    common = ~np.isnan(table).any(axis=0)
    n = int(common.sum())
    if n < FEWEST_UNITS:
        raise StatisticUndefined(
            f"Routing needs at least {FEWEST_UNITS} questions that every system has; "
            f"there {'is' if n == 1 else 'are'} {n}."
        )
    whole, exponent = shared_grid(table[:, common])
    _, tier_of = np.unique(np.asarray(tiers)[common], return_inverse=True)
    observed = router_sums(np.ones((1, n)), whole, tier_of)[:, 0]
    drawn = np.concatenate(
        [
            router_sums(block, whole, tier_of)
            for chunk in count_chunks(n, n_resamples, rng)
            for block in blocks(chunk.astype(np.float64), len(table))
        ],
        axis=1,
    )
    single, oracle, tier = (
        (float(np.ldexp(estimate, -exponent) / n), np.ldexp(replicates, -exponent) / n)
        for estimate, replicates in zip(observed, drawn, strict=True)
    )
    sums = whole.sum(axis=1)
    return RouterHeadroom(
        n=n,
        best_systems=tuple(int(i) for i in np.flatnonzero(sums == sums.max())),
        best_single=interval(*single, n, level),
        oracle=interval(*oracle, n, level),
        oracle_gain=interval(oracle[0] - single[0], oracle[1] - single[1], n, level),
        tier_router=interval(*tier, n, level),
        tier_gain=interval(tier[0] - single[0], tier[1] - single[1], n, level),
    )


def shared_grid(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Scores as whole numbers with one exponent, so that sums compare and tie exactly."""
    whole, exponents = on_exact_grid(scores.reshape(-1, 1), scores.shape[1])
    return whole.reshape(scores.shape), int(exponents[0])


def blocks(counts: NDArray[np.float64], n_systems: int) -> list[NDArray[np.float64]]:
    """``counts`` in pieces small enough for an array of (draws, systems, questions)."""
    size = max(1, CELLS_A_BLOCK // (n_systems * counts.shape[1]))
    return [counts[start : start + size] for start in range(0, len(counts), size)]


def router_sums(
    counts: NDArray[np.float64], whole: NDArray[np.float64], tier_of: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Sums of scores under ``counts`` (draws, n): rows are best single system, oracle and tier
    router; shape (3, draws)."""
    totals = counts @ whole.T
    routed = np.zeros(len(counts))
    for tier in range(int(tier_of.max()) + 1):
        inside = tier_of == tier
        weight, own = counts[:, inside], whole[:, inside]
        own_sums = weight[:, None, :] * own
        others = (weight @ own.T)[:, :, None] - own_sums
        is_alone = (weight.sum(axis=1, keepdims=True) == weight)[:, None, :]
        others = np.where(is_alone, totals[:, :, None] - own_sums, others)
        is_chosen = others == others.max(axis=1, keepdims=True)
        share = np.where(is_chosen, own, 0.0).sum(axis=1) / is_chosen.sum(axis=1)
        routed += (weight * share).sum(axis=1)
    return np.stack([totals.max(axis=1), counts @ whole.max(axis=0), routed])


def interval(estimate: float, replicates: NDArray[np.float64], n: int, level: float) -> Interval:
    low, high = percentile_bounds(replicates[None, :], level)
    return Interval(estimate, float(low[0]), float(high[0]), n)
