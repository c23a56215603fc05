"""What an audit found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

CLASSES: Mapping[str, str] = {
    "A": "rubric fact not verifiable in the cited paper",
    "B": "dependency on data outside the corpus",
    "C": "volatile value: another load gives something else",
    "D": "rubric over-specifies precision the paper does not claim",
    "E": "answerable without the corpus (kept, flagged)",
}
"""The classes of Table 3 of the paper. Findings about tiers and duplicates have none of them."""
NO_CLASS = ""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One defect. ``audit_class`` is A to E or empty; ``question_id`` is empty where the finding
    concerns the benchmark as a whole."""

    check: str
    audit_class: str
    question_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """One check and what it found. ``refusal`` says why it could not run; then nothing was
    checked. ``n_checked`` counts what it looked at: facts, questions or documents."""

    name: str
    description: str
    n_checked: int = 0
    findings: tuple[AuditFinding, ...] = ()
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All checks in their fixed order. ``n_questions`` counts holdout questions too."""

    slug: str
    n_questions: int
    checks: tuple[AuditCheck, ...]

    @property
    def findings(self) -> tuple[AuditFinding, ...]:
        return tuple(finding for check in self.checks for finding in check.findings)

    def classes_of(self, question_id: str) -> tuple[str, ...]:
        """The classes of one question, in order."""
        found = {f.audit_class for f in self.findings if f.question_id == question_id}
        return tuple(sorted(found - {NO_CLASS}))

    def questions_by_class(self) -> dict[str, int]:
        """How many questions have each class, A to E; one with two classes counts in both."""
        return {
            name: len({f.question_id for f in self.findings if f.audit_class == name})
            for name in CLASSES
        }

    def to_rows(self) -> list[dict[str, str]]:
        """One row a finding: check, class, meaning, question, sentence."""
        return [
            {
                "check": finding.check,
                "class": finding.audit_class,
                "meaning": CLASSES.get(finding.audit_class, ""),
                "question": finding.question_id,
                "sentence": finding.sentence,
            }
            for finding in self.findings
        ]
