from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Benchmark, Cell, CellError, Retrieval, Run, ScoreVector, Variant
from evaluation.queries.board_keys import board_keys
from evaluation.services.benchmarks import BenchmarkNotLoaded
from evaluation.services.contexts import stored_context
from evaluation.services.exporting import export_results, exported_texts
from evaluation.services.importing import ResultsAlreadyImported, import_results
from evaluation.services.judging import rejudge
from evaluation.services.loading import load_benchmark
from evaluation.services.results import result_page
from evaluation.services.run_control import RunCannotChange, resume_run
from evaluation.services.runs import get_run
from evaluation.source_files.refusals import WrongKindOfFile
from tests.evaluation.toy_runs import measured_run

pytestmark = pytest.mark.django_db


def answer(question_id: str = "T1", **fields: Any) -> dict[str, Any]:
    return {
        "benchmark": "toy-scientific",
        "question_id": question_id,
        "system": "elsewhere",
        "modality": "dense",
        "track": "1k",
        "achieved_chars": 900,
        "answer": "61.5 %",
        "judgments": [{"judge": "reader", "composite": 8.0}],
        **fields,
    }


def written(tmp_path: Path, *rows: dict[str, Any], name: str = "answers.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_what_is_exported_comes_back_as_it_was(tmp_path: Path) -> None:
    run = get_run(measured_run().public_id)
    path = tmp_path / "answers.jsonl"
    export_results(run=run, format="jsonl", path=path, with_contexts=True)
    imported = import_results(path=path, format="jsonl")
    assert (imported.n_answers, imported.n_missing, imported.problems) == (12, 0, ())
    assert imported.run.origin == Run.IMPORTED
    assert imported.run.finished_at is not None
    assert imported.run.protocol_id != run.protocol_id
    texts = [
        [json.loads(text) for text in exported_texts(run=one, format="jsonl", reproducible=True)]
        for one in (run, get_run(imported.run.public_id))
    ]
    kept = ("question_id", "system", "variant", "track", "answer", "judgments", "achieved_chars")
    assert [{name: row[name] for name in kept} for row in texts[0]] == [
        {name: row[name] for name in kept} for row in texts[1]
    ]


def test_imported_vectors_have_the_scores_of_the_file(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    unscored = {"judge": "reader", "composite": None, "unscored_reason": "unreadable"}
    path = written(tmp_path, answer(), answer("T2", judgments=[unscored]))
    run = import_results(path=path, format="jsonl").run
    vector = ScoreVector.objects.get(run_variant__run=run)
    assert (vector.n_scored, vector.n_unscored, vector.track) == (1, 1, "1k")
    assert vector.mean_achieved_chars == 900
    assert {unit: value for unit, value, _ in vector.values} == {"T1": 8.0, "T2": None}


def test_its_variants_and_judges_are_never_the_measured_ones(tmp_path: Path) -> None:
    run = get_run(measured_run().public_id)
    path = tmp_path / "answers.jsonl"
    export_results(run=run, format="jsonl", path=path)
    imported = import_results(path=path, format="jsonl").run
    for own in ("run_variants__variant__key", "run_judges__judge__key"):
        keys = [
            set(Run.objects.filter(pk=one.pk).values_list(own, flat=True))
            for one in (run, imported)
        ]
        assert not keys[0] & keys[1]
    assert Variant.objects.filter(label="bm25").count() == 2


def test_a_foreign_context_stands_as_it_was_and_a_size_alone_is_kept(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    text = "Some context\n\nin its own layout."
    path = written(
        tmp_path, answer(context=text, achieved_chars=len(text)), answer("T2", achieved_chars=77)
    )
    run = import_results(path=path, format="jsonl").run
    rows = Retrieval.objects.filter(cell__run_variant__run=run).order_by("achieved_chars")
    assert [stored_context(retrieval=row).text for row in rows] == [text, ""]
    assert [row.achieved_chars for row in rows] == [len(text), 77]
    exported = [
        json.loads(each)
        for each in exported_texts(run=get_run(run.public_id), format="jsonl", with_contexts=True)
    ]
    assert [row.get("context") for row in exported] == [text, None]


def test_answers_that_other_variants_have_are_errored(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    path = written(tmp_path, answer(), answer("T2"), answer("T1", system="other"))
    imported = import_results(path=path, format="jsonl")
    assert imported.n_missing == 1
    missing = Cell.objects.get(run_variant__run=imported.run, errored_at__isnull=False)
    assert missing.run_variant.variant.system == "other"
    assert missing.question.question_id == "T2"
    assert "no answer" in CellError.objects.get(cell=missing).message


def test_unknown_questions_phases_and_tracks_are_named_and_left_out(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    path = written(
        tmp_path, answer(), answer("T77"), answer("T2", phase="later"), answer("T3", track="huge")
    )
    imported = import_results(path=path, format="jsonl")
    assert imported.n_answers == 1
    assert len(imported.problems) == 3
    assert any("T77" in problem for problem in imported.problems)
    assert any("later" in problem for problem in imported.problems)
    assert any("huge" in problem for problem in imported.problems)


def test_answers_to_holdout_questions_are_named_and_left_out(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    imported = import_results(path=written(tmp_path, answer(), answer("TH1")), format="jsonl")
    assert (imported.n_answers, imported.run.question_ids) == (1, ["T1"])
    assert imported.problems == (
        "answers to “TH1” are of the holdout, taken only when it is asked for",
    )
    with pytest.raises(WrongKindOfFile, match="“TH1” are of the holdout"):
        import_results(path=written(tmp_path, answer("TH1")), format="jsonl")


def test_the_holdout_alone_is_taken_when_it_is_asked_for(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    path = written(tmp_path, answer(), answer("TH1"))
    imported = import_results(path=path, format="jsonl", holdout=True)
    assert (imported.n_answers, imported.run.question_ids) == (1, ["TH1"])
    assert imported.run.protocol.question_set == "holdout"
    assert imported.problems == ("answers to “T1” are not of the holdout that was asked for",)
    assert board_keys("toy-scientific").protocols[0].question_set == "holdout"
    import_results(path=path, format="jsonl")
    assert [one.question_set for one in board_keys("toy-scientific").protocols] == [
        "imported", "holdout",
    ]  # fmt: skip


def test_a_file_without_the_asked_holdout_is_refused(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    with pytest.raises(WrongKindOfFile, match="“T1”, “T2” are not of the holdout"):
        import_results(path=written(tmp_path, answer(), answer("T2")), format="jsonl", holdout=True)
    assert not Run.objects.exists()


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    path = written(tmp_path, answer())
    first = import_results(path=path, format="jsonl").run
    with pytest.raises(ResultsAlreadyImported, match=first.public_id):
        import_results(path=path, format="jsonl", original_name="copy.jsonl")
    assert Run.objects.count() == 1


def test_a_benchmark_that_is_not_loaded_is_made_of_the_files_questions(tmp_path: Path) -> None:
    row = answer("q-1", benchmark="Far Away", question_text="How far?", gold_answer="very")
    run = import_results(path=written(tmp_path, row), format="jsonl", original_name="far.jsonl").run
    made = Benchmark.objects.get(slug="far-away")
    assert run.benchmark == made
    question = made.questions.get()
    assert (question.text, question.data["expectations"]["main"]["gold_answer"]) == (
        "How far?",
        "very",
    )
    assert "far.jsonl" in made.card["source"]


def test_a_file_with_several_benchmarks_needs_one_named(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    path = written(tmp_path, answer(), answer("q", benchmark="another"))
    with pytest.raises(WrongKindOfFile, match="toy-scientific, another"):
        import_results(path=path, format="jsonl")
    imported = import_results(path=path, format="jsonl", benchmark="toy-scientific")
    assert imported.n_answers == 1
    assert imported.problems == ("1 answers to other benchmarks were left out",)


def test_nothing_is_stored_when_the_benchmark_or_all_questions_are_unknown(tmp_path: Path) -> None:
    path = written(tmp_path, answer())
    with pytest.raises(BenchmarkNotLoaded):
        import_results(path=path, format="jsonl", benchmark="nowhere")
    load_benchmark(name_or_path="toy-scientific")
    with pytest.raises(WrongKindOfFile, match="T99"):
        import_results(path=written(tmp_path, answer("T99")), format="jsonl")
    assert not Run.objects.exists()


def test_the_layout_of_another_tool_is_read_with_its_contexts(tmp_path: Path) -> None:
    result = {
        "query_id": "conv-1/q1", "query": "Where does Ada live?", "answer": "In Graz.",
        "context": "Ada: I moved to Graz.", "context_tokens": 6, "gold_answers": ["Graz"],
        "correct": True, "judge_reason": "it names the city",
    }  # fmt: skip
    file = {
        "dataset": "tiny", "split": "test", "memory_provider": "elsewhere", "run_name": "r1",
        "mode": "rag", "answer_llm": "some-model", "judge_llm": "a-judge", "results": [result],
    }  # fmt: skip
    path = tmp_path / "run.json.gz"
    path.write_bytes(gzip.compress(json.dumps(file).encode()))
    imported = import_results(path=path, format="agent-memory-benchmark")
    (row,) = result_page(run=get_run(imported.run.public_id), start=0, n=9, with_contexts=True).rows
    assert (row.answer, row.context, row.achieved_chars) == ("In Graz.", result["context"], 21)
    assert [(one.judge, one.composite) for one in row.judgments] == [("a-judge", 10.0)]
    assert row.synthesizer == "some-model"


def test_an_imported_run_has_nothing_to_resume_but_can_be_judged_again(tmp_path: Path) -> None:
    load_benchmark(name_or_path="toy-scientific")
    run = import_results(path=written(tmp_path, answer(), answer("T2")), format="jsonl").run
    with pytest.raises(RunCannotChange, match="imported"):
        resume_run(run=run, retry_errored=True)
    assert sum(work.n_expected for work in rejudge(run=run, judge_name="rubric")) == 2


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("system", "s" * 61, "the system “sss"),
        ("variant", "v" * 201, "the variant “vvv"),
        ("modality", "telepathic!", "the modality “telepathic!"),
        ("question_id", "q" * 201, "the question_id “qqq"),
        ("judgments", [{"judge": "j" * 121, "composite": 1}], "the judge 1 “jjj"),
        ("repeat", 32_768, "repeat 32768 of “T1” is beyond 10,000"),
        ("achieved_chars", 10**10, "achieved_chars of “T1” is beyond 2,000,000,000"),
        ("input_tokens", 10**10, "input_tokens of “T1” is beyond"),
    ],
)
def test_a_row_that_no_database_can_keep_is_not_taken(
    tmp_path: Path, field: str, value: object, said: str
) -> None:
    odd = answer() | {field: value}
    with pytest.raises(WrongKindOfFile, match=said):
        import_results(path=written(tmp_path, odd), format="jsonl")
    assert not Run.objects.exists()
    imported = import_results(path=written(tmp_path, odd, answer("T2")), format="jsonl")
    assert imported.n_answers == 1
    assert said in imported.problems[0]


def test_a_system_may_be_named_with_a_slash(tmp_path: Path, client: Client) -> None:
    imported = import_results(path=written(tmp_path, answer(system="maker/one")), format="jsonl")
    assert imported.n_answers == 1
    assert reverse("system", args=["maker/one"]) == "/systems/maker/one/"
    assert client.get("/systems/maker/one/").status_code in (200, 404)
