"""What the API answers with: the rows of the pages, with the keys they belong to on top."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from typing import Any, get_type_hints

from evaluation.formats.result_rows import ResultRow
from evaluation.queries.board_keys import BoardKeys, JudgeChoice, ProtocolChoice
from evaluation.queries.compare import ComparePage
from evaluation.queries.contrasts import ContrastsPage
from evaluation.queries.home import BenchmarkCard
from evaluation.queries.leaderboard import LeaderboardPage
from evaluation.queries.question import QuestionPage
from evaluation.queries.questions import QuestionsPage
from evaluation.queries.runs import RunRow
from evaluation.queries.sweep import SweepPage
from evaluation.services.plain_json import plain


@dataclass(frozen=True, slots=True)
class Keys:
    """Whose numbers these are: one benchmark revision, one comparison key, one judge. Empty where
    nothing has been measured. ``protocols`` and ``judges`` are what ``protocol=`` and ``judge=``
    can choose."""

    benchmark: str
    revision: str
    protocol: str
    question_set: str
    judge: str
    judge_key: str
    protocols: tuple[ProtocolChoice, ...]
    judges: tuple[JudgeChoice, ...]


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


def with_keys(page: type, name: str) -> type:
    """The page's fields, its ``keys`` spread out on top."""
    hints = {**get_type_hints(Keys), **get_type_hints(page)}
    names = [field.name for field in (*fields(Keys), *fields(page)) if field.name != "keys"]
    made = make_dataclass(name, [(each, hints[each]) for each in names], frozen=True)
    made.__doc__ = page.__doc__
    return made


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
Runs = paged(RunRow, "Runs")
Answers = paged(ResultRow, "Answers")


def page_with_keys(page: Any) -> dict[str, Any]:
    """The values of a shape that ``with_keys`` made."""
    values = plain(page)
    del values["keys"]
    return {**plain(keys_of(page.keys)), **values}


def keys_of(keys: BoardKeys) -> Keys:
    protocol, judge = keys.protocol, keys.judge
    return Keys(
        benchmark=keys.benchmark.slug,
        revision=keys.benchmark.revision,
        protocol=protocol.key if protocol else "",
        question_set=protocol.question_set if protocol else "",
        judge=judge.name if judge else "",
        judge_key=judge.key if judge else "",
        protocols=keys.protocols,
        judges=keys.judges,
    )
