"""``manage.py audit_benchmark B``: what can be checked of a benchmark without a person."""

from __future__ import annotations

from typing import Any

import pandas as pd
from django.core.management.base import CommandParser

from evaluation.benchmarks.audit.report import CLASSES, AuditCheck
from evaluation.formats.answers_csv import formula_safe
from evaluation.management.door import Door, add_format
from evaluation.services.auditing import Audited, audit
from evaluation.services.plain_json import plain

SHOWN_FINDINGS = 5


class Command(Door):
    help = (
        "Audit a loaded benchmark: must-have facts against the texts they cite, source pointers, "
        "a second load, questions that a model answers without the corpus (from a run with "
        "base-model), tiers against numbers of sources, precision that the source does not claim, "
        "duplicates. The report stands on the benchmark's audit page until the next audit."
    )
    examples = ("audit_benchmark scholia-prose", "audit_benchmark covidqa --format json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("benchmark", metavar="B", help="the slug of a loaded benchmark")
        parser.add_argument("--all", action="store_true", help="print every finding")
        add_format(parser, "text", "json", "csv")

    def enter(self, options: dict[str, Any]) -> None:
        audited = audit(benchmark=options["benchmark"])
        if options["format"] == "json":
            self.write_json(plain(audited.report))
        elif options["format"] == "csv":
            self.stdout.write(findings_csv(audited), ending="")
        else:
            self.show(audited, None if options["all"] else SHOWN_FINDINGS)

    def show(self, audited: Audited, most: int | None) -> None:
        report = audited.report
        self.stdout.write(f"{report.slug}: {report.n_questions:,} questions audited")
        for name, count in report.questions_by_class().items():
            self.stdout.write(f"  class {name}  {count:>5,}  {CLASSES[name]}")
        if audited.no_second_load:
            self.say(f"no second load: {audited.no_second_load}")
        for check in report.checks:
            self.stdout.write(f"\n{check.name}: {outcome(check)}")
            for finding in check.findings[:most]:
                self.stdout.write(f"  {finding.question_id}: {finding.sentence}")
            if most is not None and len(check.findings) > most:
                self.stdout.write(f"  … and {len(check.findings) - most:,} more (--all)")


def outcome(check: AuditCheck) -> str:
    if check.refusal:
        return f"not checked, {check.refusal}"
    found = f"{len(check.findings):,} found" if check.findings else "nothing found"
    return f"{found} in {check.n_checked:,}"


def findings_csv(audited: Audited) -> str:
    columns = pd.Index(["check", "class", "meaning", "question", "sentence"])
    frame = pd.DataFrame(audited.report.to_rows(), columns=columns).map(formula_safe)
    return str(frame.to_csv(index=False, lineterminator="\n"))
