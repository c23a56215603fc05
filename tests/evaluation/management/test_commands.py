"""The commands at work: what they print, and what they leave behind."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import load_command_class

from evaluation.models import Benchmark, Judgment, Run
from evaluation.services.run_control import pause_run
from tests.evaluation.management.commands_run import run_command
from tests.evaluation.toy_runs import TOY, measured_run, planned_run

COMMANDS = (
    "audit_benchmark", "doctor", "export_results", "import_results", "leaderboard",
    "load_benchmark", "load_published", "rejudge", "run_benchmark", "run_control",
)  # fmt: skip
HERE = ("--wait", "--in-process", "--embedder", "static")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_examples(name: str) -> None:
    outcome = run_command(name, "--help")
    assert outcome.code == 0
    assert "examples:" in outcome.out
    command: Any = load_command_class("evaluation", name)
    assert command.examples[0].startswith(name)
    for line in command.examples:
        assert f"manage.py {line}" in outcome.out
    assert max(len(line) for line in outcome.out.splitlines()) <= 110


@pytest.mark.django_db
def test_a_benchmark_is_loaded_measured_and_shown() -> None:
    loaded = run_command("load_benchmark", TOY)
    assert loaded.code == 0
    assert f"{TOY} loaded, revision" in loaded.out
    assert "was loaded already" in run_command("load_benchmark", TOY).out
    done = run_command(
        "run_benchmark", TOY, "--systems", "bm25,base-model", "--tracks", "native,1k", *HERE
    )
    run = Run.objects.get()
    assert done.code == 0
    assert done.out.strip() == run.public_id
    assert f"/runs/{run.public_id}/" in done.err
    assert "12 answers, 0 errored cells" in done.err
    assert "Answer: 12 cells" in done.err
    board = run_command("leaderboard", TOY, "--track", "1k")
    assert "bm25" in board.out
    assert "judge rubric, a proxy" in board.out


@pytest.mark.django_db
def test_without_waiting_the_run_is_handed_to_the_workers() -> None:
    run_command("load_benchmark", TOY)
    outcome = run_command("run_benchmark", TOY, "--systems", "base-model", "--embedder", "static")
    assert outcome.code == 0
    assert Run.objects.get(public_id=outcome.out.strip()).works.open().exists()


@pytest.mark.django_db
def test_a_run_is_resumed_where_it_stopped() -> None:
    run = planned_run()
    pause_run(run=run)
    outcome = run_command("run_benchmark", "--resume", run.public_id, "--wait", "--in-process")
    assert outcome.code == 0
    assert Run.objects.get().finished_at is not None


@pytest.mark.django_db
def test_waiting_for_a_run_with_errored_cells_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("the lamp went out")

    run = planned_run()
    monkeypatch.setattr("evaluation.services.answering.restore_context", broken)
    outcome = run_command("run_benchmark", "--resume", run.public_id, "--wait", "--in-process")
    assert outcome.code == 1
    assert "8 cells" in outcome.err
    assert "the lamp went out" in outcome.err
    assert f"run_control {run.public_id} retry" in outcome.err
    monkeypatch.undo()
    assert run_command("run_control", run.public_id, "retry").code == 0
    again = run_command("run_benchmark", "--resume", run.public_id, "--wait", "--in-process")
    assert again.code == 0


@pytest.mark.django_db
def test_a_run_that_the_doctor_stops_ends_with_1_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ill(**_options: object) -> None:
        raise RuntimeError("no pulse")

    run = planned_run()
    monkeypatch.setattr("evaluation.services.examining.open_variant_as", ill)
    outcome = run_command("run_benchmark", "--resume", run.public_id, "--wait", "--in-process")
    assert outcome.code == 1
    assert "is paused: the doctor found" in outcome.err
    assert "no pulse" in outcome.err


@pytest.mark.django_db
def test_the_questions_of_a_file_are_the_only_ones_asked(tmp_path: Path) -> None:
    run_command("load_benchmark", TOY)
    path = tmp_path / "two.txt"
    path.write_text("T2\nT1\n")
    outcome = run_command(
        "run_benchmark", TOY, "--systems", "base-model", "--questions", str(path), *HERE
    )
    assert outcome.code == 0
    assert Run.objects.get().question_ids == ["T1", "T2"]


@pytest.mark.django_db
def test_the_board_comes_as_a_table_csv_and_json_with_the_same_rows() -> None:
    measured_run()
    table = run_command("leaderboard", TOY, "--track", "native").out
    rows = list(csv.DictReader(io.StringIO(run_command(
        "leaderboard", TOY, "--track", "native", "--format", "csv"
    ).out)))  # fmt: skip
    board = json.loads(run_command("leaderboard", TOY, "--track", "native", "--format", "json").out)
    assert [row["variant"] for row in rows] == [row["variant"] for row in board["rows"]]
    assert {row["variant"] for row in rows} == {"bm25", "base-model"}
    assert rows[0]["protocol"] == board["protocol"]
    assert [float(row["score"]) for row in rows] == [row["score"] for row in board["rows"]]
    for row in board["rows"]:
        assert f"{row['score']:.2f}" in table
    assert board["question_set"] == "all"
    assert rows[-1]["anchor"] == "True"
    heading = next(line for line in table.splitlines() if line.startswith("rank"))
    for column in ("ingest $", "ingest s", "query ms"):
        assert column in heading
    for column in ("ingest_cost_usd", "ingest_seconds", "retrieve_ms"):
        assert float(rows[0][column]) == board["rows"][0][column]


@pytest.mark.django_db
def test_a_board_without_measurements_says_so() -> None:
    run_command("load_benchmark", TOY)
    assert "Nothing has been measured here yet." in run_command("leaderboard", TOY).out
    text = run_command("leaderboard", TOY, "--format", "csv").out
    assert text.startswith("benchmark,protocol")
    assert len(text.splitlines()) == 1


@pytest.mark.django_db
def test_published_results_are_shown_as_such() -> None:
    assert "377 printed scores" in run_command("load_published").out
    assert "all were there already" in run_command("load_published").out
    board = json.loads(run_command("leaderboard", "paim", "--format", "json").out)
    assert {row["source"] for row in board["rows"]} == {"published"}
    assert all(row["rank"] is None for row in board["rows"])


@pytest.mark.django_db
def test_results_go_out_and_come_back(tmp_path: Path) -> None:
    run = measured_run()
    path = tmp_path / "answers.jsonl"
    exported = run_command("export_results", run.public_id, "--output", str(path))
    assert exported.code == 0
    assert "12 answers" in exported.err
    shown = run_command("export_results", run.public_id)
    assert shown.out == path.read_text()
    imported = run_command("import_results", str(path))
    assert imported.code == 0
    assert f"12 answers imported into {TOY}" in imported.out
    again = run_command("import_results", str(path))
    assert again.code == 1
    assert "was imported before" in again.err


@pytest.mark.django_db
def test_a_second_judge_judges_stored_answers() -> None:
    run = measured_run()
    outcome = run_command(
        "rejudge", run.public_id, "--judges", "rubric,substring", "--wait", "--in-process"
    )
    assert outcome.code == 0
    assert "12 judgments planned" in outcome.err
    assert "rubric: every stored answer" in outcome.err
    assert Judgment.objects.filter(judge__name="substring").count() == 12
    nothing = run_command("rejudge", run.public_id, "--judges", "substring")
    assert nothing.code == 1


@pytest.mark.django_db
def test_the_doctor_reports_as_text_and_json() -> None:
    text = run_command("doctor", "bm25", "--embedder", "static")
    assert text.code == 0
    assert "known-good query" in text.out
    report = json.loads(
        run_command("doctor", "bm25", "--embedder", "static", "--format", "json").out
    )
    assert report[0]["label"] == "bm25"
    assert {finding["level"] for finding in report[0]["findings"]} <= {"ok", "not_applicable"}


@pytest.mark.django_db
def test_an_ill_system_makes_the_doctor_end_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def ill(**_options: object) -> None:
        raise RuntimeError("no pulse")

    monkeypatch.setattr("evaluation.services.examining.open_variant_as", ill)
    outcome = run_command("doctor", "bm25", "--embedder", "static")
    assert outcome.code == 1
    assert "failures in bm25" in outcome.err


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["text", "json", "csv"])
def test_an_audit_is_printed_and_kept(format: str) -> None:
    run_command("load_benchmark", TOY)
    outcome = run_command("audit_benchmark", TOY, "--format", format)
    assert outcome.code == 0
    assert Benchmark.objects.get().audit_checks.count() == 7
    if format == "json":
        assert json.loads(outcome.out)["n_questions"] == 4
    elif format == "csv":
        assert outcome.out.splitlines() == ["check,class,meaning,question,sentence"]
    else:
        assert "4 questions audited" in outcome.out
