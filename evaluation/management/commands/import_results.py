"""``manage.py import_results FILE --format F``: results that were made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.formats.results import READERS
from evaluation.management.door import Door, show_problems
from evaluation.services.importing import import_results


class Command(Door):
    help = (
        "Import answers with their judgments as one finished run, marked as imported. It gets a "
        "comparison key of its own: imported numbers never share a table with measured ones. "
        "Rows that cannot be taken are named; the file is stored whole or not at all."
    )
    examples = (
        "import_results answers.jsonl",
        "import_results mem0.json.gz --format agent-memory-benchmark",
        "import_results report.json --format memorybench --benchmark locomo10",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="gzip is unpacked")
        parser.add_argument(
            "--format",
            default="jsonl",
            metavar="F",
            help=f"{', '.join(sorted(READERS))} (default jsonl, our own)",
        )
        parser.add_argument(
            "--benchmark",
            metavar="B",
            help="the loaded benchmark the answers belong to (default: the one the file names, "
            "made of its questions where it is not loaded)",
        )

        parser.add_argument(
            "--holdout",
            action="store_true",
            help="take the answers to the benchmark's holdout questions, and those alone; without "
            "it they are left out",
        )

    def enter(self, options: dict[str, Any]) -> None:
        imported = import_results(
            path=options["file"],
            format=options["format"],
            benchmark=options["benchmark"],
            holdout=options["holdout"],
        )
        show_problems(self, imported.problems)
        run = imported.run
        self.stdout.write(
            f"{imported.n_answers:,} answers imported into {run.benchmark.slug} as run "
            f"{run.public_id}."
        )
        if imported.n_missing:
            self.say(
                f"{imported.n_missing:,} answers that other variants of the file have are missing; "
                "they count as errored."
            )
