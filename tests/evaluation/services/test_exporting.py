from __future__ import annotations

import csv
import errno
import io
import json
import os
from pathlib import Path

import pytest

from evaluation.formats.results import UnknownResultFormat
from evaluation.models import Cell, CellError, Run
from evaluation.services.exporting import NothingToExport, export_results, exported_texts
from evaluation.services.failures import fail_cells
from evaluation.services.runs import get_run
from tests.evaluation.toy_runs import measured_run, planned_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return get_run(measured_run().public_id)


def lines(run: Run, **options: bool) -> list[dict[str, object]]:
    return [json.loads(text) for text in exported_texts(run=run, format="jsonl", **options)]


def test_every_answer_is_a_line_in_an_order_of_its_own(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    done = export_results(run=run, format="jsonl", path=path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert done.n_rows == len(rows) == 12
    assert done.n_bytes == path.stat().st_size
    keys = [(row["system"], row["track"], row["question_id"]) for row in rows]
    assert keys == sorted(keys)
    assert {row["benchmark"] for row in rows} == {"toy-scientific"}
    assert all(row["judgments"][0]["judge"] == "rubric" for row in rows)
    assert not list(tmp_path.glob(".*"))


def test_achieved_characters_are_the_length_of_the_exported_context(run: Run) -> None:
    rows = lines(run, with_contexts=True)
    for row in rows:
        if row["system"] == "bm25":
            assert row["achieved_chars"] == len(str(row["context"]))
        else:
            assert row["achieved_chars"] == 0
            assert "context" not in row


def test_two_runs_of_one_protocol_give_the_same_reproducible_bytes(run: Run) -> None:
    other = get_run(measured_run(systems=("base-model", "bm25")).public_id)
    assert other.protocol_id == run.protocol_id
    for name in ("jsonl", "csv"):
        texts = [
            "".join(exported_texts(run=one, format=name, reproducible=True)) for one in (run, other)
        ]
        assert texts[0] == texts[1]
        assert run.public_id not in texts[0]
        assert "retrieve_ms" not in texts[0]


def test_a_table_has_a_row_for_each_answer_and_judge(run: Run) -> None:
    text = "".join(exported_texts(run=run, format="csv"))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 12
    assert {row["judge"] for row in rows} == {"rubric"}


def test_an_errored_cell_is_exported_with_its_error(run: Run) -> None:
    cell = Cell.objects.filter(run_variant__run=run).order_by("pk").first()
    assert cell is not None
    cell.answer.delete()
    Cell.objects.filter(pk=cell.pk).update(answered_at=None)
    fail_cells(cells=[cell.pk], stage="synthesize", message="the endpoint is down")
    assert CellError.objects.count() == 1
    errors = [row["error"] for row in lines(run) if "error" in row]
    assert errors == ["synthesize: the endpoint is down"]


def test_a_full_disk_leaves_what_was_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("before")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        export_results(run=run, format="jsonl", path=path)
    assert path.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["answers.jsonl"]


def test_a_file_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "answers.jsonl"
    with pytest.raises(FileNotFoundError) as failure:
        export_results(run=run, format="jsonl", path=path)
    assert failure.value.filename == str(path)


def test_a_run_without_answers_and_an_unknown_format_are_refused() -> None:
    run = get_run(planned_run().public_id)
    with pytest.raises(NothingToExport, match="no answer to export yet"):
        exported_texts(run=run, format="jsonl")
    with pytest.raises(UnknownResultFormat, match="csv, jsonl"):
        exported_texts(run=run, format="parquet")
