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
    intervals_of,
)
from evaluation.statistics.draws import on_exact_grid, resampled_means
from evaluation.statistics.inputs import as_score_table
from evaluation.statistics.refusals import StatisticUndefined


@dataclass(frozen=True, slots=True)
class RouterHeadroom:
    """All on the scale of the scores, over the ``n`` questions that every system has.

    ``best_single`` is the highest mean of one system and ``best_systems`` the row or, in a tie,
    the rows that have it; ``oracle_gain`` and ``tier_gain`` are the routers' scores minus it,
    paired by question.
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

    The tier router chooses each question's system without that question's scores; systems that
    tie share the question evenly; a question alone in its tier is routed by all other questions.
    Intervals: percentile bootstrap over questions of the scores so routed, with the best single
    system and all choices kept as made on the whole data. ``oracle_gain`` cannot be negative:
    that its interval excludes 0 is no test. Assumes questions drawn independently from one
    population. Order of systems changes only ``best_systems``.

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
    is_common = ~np.isnan(table).any(axis=0)
    n = int(is_common.sum())
    if n < FEWEST_UNITS:
        raise StatisticUndefined(
            f"Routing needs at least {FEWEST_UNITS} questions that every system has; "
            f"there {'is' if n == 1 else 'are'} {n}."
        )
    common = table[:, is_common]
    # Whole numbers with one exponent for all, so that sums compare and tie exactly.
    whole = on_exact_grid(common.reshape(-1, 1), n)[0].reshape(common.shape)
    single = shared_by_best(whole.sum(axis=1, keepdims=True), common)
    oracle = common.max(axis=0)
    routed = tier_routed(whole, common, np.asarray(tiers)[is_common])
    columns = np.column_stack([single, oracle, oracle - single, routed, routed - single])
    means = resampled_means(columns, rng=rng, n_resamples=n_resamples)
    sums = whole.sum(axis=1)
    return RouterHeadroom(
        n, tuple(np.flatnonzero(sums == sums.max()).tolist()), *intervals_of(means, level=level)
    )


def tier_routed(
    whole: NDArray[np.float64], scores: NDArray[np.float64], tiers: NDArray[np.str_]
) -> NDArray[np.float64]:
    """The tier router's score on each question, shape (n_questions,)."""
    others = np.empty_like(whole)
    for tier in np.unique(tiers):
        inside = tiers == tier
        basis = whole[:, inside] if inside.sum() > 1 else whole
        others[:, inside] = basis.sum(axis=1, keepdims=True) - whole[:, inside]
    return shared_by_best(others, scores)


def shared_by_best(
    standing: NDArray[np.float64], scores: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Each question's score (n_questions,) from the system that stands highest in ``standing``
    (n_systems, n_questions or 1), the mean of their scores where systems tie."""
    is_best = np.broadcast_to(standing == standing.max(axis=0), scores.shape)
    totals = np.sort(np.where(is_best, scores, 0.0), axis=0).sum(axis=0)
    shared: NDArray[np.float64] = totals / is_best.sum(axis=0)
    return shared
