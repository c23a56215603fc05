"""The same benchmark with one fact taken out of its sources.

An honest memory can no longer restore what its sources no longer say: the score of a question
whose fact is taken out must fall, unless other items (or the model's own knowledge) tell it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.records import (
    Benchmark,
    Expectation,
    Fact,
    Fork,
    Ingest,
    Question,
    Revise,
    Scenario,
    Span,
    Step,
)

Cut = tuple[int, int]


class FactNotRemovable(ValueError):
    """The fact has no span, or its item comes in several versions, so that no span is certain."""


def without_fact(benchmark: Benchmark, question_id: str, fact_number: int) -> Benchmark:
    """Cut every span of the question's fact ``fact_number`` (from 0, over the phases in order) out
    of its items. Spans of other facts move with the text; those that overlap a cut are dropped.
    The rubric stays as it was, so that the question still asks for the fact.

    Raises FactNotRemovable, and LookupError for an unknown question or number.
    """
    fact = _fact(benchmark, question_id, fact_number)
    if not fact.spans:
        raise FactNotRemovable(f"the fact “{fact.text}” of {question_id} has no span")
    cuts: dict[str, list[Cut]] = {}
    for span in sorted(fact.spans, key=lambda span: (span.item_id, span.start)):
        cuts.setdefault(span.item_id, []).append((span.start, span.end))
    _check_single_versions(benchmark, cuts)
    return replace(
        benchmark,
        scenarios=tuple(_cut_scenario(scenario, cuts) for scenario in benchmark.scenarios),
        questions=tuple(_moved_question(question, cuts) for question in benchmark.questions),
    )


def _fact(benchmark: Benchmark, question_id: str, fact_number: int) -> Fact:
    for question in benchmark.questions:
        if question.id == question_id:
            facts = [fact for one in question.expectations.values() for fact in one.facts]
            return facts[fact_number]
    raise LookupError(f"{benchmark.card.slug} has no question {question_id}")


def _check_single_versions(benchmark: Benchmark, cuts: dict[str, list[Cut]]) -> None:
    for scenario in benchmark.scenarios:
        for step in _revisions(scenario.steps):
            if step.item.id in cuts:
                raise FactNotRemovable(f"{step.item.id} is revised, so its spans are not certain")


def _revisions(steps: Sequence[Step]) -> list[Revise]:
    found: list[Revise] = []
    for step in steps:
        if isinstance(step, Revise):
            found.append(step)
        elif isinstance(step, Fork):
            for branch in step.branches.values():
                found += _revisions(branch)
    return found


def _cut_scenario(scenario: Scenario, cuts: dict[str, list[Cut]]) -> Scenario:
    return replace(scenario, steps=_cut_steps(scenario.steps, cuts))


def _cut_steps(steps: Sequence[Step], cuts: dict[str, list[Cut]]) -> tuple[Step, ...]:
    changed: list[Step] = []
    for step in steps:
        if isinstance(step, Fork):
            branches = {name: _cut_steps(branch, cuts) for name, branch in step.branches.items()}
            changed.append(replace(step, branches=branches))
        elif isinstance(step, Ingest) and step.item.id in cuts:
            text = _cut_text(step.item.text, cuts[step.item.id])
            changed.append(replace(step, item=replace(step.item, text=text)))
        else:
            changed.append(step)
    return tuple(changed)


def _cut_text(text: str, cuts: Sequence[Cut]) -> str:
    kept, at = [], 0
    for start, end in cuts:
        kept.append(text[at:start])
        at = max(at, end)
    return "".join([*kept, text[at:]])


def _moved_question(question: Question, cuts: dict[str, list[Cut]]) -> Question:
    expectations = {
        phase: _moved_expectation(expectation, cuts)
        for phase, expectation in question.expectations.items()
    }
    return replace(question, expectations=expectations)


def _moved_expectation(expectation: Expectation, cuts: dict[str, list[Cut]]) -> Expectation:
    facts = tuple(
        replace(fact, spans=tuple(_moved_spans(fact.spans, cuts))) for fact in expectation.facts
    )
    return replace(expectation, facts=facts)


def _moved_spans(spans: Sequence[Span], cuts: dict[str, list[Cut]]) -> list[Span]:
    moved = []
    for span in spans:
        of_item = cuts.get(span.item_id, [])
        if any(start < span.end and span.start < end for start, end in of_item):
            continue
        shift = sum(end - start for start, end in of_item if end <= span.start)
        moved.append(Span(span.item_id, span.start - shift, span.end - shift))
    return moved
