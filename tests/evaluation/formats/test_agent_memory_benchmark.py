from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from evaluation.formats.agent_memory_benchmark import read
from evaluation.source_files.refusals import WrongKindOfFile
from tests.evaluation.real_files import real_file


def result(query_id="q1", **more):
    return {
        "query_id": query_id,
        "query": "What degree?",
        "answer": "Business",
        "reasoning": "",
        "context": "user: I studied business 🙂",
        "context_tokens": 7,
        "retrieve_time_ms": 12.5,
        "gold_answers": ["Business Administration", "BA"],
        "correct": True,
        "judge_reason": "It is the same.",
        "score": None,
        "meta": {},
        "category_axes": {"question_type": ["single-session-user"], "empty": []},
        **more,
    }


def run(*results, **more):
    return {
        "dataset": "longmemeval",
        "split": "s",
        "memory_provider": "hindsight",
        "run_name": "hindsight",
        "mode": "rag",
        "total_queries": len(results),
        "answer_llm": "gemini:gemini-2.5-flash-lite",
        "judge_llm": "gemini:gemini-2.5-pro",
        "results": list(results),
        **more,
    }


def write(folder: Path, data) -> Path:
    path = folder / "s.json.gz"
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    return path


def test_a_packed_run_becomes_rows_with_achieved_characters(tmp_path):
    file = read(write(tmp_path, run(result())))
    (row,) = file.rows
    assert (row.benchmark, row.system, row.variant) == ("longmemeval-s", "hindsight", "")
    assert (row.question_id, row.track, row.modality) == ("q1", "native", "other")
    assert row.achieved_chars == len("user: I studied business 🙂")
    assert row.gold_answer == "Business Administration / BA"
    assert row.slices == {"question_type": ("single-session-user",)}
    assert (row.synthesizer, row.retrieve_ms) == ("gemini:gemini-2.5-flash-lite", 12.5)
    (judgment,) = row.judgments
    assert (judgment.judge, judgment.composite) == ("gemini:gemini-2.5-pro", 10.0)
    assert judgment.reason == "It is the same."
    assert file.meta["scale"] == "true or false in the file; 10 for true, 0 for false"
    assert file.problems == ()


def test_a_score_from_0_to_1_counts_before_true_or_false(tmp_path):
    file = read(write(tmp_path, run(result(score=0.35, correct=False))))
    assert file.rows[0].judgments[0].composite == 3.5
    assert file.meta["scale"] == "0 to 1 in the file, times 10"


def test_a_run_of_another_name_is_a_variant(tmp_path):
    file = read(write(tmp_path, run(result(), run_name="hindsight-k50")))
    assert file.rows[0].variant == "hindsight-k50"


def test_a_missing_verdict_is_unscored_and_a_missing_context_is_unknown(tmp_path):
    file = read(write(tmp_path, run(result(correct=None, context=None), result("q2", score=7))))
    first, second = file.rows
    assert first.judgments[0].unscored_reason == "the file gives no score"
    assert (first.achieved_chars, first.context) == (None, None)
    assert second.judgments[0].unscored_reason == "the score 7 is not 0–1"


def test_bad_results_are_named_and_the_count_is_checked(tmp_path):
    data = run(result(), result(answer=None), result(), "odd", total_queries=4)
    assert read(write(tmp_path, data)).problems == (
        "results[1]: the field “answer” is null",
        "results[3]: an object is needed here, not a text",
        "results[2]: a second answer of hindsight to “q1” (first at results[0]); not taken",
        "total_queries is 4, but 1 results were read",
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "this is no result of agent-memory-benchmark"),
        ({"results": []}, "memory_provider and results are needed"),
        (run(), "no result could be read"),
        (run(result(query_id=None)), "no result could be read; results[0]: the field “query_id”"),
        (run(result(), memory_provider=" "), "memory_provider: this is empty"),
    ],
)
def test_other_files_are_refused(tmp_path, data, reason):
    with pytest.raises(WrongKindOfFile) as refusal:
        read(write(tmp_path, data))
    assert reason in str(refusal.value)


def test_a_real_file_of_another_kind_is_refused():
    with pytest.raises(WrongKindOfFile, match="this is no result of agent-memory-benchmark"):
        read(real_file("data", "longmemeval_questions", "queries.json"))
