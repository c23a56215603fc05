"""What each rater of a campaign was shown, on which sides, and what they knew when they voted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import Assignment, Campaign, Rater, Reveal
from annotation.queries.rater_rows import standing_of


@dataclass(frozen=True, slots=True)
class ShownPair:
    """``left`` and ``right`` are the systems' labels, empty in checks. ``shown_at`` is when the
    pair was given last. Of a pair without a vote the last four are None. ``n_reveals_before``: of
    this rater, before the vote."""

    position: int
    kind: str
    question: str
    left: str
    right: str
    shown_at: dt.datetime | None
    is_skipped: bool
    voted_at: dt.datetime | None
    choice: str | None
    is_counted: bool | None
    n_reveals_before: int | None
    revealed_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class ShownToRater:
    pseudonym: str
    kind: str
    standing: str
    n_reveals: int
    shown: tuple[ShownPair, ...]


def shown_to_raters(campaign: Campaign) -> Iterator[ShownToRater]:
    """Rater after rater, in the order in which they came; two queries each."""
    for rater in Rater.objects.filter(campaign=campaign).order_by("pk").iterator(chunk_size=500):
        reveals = dict(Reveal.objects.filter(rater=rater).values_list("pair", "at"))
        assignments = (
            Assignment.objects.filter(rater=rater)
            .select_related("pair__question", "pair__first_system", "pair__second_system", "vote")
            .defer("pair__scan", "pair__question__question_html", "pair__question__gold_html")
            .order_by("shown_at", "pk")
        )
        yield ShownToRater(
            pseudonym=rater.pseudonym,
            kind=rater.kind,
            standing=standing_of(rater),
            n_reveals=len(reveals),
            shown=tuple(_shown(one, reveals) for one in assignments),
        )


def _shown(assignment: Assignment, reveals: dict[int, dt.datetime]) -> ShownPair:
    pair = assignment.pair
    names = [system.label if system else "" for system in (pair.first_system, pair.second_system)]
    left, right = names if assignment.left_is_first else names[::-1]
    vote = getattr(assignment, "vote", None)
    return ShownPair(
        position=pair.position,
        kind=pair.kind,
        question=pair.question.key,
        left=left,
        right=right,
        shown_at=assignment.shown_at,
        is_skipped=assignment.skipped_at is not None,
        voted_at=vote.cast_at if vote else None,
        choice=vote.choice if vote else None,
        is_counted=vote.slot is not None if vote else None,
        n_reveals_before=vote.n_reveals_seen if vote else None,
        revealed_at=reveals.get(pair.pk),
    )
