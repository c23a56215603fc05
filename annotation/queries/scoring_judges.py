"""Which judges have scored a campaign's pairs, without reading every score at each look."""

from __future__ import annotations

from annotation.models import AuditEntry, Campaign, Pair, PairScore
from annotation.queries.campaign_counts import MANY_PAIRS
from evaluation.queries.kept import Kept

kept_judges: Kept[tuple[int, int, int], tuple[int, ...]] = Kept(64)


def scoring_judge_ids(campaign: Campaign) -> tuple[int, ...]:
    """Row ids, rising. Of a large campaign they are kept until pairs are added or something is
    logged, as judging again is: votes change nothing here."""
    last = Pair.objects.on_vote().filter(campaign=campaign).order_by("-position")
    newest = last.values_list("pk", "position").first()
    if newest is None:
        return ()
    last_id, position = newest
    if position + 1 < MANY_PAIRS:
        return _read(campaign)
    logged = AuditEntry.objects.filter(campaign=campaign).order_by("-at", "-pk")
    key = (campaign.pk, last_id, logged.values_list("pk", flat=True).first() or 0)
    held = kept_judges.get(key)
    return held if held is not None else kept_judges.put(key, _read(campaign))


def _read(campaign: Campaign) -> tuple[int, ...]:
    scores = PairScore.objects.filter(pair__campaign=campaign).order_by("judge")
    return tuple(scores.values_list("judge", flat=True).distinct())
