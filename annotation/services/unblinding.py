"""People who have seen who wrote an answer that is being voted on."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Unblinding


@transaction.atomic
def mark_unblinded(*, user: User, campaign_id: int, what: str, now: datetime) -> None:
    """Once for each person and campaign; ``what`` is the address that was opened first."""
    Unblinding.objects.get_or_create(
        campaign_id=campaign_id, user=user, defaults={"at": now, "what": what[:300]}
    )
