"""Strengths of systems in many resampled tables at once.

evalica fits one table at a time; a bootstrap fits hundreds that differ little. Both models are
multinomial logits with a concave likelihood, so all tables take the same few Newton steps
together, from the strengths of the whole data.
"""

from __future__ import annotations

import numpy as np

from evaluation.statistics.calibration.pairs import Integers, Reals

LONGEST_STEP = 1.0
SMALL_STEP = 1e-7
MOST_STEPS = 60
TIE_BOUND = 15.0


def fitted_strengths(
    low: Integers,
    high: Integers,
    sums: tuple[Reals, Reals, Reals],
    start: Reals,
    *,
    log_tie: float | None,
) -> Reals:
    """Maximum-likelihood log strengths of each table, mean 0: shape (B, n_systems); a row is NaN
    where the steps do not settle.

    ``low``, ``high`` (k,): the systems of each pairing. ``sums``: wins of low, wins of high, ties,
    each (B, k). ``start`` (n_systems,): log strengths to start from. ``log_tie``: None fits
    Bradley and Terry with a tie as half a win to each; a number (log 2 nu to start from) fits
    Davidson's model, in which a tie has the odds 2 nu sqrt(p_i p_j) against p_i and p_j.
    Every table must be strongly connected. Sources: Bradley and Terry (1952), Biometrika 39;
    Davidson (1970), JASA 65, 317-328; Newman (2023), JMLR 24, section 5.
    """
    low_wins, high_wins, ties = sums
    n_tables, n_systems = len(ties), len(start)
    n_parameters = n_systems + (log_tie is not None)
    theta = np.tile(start - start.mean(), (n_tables, 1))
    eta = np.full(n_tables, log_tie or 0.0)
    played = low_wins + high_wins + ties
    lead = (low_wins - high_wins) / 2.0
    incidence = np.eye(n_systems)[low] - np.eye(n_systems)[high]
    is_moving = np.ones(n_tables, dtype=np.bool_)
    for _ in range(MOST_STEPS):
        at = np.flatnonzero(is_moving)
        half = (theta[at][:, low] - theta[at][:, high]) / 2.0
        n, gradient = played[at], np.zeros((len(at), n_parameters))
        information = np.zeros((len(at), n_parameters, n_parameters))
        if log_tie is None:
            margin = np.tanh(half)
            curvature = n * (1.0 - margin * margin) / 4.0
        else:
            tie_odds = np.exp(eta[at])[:, None] / (2.0 * np.cosh(half))
            p_tie = tie_odds / (1.0 + tie_odds)
            margin = np.tanh(half) * (1.0 - p_tie)
            curvature = n * (1.0 - p_tie - margin * margin) / 4.0
            cross = -n * margin * p_tie / 2.0
            gradient[:, -1] = (ties[at] - n * p_tie).sum(axis=1)
            information[:, -1, -1] = (n * p_tie * (1.0 - p_tie)).sum(axis=1) + 1e-9
            information[:, :n_systems, -1] = cross @ incidence
            information[:, -1, :n_systems] = cross @ incidence
        gradient[:, :n_systems] = (lead[at] - n * margin / 2.0) @ incidence
        diagonal = curvature @ np.abs(incidence)
        information[:, low, high] -= curvature
        information[:, high, low] -= curvature
        information[:, range(n_systems), range(n_systems)] += diagonal
        # Strengths have no origin: hold their mean where it is.
        information[:, :n_systems, :n_systems] += diagonal.mean(axis=1)[:, None, None] / n_systems
        step = np.linalg.solve(information, gradient[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        step *= np.minimum(1.0, LONGEST_STEP / np.maximum(longest, LONGEST_STEP))
        if log_tie is not None:
            step[:, -1] = np.clip(eta[at] + step[:, -1], -TIE_BOUND, TIE_BOUND) - eta[at]
            eta[at] += step[:, -1]
        theta[at] += step[:, :n_systems]
        is_moving[at] = np.abs(step).max(axis=1) > SMALL_STEP
        if not is_moving.any():
            break
    theta[is_moving] = np.nan
    centred: Reals = theta - theta.mean(axis=1, keepdims=True)
    return centred
