"""``manage.py export_results RUN --format F``: a run's answers as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.formats.results import WRITERS
from evaluation.management.door import Door
from evaluation.services.exporting import export_results, exported_texts
from evaluation.services.runs import get_run


class Command(Door):
    help = (
        "Write every answer of a run with its judgments, in an order that does not depend on how "
        "the run went. The file appears whole or not at all. With --reproducible the measured "
        "fields (ids, times, costs) are left out: equal protocols then give equal bytes."
    )
    examples = (
        "export_results 3fa9c2d41e --output answers.jsonl",
        "export_results 3fa9c2d41e --format csv > answers.csv",
        "export_results 3fa9c2d41e --reproducible | sha256sum",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="the run's id")
        parser.add_argument(
            "--format",
            default="jsonl",
            metavar="F",
            help=f"{' or '.join(sorted(WRITERS))} (default jsonl)",
        )
        parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
        parser.add_argument(
            "--reproducible", action="store_true", help="leave out what was measured"
        )
        parser.add_argument(
            "--contexts",
            action="store_true",
            help="with the text of every retrieved context (jsonl; can be very large)",
        )

    def enter(self, options: dict[str, Any]) -> None:
        run = get_run(options["run"])
        wanted = {
            "format": options["format"],
            "reproducible": options["reproducible"],
            "with_contexts": options["contexts"],
        }
        if options["output"] is None:
            for text in exported_texts(run=run, **wanted):
                self.stdout.write(text, ending="")
            return
        done = export_results(run=run, path=options["output"], **wanted)
        left_out = f"; {done.n_left_out:,} cells have no answer" if done.n_left_out else ""
        self.say(f"{done.n_rows:,} answers, {done.n_bytes:,} bytes{left_out}: {done.path}")
