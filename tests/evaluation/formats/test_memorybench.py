from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.formats.memorybench import read
from evaluation.source_files.refusals import WrongKindOfFile


def evaluation(question_id="q1", **more):
    return {
        "questionId": question_id,
        "questionType": "multi-session",
        "question": "How many?",
        "score": 1,
        "label": "correct",
        "explanation": "It matches.",
        "hypothesis": "Three.",
        "groundTruth": "3",
        "searchResults": [{"content": "three of them"}],
        "searchDurationMs": 120,
        "answerDurationMs": 800,
        "totalDurationMs": 2000,
        **more,
    }


def report(*evaluations, **more):
    return {
        "provider": "supermemory",
        "benchmark": "longmemeval",
        "runId": "run-7",
        "judge": "gpt-4o",
        "answeringModel": "gpt-4o",
        "summary": {"totalQuestions": len(evaluations)},
        "latency": {},
        "evaluations": list(evaluations),
        **more,
    }


def write(folder: Path, data) -> Path:
    path = folder / "report.json"
    path.write_text(json.dumps(data))
    return path


def test_a_report_becomes_rows_whose_context_is_not_known(tmp_path):
    file = read(write(tmp_path, report(evaluation(), evaluation("q2", score=0, label="incorrect"))))
    first, second = file.rows
    assert (first.benchmark, first.system, first.run) == ("longmemeval", "supermemory", "run-7")
    assert (first.question_id, first.answer, first.gold_answer) == ("q1", "Three.", "3")
    assert first.slices == {"type": ("multi-session",)}
    assert (first.achieved_chars, first.context) == (None, None)
    assert (first.retrieve_ms, first.synthesize_ms) == (120.0, 800.0)
    assert [row.judgments[0].composite for row in file.rows] == [10.0, 0.0]
    assert second.judgments[0].judge == "gpt-4o"
    assert file.meta["scale"] == "0 to 1 in the file, times 10"


def test_a_label_that_contradicts_its_score_leaves_the_answer_unscored(tmp_path):
    file = read(write(tmp_path, report(evaluation(label="incorrect"))))
    (judgment,) = file.rows[0].judgments
    assert judgment.composite is None
    assert judgment.unscored_reason == "the score 1 contradicts the label “incorrect”"


def test_a_score_between_or_outside_is_scaled_or_unscored(tmp_path):
    file = read(
        write(
            tmp_path, report(evaluation(score=0.5, label="incorrect"), evaluation("q2", score=80))
        )
    )
    assert file.rows[0].judgments[0].composite == 5.0
    assert file.rows[1].judgments[0].unscored_reason == "the score 80 is not 0–1"


def test_bad_evaluations_are_named(tmp_path):
    file = read(write(tmp_path, report(evaluation(), evaluation(), evaluation(None))))
    assert [problem.split(":")[0] for problem in file.problems] == [
        "evaluations[2]",
        "evaluations[1]",
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"provider": "x"}, "this is no report of memorybench"),
        (report(), "no evaluation could be read"),
        (report(evaluation(hypothesis=5)), "evaluations[0].hypothesis: a text is needed here"),
        (report(evaluation(), provider=None), "the field “provider” is null"),
    ],
)
def test_other_files_are_refused(tmp_path, data, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        read(write(tmp_path, data))
    assert reason in str(refusal.value)
