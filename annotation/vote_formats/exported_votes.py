"""Our own export: one record a vote, with everything that makes the same campaign again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

FIRST, SECOND = "first", "second"
NOT_COUNTED: Final = ("surplus", "excluded", "unblinded", "model", "check")


@dataclass(frozen=True, slots=True)
class ExportedVote:
    """``pair``: the pair's number in its campaign. ``choice`` is by side (a is left), ``left``
    says which answer stood there, ``preferred`` is the same by answer. ``simulated``: the
    campaign's. Times are UTC. ``voter``: person, simulated or model. An ``unscored`` verdict of a
    model is no vote; its reply is in ``extra``.
    """

    campaign: str
    campaign_name: str
    simulated: bool
    track: str
    question: str
    question_text: str
    pair: int
    first_system: str
    second_system: str
    left: str
    left_system: str
    right_system: str
    choice: str
    preferred: str
    counted: bool
    not_counted: str
    slot: int | None
    rater: str
    voter: str
    cast_at: dt.datetime | None
    seconds: float | None
    too_fast: bool
    confidence: int | None
    comment: str
    reasons: list[str]
    reveals_seen: int
    rater_excluded_at: dt.datetime | None
    rater_excluded_reason: str
    rater_unblinded_at: dt.datetime | None
    stratum: str
    inclusion_probability: float | None
    slices: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExportedCheck:
    """A vote on a pair with a known winner (first, second or tie). It has no systems."""

    campaign: str
    simulated: bool
    check: str
    question: str
    pair: int
    known_winner: str
    left: str
    choice: str
    preferred: str
    right: bool
    rater: str
    voter: str
    cast_at: dt.datetime | None
    seconds: float | None
    too_fast: bool
    comment: str
    reasons: list[str]


VOTE_FIELDS: Final = tuple(one.name for one in fields(ExportedVote))
CHECK_FIELDS: Final = tuple(one.name for one in fields(ExportedCheck))
FLAGS: Final = frozenset({"simulated", "counted", "too_fast", "right"})
WHOLE: Final = frozenset({"pair", "slot", "confidence", "reveals_seen"})
NUMBERS: Final = frozenset({"seconds", "inclusion_probability"})
TIMES: Final = frozenset({"cast_at", "rater_excluded_at", "rater_unblinded_at"})
NESTED: Final = frozenset({"reasons", "slices", "extra"})


def preferred_of(choice: str, left_is_first: bool) -> str:
    """first, second, or the choice itself where it names no side."""
    if choice not in ("a", "b"):
        return choice
    return FIRST if (choice == "a") == left_is_first else SECOND


def plain_record(record: ExportedVote | ExportedCheck) -> dict[str, Any]:
    """Its fields as JSON values; times are ISO 8601 in UTC."""
    values = asdict(record)
    for name in TIMES & values.keys():
        values[name] = iso_utc(values[name]) if values[name] is not None else None
    return values


def iso_utc(time: dt.datetime) -> str:
    """``2026-03-31T18:00:00Z``."""
    return time.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
