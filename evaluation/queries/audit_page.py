"""Reading the newest audit of a benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from evaluation.models import AuditCheck, Benchmark
from evaluation.queries.audit import AuditCheckRow, AuditFindingRow, AuditPage
from evaluation.queries.board_keys import board_keys

GRADES: Mapping[str, str] = {
    "A": "sound: nothing was found",
    "B": "sound with a remark",
    "C": "usable: something should be put right",
    "D": "doubtful: it may not measure what it should",
    "E": "unusable",
}
LOADER_COUNTS: Mapping[str, str] = {
    "n_documents": "Documents",
    "n_questions": "Questions",
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
        grades=_grades(checks, row.n_questions) if checks else (),
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
            AuditFindingRow(one.question_id, one.grade, one.sentence) for one in findings
        ),
        refusal=check.refusal,
        at=check.at,
    )


def _grades(
    checks: tuple[AuditCheckRow, ...], n_questions: int
) -> tuple[tuple[str, str, int], ...]:
    """Questions by their worst finding; those without one are class A."""
    worst: dict[str, str] = {}
    for check in checks:
        for finding in check.findings:
            if finding.question_id:
                held = worst.get(finding.question_id, "A")
                worst[finding.question_id] = max(held, finding.grade)
    counted = Counter(worst.values())
    counted["A"] += max(0, n_questions - len(worst))
    return tuple((grade, meaning, counted[grade]) for grade, meaning in GRADES.items())
