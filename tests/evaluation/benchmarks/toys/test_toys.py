from __future__ import annotations

from collections.abc import Sequence

import pytest

from evaluation.benchmarks.audit.auditing import audit_benchmark
from evaluation.benchmarks.measures import after_passes, real_passes, stability, update
from evaluation.benchmarks.toys.dependency import toy_dependency
from evaluation.benchmarks.toys.scientific import toy_scientific
from evaluation.benchmarks.toys.staleness import GOLD, PHASES, SHIFTS, toy_staleness
from evaluation.protocol.asks import planned_asks, streams_of
from evaluation.records import Benchmark, CellRecord, MeasureValue, Question
from evaluation.scoring.rubric import RubricJudge

TOYS = (toy_scientific, toy_dependency, toy_staleness)
NOT_KNOWN = "That is not known."


def cells_of(benchmark: Benchmark, answers: dict[tuple[str, str], str]) -> list[CellRecord]:
    """Judge the answers by the rubric judge, as the pipeline does."""
    judge = RubricJudge()
    cells = []
    for question in benchmark.questions:
        for phase, expectation in question.expectations.items():
            answer = answers[question.id, phase]
            judgment = judge.judge(question.text, expectation, answer, answer)
            cells.append(
                CellRecord(
                    benchmark.scenarios[0].id,
                    question.id,
                    phase,
                    0,
                    "scored",
                    judgment.composite,
                    answer,
                    question.slices,
                )
            )
    return cells


def gold(question: Question, phase: str) -> str:
    expectation = question.expectations[phase]
    return NOT_KNOWN if expectation.abstain else expectation.gold_answer


def value_of(measured: Sequence[MeasureValue]) -> dict[str, float | None]:
    return {value.unit_id: value.value for value in measured}


@pytest.mark.parametrize("toy", TOYS)
def test_a_toy_is_sound_and_every_expectation_is_asked_once(toy) -> None:
    benchmark = toy()
    report = audit_benchmark(benchmark, second_load=toy())
    assert report.findings == ()
    asked = [
        (ask.question_id, ask.phase)
        for scenario in benchmark.scenarios
        for ask in planned_asks(scenario)
    ]
    expected = [(q.id, phase) for q in benchmark.questions for phase in q.expectations]
    assert sorted(asked) == sorted(expected)


def test_gold_answers_pass_before_and_after() -> None:
    benchmark = toy_dependency()
    answers = {
        (question.id, phase): gold(question, phase)
        for question in benchmark.questions
        for phase in question.expectations
    }
    assert value_of(real_passes(cells_of(benchmark, answers))) == {"D1": 1, "D2": 1, "D3": 1}


def test_a_memory_that_repeats_itself_fails_where_the_move_matters() -> None:
    benchmark = toy_dependency()
    answers = {
        (question.id, phase): gold(question, "before")
        for question in benchmark.questions
        for phase in question.expectations
    }
    cells = cells_of(benchmark, answers)
    assert value_of(real_passes(cells)) == {"D1": 0, "D2": 0, "D3": 1}
    assert value_of(after_passes(cells)) == {"D1": 0, "D2": 0, "D3": 1}


def test_never_having_known_is_a_trivial_pass_and_no_real_one() -> None:
    benchmark = toy_dependency()
    answers = {(q.id, phase): NOT_KNOWN for q in benchmark.questions for phase in q.expectations}
    cells = cells_of(benchmark, answers)
    assert value_of(real_passes(cells)) == {"D1": 0, "D2": 0, "D3": 0}
    assert value_of(after_passes(cells)) == {"D1": 0, "D2": 1, "D3": 0}


def test_before_questions_see_two_sessions_and_after_questions_all() -> None:
    asks = planned_asks(toy_dependency().scenarios[0])
    assert [(ask.phase, ask.state_label) for ask in asks] == [("before", "@2")] * 3 + [
        ("after", "@head")
    ] * 3


def test_the_world_forks_into_every_shift_and_keeps_the_first_state_of_the_deletion() -> None:
    scenario = toy_staleness().scenarios[0]
    assert [stream.path for stream in streams_of(scenario)] == ["", *SHIFTS]
    labels = {ask.phase: ask.state_label for ask in planned_asks(scenario)}
    assert tuple(sorted(labels)) == tuple(sorted(PHASES))
    assert labels["before"] == "@head"
    assert labels["none/w1"] == "none@head"
    assert labels["deletion/w1"] == "deletion@1"
    assert labels["deletion/w2"] == "deletion@head"


def test_a_reader_that_follows_every_change_updates_all_and_keeps_the_rest() -> None:
    benchmark = toy_staleness()
    answers = {
        (question_id, phase): NOT_KNOWN if value is None else f"{value}."
        for phase, of_phase in GOLD.items()
        for question_id, value in of_phase.items()
    }
    cells = cells_of(benchmark, answers)
    assert value_of(update(cells)) == {
        "world-1|consent|restricted": 1,
        "world-1|deletion|source": 1,
        "world-1|redefinition|definition": 1,
        "world-1|revision|source": 1,
    }
    assert set(value_of(stability(cells)).values()) == {1}


def test_a_frozen_memory_updates_nothing_and_a_silent_one_only_what_is_gone() -> None:
    benchmark = toy_staleness()
    keys = [(question.id, phase) for question in benchmark.questions for phase in PHASES]
    frozen = cells_of(benchmark, {key: f"{GOLD['before'][key[0]]}." for key in keys})
    assert set(value_of(update(frozen)).values()) == {0}
    assert set(value_of(stability(frozen)).values()) == {1}
    silent = cells_of(benchmark, dict.fromkeys(keys, NOT_KNOWN))
    assert value_of(update(silent)) == {
        "world-1|consent|restricted": 1,
        "world-1|deletion|source": 1,
        "world-1|redefinition|definition": 0,
        "world-1|revision|source": 0,
    }
    assert set(value_of(stability(silent)).values()) == {0}


def test_the_tiny_papers_are_answered_by_their_gold_alone() -> None:
    benchmark = toy_scientific()
    judge = RubricJudge()
    for question in benchmark.questions:
        expectation = question.expectations["main"]
        answer = gold(question, "main")
        assert judge.judge(question.text, expectation, answer, answer).composite == 10
