from __future__ import annotations

import csv
import io
from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.formats.answers_csv import formula_safe, render, rows_to_frame
from evaluation.formats.result_rows import ResultJudgment, ResultRow

ROW = ResultRow(
    benchmark="mini",
    question_id="q1",
    system="bm25",
    answer="=cmd|' /C calc'!A0",
    achieved_chars=0,
    question_text="-5 degrees,\n“why”?",
    slices={"tier": ("L1",), "type": ("factual", "quantitative")},
    judgments=(
        ResultJudgment("rubric", 7.5, {"accuracy": 10.0}, is_proxy=True),
        ResultJudgment("gpt", None, unscored_reason="cut", cost_usd=0.25),
    ),
)
UNJUDGED = replace(ROW, question_id="q0", judgments=(), achieved_chars=None, slices={}, run="r1")


def parsed(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_frame_has_a_line_for_each_answer_and_judge():
    frame = rows_to_frame([ROW, UNJUDGED])
    assert list(frame["question_id"]) == ["q0", "q1", "q1"]
    assert list(frame["judge"]) == ["", "gpt", "rubric"]
    assert frame["composite"].isna().tolist() == [True, True, False]
    assert frame["composite"].iloc[2] == 7.5
    assert frame["score_accuracy"].iloc[2] == 10.0
    assert frame["slice_type"].tolist() == ["", "factual; quantitative", "factual; quantitative"]
    assert frame["judge_cost_usd"].iloc[1] == 0.25
    assert frame["achieved_chars"].dtype == pd.Int64Dtype()
    assert frame["achieved_chars"].isna().tolist() == [True, False, False]


def test_the_context_is_only_there_when_asked_for():
    row = replace(ROW, context="abc", achieved_chars=3)
    assert "context" not in rows_to_frame([row])
    assert rows_to_frame([row], context=True)["context"].tolist() == ["abc", "abc"]


def test_no_rows_make_an_empty_table_with_its_columns():
    frame = rows_to_frame([])
    assert len(frame) == 0
    assert {"benchmark", "question_id", "judge", "composite"} <= set(frame.columns)
    assert render([]).startswith("benchmark,")


def test_csv_is_safe_in_a_spreadsheet_and_has_no_nan():
    text = render([UNJUDGED, ROW])
    assert "nan" not in text.casefold()
    lines = parsed(text)
    assert lines[1]["answer"] == "'=cmd|' /C calc'!A0"
    assert lines[1]["question_text"] == "'-5 degrees,\n“why”?"
    assert lines[0]["achieved_chars"] == ""
    assert (lines[1]["achieved_chars"], lines[2]["composite"]) == ("0", "7.5")


def test_a_reproducible_table_leaves_out_what_was_measured():
    one, two = replace(ROW, run="a", retrieve_ms=1.0), replace(ROW, run="b", retrieve_ms=2.0)
    assert render([one]) != render([two])
    assert render([one], reproducible=True) == render([two], reproducible=True)
    assert "judge_cost_usd" not in render([one], reproducible=True)


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\tx", "\rx", "＝1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert formula_safe(text) == f"'{text}"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0")))
def test_any_answer_comes_back_from_the_csv(answer):
    (line,) = parsed(render([replace(ROW, answer=answer, judgments=())]))
    assert line["answer"] == formula_safe(answer)
