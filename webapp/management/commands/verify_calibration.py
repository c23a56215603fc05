"""``manage.py verify_calibration FILE``: computes a report's numbers again from its votes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from annotation.calibration.bundle import verify_bundle
from annotation.calibration.data import BundleUnreadable
from annotation.management.door import CampaignDoor

MOST_SHOWN = 50


class Command(CampaignDoor):
    help = (
        "Compute every number of a calibration bundle (export_calibration --format json) again "
        "from the votes in it. Needs no database. Exit code 1 where something does not follow, "
        "with the place of each difference."
    )
    examples = ("verify_calibration report.json",)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def enter(self, options: dict[str, Any]) -> None:
        path: Path = options["file"]
        try:
            bundle = orjson.loads(path.read_bytes())
            findings = verify_bundle(bundle)
        except (orjson.JSONDecodeError, BundleUnreadable) as error:
            raise CommandError(f"{path.name}: {error}") from error
        if findings:
            for finding in findings[:MOST_SHOWN]:
                self.say(finding)
            n, more = len(findings), len(findings) - MOST_SHOWN
            told = f"{n:,} difference{'s' * (n != 1)}"
            told += f", the first {MOST_SHOWN} above" if more > 0 else " above"
            raise CommandError(f"{path.name} does not follow from its votes: {told}")
        counts = bundle["report"]["counts"]
        self.stdout.write(
            f"{path.name}: every number follows from its {counts['n_votes']:,} votes on "
            f"{counts['n_pairs']:,} pairs (data {bundle['data_hash'][:16]}, report "
            f"{bundle['report_hash'][:16]}, as on its page)"
        )
