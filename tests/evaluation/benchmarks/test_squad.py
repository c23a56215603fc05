from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.benchmarks.squad import NOT_IN_DOCUMENT, load
from evaluation.records import Ask, Ingest, Span
from evaluation.source_files.refusals import WrongKindOfFile
from tests.evaluation.real_files import real_file


def qa(question_id, text, answers, **more):
    return {"id": question_id, "question": text, "answers": answers, **more}


def answer(text, start):
    return {"text": text, "answer_start": start}


def paragraph(context, *qas, **more):
    return {"context": context, "qas": list(qas), **more}


def write(folder: Path, data, name="mini.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(data))
    return path


CONTEXT = "Title of it\nThe cat sat. The dog ran 12 miles. The cat slept."
PAPER = paragraph(
    CONTEXT,
    qa(1, "Who sat?", [answer("The cat", 12), answer("cat", 16), answer("tom", 0)]),
    qa(2, "How far?", [answer("12 miles", 30)]),
    qa("3", "Who slept?", [answer("The cat", 45)]),
    document_id=630,
)


def test_the_real_covidqa_file_loads_with_its_report_of_spans():
    benchmark = load(real_file("data", "covidqa", "covidqa_ccby_only.json"))
    report = benchmark.report
    assert (report.n_documents, report.n_questions, report.n_facts) == (92, 1235, 1235)
    assert (report.n_spans_found, report.n_spans_relocated) == (1045, 190)
    assert (report.n_spans_ambiguous, report.n_spans_missing) == (7, 0)
    assert report.problems == ()
    (scenario,) = benchmark.scenarios
    assert [step.kind for step in scenario.steps] == ["ingest"] * 92 + ["ask"] * 1235
    texts = {step.item.id: step.item.text for step in scenario.steps if isinstance(step, Ingest)}
    for question in benchmark.questions:
        expectation = question.expectations["main"]
        (fact,) = expectation.facts
        assert fact.keys
        for span in fact.spans:
            assert texts[span.item_id][span.start : span.end] == expectation.gold_answer
        assert question.slices["tier"] == ("L1",)


def test_documents_come_in_file_order_then_the_questions(tmp_path):
    data = {"data": [{"paragraphs": [PAPER]}, {"title": "B", "paragraphs": [paragraph("b")]}]}
    benchmark = load(write(tmp_path, data), slug="cats", title="Cats", licence="CC0")
    (scenario,) = benchmark.scenarios
    assert [step.item.id for step in scenario.steps if isinstance(step, Ingest)] == ["630", "B"]
    assert [step.question_id for step in scenario.steps if isinstance(step, Ask)] == ["1", "2", "3"]
    card = benchmark.card
    assert (card.slug, card.title, card.licence) == ("cats", "Cats", "CC0")
    assert card.family == "scientific"
    assert "mini.json" in card.source


def test_a_wrong_offset_goes_to_the_nearest_occurrence_and_is_counted(tmp_path):
    benchmark = load(write(tmp_path, {"data": [{"paragraphs": [PAPER]}]}))
    spans = [q.expectations["main"].facts[0].spans for q in benchmark.questions]
    assert spans[0] == (Span("630", 12, 19), Span("630", 16, 19))
    assert spans[2] == (Span("630", CONTEXT.rindex("The cat"), CONTEXT.rindex("The cat") + 7),)
    report = benchmark.report
    assert (report.n_spans_found, report.n_spans_relocated, report.n_spans_ambiguous) == (2, 2, 1)
    assert report.n_spans_missing == 1


def test_the_type_follows_from_the_answer_and_other_answers_are_aliases(tmp_path):
    benchmark = load(write(tmp_path, {"data": [{"paragraphs": [PAPER]}]}))
    types = [question.slices["type"] for question in benchmark.questions]
    assert types == [("factual",), ("quantitative",), ("factual",)]
    (key,) = benchmark.questions[0].expectations["main"].facts[0].keys
    assert (key.value, key.aliases) == ("cat", ("tom",))


def test_paragraphs_without_a_document_id_make_one_document(tmp_path):
    article = {
        "title": "Cats",
        "paragraphs": [
            paragraph("First part."),
            paragraph("Second part here.", qa("q", "What?", [answer("part", 7)])),
        ],
    }
    benchmark = load(write(tmp_path, {"data": [article]}))
    (step, _) = benchmark.scenarios[0].steps
    assert isinstance(step, Ingest)
    assert step.item.text == "First part.\n\nSecond part here."
    (span,) = benchmark.questions[0].expectations["main"].facts[0].spans
    assert step.item.text[span.start : span.end] == "part"
    assert span.start == 20


def test_an_impossible_question_asks_for_abstention(tmp_path):
    impossible = qa("n", "Who flew?", [], is_impossible=True, plausible_answers=[answer("cat", 4)])
    data = {"data": [{"paragraphs": [paragraph("The cat sat.", impossible)]}]}
    (question,) = load(write(tmp_path, data)).questions
    expectation = question.expectations["main"]
    assert expectation.abstain
    assert (expectation.gold_answer, expectation.penalties) == (NOT_IN_DOCUMENT, ("cat",))
    assert question.slices["type"] == ("negative",)


def test_an_answer_that_stands_nowhere_is_missing_and_named(tmp_path):
    data = {"data": [{"paragraphs": [paragraph("Text.", qa("q", "What?", [answer("absent", 0)]))]}]}
    report = load(write(tmp_path, data)).report
    assert report.n_spans_missing == 1
    (problem,) = report.problems
    assert problem.startswith(
        "data[0].paragraphs[0].qas[0]: an answer of question q does not stand"
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([1], "this is not in the SQuAD layout"),
        ({"data": [{"paragraphs": [{"context": "a"}]}]}, "data[0].paragraphs[0]: the field “qas”"),
        ({"data": []}, "no document was found"),
        ({"data": [{"paragraphs": [paragraph("a")]}]}, "no question was found"),
        (
            {"data": [{"paragraphs": [paragraph("a", qa("q", "What?", []))]}]},
            "qas[0]: this question has no gold answer",
        ),
        (
            {"data": [{"paragraphs": [paragraph("a", qa("q", "What?", [answer("  ", 0)]))]}]},
            "answers[0].text: this is empty",
        ),
        (
            {"data": [{"paragraphs": [paragraph("a", *[qa(5, "What?", [answer("a", 0)])] * 2)]}]},
            "the question id “5” occurs twice (first at data[0].paragraphs[0].qas[0])",
        ),
        (
            {"data": [{"paragraphs": [paragraph("a", document_id=1)] * 2}]},
            "the document id “1” occurs twice",
        ),
    ],
)
def test_what_breaks_the_layout_is_refused_with_its_place(tmp_path, data, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        load(write(tmp_path, data))
    assert reason in str(refusal.value)
    assert str(refusal.value).startswith("mini.json")


def test_a_file_over_the_limit_is_refused(tmp_path):
    with pytest.raises(WrongKindOfFile, match="larger than the limit of 20 bytes"):
        load(write(tmp_path, {"data": [{"paragraphs": [PAPER]}]}), max_bytes=20)


def test_real_files_of_other_kinds_are_refused():
    for parts in (("longmemeval_questions", "queries.json"), ("evalica", "food.csv")):
        with pytest.raises(WrongKindOfFile):
            load(real_file("data", *parts))
