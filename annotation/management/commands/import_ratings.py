"""``manage.py import_ratings STUDY FILE``: items that several people rated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from annotation.management.door import CampaignDoor
from annotation.services.importing_ratings import FORMATS, JUDGE_BENCH, import_ratings
from annotation.vote_formats.rated_items import NOMINAL, SCALES
from annotation.vote_formats.rows import BrokenRows
from evaluation.management.door import one_line, show_problems


class Command(CampaignDoor):
    help = (
        "Import ratings of items (not votes on pairs), to measure how far their raters agree. "
        "Graded metrics are ordinal, categorical ones nominal, continuous ones interval."
    )
    examples = (
        "import_ratings newsroom newsroom.json",
        "import_ratings codings codings.csv --format matrix",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the new study's name")
        parser.add_argument("file", type=Path, metavar="FILE", help="gzip is unpacked")
        parser.add_argument(
            "--format",
            default=JUDGE_BENCH,
            choices=FORMATS,
            help="judge-bench (default), or matrix: CSV, a row a rater, a column an item",
        )
        parser.add_argument(
            "--level",
            default=NOMINAL,
            choices=SCALES,
            help="of a matrix (default nominal); judge-bench states its own",
        )

    def enter(self, options: dict[str, Any]) -> None:
        try:
            done = import_ratings(
                name=options["study"],
                path=options["file"],
                now=timezone.now(),
                format=options["format"],
                level=options["level"],
            )
        except BrokenRows as refusal:
            show_problems(self, refusal.problems)
            raise CommandError(one_line(str(refusal))) from refusal
        metrics = "metric" if done.n_metrics == 1 else "metrics"
        self.stdout.write(
            f"{done.n_ratings:,} ratings of {done.n_items:,} items on {done.n_metrics:,} {metrics} "
            f"imported as {done.study.slug}."
        )
