"""``manage.py audit_blinding [CAMPAIGN]``: what raters were shown, and whether blinding held."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.management.blinding_report import audit_lines
from annotation.management.door import CampaignDoor
from annotation.models import Campaign
from annotation.queries.shown_pairs import shown_to_raters
from annotation.services.blinding_audit import audit_blinding
from annotation.services.campaigns import get_campaign
from evaluation.management.door import add_format
from evaluation.services.plain_json import plain


class Command(CampaignDoor):
    help = (
        "List what each rater was shown and knew at each vote, who was unblinded, how the sides "
        "fell, and what a new scan of every stored text finds. Exit code 1 when something is "
        "wrong. It says who wrote what: not for raters."
    )
    examples = ("audit_blinding first-vote", "audit_blinding --format json > audit.json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "campaign", nargs="?", metavar="CAMPAIGN", help="its slug; default: every campaign"
        )
        add_format(parser, "text", "json")

    def enter(self, options: dict[str, Any]) -> None:
        slug = options["campaign"]
        campaigns = [get_campaign(slug)] if slug else list(Campaign.objects.newest_first())
        audits = [(one, audit_blinding(campaign=one)) for one in campaigns]
        if options["format"] == "json":
            self.write_json(
                [
                    {**plain(audit), "raters": [plain(rater) for rater in shown_to_raters(one)]}
                    for one, audit in audits
                ]
            )
        else:
            for one, audit in audits:
                for line in audit_lines(audit, shown_to_raters(one)):
                    self.stdout.write(line)
        n_wrong = sum(len(audit.problems) for _, audit in audits)
        if n_wrong:
            things = "thing is" if n_wrong == 1 else "things are"
            raise CommandError(f"{n_wrong} {things} wrong with the blinding")
