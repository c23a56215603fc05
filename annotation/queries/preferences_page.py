"""Win rates of graded preferences, as imported verdicts of language models state them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.queries.preferences import Preferences, graded_preferences
from evaluation.queries.kept import Kept
from evaluation.statistics.calibration.preferences import PreferenceWinRate, preference_win_rate


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """``rate`` is in percent, of ``system`` against ``baseline`` as ``judge`` graded them."""

    judge: str
    system: str
    baseline: str
    rate: PreferenceWinRate


kept_preferences: Kept[tuple[str, str], tuple[PreferenceRow, ...]] = Kept(16)


def preference_rows(slug: str, *, data_hash: str) -> tuple[PreferenceRow, ...]:
    """By judge and baseline, the highest rate first; empty where no verdict states a preference.
    They are kept as long as the campaign's votes, by their hash, stay. Raises NotFound."""
    held = kept_preferences.get((slug, data_hash))
    if held is not None:
        return held
    rows = [
        PreferenceRow(one.judge, one.system, one.baseline, _rate(one))
        for one in graded_preferences(slug)
        if one.system != one.baseline
    ]
    rows.sort(key=lambda row: (row.judge, row.baseline, -row.rate.win_rate, row.system))
    return kept_preferences.put((slug, data_hash), tuple(rows))


def _rate(one: Preferences) -> PreferenceWinRate:
    return preference_win_rate(np.array([*one.values, *[np.nan] * one.n_missing]))
