from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.formats.answers_jsonl import read, render
from evaluation.formats.result_rows import ResultJudgment, ResultRow, canonical_order
from evaluation.source_files.refusals import WrongKindOfFile

JUDGED = ResultRow(
    benchmark="mini",
    question_id="q1",
    system="simple-rag",
    variant="simple-rag+bm25@static",
    modality="hybrid",
    track="10k",
    answer="Line one\nline two 🙂 שלום =cmd|' /C calc'!A0",
    achieved_chars=9,
    context="a context",
    judgments=(
        ResultJudgment("rubric", 7.5, {"accuracy": 10.0, "completeness": 5.0}, is_proxy=True),
        ResultJudgment("gpt", None, unscored_reason="the reply was cut", cost_usd=0.01, judge_ms=5),
    ),
    slices={"tier": ("L1",), "type": ("factual", "quantitative")},
    run="abc",
    cost_usd=0.0,
    retrieve_ms=1.5,
    synthesize_ms=2.5,
)

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
names = words.map(lambda text: text.strip()).filter(bool)
numbers = st.floats(0, 1e9, allow_nan=False)
scores = st.floats(0, 10, allow_nan=False)


@st.composite
def judgments(draw):
    composite = draw(st.none() | scores)
    return ResultJudgment(
        judge=draw(names),
        composite=composite,
        scores=draw(st.dictionaries(words, scores, max_size=3)),
        reason=draw(words),
        unscored_reason="" if composite is not None else draw(words.filter(bool)),
        is_proxy=draw(st.booleans()),
        cost_usd=draw(st.none() | numbers),
        judge_ms=draw(st.none() | numbers),
    )


@st.composite
def rows(draw):
    context = draw(st.none() | words)
    judged = draw(st.lists(judgments(), max_size=2, unique_by=lambda one: one.judge))
    return ResultRow(
        benchmark=draw(names),
        question_id=draw(names),
        system=draw(names),
        answer=draw(words),
        phase=draw(words),
        modality=draw(words),
        track=draw(words),
        repeat=draw(st.integers(0, 3)),
        variant=draw(words),
        is_anchor=draw(st.booleans()),
        achieved_chars=len(context) if context is not None else draw(st.none() | st.integers(0)),
        context=context,
        abstained=draw(st.booleans()),
        flags=tuple(draw(st.lists(words, max_size=2))),
        judgments=tuple(sorted(judged, key=lambda one: one.judge)),
        question_text=draw(words),
        slices=draw(st.dictionaries(words, st.lists(words).map(tuple), max_size=2)),
        error=draw(words),
        input_tokens=draw(st.none() | st.integers(0, 10**9)),
        run=draw(words),
        cost_usd=draw(st.none() | numbers),
    )


@given(st.lists(rows(), min_size=1, max_size=4, unique_by=lambda row: row.key))
def test_what_is_written_is_read_back_the_same(tmp_path_factory, many):
    path = tmp_path_factory.mktemp("rows") / "results.jsonl"
    path.write_text(render(many), encoding="utf-8")
    result = read(path)
    assert list(result.rows) == canonical_order(many)
    assert result.problems == ()


def write(folder: Path, *lines: str) -> Path:
    path = folder / "results.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_an_export_is_one_sorted_object_a_line_and_does_not_depend_on_row_order():
    other = replace(JUDGED, question_id="q0", judgments=tuple(reversed(JUDGED.judgments)))
    text = render([JUDGED, other])
    assert text == render([other, JUDGED])
    lines = text.splitlines()
    assert len(lines) == 2
    assert [json.loads(line)["question_id"] for line in lines] == ["q0", "q1"]
    assert list(json.loads(lines[0])) == sorted(json.loads(lines[0]))
    assert [one["judge"] for one in json.loads(lines[0])["judgments"]] == ["gpt", "rubric"]


def test_a_reproducible_export_leaves_out_what_was_measured():
    later = replace(JUDGED, run="def", retrieve_ms=99.0, synthesize_ms=None, cost_usd=0.2)
    assert render([JUDGED]) != render([later])
    assert render([JUDGED], reproducible=True) == render([later], reproducible=True)
    data = json.loads(render([JUDGED], reproducible=True))
    assert {"run", "cost_usd", "retrieve_ms", "synthesize_ms"}.isdisjoint(data)
    assert {"cost_usd", "judge_ms"}.isdisjoint(data["judgments"][0])


def test_defaults_are_left_out_and_zeros_and_empty_contexts_are_not():
    data = json.loads(render([replace(JUDGED, context=None, repeat=0)]))
    assert "context" not in data
    assert "error" not in data
    assert (data["repeat"], data["cost_usd"]) == (0, 0.0)
    assert json.loads(render([replace(JUDGED, context="", achieved_chars=0)]))["context"] == ""


def test_a_lone_surrogate_is_written_in_escapes_and_read_as_a_replacement(tmp_path):
    odd = replace(JUDGED, answer="half \ud83d of a pair", context=None)
    assert r"half \ud83d of a pair" in render([odd])
    (row,) = read(write(tmp_path, render([odd]).rstrip("\n"))).rows
    assert row.answer == "half \ufffd of a pair"


def line(**changes) -> str:
    data = {"benchmark": "b", "question_id": "q", "system": "s", "answer": "a"} | changes
    return json.dumps(data)


def test_a_minimal_line_is_enough(tmp_path):
    result = read(write(tmp_path, line(context="abc")))
    (row,) = result.rows
    assert (row.phase, row.track, row.modality, row.judgments) == ("main", "native", "other", ())
    assert row.achieved_chars == 3
    assert result.meta["scale"].startswith("composite 0–10")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{oops", "line 2: this is not JSON"),
        ("[]", "line 2: an object is needed here, not a list"),
        (line(question_id=None), "line 2: the field “question_id” is null"),
        (line(answer=3), "line 2.answer: a text is needed here, not a number"),
        (line(achieved_chars=-1), "line 2.achieved_chars: this cannot be negative"),
        (line(context="abc", achieved_chars=4), "achieved_chars is 4, but the context has 3"),
        (line(judgments=[{"composite": 5}]), "line 2.judgments[0]: the field “judge” is missing"),
        (line(judgments=[{"judge": "j", "composite": 11}]), "is 11.0, outside 0 to 10"),
        (line(judgments=[{"judge": "j", "composite": "8"}]), "a number is needed here"),
        (line(judgments=[{"judge": "j", "scores": {"a": -1}}]), "the score “a” is -1.0"),
        (line(judgments=[{"judge": "j"}] * 2), "the judge “j” judges the answer twice"),
        (line(question_id="q0"), "line 2: a second answer of s to “q0” (first at line 1)"),
        ('{"answer": NaN}', "line 2: NaN is not JSON"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_taken(tmp_path, bad, reason):
    result = read(write(tmp_path, line(question_id="q0"), bad, line(question_id="q2")))
    assert [row.question_id for row in result.rows] == ["q0", "q2"]
    (problem,) = result.problems
    assert reason in problem


def test_a_judgment_without_a_composite_is_unscored(tmp_path):
    judged = [{"judge": "a"}, {"judge": "b", "composite": None, "unscored_reason": "cut"}]
    (row,) = read(write(tmp_path, line(judgments=judged))).rows
    assert [one.composite for one in row.judgments] == [None, None]
    assert [one.unscored_reason for one in row.judgments] == ["no reason given", "cut"]


def test_unknown_fields_are_named_once(tmp_path):
    result = read(write(tmp_path, line(colour="red"), line(question_id="q2", colour="blue")))
    assert result.problems == ("line 1: the field “colour” is not read",)


def test_a_file_without_a_single_answer_is_refused(tmp_path):
    with pytest.raises(WrongKindOfFile, match="no answer could be read; line 1: this is not JSON"):
        read(write(tmp_path, "left,right,winner"))
    with pytest.raises(WrongKindOfFile, match="the file is empty"):
        read(write(tmp_path, ""))


def test_a_judgment_is_a_score_or_unscored_with_a_reason():
    with pytest.raises(ValueError, match="either a composite or a reason"):
        ResultJudgment("j", None)
    with pytest.raises(ValueError, match="outside 0 to 10"):
        ResultJudgment("j", float("nan"))
