"""A run's answers as the plain rows that exports and the API give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.formats.result_rows import ResultJudgment, ResultRow
from evaluation.models import Cell, Judge, Run
from evaluation.queries.choices import choose
from evaluation.services.benchmarks import question_record
from evaluation.services.contexts import stored_context

ROWS_AT_ONCE = 200
_KEY = (
    "work__scenario__key",
    "run_variant__variant__system",
    "run_variant__variant__label",
    "run_variant__variant__modality",
    "track",
    "question__question_id",
    "phase",
)


def result_cells(*, run: Run, narrowed: Mapping[str, Any] | None = None) -> list[int]:
    """The cells of the run that have an answer or an error, in the order of every export: by
    scenario, variant, track, question, phase and repeat. ``narrowed`` are field lookups of Cell.

    The order is made here and not by the database, whose collation is its own.
    """
    cells = Cell.objects.filter(run_variant__run=run, **(narrowed or {})).exclude(
        answered_at=None, errored_at=None
    )
    keyed = [
        (tuple(name or "" for name in key), repeat, pk)
        for *key, repeat, pk in cells.values_list(*_KEY, "repeat", "pk")
    ]
    return [pk for _, _, pk in sorted(keyed)]


def result_rows(
    *, run: Run, cells: Sequence[int], with_contexts: bool = False
) -> Iterator[ResultRow]:
    """The rows of these cells in their order, read a few hundred at a time."""
    labels = judge_labels(run=run)
    for start in range(0, len(cells), ROWS_AT_ONCE):
        wanted = cells[start : start + ROWS_AT_ONCE]
        found = {cell.pk: cell for cell in _cells(wanted)}
        for pk in wanted:
            yield _row(run, found[pk], labels, with_contexts)


@dataclass(frozen=True, slots=True)
class ResultPage:
    """Some of the ``n_rows`` rows that were asked for."""

    rows: tuple[ResultRow, ...]
    n_rows: int


def result_page(
    *,
    run: Run,
    start: int,
    n: int,
    variant: str = "",
    track: str = "",
    question_id: str = "",
    with_contexts: bool = False,
    without_questions: Collection[str] = (),
) -> ResultPage:
    """``n`` rows from ``start``; empty texts narrow nothing. Raises UnknownChoice for a variant,
    track or question that the run does not have."""
    labels = run.run_variants.order_by("position").values_list("variant__label", flat=True)
    narrowed = {
        "run_variant__variant__label": choose("variant", variant, list(dict.fromkeys(labels))),
        "track": choose("track", track, list(run.tracks)),
        "question__question_id": choose("question", question_id, list(run.question_ids)),
    }
    chosen: dict[str, Any] = {lookup: value for lookup, value in narrowed.items() if value}
    if without_questions:
        kept = [key for key in run.question_ids if key not in without_questions]
        chosen.setdefault("question__question_id__in", kept)
    cells = result_cells(run=run, narrowed=chosen)
    shown = cells[start : start + n]
    rows = result_rows(run=run, cells=shown, with_contexts=with_contexts)
    return ResultPage(tuple(rows), len(cells))


def judge_labels(*, run: Run) -> dict[int, str]:
    """Judge row → its name; where two judges of the run share one (another prompt, say), the
    start of its key follows."""
    rows = list(
        Judge.objects.filter(run_judges__run=run)
        .order_by("run_judges__position")
        .values_list("pk", "name", "key")
    )
    shared = Counter(name for _, name, _ in rows)
    return {pk: name if shared[name] == 1 else f"{name}#{key[:8]}" for pk, name, key in rows}


def _cells(pks: Sequence[int]) -> Iterator[Cell]:
    rows = Cell.objects.filter(pk__in=pks).select_related(
        "run_variant__variant", "question", "work__scenario", "answer", "retrieval"
    )
    yield from rows.prefetch_related("answer__judgments__judge", "errors")


def _row(run: Run, cell: Cell, labels: Mapping[int, str], with_contexts: bool) -> ResultRow:
    variant = cell.run_variant.variant
    question = question_record(cell.question)
    expectation = question.expectations.get(cell.phase)
    answer, retrieval = getattr(cell, "answer", None), getattr(cell, "retrieval", None)
    scenario = cell.work.scenario if cell.work else None
    return ResultRow(
        benchmark=run.benchmark.slug,
        question_id=question.id,
        system=variant.system,
        answer=answer.text if answer else "",
        phase=cell.phase,
        modality=variant.modality,
        synthesis=variant.synthesis,
        track=cell.track,
        repeat=cell.repeat,
        scenario_id=scenario.key if scenario else "",
        variant=variant.label,
        synthesizer=run.options["synthesizer"],
        is_anchor=variant.is_anchor,
        requested_chars=cell.requested_chars,
        achieved_chars=_achieved_chars(run, cell),
        context=_context(cell) if with_contexts else None,
        abstained=answer.abstained if answer else False,
        flags=tuple(retrieval.flags) if retrieval else (),
        judgments=_judgments(cell, labels),
        question_text=question.text,
        gold_answer=expectation.gold_answer if expectation else "",
        slices=question.slices,
        error=_error(cell),
        input_tokens=answer.input_tokens if answer else None,
        output_tokens=answer.output_tokens if answer else None,
        run=run.public_id,
        cost_usd=answer.cost_usd if answer else None,
        retrieve_ms=retrieval.retrieve_ms if retrieval else None,
        synthesize_ms=answer.synthesize_ms if answer else None,
    )


def _achieved_chars(run: Run, cell: Cell) -> int | None:
    """A measured answer without a retrieval was written from nothing, unless its system answers
    by itself; of an imported one nothing is known."""
    retrieval = getattr(cell, "retrieval", None)
    if retrieval is not None:
        return int(retrieval.achieved_chars)
    is_known = run.origin == Run.MEASURED and cell.run_variant.variant.synthesis == "shared"
    return 0 if is_known and cell.answered_at is not None else None


def _context(cell: Cell) -> str | None:
    retrieval = getattr(cell, "retrieval", None)
    if retrieval is None or not retrieval.layout:
        return None
    return stored_context(retrieval=retrieval).text


def _error(cell: Cell) -> str:
    if cell.errored_at is None:
        return ""
    open_errors = [error for error in cell.errors.all() if error.resolved_at is None]
    newest = max(open_errors, key=lambda error: error.pk, default=None)
    return f"{newest.stage}: {newest.message}" if newest else "errored"


def _judgments(cell: Cell, labels: Mapping[int, str]) -> tuple[ResultJudgment, ...]:
    answer = getattr(cell, "answer", None)
    if answer is None:
        return ()
    return tuple(
        ResultJudgment(
            judge=labels[judgment.judge_id],
            composite=judgment.composite,
            scores=judgment.scores,
            reason=judgment.reason,
            unscored_reason=judgment.unscored_reason,
            is_proxy=judgment.judge.is_proxy,
            cost_usd=judgment.cost_usd,
            judge_ms=judgment.judge_ms,
        )
        for judgment in sorted(answer.judgments.all(), key=lambda each: labels[each.judge_id])
    )
