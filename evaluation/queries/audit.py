"""A benchmark's audit: what can be checked of it without a person."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from evaluation.queries.board_keys import BenchmarkHeading


@dataclass(frozen=True, slots=True)
class AuditFindingRow:
    """``grade`` is a class from A (sound) to E (unusable)."""

    question_id: str
    grade: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AuditCheckRow:
    """``refusal`` says why a check could not run; then there are no findings."""

    name: str
    description: str
    n_checked: int
    findings: tuple[AuditFindingRow, ...]
    refusal: str
    at: dt.datetime

    @property
    def is_clean(self) -> bool:
        return not self.findings and not self.refusal


@dataclass(frozen=True, slots=True)
class AuditPage:
    """``grades`` counts questions by class, A to E, worst finding first."""

    benchmark: BenchmarkHeading
    n_questions: int
    grades: tuple[tuple[str, str, int], ...]
    checks: tuple[AuditCheckRow, ...]
    loader: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]
