"""Runs: the list, and one run's progress derived from its rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

RunState = Literal["waiting", "running", "paused", "cancelled", "finished"]


@dataclass(frozen=True, slots=True)
class RunRow:
    public_id: str
    benchmark: str
    benchmark_title: str
    state: RunState
    origin: str
    question_set: str
    n_questions: int
    n_variants: int
    tracks: tuple[str, ...]
    judges: tuple[str, ...]
    n_done: int
    n_total: int
    n_errored: int
    created_at: dt.datetime
    finished_at: dt.datetime | None
    created_by: str


@dataclass(frozen=True, slots=True)
class RunsPage:
    rows: tuple[RunRow, ...]
    page: int
    n_pages: int
    n_runs: int


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a run. ``per_minute`` and ``seconds_left`` are None before there is a rate."""

    name: str
    unit: str
    n_done: int
    n_total: int
    per_minute: float | None
    seconds_left: float | None

    @property
    def is_done(self) -> bool:
        return self.n_done >= self.n_total


@dataclass(frozen=True, slots=True)
class VariantProgress:
    system: str
    variant: str
    label: str
    modality: str
    anchor: bool
    n_answered: int
    n_errored: int
    n_not_applicable: int
    n_total: int


@dataclass(frozen=True, slots=True)
class RunError:
    """One failed attempt, newest first. ``resolved``: a later attempt succeeded."""

    at: dt.datetime
    stage: str
    variant: str
    track: str
    question_id: str
    message: str
    resolved: bool


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """``status`` is ok, warning, failed or not_applicable; ``system`` is the variant's label, or
    empty for the run as a whole."""

    name: str
    status: str
    system: str
    message: str

    @property
    def is_good(self) -> bool:
        return self.status in ("ok", "not_applicable")

    @property
    def order(self) -> int:
        """Failed first, then warnings, then the rest."""
        return {"failed": 0, "warning": 1}.get(self.status, 2)


@dataclass(frozen=True, slots=True)
class RunPage:
    run: RunRow
    protocol_key: str
    synthesizer: str
    budget_mode: str
    seed: int
    repeats: int
    options: Mapping[str, Any]
    started_at: dt.datetime | None
    paused_at: dt.datetime | None
    stopped_reason: str
    stages: tuple[Stage, ...]
    variants: tuple[VariantProgress, ...]
    n_answered: int
    n_not_applicable: int
    n_unscored: int
    n_resent_requests: int
    cost_usd: float
    cost_is_partly_unknown: bool
    spending_limit_usd: float | None
    errors: tuple[RunError, ...]
    n_open_errors: int
    doctor: tuple[DoctorCheck, ...]

    @property
    def is_live(self) -> bool:
        """Whether the page should ask again."""
        return self.run.state in ("waiting", "running")
