"""Everything a person can get wrong: exit code 1 and one sentence that says what to do."""

from __future__ import annotations

import errno
import gzip
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.db import OperationalError

from evaluation.models import Benchmark, Run
from evaluation.services.loading import load_benchmark
from evaluation.source_files import reading
from tests.evaluation.management.commands_run import run_command
from tests.evaluation.toy_runs import TOY, planned_run

pytestmark = pytest.mark.django_db
RUN = ("run_benchmark", TOY, "--systems")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    load_benchmark(name_or_path=TOY)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*RUN, "nobody"), "unknown memory system 'nobody'; known: simple-rag, bm25"),
        ((*RUN, "base-model+bm25"), "'base-model' has no hybrid modality; supported: none"),
        ((*RUN, "bm25", "--tracks", "huge"), "unknown track 'huge': use native, characters"),
        ((*RUN, "bm25", "--tracks", "2000001k"), "at most 2,000,000k"),
        ((*RUN, "bm25", "--modalities", "wet"), "unknown modality 'wet': use dense, lexical"),
        ((*RUN, "bm25", "--judges", "nobody"), "no judge is called 'nobody'; known: rubric"),
        ((*RUN, "bm25", "--judges", "openai:gpt-4.1-mini"), "set OPENAI_API_KEY"),
        ((*RUN, "bm25", "--synthesizer", "anthropic:claude"), "set ANTHROPIC_API_KEY"),
        ((*RUN, "bm25", "--synthesizer", "nobody"), "no synthesizer is called 'nobody'; known:"),
        ((*RUN, "simple-rag", "--embedder", "word2vec"), "known: minilm, static, openai:MODEL"),
        ((*RUN, "simple-rag", "--embedder", "openai:small"), "set OPENAI_API_KEY"),
        ((*RUN, "bm25", "--budget-mode", "free"), "use capped or targeted"),
        ((*RUN, "bm25", "--questions", "some"), "use all, holdout, first:N, stratified:N"),
        ((*RUN, "bm25", "--spending-limit", "-1"), "cannot be negative"),
        ((*RUN, "bm25", "--spending-limit", "nan"), "the spending limit must be a number"),
        ((*RUN, "bm25", "--spending-limit", "inf"), "the spending limit must be a number"),
        ((*RUN, "bm25", "--set", "bm25.chunk_chars=NaN"), "'chunk_chars' of 'bm25' takes a number"),
        ((*RUN, "bm25", "--set", "bm25.chunk_chars=1e999"), "of 'bm25' takes a number"),
        ((*RUN, "bm25", "--set", "simple-rag.chunk_chars=500"), "no system of this run: bm25"),
        ((*RUN, "bm25", "--set", "bm25.depth=3"), "has no parameter 'depth'; known:"),
        ((*RUN, "bm25", "--set", "bm25.chunk_chars=-1"), "no negative or infinite number; got -1"),
        ((*RUN, "bm25", "--set", "bm25.overlap_chars=900"), "overlap_chars between 0 and half"),
        ((*RUN, "bm25", "--set", "bm25.lexical_engine=x"), "unknown lexical engine 'x'; known:"),
        ((*RUN, "prism", "--set", "prism.model=big"), "is named ENDPOINT:MODEL, as in"),
        ((*RUN, "theoria", "--set", "theoria.model=lab:big"), "no endpoint is called 'lab'"),
        ((*RUN, "theoria", "--set", "theoria.model=openai:gpt-4.1"), "set OPENAI_API_KEY"),
        (("run_benchmark", "nowhere", "--systems", "bm25"), f"is loaded; loaded: {TOY}"),
        (("run_benchmark", "--resume", "0000000000"), "there is no run '0000000000'"),
        (("run_control", "0000000000", "pause"), "there is no run '0000000000'"),
        (("doctor", "nobody"), "unknown memory system 'nobody'; known:"),
        (("doctor", "bm25", "--benchmark", "nowhere"), "no benchmark 'nowhere' is loaded"),
        (("doctor", "bm25", "--embedder", "word2vec"), "known: minilm, static"),
        (("rejudge", "0000000000", "--judges", "rubric"), "there is no run '0000000000'"),
        (("export_results", "0000000000"), "there is no run '0000000000'"),
        (("leaderboard", "nowhere"), "there is no benchmark 'nowhere'"),
        (("leaderboard", TOY, "--judge", "nobody"), "unknown judge 'nobody'; known: none yet"),
        (("leaderboard", TOY, "--source", "heard"), "known: measured, published, all"),
        (("leaderboard", TOY, "--slice", "colour=red"), "unknown filter 'colour'"),
        (("audit_benchmark", "nowhere"), "no benchmark 'nowhere' is loaded"),
        (("load_benchmark", "scholia-verse"), "scholia-prose, scholia-terms"),
        (("load_benchmark", "scholia-prose", "--size", "giant"), "scholia-prose (small)"),
        (("load_benchmark", TOY, "--format", "parquet"), "known: srb, squad, folder"),
        (("load_benchmark", TOY, "--size", "small"), "has no option size"),
        (("import_results", "nothing.jsonl"), "nothing.jsonl: there is no such file"),
        (("import_results", "nothing.jsonl", "--format", "xml"), "results can be read as agent-"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_what_is_not_known_is_refused_with_what_is(arguments: tuple[str, ...], said: str) -> None:
    outcome = run_command(*arguments)
    assert outcome.code == 1
    assert said in outcome.err
    assert "Traceback" not in outcome.err
    assert "\n" not in outcome.err.strip()
    assert not Run.objects.exists()


def squad(*questions: Mapping[str, object]) -> bytes:
    paragraph = {"context": "The mill grinds forty sacks.", "qas": list(questions)}
    return json.dumps({"data": [{"title": "Mill", "paragraphs": [paragraph]}]}).encode()


GOOD = {
    "id": "q1", "question": "How many?", "answers": [{"text": "forty", "answer_start": 16}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.json", b"", "the file is empty"),
        ("broken.json", b'{"data": [', "this is not JSON"),
        ("picture.json", b"\x89PNG\r\n\x1a\n\x00\x00", "this is not UTF-8 text"),
        (
            "cut.json.gz",
            gzip.compress(squad(GOOD), mtime=0)[:-9],
            "the gzip data is broken or cut short",
        ),
        ("other.json", b"[1, 2, 3]", "not in the SQuAD layout"),
        ("twice.json", squad(GOOD, GOOD), "q1"),
        ("no_gold.json", squad({**GOOD, "answers": []}), "answer"),
        ("huge.json", squad(GOOD) + b" " * 5000, "larger than the limit"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_a_file_that_cannot_be_a_benchmark_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    if name == "huge.json":
        read = reading._read_at_most
        monkeypatch.setattr(
            reading, "_read_at_most", lambda stream, path, _most: read(stream, path, 4000)
        )
    outcome = run_command("load_benchmark", str(path), "--format", "squad")
    assert outcome.code == 1
    assert said in outcome.err
    assert name in outcome.err
    assert Benchmark.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"{}\n", "no answer could be read"),
        (b"\xff\xfe\x00", "this is not UTF-8 text"),
        (b'{"benchmark": "toy-scientific"}\n', "line 1"),
    ],
    ids=["empty", "of another kind", "binary", "without a question"],
)
def test_a_file_that_cannot_be_results_is_refused(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    outcome = run_command("import_results", str(path))
    assert outcome.code == 1
    assert said in outcome.err
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/data/x"), "no space is left"),
        (OSError(errno.EROFS, "Read-only file system", "/data/x"), "cannot be written (/data/x)"),
        (PermissionError(errno.EACCES, "Permission denied", "/data/x"), "cannot be written"),
        (OperationalError("database or disk is full"), "the disk of the database is full"),
        (OperationalError("attempt to write a readonly database"), "point MEMJURY_DATA at one"),
        (OperationalError("no such table: evaluation_run"), "manage.py migrate"),
    ],
    ids=["full", "read-only", "forbidden", "database full", "database read-only", "no tables"],
)
def test_a_full_or_read_only_data_folder_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def refuse(**_options: object) -> None:
        raise error

    monkeypatch.setattr("evaluation.management.commands.load_published.load_published", refuse)
    outcome = run_command("load_published")
    assert outcome.code == 1
    assert said in outcome.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("run_benchmark",),
        ("run_benchmark", TOY),
        ("run_benchmark", TOY, "--resume", "0000000000"),
        ("run_benchmark", TOY, "--systems", "bm25", "--in-process"),
        ("run_benchmark", TOY, "--systems", "bm25", "--repeats", "99"),
        ("run_benchmark", TOY, "--systems", "bm25", "--limit-questions", "few"),
        ("run_benchmark", TOY, "--systems", "bm25", "--set", "chunk_chars"),
        ("run_control", "0000000000", "explode"),
        ("leaderboard", TOY, "--format", "xml"),
        ("leaderboard", TOY, "--slice", "tier"),
        ("rejudge", "0000000000"),
        ("load_benchmark",),
    ],
    ids=" ".join,
)
def test_a_command_that_is_used_wrongly_ends_with_2(arguments: tuple[str, ...]) -> None:
    outcome = run_command(*arguments)
    assert outcome.code == 2
    assert outcome.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("cancel", "resume"), "was cancelled and cannot be resumed"),
        (("cancel", "pause"), "has ended and cannot be paused"),
    ],
    ids=["resume", "pause"],
)
def test_a_cancelled_run_stays_cancelled(change: tuple[str, str], said: str) -> None:
    run = planned_run()
    assert run_command("run_control", run.public_id, change[0]).code == 0
    outcome = run_command("run_control", run.public_id, change[1])
    assert outcome.code == 1
    assert said in outcome.err


def test_without_a_worker_waiting_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.management.waiting.workers_answering", lambda: 0)
    outcome = run_command(*RUN, "bm25", "--embedder", "static", "--wait")
    run = Run.objects.get()
    assert outcome.code == 1
    assert "no worker answers" in outcome.err
    assert f"--resume {run.public_id} --wait --in-process" in outcome.err


def test_an_interrupted_command_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(**_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evaluation.management.commands.load_published.load_published", interrupt)
    assert run_command("load_published").code == 130


@pytest.mark.worker
def test_the_shell_sees_the_exit_code_and_one_sentence(
    process_environment: dict[str, str],
) -> None:
    def manage(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=process_environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    without_tables = manage("leaderboard", "nowhere")
    assert without_tables.returncode == 1
    assert "manage.py migrate" in without_tables.stderr
    assert "Traceback" not in without_tables.stderr
    assert manage("leaderboard").returncode == 2
