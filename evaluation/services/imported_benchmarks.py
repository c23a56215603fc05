"""Which benchmark imported answers belong to; made from the file where it is not loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluation import records
from evaluation.benchmarks.cards import UNSTATED_LICENCE, slug_from
from evaluation.formats.result_rows import ResultRow
from evaluation.models import Benchmark
from evaluation.services.benchmarks import BenchmarkNotLoaded, newest_benchmark, store_benchmark
from evaluation.source_files.refusals import WrongKindOfFile

FAMILY = "scientific"


def rows_of_one_benchmark(
    *, rows: Sequence[ResultRow], benchmark: str | None, path: Path
) -> tuple[list[ResultRow], list[str]]:
    """The rows of the asked benchmark, and what was left out. A file with one benchmark is taken
    whole, whatever it calls it. Raises WrongKindOfFile for a file with several, none asked for."""
    named = list(dict.fromkeys(row.benchmark for row in rows))
    if len(named) == 1:
        return list(rows), []
    taken = [row for row in rows if benchmark is not None and row.benchmark == benchmark]
    if not taken:
        raise WrongKindOfFile(
            path,
            f"it holds results of several benchmarks ({', '.join(named)}): name one of them to "
            "import its answers",
        )
    return taken, [f"{len(rows) - len(taken):,} answers to other benchmarks were left out"]


def benchmark_for(
    *, rows: Sequence[ResultRow], asked_for: str | None, file_name: str, sha256: str
) -> Benchmark:
    """The loaded benchmark of these answers, or one made of the questions in the file.

    Raises BenchmarkNotLoaded when the one asked for is not loaded, SlugUnusable.
    """
    if asked_for is not None:
        return newest_benchmark(asked_for)
    slug = slug_from(rows[0].benchmark)
    try:
        return newest_benchmark(slug)
    except BenchmarkNotLoaded:
        made, _ = store_benchmark(
            benchmark=_from_results(rows, slug=slug, file_name=file_name, sha256=sha256)
        )
        return made


def _from_results(
    rows: Sequence[ResultRow], *, slug: str, file_name: str, sha256: str
) -> records.Benchmark:
    by_question: dict[str, list[ResultRow]] = {}
    for row in rows:
        by_question.setdefault(row.question_id, []).append(row)
    questions = tuple(_question(own) for own in by_question.values())
    return records.Benchmark(
        card=records.Card(
            slug=slug,
            title=rows[0].benchmark,
            family=FAMILY,
            licence=UNSTATED_LICENCE,
            citation="",
            source=f"results in {file_name} (SHA-256 {sha256[:16]}…)",
            description="Questions of imported results; its documents are not here.",
        ),
        scenarios=(),
        questions=questions,
        report=records.LoaderReport(n_questions=len(questions)),
    )


def _question(rows: Sequence[ResultRow]) -> records.Question:
    first = rows[0]
    gold = {row.phase: row.gold_answer for row in reversed(rows)}
    return records.Question(
        id=first.question_id,
        text=next((row.question_text for row in rows if row.question_text), first.question_id),
        expectations={
            phase: records.Expectation(gold_answer=gold[phase]) for phase in sorted(gold)
        },
        slices=first.slices,
    )
