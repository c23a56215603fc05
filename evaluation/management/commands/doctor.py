"""``manage.py doctor [SYSTEM] [--benchmark B]``: is a memory system really doing what it says?"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser
from tqdm import tqdm

from evaluation.management.door import Door, add_format
from evaluation.services.checkup import Checkup, check_up
from evaluation.services.run_options import RunOptions

MARKS = {"ok": "ok", "warning": "warning", "failed": "FAILED", "not_applicable": "–"}
DEFAULT_EMBEDDER = RunOptions(benchmark="", systems=()).embedder


class Command(Door):
    help = (
        "Probe memory systems on three documents: does a known-good query return context, do "
        "achieved characters match the budget, are lexical and dense really on, do stored units "
        "and documents match what was ingested, does the knob change the output. Every run begins "
        "with the same checks. Exit 1 when a check failed that the system does not declare."
    )
    examples = (
        "doctor",
        "doctor simple-rag --embedder static",
        "doctor bm25 --benchmark covidqa --format json",
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("system", nargs="?", metavar="SYSTEM", help="default: every system")
        parser.add_argument(
            "--benchmark",
            metavar="B",
            help="whose documents to probe with (default: generated ones)",
        )
        parser.add_argument(
            "--embedder",
            default=DEFAULT_EMBEDDER,
            metavar="E",
            help=f"minilm, static or openai:MODEL (default {DEFAULT_EMBEDDER})",
        )
        add_format(parser, "text", "json")

    def enter(self, options: dict[str, Any]) -> None:
        reports = check_up(
            system=options["system"],
            benchmark=options["benchmark"],
            embedder=options["embedder"],
        )
        seen: list[Checkup] = []
        for report in tqdm(reports, desc="doctor", unit=" variant", disable=None, leave=False):
            seen.append(report)
            if options["format"] == "text":
                self.show(report)
        if options["format"] == "json":
            self.write_json([asdict(report) for report in seen])
        failed = [report.label for report in seen if report.has_failed]
        if failed:
            raise CommandError(f"the doctor found failures in {', '.join(failed)}")

    def show(self, report: Checkup) -> None:
        lines = [report.label]
        lines += [
            f"  {MARKS[finding.level]:<8} {finding.check}: {finding.sentence}"
            for finding in report.findings
        ]
        tqdm.write("\n".join(lines), file=sys.stdout)
