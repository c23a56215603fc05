"""The judge's adopted resolution, and what a board says of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from evaluation.models import AdoptedResolution
from evaluation.queries.board_keys import BoardKeys
from evaluation.queries.choices import Flag
from evaluation.queries.measures import COMPOSITE

NOT_CALIBRATED = Flag(
    "not-calibrated",
    "This judge is not calibrated here: nobody has adopted a report of votes on its answers, so "
    "how small a difference between two answers it can tell is not known.",
)
PER_ANSWER = (
    "The resolution is a per-answer quantity: such a difference of means is real under this judge, "
    "and people who read two single answers may not see it."
)


@dataclass(frozen=True, slots=True)
class Resolution:
    """The gap between two answers' scores from which the judge agrees with people at ``level``
    (0–1); bounds are 95 %, both None where the report has none, ``high`` alone where the interval
    is open above."""

    value: float
    low: float | None
    high: float | None
    level: float
    n_pairs: int
    report_hash: str
    report_name: str
    judge: str
    adopted_at: dt.datetime

    @property
    def note(self) -> Flag:
        """The sentence under every table of this judge."""
        high = "open" if self.high is None else f"{self.high:.2f}"
        interval = "" if self.low is None else f" [{self.low:.2f}, {high}]"
        return Flag(
            "resolution",
            f"{self.judge} has a resolution of {self.value:.2f} points{interval} here: from that "
            f"gap between two answers on it agrees with {100 * self.level:.0f} % of decisive votes "
            f"(campaign {self.report_name}, {self.n_pairs} decisive pairs). That is a quantity of "
            "two single answers; a mean over many questions can tell smaller differences apart.",
        )


def calibration_note(resolution: Resolution | None) -> Flag:
    return resolution.note if resolution else NOT_CALIBRATED


def difference_notes(
    resolution: Resolution | None, are_below: Sequence[bool], *, is_switched: bool
) -> tuple[Flag, ...]:
    """What the resolution makes of the separated pairs of a table; ``are_below`` says of each
    whether it differs by less. ``is_switched``: the reader lets such pairs count as not
    separated."""
    if resolution is None:
        return ()
    if is_switched:
        sentence = (
            f"By choice, pairs that differ by less than the judge's resolution of "
            f"{resolution.value:.2f} points count as not separated here, whatever the data can "
            "tell apart: rank intervals are wider for it."
        )
        return (Flag("resolution-switch", sentence),)
    n_below = sum(are_below)
    if not n_below:
        return ()
    n = len(are_below)
    sentence = (
        f"† {n_below} of the {n} separated pairs differ by less than the judge's resolution of "
        f"{resolution.value:.2f} points."
        if n > 1
        else "† The separated pair differs by less than the judge's resolution of "
        f"{resolution.value:.2f} points."
    )
    return (Flag("below-resolution", f"{sentence} {PER_ANSWER}"),)


def adopted_later(adopted_at: Any, pk: Any) -> Q:
    """Those after this one in the order of adoption; both may be references of an outer query."""
    return Q(adopted_at__gt=adopted_at) | Q(adopted_at=adopted_at, pk__gt=pk)


def adopted_resolution(keys: BoardKeys, *, measure: str) -> Resolution | None:
    """The newest adopted one of the page's judge on the page's revision; None where there is
    none, for the mean of judges, and for other measures than the composite."""
    if measure != COMPOSITE.name or len(keys.judge_keys) != 1:
        return None
    row = (
        AdoptedResolution.objects.filter(
            benchmark=keys.benchmark_id, judge__key=keys.judge_keys[0], withdrawn_at=None
        )
        .select_related("judge")
        .order_by("-adopted_at", "-pk")
        .first()
    )
    if row is None:
        return None
    return Resolution(
        value=row.value,
        low=row.low,
        high=row.high,
        level=row.level,
        n_pairs=row.n_pairs,
        report_hash=row.report_hash,
        report_name=row.report_name,
        judge=row.judge.name,
        adopted_at=row.adopted_at,
    )
