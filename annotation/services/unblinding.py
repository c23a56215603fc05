"""People who have seen who wrote an answer that is being voted on."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from annotation.models import Rater, Unblinding, Vote
from annotation.services.exclusion import leave_out
from annotation.services.tallying import UNBLINDED, change_rater
from annotation.services.turns import campaign_turn


def mark_unblinded(*, user: User, campaign_id: int, what: str, now: datetime) -> None:
    """Once for each person and campaign; ``what`` is the address that was opened first. What they
    voted before is shown apart from then on, and its places reopen. Raises CampaignNotFound."""
    if Unblinding.objects.filter(campaign=campaign_id, user=user).exists():
        return
    with campaign_turn(campaign_id=campaign_id, now=now) as turn:
        Unblinding.objects.get_or_create(
            campaign_id=campaign_id, user=user, defaults={"at": now, "what": what[:300]}
        )
        rater = Rater.objects.filter(campaign=campaign_id, user=user, unblinded_at=None).first()
        if rater is not None:
            leave_out(turn, rater, why=Vote.UNBLINDED, action=UNBLINDED)
            change_rater(rater, {}, by=1, n_counted=0, unblinded_at=now)
