"""A benchmark's audit: what can be checked of it without a person."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from evaluation.queries.board_keys import BenchmarkHeading


@dataclass(frozen=True, slots=True)
class AuditFindingRow:
    """``audit_class`` is one of the paper's classes, A to E, or empty where none fits."""

    question_id: str
    audit_class: str
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
    """``classes``: (class, what it means, questions that have it), A to E; a question with two
    classes counts in both. Empty before an audit. ``n_sound``: questions without any finding."""

    benchmark: BenchmarkHeading
    n_questions: int
    n_sound: int
    classes: tuple[tuple[str, str, int], ...]
    checks: tuple[AuditCheckRow, ...]
    loader: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]
