"""``manage.py campaign list`` and ``campaign ACTION SLUG``: look at a campaign, open, close it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation.management.campaign_report import campaign_lines, campaign_state
from annotation.management.door import CampaignDoor
from annotation.models import Campaign
from annotation.services.campaign_control import (
    close_campaign,
    delete_draft,
    open_campaign,
    reopen_campaign,
)
from annotation.services.campaigns import get_campaign
from annotation.services.pair_scores import refresh_pair_scores

ACTIONS = {
    "list": "all campaigns, newest first",
    "status": "the link, the state and what was drawn",
    "open": "start the vote; its options are frozen from then on",
    "close": "end the vote",
    "reopen": "go on with a closed vote",
    "delete": "remove a draft",
    "refresh-scores": "take over what judges gave since the campaign was made",
}
CHANGES = {"open": open_campaign, "close": close_campaign, "reopen": reopen_campaign}


class Command(CampaignDoor):
    help = "Look at the campaigns, open them, close them."
    examples = ("campaign list", "campaign status first-vote", "campaign close first-vote")

    def add_arguments(self, parser: CommandParser) -> None:
        told = "; ".join(f"{name}: {what}" for name, what in ACTIONS.items())
        parser.add_argument("action", choices=list(ACTIONS), help=told)
        parser.add_argument("slug", nargs="?", metavar="SLUG")

    def enter(self, options: dict[str, Any]) -> None:
        action, slug, now = options["action"], options["slug"], timezone.now()
        if action == "list":
            for one in Campaign.objects.newest_first():
                self.stdout.write(f"{one.slug}  {campaign_state(one, now=now)}  {one.name}")
            return
        if not slug:
            raise CommandError(f"{action} needs the slug of a campaign", returncode=2)
        campaign = get_campaign(slug)
        if action == "delete":
            delete_draft(campaign=campaign, by=None, now=now)
            self.stdout.write(f"The draft {slug} is gone.")
            return
        if action == "refresh-scores":
            n_rows = refresh_pair_scores(campaign=campaign, now=now)
            self.stdout.write(f"{n_rows:,} scores of pairs are up to date.")
            return
        if action in CHANGES:
            campaign = CHANGES[action](campaign=campaign, by=None, now=now)
        self.stdout.write("\n".join(campaign_lines(campaign, now=now)))
