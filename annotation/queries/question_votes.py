"""How people voted on the answers to one question, beside the judge's gaps."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from annotation.models import Campaign, Pair, PairScore
from annotation.queries.campaign_heads import RELATED, head_of
from annotation.queries.campaigns import CampaignHead
from evaluation.queries.choices import NotFound

SHOWN_PAIRS = 60


@dataclass(frozen=True, slots=True)
class VotedPair:
    """Counted votes for each of two systems. ``gap``: the judge's score of the first minus the
    second, None where it scored not both."""

    first: str
    second: str
    n_first: int
    n_second: int
    n_tie: int
    n_both_bad: int
    gap: float | None

    @property
    def n_votes(self) -> int:
        return self.n_first + self.n_second + self.n_tie + self.n_both_bad


@dataclass(frozen=True, slots=True)
class CampaignVotes:
    """``judge``: whose gaps stand beside the votes. ``n_more`` pairs are not listed."""

    head: CampaignHead
    judge: str
    pairs: tuple[VotedPair, ...]
    n_more: int


def question_votes(
    benchmark: str, question_id: str, *, now: dt.datetime
) -> tuple[CampaignVotes, ...]:
    """Campaign by campaign, the newest first; only pairs with a counted vote, the systems in the
    order of their names. Whoever reads it must be allowed to know who wrote the answers."""
    pairs: dict[int, list[VotedPair]] = {}
    campaigns: dict[int, Campaign] = {}
    rows = list(
        Pair.objects.on_vote()
        .filter(
            Q(n_first__gt=0) | Q(n_second__gt=0) | Q(n_tie__gt=0) | Q(n_both_bad__gt=0),
            question__question__question_id=question_id,
            campaign__benchmark__slug=benchmark,
            first_system__isnull=False,
            second_system__isnull=False,
        )
        .select_related(*(f"campaign__{name}" for name in RELATED), "first_system", "second_system")
        .order_by("-campaign__created_at", "-campaign", "position")
    )
    gaps = _gaps(rows)
    for pair in rows:
        campaigns.setdefault(pair.campaign_id, pair.campaign)
        pairs.setdefault(pair.campaign_id, []).append(_voted(pair, gaps.get(pair.pk)))
    return tuple(
        CampaignVotes(
            head=head_of(campaign, now=now),
            judge=campaign.judge.name if campaign.judge else "",
            pairs=tuple(sorted(of, key=lambda one: (one.first, one.second))[:SHOWN_PAIRS]),
            n_more=max(0, len(of) - SHOWN_PAIRS),
        )
        for campaign, of in ((campaigns[pk], of) for pk, of in pairs.items())
    )


def _gaps(pairs: Sequence[Pair]) -> dict[int, float]:
    """Pair → points of the first answer minus the second by the campaign's reference judge."""
    scores = PairScore.objects.filter(
        pair__in=[pair.pk for pair in pairs],
        judge=F("pair__campaign__judge"),
    )
    rows = scores.values_list("pair", "first_hundredths", "second_hundredths")
    return {
        pair: (first - second) / 100
        for pair, first, second in rows
        if first is not None and second is not None
    }


def _voted(pair: Pair, gap: float | None) -> VotedPair:
    if pair.first_system is None or pair.second_system is None:
        raise NotFound("system of pair", str(pair.pk))
    first, second = pair.first_system.label, pair.second_system.label
    n_first, n_second = pair.n_first, pair.n_second
    if second < first:
        first, second, n_first, n_second = second, first, n_second, n_first
        gap = None if gap is None else -gap
    return VotedPair(first, second, n_first, n_second, pair.n_tie, pair.n_both_bad, gap)
