from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.formats.inspect_log import read
from evaluation.source_files.refusals import WrongKindOfFile


def sample(sample_id=1, **more):
    return {
        "id": sample_id,
        "epoch": 1,
        "input": "Who sat?",
        "target": "the cat",
        "messages": [],
        "output": {"model": "m", "choices": [], "completion": "The cat."},
        "scores": {
            "model_graded_qa": {"value": "C", "answer": "The cat.", "explanation": "Right."}
        },
        "metadata": {},
        **more,
    }


def log(*samples, **more):
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": "r9",
            "created": "2026-01-01T00:00:00+00:00",
            "task": "cats",
            "model": "openai/gpt-4.1-mini",
            "dataset": {"name": "Cats QA", "samples": len(samples)},
        },
        "results": {"scores": []},
        "samples": list(samples),
        **more,
    }


def write(folder: Path, data) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps(data))
    return path


def test_a_log_becomes_rows(tmp_path):
    file = read(write(tmp_path, log(sample(), sample(epoch=2))))
    row, again = file.rows
    assert (row.benchmark, row.system, row.variant) == (
        "cats-qa",
        "openai-gpt-4-1-mini",
        "openai/gpt-4.1-mini",
    )
    assert (row.question_id, row.repeat, again.repeat) == ("1", 0, 1)
    assert (row.answer, row.question_text, row.gold_answer) == ("The cat.", "Who sat?", "the cat")
    assert row.achieved_chars is None
    (judgment,) = row.judgments
    assert (judgment.judge, judgment.composite, judgment.reason) == (
        "model_graded_qa",
        10.0,
        "Right.",
    )
    assert file.meta["scale"] == "0 to 1 in the file, times 10"
    assert file.meta["run_id"] == row.run == "r9"


@pytest.mark.parametrize(
    ("value", "composite"),
    [
        ("C", 10.0), ("P", 5.0), ("I", 0.0), ("N", 0.0), ("yes", 10.0), ("False", 0.0),
        (True, 10.0), (0.25, 2.5), ("0.5", 5.0), (1, 10.0),
    ],
)  # fmt: skip
def test_values_are_read_as_inspect_reads_them(tmp_path, value, composite):
    (row,) = read(write(tmp_path, log(sample(scores={"s": {"value": value}})))).rows
    assert row.judgments[0].composite == composite


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (7, "the score 7 is not 0–1"),
        ("maybe", "the score 'maybe' is not 0–1"),
        ("inf", "the score inf is not 0–1"),
        ([1, 0], "the score [1, 0] is not 0–1"),
        (None, "the file gives no score"),
        (float("nan"), "unscored by Inspect"),
    ],
)
def test_any_other_value_is_unscored_with_its_reason(tmp_path, value, reason):
    (row,) = read(write(tmp_path, log(sample(scores={"s": {"value": value}})))).rows
    assert row.judgments[0].composite is None
    assert row.judgments[0].unscored_reason == reason


def test_an_object_gives_dimensions_and_no_composite(tmp_path):
    value = {"accuracy": 0.5, "style": "C", "length": 120}
    (row,) = read(write(tmp_path, log(sample(scores={"s": {"value": value}})))).rows
    (judgment,) = row.judgments
    assert (judgment.composite, judgment.scores) == (None, {"accuracy": 5.0, "style": 10.0})


def test_messages_parts_and_attachments_are_resolved(tmp_path):
    one = sample(
        input=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "attachment://abc"}]},
        ],
        target=["the cat", "cat"],
        output={"choices": [{"message": {"role": "assistant", "content": "The cat."}}]},
        attachments={"abc": "Who sat there?"},
    )
    (row,) = read(write(tmp_path, log(one))).rows
    assert (row.question_text, row.answer) == ("Who sat there?", "The cat.")
    assert row.gold_answer == "the cat / cat"


def test_errors_and_an_unfinished_status_are_kept(tmp_path):
    failed = sample(error={"message": "timed out"}, scores=None, output={})
    file = read(write(tmp_path, log(failed, sample(2, target=None), status="error")))
    (row,) = file.rows
    assert (row.error, row.answer, row.judgments) == ("timed out", "", ())
    assert file.problems[0] == "the log's status is “error”: samples may be missing"
    assert file.problems[1].startswith("samples[1]: the field “target” is null")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"samples": []}, "this is no log of Inspect AI"),
        (log(sample(), version=1), "the log's version is 1; 2 is needed"),
        (log(), "the log holds no samples"),
        (log(sample(), samples=None), "the log holds no samples"),
        (log(sample(None)), "no sample could be read; samples[0]: the field “id” is null"),
    ],
)
def test_other_files_are_refused(tmp_path, data, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        read(write(tmp_path, data))
    assert reason in str(refusal.value)


def test_a_packed_log_is_refused_with_what_to_do(tmp_path):
    path = tmp_path / "log.eval"
    path.write_bytes(b"PK\x03\x04rest")
    with pytest.raises(WrongKindOfFile, match="inspect log convert"):
        read(path)
