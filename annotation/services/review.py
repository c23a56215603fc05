"""The review queue: pairs in which the answer scan found something wait for a lead's word."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign, CampaignTally, Pair
from annotation.services.audit import record


class PairNotFound(Exception):
    """The campaign has no such pair to review."""


class PairHasVotes(Exception):
    """People have voted on the pair, or are deciding it now."""


@transaction.atomic
def accept_pair(*, campaign: Campaign, pair_id: int, by: User | None, now: datetime) -> Pair:
    """Let the pair be voted on: what was found in it gives nobody away. Also takes a rejection
    back. Raises PairNotFound."""
    pair = _pair(campaign, pair_id)
    pair.n_wanted = CampaignOptions.from_json(campaign.options).overlap
    pair.is_rejected = False
    return _decided(campaign, pair, "pair accepted", by, now)


@transaction.atomic
def reject_pair(*, campaign: Campaign, pair_id: int, by: User | None, now: datetime) -> Pair:
    """Keep the pair out of the vote; the report counts it among those planned and not voted on.
    Raises PairNotFound, PairHasVotes."""
    pair = _pair(campaign, pair_id)
    if pair.n_taken:
        raise PairHasVotes(
            f"pair {pair.position + 1} has votes or is being decided, so it cannot be rejected"
        )
    pair.n_wanted = 0
    pair.is_rejected = True
    return _decided(campaign, pair, "pair rejected", by, now)


def _pair(campaign: Campaign, pair_id: int) -> Pair:
    # Whoever gives or takes a place of a pair holds this lock, so n_taken stays as it is read.
    CampaignTally.objects.select_for_update().get(campaign=campaign)
    pair = Pair.objects.on_vote().filter(campaign=campaign, pk=pair_id).first()
    if pair is None:
        raise PairNotFound(f"campaign '{campaign.slug}' has no pair {pair_id} to review")
    return pair


def _decided(campaign: Campaign, pair: Pair, action: str, by: User | None, now: datetime) -> Pair:
    pair.needs_review = False
    pair.reviewed_at, pair.reviewed_by = now, by
    pair.save(
        update_fields=["n_wanted", "is_rejected", "needs_review", "reviewed_at", "reviewed_by"]
    )
    CampaignTally.objects.filter(campaign=campaign).update(version=F("version") + 1)
    detail = {"pair": pair.pk, "position": pair.position}
    record(action=action, by=by, campaign=campaign, detail=detail, now=now)
    return pair
