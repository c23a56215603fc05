"""What some raters' votes come to: the median time, and agreement with the others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Case, F, IntegerField, Q, Value, When
from django.db.models.functions import Coalesce

from annotation.models import Pair, Vote
from evaluation.statistics.calibration.pairs import Outcome, majority_of

NOT_KNOWN = -1.0
_COLUMNS = [
    ("rater", np.int64), ("seconds", np.float64), ("label", np.int64), ("slot", np.int64),
    ("first", np.int64), ("second", np.int64), ("tie", np.int64), ("both_bad", np.int64),
]  # fmt: skip
_FIRST = Q(choice=Vote.A, left_is_first=True) | Q(choice=Vote.B, left_is_first=False)


@dataclass(frozen=True, slots=True)
class VoteSums:
    """``median_s`` is None without a known time. ``n_agree`` of ``n_shared`` counted votes, on
    pairs that others voted on too, say what the majority of the others says."""

    median_s: float | None = None
    n_shared: int = 0
    n_agree: int = 0


def sums_of_votes(rater_ids: Collection[int]) -> Mapping[int, VoteSums]:
    """By rater, in one query. Checks are left out; only counted votes, of the rater as of the
    others, are compared, by the rule of ``raters_against_others``: no majority is a tie."""
    votes = _read(rater_ids)
    is_counted = votes["slot"] > 0
    others = np.stack([votes["first"], votes["second"], votes["tie"] + votes["both_bad"]], axis=1)
    others[np.flatnonzero(is_counted), votes["label"][is_counted]] -= 1
    is_shared = is_counted & (others.sum(axis=1) > 0)
    agrees = is_shared & (majority_of(others) == votes["label"])
    is_timed = votes["seconds"] != NOT_KNOWN
    sums = {}
    for rater_id in rater_ids:
        own = votes["rater"] == rater_id
        seconds = votes["seconds"][own & is_timed]
        sums[rater_id] = VoteSums(
            median_s=float(np.median(seconds)) if len(seconds) else None,
            n_shared=int((own & is_shared).sum()),
            n_agree=int((own & agrees).sum()),
        )
    return sums


def _read(rater_ids: Collection[int]) -> Any:
    """Votes as columns; ``slot`` is 0 where the vote does not count."""
    label = Case(
        When(choice__in=(Vote.TIE, Vote.BOTH_BAD), then=Value(int(Outcome.TIE))),
        When(_FIRST, then=Value(int(Outcome.FIRST))),
        default=Value(int(Outcome.SECOND)),
        output_field=IntegerField(),
    )
    rows = Vote.objects.filter(rater__in=rater_ids, pair__kind=Pair.VOTE).values_list(
        "rater", Coalesce(F("seconds"), Value(NOT_KNOWN)), label, Coalesce(F("slot"), Value(0)),
        "pair__n_first", "pair__n_second", "pair__n_tie", "pair__n_both_bad",
    )  # fmt: skip
    return np.fromiter(rows.iterator(chunk_size=5_000), dtype=_COLUMNS)
