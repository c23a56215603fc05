"""The first page: benchmarks, the latest runs, and what to do on an empty install."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from evaluation.queries.runs import RunRow


@dataclass(frozen=True, slots=True)
class BenchmarkCard:
    slug: str
    title: str
    family: str
    description: str
    licence: str
    is_generated: bool
    is_published_only: bool
    n_documents: int
    n_questions: int
    n_runs: int
    n_variants: int
    newest_run_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class HomePage:
    benchmarks: tuple[BenchmarkCard, ...]
    latest_runs: tuple[RunRow, ...]

    @property
    def is_empty(self) -> bool:
        return not self.benchmarks
