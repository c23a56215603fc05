"""Reading the newest audit of a benchmark."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.benchmarks.audit.report import CLASSES
from evaluation.models import AuditCheck, Benchmark
from evaluation.queries.audit import AuditCheckRow, AuditFindingRow, AuditPage
from evaluation.queries.board_keys import board_keys

LOADER_COUNTS: Mapping[str, str] = {
    "n_documents": "Documents",
    "n_questions": "Questions, holdout included",
    "n_facts": "Must-have facts",
    "n_spans_found": "Source spans found where stated",
    "n_spans_relocated": "Source spans relocated",
    "n_spans_ambiguous": "Relocated to one of several places",
    "n_spans_missing": "Source spans missing",
}


def audit_page(slug: str) -> AuditPage:
    """The audit of the revision that the benchmark's pages show. Raises NotFound."""
    keys = board_keys(slug)
    row = Benchmark.objects.get(pk=keys.benchmark_id)
    checks = tuple(
        _check(check)
        for check in AuditCheck.objects.filter(benchmark=row)
        .order_by("position", "pk")
        .prefetch_related("findings")
    )
    return AuditPage(
        benchmark=keys.benchmark,
        n_questions=row.n_questions,
        n_sound=row.n_questions - len(_questions(checks)),
        classes=_classes(checks) if checks else (),
        checks=checks,
        loader=tuple(
            (label, row.report[name]) for name, label in LOADER_COUNTS.items() if name in row.report
        ),
        problems=tuple(row.report.get("problems", ())),
    )


def _check(check: AuditCheck) -> AuditCheckRow:
    findings = sorted(check.findings.all(), key=lambda one: (one.position, one.pk))
    return AuditCheckRow(
        name=check.name,
        description=check.description,
        n_checked=check.n_checked,
        findings=tuple(
            AuditFindingRow(one.question_id, one.audit_class, one.sentence) for one in findings
        ),
        refusal=check.refusal,
        at=check.at,
    )


def _questions(checks: tuple[AuditCheckRow, ...], audit_class: str | None = None) -> set[str]:
    """Questions with a finding, or with one of this class."""
    return {
        finding.question_id
        for check in checks
        for finding in check.findings
        if finding.question_id and audit_class in (None, finding.audit_class)
    }


def _classes(checks: tuple[AuditCheckRow, ...]) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (name, meaning, len(_questions(checks, name))) for name, meaning in CLASSES.items()
    )
