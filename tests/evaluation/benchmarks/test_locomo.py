from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.benchmarks.conversations import iso_date
from evaluation.benchmarks.locomo import NEVER_SAID, load
from evaluation.records import Ask, Ingest
from evaluation.source_files.refusals import WrongKindOfFile
from tests.evaluation.real_files import real_file


def turn(dia_id, speaker, text, **more):
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def talk(**more):
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_2_date_time": "10:37 am on 27 June, 2023",
            "session_2": [turn("D2:1", "Bo", "I painted it in 2022.")],
            "session_10_date_time": "1:36 pm on 3 July, 2023",
            "session_10": [turn("D10:1", "Ann", "Bye!\nSee you.")],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                turn("D1:1", "Ann", "Hey Bo!"),
                turn("D1:2", "Bo", "Look at this.", blip_caption="a photo of a lake"),
            ],
            "session_11_date_time": "9:00 am on 4 July, 2023",
        },
        "qa": [
            {
                "question": "When did Bo paint it?",
                "answer": 2022,
                "evidence": ["D2:1"],
                "category": 2,
            },
            {
                "question": "What did Bo show?",
                "answer": "a lake",
                "evidence": ["D1:2; D10:1", "D", "D:1:1", "D7:7"],
                "category": 4,
            },
            {
                "question": "What did Ann paint?",
                "evidence": ["D2:1"],
                "category": 5,
                "adversarial_answer": "a lake",
            },
            {
                "question": "Did Ann paint it?",
                "answer": "No",
                "evidence": [],
                "category": 5,
                "adversarial_answer": "Yes",
            },
        ],
        **more,
    }


def write(folder: Path, data) -> Path:
    path = folder / "locomo10.json"
    path.write_text(json.dumps(data))
    return path


def test_each_conversation_is_a_scenario_of_sessions_in_order_then_questions(tmp_path):
    benchmark = load(write(tmp_path, [talk(), talk(sample_id="conv-2")]))
    assert benchmark.card.family == "conversational"
    assert [scenario.id for scenario in benchmark.scenarios] == ["conv-1", "conv-2"]
    steps = benchmark.scenarios[0].steps
    items = [step.item for step in steps if isinstance(step, Ingest)]
    assert [item.id for item in items] == [f"conv-1/session_{n}" for n in (1, 2, 10)]
    assert [item.timestamp for item in items] == [
        "2023-05-08T13:56:00",
        "2023-06-27T10:37:00",
        "2023-07-03T13:36:00",
    ]
    assert {item.kind for item in items} == {"session"}
    assert items[0].title == "Ann and Bo, session 1"
    assert items[0].text == (
        "[1:56 pm on 8 May, 2023]\nAnn: Hey Bo!\nBo: Look at this. [shared: a photo of a lake]"
    )
    asked = [step.question_id for step in steps if isinstance(step, Ask)]
    assert asked == [f"conv-1/q{n}" for n in (1, 2, 3, 4)]
    report = benchmark.report
    assert (report.n_documents, report.n_questions) == (6, 8)


def test_an_integer_answer_is_text_and_the_category_stays_an_integer(tmp_path):
    question = load(write(tmp_path, [talk()])).questions[0]
    assert question.expectations["main"].gold_answer == "2022"
    assert question.slices == {"category": ("2",)}
    assert question.source_ids == ("conv-1/session_2",)


def test_evidence_becomes_the_lines_of_its_turns(tmp_path):
    benchmark = load(write(tmp_path, [talk()]))
    texts = {
        step.item.id: step.item.text
        for step in benchmark.scenarios[0].steps
        if isinstance(step, Ingest)
    }
    lines = [
        texts[span.item_id][span.start : span.end]
        for question in benchmark.questions[:2]
        for span in question.expectations["main"].facts[0].spans
    ]
    assert lines == [
        "Bo: I painted it in 2022.",
        "Bo: Look at this. [shared: a photo of a lake]",
        "Ann: Bye!\nSee you.",
        "Ann: Hey Bo!",
    ]


def test_malformed_evidence_is_read_as_far_as_it_goes_and_reported(tmp_path):
    report = load(write(tmp_path, [talk()])).report
    assert report.problems == (
        "[0].qa[1].evidence[0]: the evidence “D1:2; D10:1” is malformed; read as D1:2, D10:1",
        "[0].qa[1].evidence[1]: the evidence “D” is malformed; read as nothing",
        "[0].qa[1].evidence[2]: the evidence “D:1:1” is malformed; read as D1:1",
        "[0].qa[1]: the evidence D7:7 is not in the conversation",
    )
    assert (report.n_spans_found, report.n_spans_missing) == (5, 1)


def test_an_unanswered_question_of_category_5_asks_for_abstention(tmp_path):
    unanswered, answered = load(write(tmp_path, [talk()])).questions[2:]
    expectation = unanswered.expectations["main"]
    assert expectation.abstain
    assert (expectation.gold_answer, expectation.facts) == (NEVER_SAID, ())
    assert expectation.penalties == ("a lake",)
    assert not answered.expectations["main"].abstain
    assert answered.expectations["main"].gold_answer == "No"


def changed(**qa):
    return talk(qa=[{"question": "Q?", "answer": "a", "evidence": [], "category": 1, **qa}])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"sample_id": "x"}, "this is not LoCoMo: a list of conversations is needed"),
        ([{"question": "Q?"}], "[0]: the field “sample_id” is missing (fields here: question)"),
        ([talk(conversation={"speaker_a": "A"})], "[0].conversation: it has no session"),
        ([changed(answer=None)], "[0].qa[0]: this question has no gold answer"),
        ([changed(category="1")], "[0].qa[0].category: a whole number is needed here, not a text"),
        ([changed(category=6)], "the category 6 is not one of 1 to 5"),
        ([talk(), talk()], "the question id “conv-1/q1” occurs twice"),
        (
            [talk(conversation={"session_1": [{"speaker": "A", "text": "x"}]})],
            "[0].conversation.session_1[0]: the field “dia_id” is missing",
        ),
        ([talk(qa=[])], "no question was found"),
    ],
)
def test_what_breaks_the_layout_is_refused_with_its_place(tmp_path, data, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        load(write(tmp_path, data))
    assert reason in str(refusal.value)


def test_a_real_file_of_another_kind_is_refused():
    with pytest.raises(WrongKindOfFile, match="sample_id"):
        load(real_file("data", "longmemeval_questions", "queries.json"))


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00"),
        ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21:00"),
        ("2023-05-20T02:21:00+00:00", "2023-05-20T02:21:00+00:00"),
        ("last Tuesday", ""),
        ("", ""),
    ],
)
def test_dates_are_written_in_iso_8601_where_they_can_be_read(text, iso):
    assert iso_date(text) == iso


def test_a_session_without_a_readable_date_is_reported(tmp_path):
    one = talk()
    one["conversation"]["session_2_date_time"] = "someday"
    assert load(write(tmp_path, [one])).report.problems[0] == (
        "[0].conversation: session 2 has no readable date"
    )
