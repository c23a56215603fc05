"""``manage.py export_calibration CAMPAIGN --format F``: a campaign's report as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from annotation.calibration.settings import CalibrationSettings, edges_of
from annotation.management.door import CampaignDoor
from annotation.services.audit import record
from annotation.services.calibration import kept_report
from annotation.services.campaigns import get_campaign
from evaluation.services.exporting import whole_or_nothing
from webapp.http.calibration_files import FORMATS, calibration_file


class Command(CampaignDoor):
    help = (
        "Write the calibration report of a campaign: html opens and prints without network, md is "
        "to read, csv has every number on a line, json holds the votes as well, so that "
        "verify_calibration can compute everything again."
    )
    examples = (
        "export_calibration first-look --format html --output report.html",
        "export_calibration first-look --format json --output report.json",
        "verify_calibration report.json",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="its name in addresses")
        parser.add_argument("--format", default="html", metavar="F", help=" or ".join(FORMATS))
        parser.add_argument("--output", type=Path, metavar="PATH", help="default: standard output")
        parser.add_argument("--judge", default="", help="default: the campaign's reference judge")
        parser.add_argument(
            "--edges", default="", metavar="E,E", help="lower edges of gaps (default 0,2,4)"
        )
        parser.add_argument(
            "--agreement", type=float, default=None, help="what the resolution stands for: 0.75"
        )
        parser.add_argument(
            "--with-excluded", action="store_true", help="count the votes of excluded raters"
        )

    def enter(self, options: dict[str, Any]) -> None:
        campaign, now = get_campaign(options["campaign"]), timezone.now()
        report = kept_report(
            campaign=campaign,
            settings=asked_settings(options),
            judge=options["judge"],
            now=now,
            must_be_current=True,
        )
        made = calibration_file(campaign, report, options["format"])
        detail = {"format": options["format"], "report": report.report_hash}
        record(
            action="exported the calibration", by=None, campaign=campaign, detail=detail, now=now
        )
        if options["output"] is None:
            self.stdout.write(made.content.decode(), ending="")
            return
        with whole_or_nothing(options["output"]) as stream:
            stream.write(made.content)
        self.say(f"{len(made.content):,} bytes: {options['output']}")


def asked_settings(options: dict[str, Any]) -> CalibrationSettings:
    """Raises InvalidCalibrationSetting."""
    chosen: dict[str, Any] = {"with_excluded": options["with_excluded"]}
    if options["edges"]:
        chosen["edges"] = edges_of(options["edges"])
    if options["agreement"] is not None:
        chosen["agreement"] = options["agreement"]
    return CalibrationSettings(**chosen)
