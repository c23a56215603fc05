"""Graded verdicts of language models between a system and a baseline, as imported."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.models import Campaign, Rater, Vote, VoteEvent
from evaluation.queries.choices import NotFound

UNSCORED = "unscored"
PREFERENCE = "preference"


@dataclass(frozen=True, slots=True)
class Preferences:
    """``values``: from 1 (the baseline wins) to 2 (the system wins), 1.5 or 0 a draw; ``n_missing``
    verdicts of the model could not be read."""

    judge: str
    system: str
    baseline: str
    values: tuple[float, ...]
    n_missing: int


def graded_preferences(slug: str) -> tuple[Preferences, ...]:
    """One row a judge, system and baseline, by name, in three queries; verdicts that state no
    preference are left out. Raises NotFound."""
    if not Campaign.objects.filter(slug=slug).exists():
        raise NotFound("campaign", slug)
    sides = ("left_is_first", "pair__first_system__label", "pair__second_system__label")
    votes = Vote.objects.filter(campaign__slug=slug, rater__kind=Rater.MODEL).order_by("pk")
    values: dict[tuple[str, str, str], list[float]] = {}
    missing: dict[tuple[str, str, str], int] = {}
    for judge, extra, *two in votes.values_list("rater__pseudonym", "extra", *sides).iterator():
        if _is_graded(extra.get(PREFERENCE)):
            values.setdefault(_key(judge, *two), []).append(float(extra[PREFERENCE]))
    events = VoteEvent.objects.filter(campaign__slug=slug, action=UNSCORED).order_by("pk")
    for judge, vote, first, second in events.values_list(
        "rater__pseudonym", "vote", "pair__first_system__label", "pair__second_system__label"
    ):
        key = _key(judge, vote["left_is_first"], first, second)
        missing[key] = missing.get(key, 0) + 1
    return tuple(
        Preferences(*key, tuple(values[key]), missing.get(key, 0)) for key in sorted(values)
    )


def _is_graded(stated: object) -> bool:
    """Other fields of that name, as any imported file may have, are no preferences."""
    return isinstance(stated, int | float) and (stated == 0 or 1 <= stated <= 2)


def _key(judge: str, left_is_first: bool, first: str, second: str) -> tuple[str, str, str]:
    """Judge, system (the right side), baseline (the left side)."""
    return (judge, second, first) if left_is_first else (judge, first, second)
