"""The answers of a file as cells, answers and judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from evaluation.formats.result_rows import ResultRow
from evaluation.models import (
    Answer,
    Cell,
    CellError,
    Judge,
    Judgment,
    Question,
    Retrieval,
    RunVariant,
    UnitText,
)
from evaluation.protocol.tracks import parse_track
from evaluation.services.contexts import foreign_layout
from evaluation.services.imported_variants import VariantName, variant_name

STATE = "imported"
MISSING = "the file has no answer to this question from this variant at this track"
AT_ONCE = 1000
CONTEXTS_AT_ONCE = 200
Place = tuple[int, str, str, str, int]


def store_answers(
    *,
    run_variants: Mapping[VariantName, RunVariant],
    judges: Mapping[str, Judge],
    rows: Sequence[ResultRow],
    questions: Mapping[str, Question],
    at: datetime,
) -> int:
    """One cell for each row, and an errored one for each question that other variants answer and
    this one does not. Returns how many those are."""
    by_place = {_place(run_variants[variant_name(row)], row): row for row in rows}
    asked = dict.fromkeys((row.question_id, row.phase, row.repeat) for row in rows)
    places = [
        (run_variant.pk, track, *ask)
        for run_variant in run_variants.values()
        for track in run_variant.tracks
        for ask in asked
    ]
    cells = Cell.objects.bulk_create(
        [_cell(place, by_place.get(place), questions, at) for place in places],
        batch_size=AT_ONCE,
    )
    taken = [(cell, by_place.get(place)) for cell, place in zip(cells, places, strict=True)]
    CellError.objects.bulk_create(
        [
            CellError(cell=cell, stage="synthesize", message=row.error if row else MISSING, at=at)
            for cell, row in taken
            if cell.errored_at is not None
        ],
        batch_size=AT_ONCE,
    )
    answered = [(cell, row) for cell, row in taken if row is not None and cell.answered_at]
    _store_retrievals(answered)
    _store_judgments(answered, judges, at)
    return sum(row is None for _, row in taken)


def _place(run_variant: RunVariant, row: ResultRow) -> Place:
    return (run_variant.pk, row.track, row.question_id, row.phase, row.repeat)


def _cell(
    place: Place, row: ResultRow | None, questions: Mapping[str, Question], at: datetime
) -> Cell:
    run_variant_pk, track, question_id, phase, repeat = place
    is_answered = row is not None and not (row.error and not row.answer)
    requested = row.requested_chars if row else None
    return Cell(
        run_variant_id=run_variant_pk,
        question=questions[question_id],
        track=track,
        phase=phase,
        repeat=repeat,
        state_label=STATE,
        requested_chars=requested or parse_track(track).requested_chars,
        answered_at=at if is_answered else None,
        errored_at=None if is_answered else at,
    )


def _store_retrievals(answered: Sequence[tuple[Cell, ResultRow]]) -> None:
    """Contexts in batches, so that many large ones are never held packed at once."""
    sized = ((cell, row, _size(row)) for cell, row in answered)
    known = [(cell, row, size) for cell, row, size in sized if size is not None]
    for start in range(0, len(known), CONTEXTS_AT_ONCE):
        retrievals, texts = [], []
        for cell, row, size in known[start : start + CONTEXTS_AT_ONCE]:
            layout, units = foreign_layout(text=row.context)
            texts += units
            retrievals.append(
                Retrieval(
                    cell=cell,
                    achieved_chars=size,
                    n_units=len(units),
                    layout=layout,
                    retrieve_ms=row.retrieve_ms,
                )
            )
        UnitText.objects.bulk_create(texts, ignore_conflicts=True)
        Retrieval.objects.bulk_create(retrievals)


def _size(row: ResultRow) -> int | None:
    return row.achieved_chars if row.context is None else len(row.context)


def _store_judgments(
    answered: Sequence[tuple[Cell, ResultRow]], judges: Mapping[str, Judge], at: datetime
) -> None:
    answers = Answer.objects.bulk_create(
        [
            Answer(
                cell=cell,
                text=row.answer,
                abstained=row.abstained,
                input_tokens=row.input_tokens or 0,
                output_tokens=row.output_tokens or 0,
                cost_usd=row.cost_usd,
                synthesize_ms=row.synthesize_ms or 0.0,
                created_at=at,
            )
            for cell, row in answered
        ],
        batch_size=AT_ONCE,
    )
    Judgment.objects.bulk_create(
        [
            Judgment(
                answer=answer,
                judge=judges[judgment.judge],
                composite=judgment.composite,
                scores=dict(judgment.scores),
                reason=judgment.reason,
                unscored_reason=judgment.unscored_reason,
                cost_usd=judgment.cost_usd,
                judge_ms=judgment.judge_ms or 0.0,
                created_at=at,
            )
            for answer, (_, row) in zip(answers, answered, strict=True)
            for judgment in row.judgments
        ],
        batch_size=AT_ONCE,
    )
