"""Which pairs of a campaign are on a page. Only ids are looked for, because databases sort and skip
them in an index much faster than rows with all that hangs on them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.db.models import F, Q, QuerySet

from annotation.models import Assignment, Campaign, CampaignQuestion, Pair
from annotation.queries.pairs import CHECKS, COMPLETE, ON_VOTE, REJECTED, WAITING
from evaluation.queries.choices import UnknownChoice

_CURSOR = re.compile(r"([a-z]{1,13})\.(\d{1,9})")
_COUNTED = F("n_first") + F("n_second") + F("n_tie") + F("n_both_bad")
_VOTABLE = Q(kind=Pair.VOTE, n_wanted__gt=0)
_OF_STATE = {
    WAITING: Q(n_wanted=0, needs_review=True, reviewed_at=None),
    REJECTED: Q(n_wanted=0, is_rejected=True),
    CHECKS: Q(kind__in=(Pair.ATTENTION, Pair.QUALIFICATION)),
    COMPLETE: _VOTABLE & Q(counted__gte=F("n_wanted")),
    "": Q(),
}


def pair_ids(
    campaign: Campaign, *, state: str, question: str, after: str, limit: int
) -> list[int] | None:
    """At most ``limit`` of them in the order of serving, by kind and position, behind the cursor
    ``after``; None where the campaign has no such question. Raises UnknownChoice."""
    pairs = _behind(Pair.objects.filter(campaign=campaign), after)
    if question:
        found = CampaignQuestion.objects.filter(campaign=campaign, key=question)
        question_id = found.values_list("pk", flat=True).first()
        if question_id is None:
            return None
        pairs = pairs.filter(question=question_id)
    if state == ON_VOTE:
        either = {*_first(_wanting(pairs), limit), *_first(_in_hand(campaign, pairs), limit)}
        return [pk for _, _, pk in sorted(either)[:limit]]
    if state == COMPLETE:
        pairs = pairs.annotate(counted=_COUNTED)
    return [pk for _, _, pk in _first(pairs.filter(_OF_STATE[state]), limit)]


def _behind(pairs: QuerySet[Pair], after: str) -> QuerySet[Pair]:
    if not after:
        return pairs
    found = _CURSOR.fullmatch(after)
    if found is None:
        raise UnknownChoice("after", after, ("the place of a pair, as “Next” links give it",))
    kind, position = found[1], int(found[2])
    return pairs.filter(Q(kind__gt=kind) | Q(position__gt=position), kind__gte=kind)


def _first(pairs: QuerySet[Pair], limit: int) -> Sequence[tuple[str, int, int]]:
    return list(pairs.order_by("kind", "position").values_list("kind", "position", "pk")[:limit])


def _wanting(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Pairs with a free place. Nearly all that are on vote, and what their index is for."""
    return pairs.filter(kind=Pair.VOTE, n_taken__lt=F("n_wanted"))


def _in_hand(campaign: Campaign, pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """The rest that is on vote: every place is taken, and at least one of them by somebody who
    has not decided yet. There are no more of them than people at work."""
    held = Assignment.objects.filter(campaign=campaign, is_live=True)
    full = pairs.filter(_VOTABLE, n_taken__gte=F("n_wanted"), pk__in=held.values("pair"))
    return full.annotate(counted=_COUNTED).filter(counted__lt=F("n_wanted"))
