"""``manage.py export_votes CAMPAIGN --format F``: a campaign's votes as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.management.door import CampaignDoor
from annotation.queries.exported_rows import WhatToExport
from annotation.services.campaigns import get_campaign
from annotation.services.exporting_votes import export_votes, exported_texts, note_export
from annotation.vote_formats.formats import WRITERS


class Command(CampaignDoor):
    help = (
        "Write every vote of a campaign with the side shown, the rater's pseudonym, and why it "
        "counts or not. The file appears whole or not at all; what is read here can be imported "
        "again. The arena's format has no flags and holds counted votes only. Each export is in "
        "the audit log."
    )
    examples = (
        "export_votes first-look --format csv --output votes.csv",
        "export_votes first-look --format jsonl | gzip > votes.jsonl.gz",
        "export_votes first-look --checks --output checks.csv",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its name in addresses")
        parser.add_argument(
            "--format",
            default="csv",
            metavar="F",
            help=f"{' or '.join(WRITERS)} (default csv)",
        )
        parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
        parser.add_argument(
            "--checks",
            action="store_true",
            help="the votes on checks, which are in no other export (csv, jsonl)",
        )

    def enter(self, options: dict[str, Any]) -> None:
        campaign = get_campaign(options["campaign"])
        what = WhatToExport(options["format"], options["checks"])
        note_export(campaign=campaign, what=what, now=timezone.now())
        if options["output"] is None:
            for text in exported_texts(campaign=campaign, what=what):
                self.stdout.write(text, ending="")
            return
        done = export_votes(campaign=campaign, what=what, path=options["output"])
        self.say(f"{done.n_rows:,} rows, {done.n_bytes:,} bytes: {done.path}")
