from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.benchmarks.folder import NOT_IN_DOCUMENTS, load
from evaluation.records import Ask, Ingest, Key, Span
from evaluation.source_files.refusals import WrongKindOfFile

MINIMAL = {"id": "q1", "question": "Who sat?", "answer": "the cat"}


def write(folder: Path, *lines, documents=None) -> Path:
    root = folder / "my_bench"
    documents = documents or {"a.md": "# Cats\nThe cat sat.", "sub/b.md": "The dog ran 12 miles."}
    for name, text in documents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    (root / "questions.jsonl").write_text(body + "\n")
    return root


def test_a_minimal_line_makes_a_question_whose_answer_is_its_fact(tmp_path):
    benchmark = load(write(tmp_path, MINIMAL))
    (question,) = benchmark.questions
    expectation = question.expectations["main"]
    assert expectation.gold_answer == "the cat"
    (fact,) = expectation.facts
    assert fact.keys == (Key("term", "cat"),)
    assert not question.holdout
    assert benchmark.card.slug == "my-bench"
    assert benchmark.report.n_spans_missing == 0


def test_documents_are_named_by_their_path_and_titled_by_their_heading(tmp_path):
    root = write(tmp_path, MINIMAL)
    (root / "README.md").write_text("not a document")
    (root / ".hidden").mkdir()
    (root / ".hidden" / "c.md").write_text("not one either")
    (scenario,) = load(root).scenarios
    items = [step.item for step in scenario.steps if isinstance(step, Ingest)]
    assert [(item.id, item.title) for item in items] == [("a", "Cats"), ("sub/b", "sub/b")]


def test_all_fields_are_read(tmp_path):
    line = {
        **MINIMAL,
        "sources": ["sub/b", "a"],
        "tier": "L2",
        "types": ["quantitative", "factual"],
        "penalties": ["The cat ran."],
        "facts": [
            {
                "text": "The dog ran 12 miles.",
                "keys": [
                    {"kind": "number", "value": 12, "unit": "miles", "tolerance": 0.05},
                    {"kind": "term", "value": "dog", "aliases": ["hound"]},
                ],
                "quotes": ["the  dog ran", {"document": "a", "quote": "cat sat"}],
            },
            "It was the cat that sat down",
        ],
    }
    (question,) = load(write(tmp_path, line)).questions
    assert question.slices == {"tier": ("L2",), "type": ("quantitative", "factual")}
    assert question.source_ids == ("sub/b", "a")
    expectation = question.expectations["main"]
    assert expectation.penalties == ("The cat ran.",)
    first, second = expectation.facts
    assert first.keys == (
        Key("number", "12", "miles", 0.05),
        Key("term", "dog", aliases=("hound",)),
    )
    assert first.spans == (Span("sub/b", 0, 11), Span("a", 11, 18))
    assert [key.value for key in second.keys] == ["cat", "sat"]


def test_holdout_questions_are_asked_last(tmp_path):
    held = {**MINIMAL, "id": "h", "holdout": True}
    benchmark = load(write(tmp_path, held, MINIMAL))
    asked = [step.question_id for step in benchmark.scenarios[0].steps if isinstance(step, Ask)]
    assert asked == ["q1", "h"]
    assert [question.holdout for question in benchmark.questions] == [True, False]


def test_a_question_to_abstain_from_needs_no_answer(tmp_path):
    line = {"id": "n", "question": "Who flew?", "abstain": True}
    expectation = load(write(tmp_path, line)).questions[0].expectations["main"]
    assert expectation.abstain
    assert (expectation.gold_answer, expectation.facts) == (NOT_IN_DOCUMENTS, ())


def test_a_quote_that_stands_nowhere_is_missing_and_named(tmp_path):
    line = {**MINIMAL, "facts": [{"text": "It flew.", "quotes": ["it flew away"]}]}
    report = load(write(tmp_path, line)).report
    assert (report.n_spans_found, report.n_spans_missing) == (0, 1)
    assert report.problems == ("line 1: a quote of question “q1” does not stand in its documents",)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "questions.jsonl, line 2: this is not JSON"),
        ([1], "line 2: an object is needed here, not a list"),
        ({"id": "q2", "question": "Who?"}, "line 2: question “q2” has no gold answer"),
        ({"id": "q2", "question": "Who?", "answer": " "}, "line 2.answer: this is empty"),
        ({"id": "q2", "answer": "x"}, "the field “question” is missing"),
        (MINIMAL, "line 2: the question id “q1” occurs twice (first at line 1)"),
        ({**MINIMAL, "id": "q" * 201}, "with more than 200 characters"),
        ({**MINIMAL, "id": "2", "anwser": 1}, "unknown field “anwser” (known: abstain, answer"),
        ({**MINIMAL, "id": "2", "tier": "L4"}, "a tier is one of L1, L2, L3"),
        ({**MINIMAL, "id": "2", "sources": ["zz"]}, "“zz” is not among the documents"),
        ({**MINIMAL, "id": "2", "holdout": "yes"}, "true or false is needed here, not a text"),
        (
            {**MINIMAL, "id": "2", "facts": [{"text": "a", "keys": [{"kind": "x", "value": 1}]}]},
            "line 2.facts[0].keys[0].kind: a key is of kind “number” or “term”",
        ),
        (
            {
                **MINIMAL,
                "id": "2",
                "facts": [{"text": "a", "keys": [{"kind": "number", "value": "NaN"}]}],
            },
            "the number “NaN” is not a decimal",
        ),
        (
            {
                **MINIMAL,
                "id": "2",
                "facts": [{"text": "a", "keys": [{"kind": "number", "value": 1, "tolerance": -1}]}],
            },
            "a tolerance is a number from 0 up",
        ),
        (
            {
                **MINIMAL,
                "id": "2",
                "facts": [{"text": "a", "quotes": [{"document": "z", "quote": "a"}]}],
            },
            "“z” is not among the documents",
        ),
    ],
)
def test_a_bad_line_is_refused_with_its_number_and_the_reason(tmp_path, line, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        load(write(tmp_path, MINIMAL, line))
    assert reason in str(refusal.value)


def test_a_folder_without_what_it_needs_is_refused(tmp_path):
    with pytest.raises(WrongKindOfFile, match="a folder of Markdown files"):
        load(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(WrongKindOfFile, match="no Markdown document"):
        load(tmp_path / "empty")
    (tmp_path / "empty" / "a.md").write_text("x")
    with pytest.raises(WrongKindOfFile, match=r"questions\.jsonl: there is no such file"):
        load(tmp_path / "empty")


def test_documents_that_are_empty_or_binary_or_huge_are_refused(tmp_path):
    with pytest.raises(WrongKindOfFile, match=r"a\.md: the file is empty"):
        load(write(tmp_path, MINIMAL, documents={"a.md": " \n"}))
    root = write(tmp_path / "b", MINIMAL)
    (root / "a.md").write_bytes(b"ab\xff\xff")
    with pytest.raises(WrongKindOfFile, match=r"a\.md, line 1: this is not UTF-8 text"):
        load(root)
    with pytest.raises(WrongKindOfFile, match="its documents are larger than the limit"):
        load(write(tmp_path / "c", MINIMAL), max_bytes=10)


def test_a_changed_document_changes_the_source_on_the_card(tmp_path):
    root = write(tmp_path, MINIMAL)
    before = load(root).card.source
    (root / "a.md").write_text("# Cats\nThe cat stood.")
    assert load(root).card.source != before


def slice_of(folder: Path, *names: str) -> Path:
    path = folder / "slice.txt"
    path.write_text("\n".join(names) + "\n")
    return path


def test_a_slice_drops_questions_whose_sources_fall_outside(tmp_path):
    inside = {**MINIMAL, "sources": ["a"]}
    across = {**MINIMAL, "id": "q2", "sources": ["a", "sub/b"]}
    free = {**MINIMAL, "id": "q3"}
    chosen = slice_of(tmp_path, "# chosen papers", "a", "")
    benchmark = load(write(tmp_path, inside, across, free), slice_file=chosen)
    assert [question.id for question in benchmark.questions] == ["q1", "q3"]
    steps = benchmark.scenarios[0].steps
    assert [step.item.id for step in steps if isinstance(step, Ingest)] == ["a"]
    assert [step.question_id for step in steps if isinstance(step, Ask)] == ["q1", "q3"]
    assert (benchmark.report.n_documents, benchmark.report.n_questions) == (1, 2)
    assert benchmark.report.problems == (
        "corpus slice slice.txt: 1 of 2 documents, 1 of 3 questions dropped "
        "because a source of theirs lies outside",
    )
    assert benchmark.card.source.endswith("slice slice.txt")


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["a", "zz"], "slice.txt, line 2: the benchmark has no document “zz” (1 unknown in all)"),
        (["a", "a"], "line 2: “a” occurs twice"),
        (["# nothing"], "the slice names no document"),
        (["sub/b"], "no question has all its sources in this slice"),
    ],
)
def test_a_slice_that_fits_nothing_is_refused(tmp_path, names, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        load(write(tmp_path, {**MINIMAL, "sources": ["a"]}), slice_file=slice_of(tmp_path, *names))
    assert reason in str(refusal.value)


def test_a_slug_that_cannot_stand_in_an_address_is_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot be a slug"):
        load(write(tmp_path, MINIMAL), slug="My Bench")
    with pytest.raises(TypeError):
        load(write(tmp_path, MINIMAL), name="x")  # type: ignore[call-arg]
