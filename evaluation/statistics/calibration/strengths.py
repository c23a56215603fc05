"""Strengths of systems in many tables of outcomes at once.

A bootstrap fits hundreds of tables that differ little. Both models are multinomial logits with a
concave likelihood, so all tables take the same few Newton steps together. evalica, which the tests
compare with, fits one table at a time, stops at an absolute tolerance that long chains of systems
never reach, and lets nu stand once strengths stand still (no ties, or hardly anything but ties).
"""

from __future__ import annotations

import numpy as np

from evaluation.statistics.calibration.pairs import Integers, Reals

SMALL_STEP = 1e-8
MOST_STEPS = 200
TIE_BOUND = 30.0
STRENGTH_DECIMALS = 9


def fitted_strengths(
    low: Integers,
    high: Integers,
    sums: tuple[Reals, Reals, Reals],
    start: Reals,
    *,
    with_ties: bool,
    start_log_tie: float = 0.0,
) -> tuple[Reals, Reals]:
    """Maximum-likelihood log strengths of each table, mean 0 and to nine decimals, so that the
    machine does not matter: (B, n_systems); and log 2 nu: (B,). A row is NaN where the steps do
    not settle.

    ``low``, ``high`` (k,): the systems of each pairing. ``sums``: wins of low, wins of high, ties,
    each (B, k). ``start`` (n_systems,) and ``start_log_tie``: where the steps start. Without
    ``with_ties`` it is Bradley and Terry's model, a tie being half a win to each; with them
    Newman's (Davidson's), in which a tie has the odds 2 nu sqrt(p_i p_j) against p_i and p_j.
    Without a tie in a table, log 2 nu is at its lower bound. Strengths must exist everywhere.
    Sources: Bradley and Terry (1952), Biometrika 39; Davidson (1970), JASA 65, 317-328; Newman
    (2023), JMLR 24, section 5; Sun and Tran-Dinh (2019), Mathematical Programming 178, for the
    length of the steps.
    """
    ties = sums[2]
    n_tables, n_systems = len(ties), len(start)
    theta = np.tile(start - start.mean(), (n_tables, 1))
    eta = np.where(ties.any(axis=1), start_log_tie, -TIE_BOUND)
    incidence = np.eye(n_systems)[low] - np.eye(n_systems)[high]
    is_moving = np.ones(n_tables, dtype=np.bool_)
    for _ in range(MOST_STEPS):
        at = np.flatnonzero(is_moving)
        moving = (sums[0][at], sums[1][at], sums[2][at])
        odds = np.exp(eta[at]) if with_ties else np.zeros(len(at))
        step = newton_steps(low, high, incidence, moving, theta[at], odds)
        # Damped so that the likelihood always rises; near the top the factor tends to 1.
        apart = np.abs(step[:, :-1] @ incidence.T).max(axis=1) + np.abs(step[:, -1])
        step *= (np.log1p(apart) / np.maximum(apart, SMALL_STEP))[:, None]
        theta[at] += step[:, :-1]
        eta_before = eta[at]
        eta[at] = np.clip(eta_before + step[:, -1], -TIE_BOUND, TIE_BOUND)
        step[:, -1] = eta[at] - eta_before
        is_moving[at] = np.abs(step).max(axis=1) > SMALL_STEP
        if not is_moving.any():
            break
    theta[is_moving] = np.nan
    return np.round(theta - theta.mean(axis=1, keepdims=True), STRENGTH_DECIMALS), eta


def newton_steps(
    low: Integers,
    high: Integers,
    incidence: Reals,
    sums: tuple[Reals, Reals, Reals],
    theta: Reals,
    odds: Reals,
) -> Reals:
    """Newton's step of each table in its strengths and, last, in log 2 nu: (B, n_systems + 1).
    ``odds`` (B,): 2 nu, 0 for Bradley and Terry, whose last step is 0."""
    low_wins, high_wins, ties = sums
    n_tables, n_systems = theta.shape
    played = low_wins + high_wins + ties
    half = (theta @ incidence.T) / 2.0
    tie_odds = odds[:, None] / (2.0 * np.cosh(np.minimum(np.abs(half), 300.0)))
    p_tie = tie_odds / (1.0 + tie_odds)
    margin = np.tanh(half) * (1.0 - p_tie)
    curvature = played * (1.0 - p_tie - margin * margin) / 4.0
    cross = (-played * margin * p_tie / 2.0) @ incidence
    gradient = np.zeros((n_tables, n_systems + 1))
    gradient[:, :-1] = ((low_wins - high_wins - played * margin) / 2.0) @ incidence
    has_ties = odds > 0.0
    gradient[:, -1] = np.where(has_ties, (ties - played * p_tie).sum(axis=1), 0.0)
    information = np.zeros((n_tables, n_systems + 1, n_systems + 1))
    information[:, low, high] -= curvature
    information[:, high, low] -= curvature
    diagonal = curvature @ np.abs(incidence)
    information[:, range(n_systems), range(n_systems)] += diagonal
    # Strengths have no origin: hold their mean where it is.
    information[:, :-1, :-1] += diagonal.mean(axis=1)[:, None, None] / n_systems
    information[:, :-1, -1] = cross
    information[:, -1, :-1] = cross
    of_ties = (played * p_tie * (1.0 - p_tie)).sum(axis=1)
    information[:, -1, -1] = np.where(has_ties, of_ties + np.finfo(float).tiny, 1.0)
    return np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
