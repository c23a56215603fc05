from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.benchmarks.longmemeval import load
from evaluation.records import Ask, Benchmark, Ingest
from evaluation.source_files.refusals import WrongKindOfFile
from memory_systems.base import SourceItem
from tests.evaluation.real_files import real_file


def entry(question_id="q1", **more):
    return {
        "question_id": question_id,
        "question_type": "temporal-reasoning",
        "question": "How many days ago did I move?",
        "answer": 12,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["late", "early"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/18 (Thu) 10:00"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}],
            [
                {"role": "user", "content": "I moved today.", "has_answer": True},
                {"role": "assistant", "content": "Well done."},
            ],
        ],
        "answer_session_ids": ["early"],
        **more,
    }


def write(folder: Path, data) -> Path:
    path = folder / "longmemeval_s.json"
    path.write_text(json.dumps(data))
    return path


def items_of(benchmark: Benchmark, at: int = 0) -> list[SourceItem]:
    return [step.item for step in benchmark.scenarios[at].steps if isinstance(step, Ingest)]


def test_the_real_questions_without_their_haystacks_are_refused_clearly():
    path = real_file("data", "longmemeval_questions", "queries.json")
    with pytest.raises(
        WrongKindOfFile,
        match=r"queries\.json, \[0\]: these are questions without the conversations they ask about",
    ):
        load(path)


def test_each_question_is_a_scenario_of_its_own_in_time_order(tmp_path):
    benchmark = load(write(tmp_path, [entry(), entry("q2")]))
    assert [scenario.id for scenario in benchmark.scenarios] == ["q1", "q2"]
    assert benchmark.scenarios[0].steps[-1] == Ask("q1")
    first, second = items_of(benchmark)
    assert [first.id, second.id] == ["q1/early", "q1/late"]
    assert first.timestamp == "2023-05-18T10:00:00"
    assert first.kind == "session"
    assert first.text == ("[2023/05/18 (Thu) 10:00]\nuser: I moved today.\nassistant: Well done.")
    assert benchmark.report.n_documents == 4


def test_a_question_carries_its_day_its_type_and_its_evidence(tmp_path):
    benchmark = load(write(tmp_path, [entry()]))
    (question,) = benchmark.questions
    assert question.text == "How many days ago did I move? (Asked on 2023-05-30.)"
    assert question.slices == {"type": ("temporal-reasoning",)}
    assert question.source_ids == ("q1/early",)
    (fact,) = question.expectations["main"].facts
    assert question.expectations["main"].gold_answer == "12"
    item = items_of(benchmark)[0]
    assert [item.text[span.start : span.end] for span in fact.spans] == ["user: I moved today."]
    assert benchmark.report.n_spans_found == 1


def test_an_id_that_ends_in_abs_asks_for_abstention(tmp_path):
    one = entry("q1_abs", answer="You did not mention that you moved.")
    (question,) = load(write(tmp_path, [one])).questions
    expectation = question.expectations["main"]
    assert expectation.abstain
    assert expectation.facts == ()
    assert expectation.gold_answer == "You did not mention that you moved."


def test_oddities_are_kept_and_reported(tmp_path):
    one = entry(haystack_session_ids=["same", "same"], answer_session_ids=["same", "gone"])
    two = entry("q2", haystack_dates=["someday", "2023/05/18 (Thu) 10:00"])
    benchmark = load(write(tmp_path, [one, two]))
    assert [item.id for item in items_of(benchmark)] == ["q1/same#2", "q1/same"]
    assert [item.id for item in items_of(benchmark, 1)] == ["q2/late", "q2/early"]
    assert benchmark.report.problems == (
        "[0].haystack_sessions[1]: the session “same” occurs again; kept as same#2",
        "[1]: a session has no readable date; the file's order is kept",
        "[0]: the evidence gone is not in the haystack",
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({}, "this is not LongMemEval: a list of questions is needed"),
        ([{"sample_id": 1}], "[0]: this is not LongMemEval: the field “haystack_sessions” is"),
        ([entry(answer=None)], "[0]: question “q1” has no gold answer"),
        ([entry(answer=" ")], "[0].answer: this is empty"),
        ([entry(), entry()], "[1]: the question id “q1” occurs twice (first at [0])"),
        ([entry(haystack_dates=[])], "the haystack has 2 sessions, 2 ids and 0 dates"),
        (
            [entry(haystack_sessions=[], haystack_session_ids=[], haystack_dates=[])],
            "[0].haystack_sessions: the haystack is empty",
        ),
        (
            [entry(haystack_sessions=[[{"role": "user"}], []])],
            "[0].haystack_sessions[0][0]: the field “content” is missing",
        ),
    ],
)
def test_what_breaks_the_layout_is_refused_with_its_place(tmp_path, data, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        load(write(tmp_path, data))
    assert reason in str(refusal.value)


def test_a_slice_keeps_the_named_sessions_and_the_questions_they_answer(tmp_path):
    chosen = tmp_path / "slice.txt"
    chosen.write_text("q1/early\nq2/late\n")
    benchmark = load(write(tmp_path, [entry(), entry("q2")]), slice_file=chosen)
    assert [scenario.id for scenario in benchmark.scenarios] == ["q1"]
    assert [question.id for question in benchmark.questions] == ["q1"]
    assert "1 of 2 questions dropped" in benchmark.report.problems[0]
