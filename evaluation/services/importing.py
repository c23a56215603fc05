"""Results that were made elsewhere, as a run of their own: imported, and never mixed with
measured ones."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from evaluation.formats.result_rows import ResultRow
from evaluation.formats.results import read_results
from evaluation.models import Benchmark, Protocol, Run
from evaluation.protocol.keys import comparison_parts, key_of
from evaluation.protocol.tracks import LARGEST_LIMIT, UnknownTrack, parse_track, parse_tracks
from evaluation.queries.board_keys import HOLDOUT
from evaluation.services.aggregates import refresh_run
from evaluation.services.imported_answers import store_answers
from evaluation.services.imported_benchmarks import benchmark_for, rows_of_one_benchmark
from evaluation.services.imported_variants import imported_judges, imported_variants
from evaluation.services.run_options import RunOptions
from evaluation.source_files.reading import MAX_FILE_BYTES, sha256_of
from evaluation.source_files.refusals import WrongKindOfFile

BUDGET_MODE = Run.IMPORTED
QUESTION_SET = "imported"
LONGEST = {
    "question_id": 200, "system": 60, "variant": 200, "modality": 10, "synthesis": 10, "phase": 80,
}  # fmt: skip
LONGEST_JUDGE = 120
MOST_REPEATS = 10_000
SHOWN_IDS = 5


class ResultsAlreadyImported(Exception):
    """A run holds the results of this very file."""


@dataclass(frozen=True, slots=True)
class Imported:
    """``problems`` name each row of the file that was not taken, and why. ``n_missing``: answers
    that some variant has and another lacks; they stand in the run as errored cells."""

    run: Run
    n_answers: int
    n_missing: int
    problems: tuple[str, ...]


@transaction.atomic
def import_results(
    *,
    path: Path,
    format: str,
    benchmark: str | None = None,
    original_name: str = "",
    holdout: bool = False,
    by: User | None = None,
    max_bytes: int = MAX_FILE_BYTES,
) -> Imported:
    """Read a file of results and store it as one finished run under its own comparison key.

    ``benchmark`` is the slug that the answers belong to; without it the one that the file names,
    which is made from the file where nothing of that name is loaded. ``original_name`` is shown
    instead of the name of a temporary file. Answers to holdout questions are left out and named;
    ``holdout`` takes those alone, as the question set of that name. All or nothing is stored.

    Raises UnknownResultFormat, WrongKindOfFile, BenchmarkNotLoaded, ResultsAlreadyImported.
    """
    file = read_results(path, format, max_bytes=max_bytes)
    name, sha256 = original_name or path.name, sha256_of(path, max_bytes=max_bytes)
    rows, problems = rows_of_one_benchmark(rows=file.rows, benchmark=benchmark, path=path)
    rows, unstorable = _storable(rows, path)
    target = benchmark_for(rows=rows, asked_for=benchmark, file_name=name, sha256=sha256)
    rows, kept_apart = _of_question_set(rows, target, holdout=holdout)
    rows, untaken = _usable(rows, target)
    untaken = [*kept_apart, *untaken]
    if not rows:
        raise WrongKindOfFile(path, f"none of its answers can be taken; {untaken[0]}")
    question_set = HOLDOUT if holdout else QUESTION_SET
    protocol = _protocol(target, rows, question_set, format=format, sha256=sha256)
    earlier = Run.objects.filter(protocol=protocol, origin=Run.IMPORTED).first()
    if earlier is not None:
        raise ResultsAlreadyImported(
            f"{name} was imported before, as run {earlier.public_id}; nothing was changed"
        )
    run = _run(target, protocol, rows, by=by, source={"file": name, "sha256": sha256, **file.meta})
    n_missing = store_answers(
        run_variants=imported_variants(run=run, rows=rows),
        judges=imported_judges(run=run, rows=rows, format=format),
        rows=rows,
        questions={row.question_id: row for row in target.questions.all()},
        at=run.created_at,
    )
    refresh_run(run=run)
    return Imported(run, len(rows), n_missing, (*file.problems, *problems, *unstorable, *untaken))


def _of_question_set(
    rows: Sequence[ResultRow], benchmark: Benchmark, *, holdout: bool
) -> tuple[list[ResultRow], list[str]]:
    """The holdout's rows where they were asked for, else all the others, and what was left out."""
    kept = set(benchmark.questions.filter(is_holdout=True).values_list("question_id", flat=True))
    taken = [row for row in rows if (row.question_id in kept) == holdout]
    asked = {row.question_id for row in taken}
    left = list(dict.fromkeys(row.question_id for row in rows if row.question_id not in asked))
    if not left:
        return taken, []
    named = ", ".join(f"“{one}”" for one in left[:SHOWN_IDS])
    named += " …" if len(left) > SHOWN_IDS else ""
    if holdout:
        return taken, [f"answers to {named} are not of the holdout that was asked for"]
    return taken, [f"answers to {named} are of the holdout, taken only when it is asked for"]


def _usable(rows: Sequence[ResultRow], benchmark: Benchmark) -> tuple[list[ResultRow], list[str]]:
    """The rows whose question, phase and track are known, and one sentence for each reason."""
    phases = {
        question_id: set(data["expectations"])
        for question_id, data in benchmark.questions.values_list("question_id", "data")
    }
    taken: list[ResultRow] = []
    reasons: dict[str, None] = {}
    for row in rows:
        if row.question_id not in phases:
            reasons[f"benchmark '{benchmark.slug}' has no question “{row.question_id}”"] = None
        elif row.phase not in phases[row.question_id]:
            reasons[f"question “{row.question_id}” has no phase “{row.phase}”"] = None
        else:
            try:
                taken.append(replace(row, track=parse_track(row.track).name))
            except UnknownTrack as error:
                reasons[str(error)] = None
    return taken, list(reasons)


def _storable(rows: Sequence[ResultRow], path: Path) -> tuple[list[ResultRow], list[str]]:
    """The rows that every database can keep, and one sentence for each other. Raises
    WrongKindOfFile where none is left."""
    why = [_why_not_storable(row) for row in rows]
    taken = [row for row, reason in zip(rows, why, strict=True) if not reason]
    reasons = list(dict.fromkeys(filter(None, why)))
    if not taken:
        raise WrongKindOfFile(path, f"none of its answers can be taken; {reasons[0]}")
    return taken, reasons


def _why_not_storable(row: ResultRow) -> str:
    names = {name: getattr(row, name) for name in LONGEST}
    names |= {f"judge {n}": one.judge for n, one in enumerate(row.judgments, start=1)}
    for name, value in names.items():
        if len(value) > (longest := LONGEST.get(name, LONGEST_JUDGE)):
            return f"the {name} “{value[:40]}…” has more than {longest} characters"
    if row.repeat >= MOST_REPEATS:
        return f"repeat {row.repeat} of “{row.question_id}” is beyond {MOST_REPEATS:,}"
    for name in ("requested_chars", "achieved_chars", "input_tokens", "output_tokens"):
        if (getattr(row, name) or 0) > LARGEST_LIMIT:
            return f"{name} of “{row.question_id}” is beyond {LARGEST_LIMIT:,}"
    return ""


def _protocol(
    benchmark: Benchmark,
    rows: Sequence[ResultRow],
    question_set: str,
    *,
    format: str,
    sha256: str,
) -> Protocol:
    parts = comparison_parts(
        benchmark_slug=benchmark.slug,
        benchmark_revision=benchmark.revision,
        question_set=question_set,
        question_ids=tuple(_question_ids(rows, benchmark)),
        budget_mode=BUDGET_MODE,
        synthesizer={"synthesizer": _synthesizer(rows)},
        seed=0,
        repeats=1 + max(row.repeat for row in rows),
    ) | {"imported": {"format": format, "file_sha256": sha256}}
    protocol, _ = Protocol.objects.get_or_create(
        key=key_of(parts),
        defaults={"parts": parts, "question_set": question_set, "created_at": timezone.now()},
    )
    return protocol


def _question_ids(rows: Sequence[ResultRow], benchmark: Benchmark) -> list[str]:
    asked = {row.question_id for row in rows}
    ordered = benchmark.questions.order_by("position").values_list("question_id", flat=True)
    return [question_id for question_id in ordered if question_id in asked]


def _synthesizer(rows: Sequence[ResultRow]) -> str:
    names = sorted({row.synthesizer for row in rows} - {""})
    return " and ".join(names) or "not stated"


def _run(
    benchmark: Benchmark,
    protocol: Protocol,
    rows: Sequence[ResultRow],
    *,
    by: User | None,
    source: dict[str, str],
) -> Run:
    now: datetime = timezone.now()
    tracks = [track.name for track in parse_tracks([row.track for row in rows])]
    options = RunOptions(
        benchmark=benchmark.slug,
        systems=tuple(dict.fromkeys(row.system for row in rows)),
        tracks=tuple(tracks),
        synthesizer=_synthesizer(rows),
        judges=tuple(dict.fromkeys(judgment.judge for row in rows for judgment in row.judgments)),
        budget_mode=BUDGET_MODE,
        embedder="",
        questions=protocol.question_set,
        repeats=1 + max(row.repeat for row in rows),
    )
    return Run.objects.create(
        public_id=secrets.token_hex(5),
        benchmark=benchmark,
        protocol=protocol,
        origin=Run.IMPORTED,
        options={**asdict(options), "imported": source},
        question_ids=_question_ids(rows, benchmark),
        tracks=tracks,
        created_by=by,
        created_at=now,
        started_at=now,
        finished_at=now,
    )
