"""Counting a campaign's pairs and votes without reading a million of them at each look."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import Count, F, Q, Sum

from annotation.models import Assignment, Campaign, Pair, Rater, Vote
from annotation.queries.campaign import LiveCounts, PairTotals
from evaluation.queries.kept import Kept

RATE_WINDOW = dt.timedelta(minutes=10)
VOTES_FOR_A_RATE = 500
MANY_PAIRS = 10_000
"""From here on what is summed over pairs is kept for a minute."""

kept_totals: Kept[tuple[int, int], PairTotals] = Kept(64)


def pair_totals(campaign: Campaign, *, now: dt.datetime) -> PairTotals:
    """In one query; of a large campaign they are kept for a minute."""
    key = (campaign.pk, int(now.timestamp()) // 60)
    held = kept_totals.get(key)
    if held is not None:
        return held
    on_vote = Q(kind=Pair.VOTE)
    n_counted = F("n_first") + F("n_second") + F("n_tie") + F("n_both_bad")
    complete = on_vote & Q(n_wanted__gt=0, counted__gte=F("n_wanted"))
    sums = (
        Pair.objects.filter(campaign=campaign)
        .annotate(counted=n_counted)
        .aggregate(
            pairs=Count("pk", filter=on_vote),
            wanted=Sum("n_wanted", filter=on_vote, default=0),
            complete=Count("pk", filter=complete),
            waiting=Count("pk", filter=Q(needs_review=True, reviewed_at=None)),
            rejected=Count("pk", filter=Q(is_rejected=True)),
            attention=Count("pk", filter=Q(kind=Pair.ATTENTION)),
            qualification=Count("pk", filter=Q(kind=Pair.QUALIFICATION)),
        )
    )
    totals = PairTotals(
        n_pairs=sums["pairs"],
        n_wanted=sums["wanted"],
        n_complete=sums["complete"],
        n_waiting_for_review=sums["waiting"],
        n_rejected=sums["rejected"],
        n_attention=sums["attention"],
        n_qualification=sums["qualification"],
    )
    return kept_totals.put(key, totals) if totals.n_pairs >= MANY_PAIRS else totals


def live_counts(campaign: Campaign, totals: PairTotals, *, now: dt.datetime) -> LiveCounts:
    """``campaign`` was read with its tally."""
    tally = campaign.tally
    raters = Rater.objects.filter(campaign=campaign).aggregate(
        n=Count("pk"), n_skips=Sum("n_skips", default=0)
    )
    votes = Vote.objects.filter(campaign=campaign, cast_at__isnull=False)
    times = votes.order_by("-cast_at", "-pk").values_list("cast_at", flat=True)
    newest = [at for at in times[:VOTES_FOR_A_RATE] if at is not None]
    per_hour = _per_hour(newest, now)
    left = max(0, totals.n_wanted - tally.n_counted)
    locks = Assignment.objects.filter(campaign=campaign, is_live=True, lock_until__gt=now)
    return LiveCounts(
        n_votes=tally.n_votes,
        n_counted=tally.n_counted,
        n_wanted=totals.n_wanted,
        n_complete=totals.n_complete,
        n_pairs=totals.n_pairs,
        n_raters=raters["n"],
        n_skips=raters["n_skips"],
        n_at_work=locks.filter(vote=None).count(),
        last_vote_at=newest[0] if newest else None,
        per_hour=per_hour,
        hours_left=left / per_hour if per_hour and left else None,
    )


def _per_hour(newest_first: Sequence[dt.datetime], now: dt.datetime) -> float | None:
    """The rate of the last ten minutes, or of the newest 500 votes where those were quicker."""
    recent = [at for at in newest_first if now - RATE_WINDOW < at <= now]
    if not recent:
        return None
    window = RATE_WINDOW
    if len(recent) == VOTES_FOR_A_RATE:
        window = max(now - recent[-1], dt.timedelta(seconds=1))
    return len(recent) * (dt.timedelta(hours=1) / window)
