"""A record of our own export, checked and read back as a vote."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from annotation.vote_formats.exported_votes import FIRST, NOT_COUNTED, SECOND, preferred_of
from annotation.vote_formats.rows import (
    CHOICES,
    MODEL,
    SIMULATED,
    UNSCORED,
    VOTERS,
    Stated,
    VoteRow,
    unknown_outcome,
)
from evaluation.source_files.json_nodes import JsonNode
from evaluation.source_files.reading import is_finite_number

NEEDED: Final = ("question", "pair", "first_system", "second_system", "left", "choice", "rater")
LARGEST_WHOLE = 2**31 - 1
LARGEST_SMALL = 2**15 - 1


@dataclass(slots=True)
class OneCampaign:
    """What all rows of a file must agree on; the first row settles it."""

    slug: str | None = None
    simulated: bool | None = None


def vote_of(record: JsonNode, campaign: OneCampaign) -> VoteRow:
    """Raises WrongKindOfFile where a field is missing, of another kind, or against another."""
    if "check" in record.fields():
        raise record.refuse("this is an export of checks; they are no votes")
    _agree(record, campaign)
    choice = record.field("choice").label()
    if choice not in (*CHOICES, UNSCORED):
        raise record.refuse(unknown_outcome(choice, (*CHOICES, UNSCORED)))
    first, second = _named(record, "first_system"), _named(record, "second_system")
    left_is_first = _left_is_first(record, first, second, choice)
    voter = _one_of(record, "voter", VOTERS, default="person")
    if (voter == SIMULATED) != bool(campaign.simulated):
        raise record.refuse("simulated and real votes never share a campaign")
    return VoteRow(
        place=record.place,
        question=_named(record, "question"),
        question_text=_text(record, "question_text"),
        left=first if left_is_first else second,
        right=second if left_is_first else first,
        choice=choice,
        rater=_named(record, "rater"),
        voter=voter,
        cast_at=_time(record, "cast_at"),
        seconds=_number(record, "seconds", low=0.0),
        comment=_text(record, "comment"),
        reasons=_reasons(record),
        confidence=_whole(record, "confidence", most=LARGEST_SMALL),
        extra=_mapping(record, "extra"),
        left_is_first=left_is_first,
        stated=_stated(record, choice, voter),
    )


def _stated(record: JsonNode, choice: str, voter: str) -> Stated:
    slot = _whole(record, "slot", least=1)
    not_counted = _one_of(record, "not_counted", NOT_COUNTED)
    if choice == UNSCORED:
        if slot is not None:
            raise record.refuse("an unscored verdict has no place among the votes")
    elif (slot is None) != bool(not_counted):
        raise record.refuse("a vote has a slot, or says in not_counted why it has none")
    elif not_counted == "check" or (not_counted == "model" and voter != MODEL):
        raise record.refuse(f"not_counted “{not_counted}” does not fit a vote of a {voter}")
    counted = record.find("counted")
    if counted is not None and counted.flag() != (slot is not None):
        raise record.refuse("counted says something else than slot")
    probability = _number(record, "inclusion_probability", low=0.0, high=1.0)
    if probability == 0:
        raise record.refuse("an inclusion probability is over 0")
    return Stated(
        position=_whole(record, "pair", needed=True) or 0,
        slot=slot,
        not_counted=not_counted,
        is_too_fast=_flag(record, "too_fast"),
        n_reveals_seen=_whole(record, "reveals_seen") or 0,
        stratum=_text(record, "stratum"),
        inclusion_probability=probability,
        slices=_mapping(record, "slices"),
        track=_text(record, "track"),
        excluded_at=_time(record, "rater_excluded_at"),
        excluded_reason=_text(record, "rater_excluded_reason"),
        unblinded_at=_time(record, "rater_unblinded_at"),
    )


def _agree(record: JsonNode, campaign: OneCampaign) -> None:
    slug, simulated = _text(record, "campaign"), _flag(record, "simulated")
    if campaign.slug is None:
        campaign.slug, campaign.simulated = slug, simulated
    if simulated != campaign.simulated:
        raise record.refuse("simulated and real votes never share a campaign")
    if slug != campaign.slug:
        raise record.refuse(f"it is of campaign “{slug}”, the first row of “{campaign.slug}”")


def _left_is_first(record: JsonNode, first: str, second: str, choice: str) -> bool:
    left_is_first = _one_of(record, "left", (FIRST, SECOND)) == FIRST
    sides = (first, second) if left_is_first else (second, first)
    stated = {"left_system": sides[0], "right_system": sides[1]}
    stated["preferred"] = preferred_of(choice, left_is_first)
    for name, value in stated.items():
        found = record.find(name)
        if found is not None and found.text() != value:
            raise record.refuse(f"{name} is “{found.text()}”, but the other columns say “{value}”")
    return left_is_first


def _one_of(record: JsonNode, name: str, known: tuple[str, ...], *, default: str = "") -> str:
    value = _text(record, name) or default
    if value not in known and not (value == "" and name == "not_counted"):
        raise record.refuse(f"{name} “{value[:60]}” is unknown; known: {', '.join(known)}")
    return value


def _named(record: JsonNode, name: str) -> str:
    text = record.field(name).text()
    if not text.strip():
        raise record.refuse(f"the {name.replace('_', ' ')} is empty")
    return text


def _text(record: JsonNode, name: str) -> str:
    found = record.find(name)
    return found.text() if found else ""


def _flag(record: JsonNode, name: str) -> bool:
    found = record.find(name)
    return found.flag() if found is not None and found.value != "" else False


def _whole(
    record: JsonNode,
    name: str,
    *,
    least: int = 0,
    most: int = LARGEST_WHOLE,
    needed: bool = False,
) -> int | None:
    found = record.field(name) if needed else record.find(name)
    if found is None:
        return None
    number = found.whole_number()
    if not least <= number <= most:
        raise record.refuse(f"{name} {number} is not from {least} to {most:,}")
    return number


def _number(record: JsonNode, name: str, *, low: float, high: float | None = None) -> float | None:
    found = record.find(name)
    if found is None:
        return None
    number = found.value
    if not is_finite_number(number) or number < low or (high is not None and number > high):
        raise record.refuse(f"{name} “{number}” is out of its range")
    return float(number)


def _time(record: JsonNode, name: str) -> dt.datetime | None:
    text = _text(record, name)
    if not text:
        return None
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise record.refuse(f"{name} “{text[:60]}” is no ISO 8601 time") from error
    if time.tzinfo is None:
        raise record.refuse(f"{name} “{text}” does not say its time zone")
    return time.astimezone(dt.UTC)


def _reasons(record: JsonNode) -> tuple[str, ...]:
    found = record.find("reasons")
    return tuple(reason.text() for reason in found.each()) if found else ()


def _mapping(record: JsonNode, name: str) -> dict[str, Any]:
    found = record.find(name)
    return found.fields() if found else {}
