"""What the API answers with: the rows of the pages, with the keys they belong to on top."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass

from evaluation.formats.result_rows import ResultRow
from evaluation.queries.compare import ComparePage
from evaluation.queries.contrasts import ContrastsPage
from evaluation.queries.home import BenchmarkCard
from evaluation.queries.leaderboard import LeaderboardPage
from evaluation.queries.question import QuestionPage
from evaluation.queries.questions import QuestionsPage
from evaluation.queries.runs import RunRow
from evaluation.queries.sweep import SweepPage
from evaluation.queries.systems import SystemRow
from evaluation.services.page_json import with_keys


@dataclass(frozen=True, slots=True)
class Refusal:
    """Every error: a sentence, the field it concerns and the values known for it, where there
    are such."""

    detail: str
    field: str
    known: tuple[str, ...]


REFUSED = {400: Refusal, 404: Refusal}
REFUSED_TO_CHANGE = {**REFUSED, 401: Refusal, 403: Refusal}


@dataclass(frozen=True, slots=True)
class ChangedRun:
    """``n_works``: pieces of work handed to the workers."""

    run: RunRow
    n_works: int


@dataclass(frozen=True, slots=True)
class ImportedResults:
    run: str
    benchmark: str
    n_answers: int
    n_missing: int
    problems: tuple[str, ...]


def paged(row: type, name: str) -> type:
    made = make_dataclass(
        name,
        [
            ("count", int), ("page", int), ("n_pages", int), ("next", str | None),
            ("previous", str | None), ("results", tuple[row, ...]),  # type: ignore[valid-type]
        ],
        frozen=True,
    )  # fmt: skip
    made.__doc__ = "One page of a longer list; next and previous are addresses."
    return made


Leaderboard = with_keys(LeaderboardPage, "Leaderboard")
Sweep = with_keys(SweepPage, "Sweep")
Contrasts = with_keys(ContrastsPage, "Contrasts")
Comparison = with_keys(ComparePage, "Comparison")
Questions = with_keys(QuestionsPage, "Questions")
QuestionAnswers = with_keys(QuestionPage, "QuestionAnswers")
Benchmarks = paged(BenchmarkCard, "Benchmarks")
Systems = paged(SystemRow, "Systems")
Runs = paged(RunRow, "Runs")
Answers = make_dataclass(
    "Answers", [("embargoed", str)], bases=(paged(ResultRow, "PageOfAnswers"),), frozen=True
)
