"""Reading one question: the reference, every variant's answer, and one answer's context."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter

from evaluation.models import Cell, Question, Retrieval, SourceItem
from evaluation.queries.answer_rows import answer_rows
from evaluation.queries.board_keys import BoardKeys, board_keys
from evaluation.queries.choices import Choice, NotFound, choices, choose
from evaluation.queries.fact_sources import expectation_rows
from evaluation.queries.highlighting import marked_units, units_naming, units_stating
from evaluation.queries.measures import chosen_measure, measures_of
from evaluation.queries.question import (
    AnswerPage,
    AnswerRow,
    FactFound,
    QuestionPage,
)
from evaluation.queries.question_index import question_index
from evaluation.queries.vectors import at_track, board_vectors, default_track, track_order
from evaluation.records import Context, Fact, PlacedUnit
from evaluation.records import Question as QuestionRecord
from evaluation.scoring.assertions import read_assertions
from evaluation.scoring.fact_matching import match_fact, read_answer

SHOWN_UNITS = 60
ReadContext = Callable[..., Context]
"""Renders a stored context again: called with ``retrieval=``."""

_QUESTION = TypeAdapter(QuestionRecord)


def question_page(
    slug: str,
    question_id: str,
    *,
    protocol: str = "",
    judge: str = "",
    track: str = "",
    phase: str = "",
) -> QuestionPage:
    """A question with the answers of every variant at one track.

    Raises NotFound for the benchmark or a question outside the chosen question set, UnknownChoice
    for anything else that does not exist.
    """
    keys = board_keys(slug, protocol=protocol, judge=judge)
    ids = list(question_index(keys).slices)
    question = _question(keys, question_id, ids)
    record = _QUESTION.validate_python(question.data)
    measure = measures_of(keys.benchmark.family)[0]
    vectors = board_vectors(keys, measure=measure.name)
    tracks = track_order(one.track for one in vectors if one.is_applicable)
    chosen = choose("track", track, tracks, default=default_track(tracks))
    phases = list(record.expectations)
    shown_phase = choose("phase", phase, phases)
    rows = answer_rows(keys, question, vectors)
    here = {(one.run_variant_id, one.track) for one in at_track(vectors, chosen)}
    answers = [
        row
        for run_variant, row in rows
        if (run_variant, row.track) in here and (not shown_phase or row.phase == shown_phase)
    ]
    place = ids.index(question_id)
    return QuestionPage(
        keys=keys,
        question_id=question_id,
        text=question.text,
        slices=record.slices,
        expectations=expectation_rows(keys.benchmark_id, record, shown_phase),
        track=chosen,
        scale_high=measure.scale_high,
        answers=tuple(sorted(answers, key=_best_first)),
        tracks=tuple(Choice(name, name, None, name == chosen) for name in tracks),
        phases=(
            choices([(one, None) for one in phases], shown_phase, any_label="all")
            if len(phases) > 1
            else ()
        ),
        previous_id=ids[place - 1] if place else "",
        next_id=ids[place + 1] if place + 1 < len(ids) else "",
    )


def answer_page(
    slug: str,
    question_id: str,
    cell_id: int,
    *,
    judge: str = "",
    whole_context: bool = False,
    read_context: ReadContext,
) -> AnswerPage:
    """One answer with its context and the facts found in it, under its own comparison key.

    Without ``whole_context`` units beyond the first 60 are shown only where they hold a fact.
    Raises NotFound and UnknownChoice.
    """
    cell = (
        Cell.objects.filter(
            pk=cell_id, question__question_id=question_id, question__benchmark__slug=slug
        )
        .values("run_variant", "phase", "run_variant__run__protocol__key", "question")
        .first()
    )
    if cell is None:
        raise NotFound("answer", f"{cell_id} to question {question_id}")
    keys = board_keys(slug, protocol=cell["run_variant__run__protocol__key"], judge=judge)
    question = _question(keys, question_id, list(question_index(keys).slices))
    record = _QUESTION.validate_python(question.data)
    measure = chosen_measure(measures_of(keys.benchmark.family), "")
    rows = answer_rows(keys, question, board_vectors(keys, measure=measure.name), cell=cell_id)
    answer = next(row for _, row in rows if row.cell_id == cell_id)
    expectation = record.expectations.get(cell["phase"])
    facts = expectation.facts if expectation else ()
    retrieval = Retrieval.objects.filter(cell=cell_id).first()
    units = read_context(retrieval=retrieval).units if retrieval else ()
    marked = marked_units(units, facts, _titles(keys.benchmark_id, units))
    shown = [
        unit
        for unit in marked
        if whole_context or unit.number <= SHOWN_UNITS or any(piece.facts for piece in unit.pieces)
    ]
    return AnswerPage(
        keys=keys,
        question_id=question_id,
        question=question.text,
        answer=answer,
        scale_high=measure.scale_high,
        units=tuple(shown),
        n_units_hidden=len(marked) - len(shown),
        facts=_facts_found(facts, units, answer, question.text),
    )


def _question(keys: BoardKeys, question_id: str, known: Sequence[str]) -> Question:
    if question_id not in known:
        raise NotFound("question", question_id)
    return Question.objects.get(benchmark=keys.benchmark_id, question_id=question_id)


def _best_first(row: AnswerRow) -> tuple[Any, ...]:
    return (row.anchor, row.score is None, -(row.score or 0.0), row.label, row.phase, row.repeat)


def _titles(benchmark_id: int, units: Sequence[PlacedUnit]) -> Mapping[str, str]:
    rows = SourceItem.objects.filter(
        benchmark=benchmark_id, item_id__in={unit.source_id for unit in units}
    )
    return dict(rows.order_by("position").values_list("item_id", "title"))


def _facts_found(
    facts: Sequence[Fact], units: Sequence[PlacedUnit], answer: AnswerRow, question_text: str
) -> tuple[FactFound, ...]:
    """A fact is in the context where a unit holds its source span whole or all of its keys, and
    in the answer by the rule of the rubric."""
    numbers = tuple(key for fact in facts for key in fact.keys if key.kind == "number")
    read = read_answer(read_assertions(answer.answer)) if answer.answer else None
    found = []
    for number, fact in enumerate(facts, start=1):
        where = units_stating(fact, units) or units_naming(fact, units)
        can_check = bool(fact.spans or fact.keys)
        found.append(
            FactFound(
                number=number,
                text=fact.text,
                in_context=bool(where) if can_check else None,
                in_answer=(
                    match_fact(fact, read, question_text, numbers).is_found if read else None
                ),
                in_units=where,
            )
        )
    return tuple(found)
