from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.benchmarks.registry import UnknownBenchmark, UnknownFormat, UnknownOption
from evaluation.benchmarks.revision import revision_of
from evaluation.models import Benchmark
from evaluation.services.loading import CannotLoadAgain, load_again, load_benchmark
from evaluation.source_files.refusals import WrongKindOfFile

pytestmark = pytest.mark.django_db


@pytest.fixture
def squad(tmp_path: Path) -> Path:
    text = "The old mill grinds 40 sacks a day. It stands by the river."
    answer = {"text": "40 sacks", "answer_start": text.index("40 sacks")}
    questions = [{"id": "q1", "question": "How many sacks a day?", "answers": [answer]}]
    path = tmp_path / "mill.json"
    path.write_text(
        json.dumps(
            {"data": [{"title": "Mill", "paragraphs": [{"context": text, "qas": questions}]}]}
        )
    )
    return path


def test_a_generated_benchmark_is_stored_under_its_name() -> None:
    loaded = load_benchmark(name_or_path="toy-scientific")
    assert (loaded.benchmark.slug, loaded.is_new, loaded.format) == ("toy-scientific", True, "")
    assert (loaded.benchmark.n_questions, loaded.benchmark.n_holdout) == (4, 1)


def test_the_same_revision_again_changes_nothing() -> None:
    load_benchmark(name_or_path="toy-scientific")
    again = load_benchmark(name_or_path="toy-scientific")
    assert not again.is_new
    assert Benchmark.objects.count() == 1


def test_a_file_without_a_format_is_read_by_the_loader_that_takes_it(squad: Path) -> None:
    loaded = load_benchmark(name_or_path=str(squad), slug="old-mill", licence="CC0")
    assert (loaded.format, loaded.benchmark.slug) == ("squad", "old-mill")
    assert loaded.benchmark.card["licence"] == "CC0"
    assert loaded.report.n_questions == 1


def test_a_benchmark_can_be_loaded_again_from_where_it_came(squad: Path) -> None:
    for name in ("toy-scientific", str(squad)):
        row = load_benchmark(name_or_path=name).benchmark
        assert revision_of(load_again(benchmark=row)) == row.revision


def test_without_a_source_nothing_is_loaded_again() -> None:
    row = load_benchmark(name_or_path="toy-scientific").benchmark
    row.loaded_from = {}
    with pytest.raises(CannotLoadAgain, match="is not known"):
        load_again(benchmark=row)


def test_a_file_that_no_loader_takes_is_refused_with_every_reason(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"something": "else"}')
    with pytest.raises(WrongKindOfFile) as refusal:
        load_benchmark(name_or_path=str(path))
    for name in ("squad", "locomo", "longmemeval"):
        assert f"as {name}:" in str(refusal.value)


def test_unknown_names_formats_and_options_are_refused(squad: Path) -> None:
    with pytest.raises(UnknownBenchmark, match="scholia-prose"):
        load_benchmark(name_or_path="scholia-verse")
    with pytest.raises(UnknownFormat, match="longmemeval"):
        load_benchmark(name_or_path=str(squad), format="parquet")
    with pytest.raises(UnknownOption, match="size"):
        load_benchmark(name_or_path=str(squad), format="squad", size="small")
    assert not Benchmark.objects.exists()
