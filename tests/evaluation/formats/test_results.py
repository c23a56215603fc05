from __future__ import annotations

import importlib

import pytest

from evaluation.formats.result_rows import ResultRow
from evaluation.formats.results import (
    READERS,
    WRITERS,
    UnknownResultFormat,
    read_results,
    render_results,
)

ROW = ResultRow(benchmark="b", question_id="q", system="s", answer="a")


def test_every_format_is_there():
    assert all(hasattr(importlib.import_module(name), "read") for name in READERS.values())
    assert all(hasattr(importlib.import_module(name), "render") for name in WRITERS.values())


def test_what_is_written_can_be_read(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text(render_results([ROW], "jsonl"))
    assert read_results(path, "jsonl").rows == (ROW,)


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    with pytest.raises(
        UnknownResultFormat,
        match="no format is called “xml”; results can be read as "
        "agent-memory-benchmark, inspect, jsonl, memorybench",
    ):
        read_results(tmp_path / "x", "xml")
    with pytest.raises(UnknownResultFormat, match="“csv” cannot be read"):
        read_results(tmp_path / "x", "csv")
    with pytest.raises(UnknownResultFormat, match="written as csv, jsonl"):
        render_results([ROW], "inspect")
