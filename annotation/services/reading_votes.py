"""Reading the votes of a campaign page by page, which is an export and noted as one."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User

from annotation.models import AuditEntry, Campaign
from annotation.queries.exported_page import VotesRead, exported_page
from annotation.queries.exported_rows import WhatToExport
from annotation.services.campaigns import CampaignNotFound
from annotation.services.exporting_votes import note_export

ONE_READING: Final = timedelta(hours=1)
"""Pages that a person reads within this time are one entry of the log."""


def read_votes(*, slug: str, after: int, n: int, by: User, now: datetime) -> VotesRead:
    """Who reads the votes of an open campaign sees who wrote what, and is marked as unblinded.
    Raises CampaignNotFound."""
    campaign = Campaign.objects.select_related("tally").filter(slug=slug).first()
    if campaign is None:
        raise CampaignNotFound(f"there is no campaign '{slug}'")
    entries = AuditEntry.objects.filter(campaign=campaign, at__gt=now - ONE_READING)
    if after == 0 or not entries.filter(actor=by, action="votes exported").exists():
        note_export(campaign=campaign, what=WhatToExport("jsonl"), by=by, now=now)
    return exported_page(campaign, after=after, n=n)
