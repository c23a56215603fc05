"""Which benchmark, comparison key and judge a page shows, and what else could be chosen."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BenchmarkHeading:
    """What stands over every page of a benchmark. ``revision`` is its hash."""

    slug: str
    title: str
    family: str
    revision: str
    licence: str
    citation: str
    source: str
    description: str
    is_generated: bool
    is_published_only: bool
    n_documents: int
    n_questions: int


@dataclass(frozen=True, slots=True)
class ProtocolChoice:
    """A comparison key with runs. ``is_complete``: some run of it has finished."""

    key: str
    question_set: str
    budget_mode: str
    synthesizer: str
    seed: int
    repeats: int
    n_variants: int
    n_runs: int
    is_complete: bool
    newest_run_at: dt.datetime
    is_active: bool

    @property
    def short_key(self) -> str:
        return self.key[:12]


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """A judge that scored cells under the chosen comparison key."""

    key: str
    name: str
    is_proxy: bool
    n_judgments: int
    is_active: bool

    @property
    def short_key(self) -> str:
        return self.key[:12]


@dataclass(frozen=True, slots=True)
class BoardKeys:
    """``protocol`` and ``judge`` are None where nothing has been measured yet."""

    benchmark: BenchmarkHeading
    benchmark_id: int
    protocol: ProtocolChoice | None
    protocols: tuple[ProtocolChoice, ...]
    judge: JudgeChoice | None
    judges: tuple[JudgeChoice, ...]
