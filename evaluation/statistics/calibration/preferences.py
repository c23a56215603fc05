"""Win rates of graded preferences between a system and a baseline, as AlpacaEval publishes them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.statistics.calibration.pairs import Reals
from evaluation.statistics.refusals import StatisticUndefined

BASELINE_WINS, DRAW, SYSTEM_WINS = 1.0, 1.5, 2.0


@dataclass(frozen=True, slots=True)
class PreferenceWinRate:
    """``win_rate`` and ``standard_error`` in percent over ``n`` preferences, ``n_missing`` beside
    them. The standard error is None where ``error_undefined`` says why."""

    win_rate: float
    standard_error: float | None
    n: int
    n_wins: int
    n_losses: int
    n_draws: int
    n_missing: int
    error_undefined: str = ""


def preference_win_rate(preferences: Reals) -> PreferenceWinRate:
    """Mean of preference - 1, in percent. ``preferences`` (n,): from 1 (the baseline wins) to 2
    (the system wins), 1.5 or 0 a draw, NaN missing.

    The standard error is the sample deviation over the root of n, assuming independent questions.
    Raises StatisticUndefined when every preference is missing and ValueError for other numbers.
    Source: Li et al. (2023), AlpacaEval; Dubois et al. (2024) for graded preferences.
    """
    present = preferences[~np.isnan(preferences)]
    graded = np.where(present == 0.0, DRAW, present)
    if ((graded < BASELINE_WINS) | (graded > SYSTEM_WINS)).any():
        raise ValueError("a preference lies from 1 to 2, or is 0 for a draw")
    if len(graded) == 0:
        raise StatisticUndefined("No preference is known, so there is no win rate.")
    error, undefined = None, ""
    if len(graded) < 2:
        undefined = "A standard error needs at least 2 preferences; there is 1."
    else:
        error = 100.0 * float(graded.std(ddof=1)) / float(np.sqrt(len(graded)))
    return PreferenceWinRate(
        100.0 * float(graded.mean() - BASELINE_WINS),
        error,
        len(graded),
        int((graded > DRAW).sum()),
        int((graded < DRAW).sum()),
        int((graded == DRAW).sum()),
        len(preferences) - len(present),
        undefined,
    )
