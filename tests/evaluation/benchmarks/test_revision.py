from __future__ import annotations

from dataclasses import replace

from evaluation.benchmarks.revision import revision_of
from evaluation.benchmarks.toys.scientific import toy_scientific
from evaluation.benchmarks.toys.staleness import toy_staleness
from evaluation.records import Scenario


def test_a_toy_has_the_revision_it_always_had() -> None:
    revision = revision_of(toy_scientific())
    assert len(revision) == 64
    assert revision == revision_of(toy_scientific())


def test_the_order_of_questions_and_steps_counts() -> None:
    benchmark = toy_scientific()
    turned = replace(benchmark, questions=benchmark.questions[::-1])
    assert revision_of(turned) != revision_of(benchmark)
    scenario = benchmark.scenarios[0]
    steps = Scenario(scenario.id, scenario.steps[::-1])
    assert revision_of(replace(benchmark, scenarios=(steps,))) != revision_of(benchmark)


def test_the_order_in_which_a_mapping_was_filled_does_not_count() -> None:
    benchmark = toy_staleness()
    turned = tuple(
        replace(
            question,
            expectations=dict(reversed(list(question.expectations.items()))),
            slices=dict(reversed(list(question.slices.items()))),
        )
        for question in benchmark.questions
    )
    assert revision_of(replace(benchmark, questions=turned)) == revision_of(benchmark)


def test_a_word_of_a_document_a_gold_answer_or_a_step_in_a_branch_changes_it() -> None:
    revisions = {revision_of(toy_staleness())}
    benchmark = toy_staleness()
    question = replace(benchmark.questions[0], text="On which weekday is the review?")
    revisions.add(revision_of(replace(benchmark, questions=(question, *benchmark.questions[1:]))))
    scenario = benchmark.scenarios[0]
    revisions.add(
        revision_of(replace(benchmark, scenarios=(Scenario(scenario.id, scenario.steps[1:]),)))
    )
    assert len(revisions) == 3


def test_card_and_report_are_no_part_of_it() -> None:
    benchmark = toy_scientific()
    corrected = replace(benchmark, card=replace(benchmark.card, citation="Somebody 2031"))
    assert revision_of(corrected) == revision_of(benchmark)
