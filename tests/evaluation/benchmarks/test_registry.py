from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.benchmarks.families import family
from evaluation.benchmarks.registry import (
    BENCHMARKS,
    LOADERS,
    UnknownBenchmark,
    UnknownFormat,
    UnknownOption,
    generate_benchmark,
    load_files,
)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_generated_benchmark_can_be_made_and_has_a_declared_family(name: str) -> None:
    options = {"size": "small"} if name.startswith("scholia") else {}
    benchmark = generate_benchmark(name, **options)
    assert benchmark.card.slug == name
    assert benchmark.card.is_generated
    assert family(benchmark.card.family).measures


def test_options_reach_the_generator() -> None:
    one = generate_benchmark("scholia-prose", size="small", seed=3)
    assert one != generate_benchmark("scholia-prose", size="small", seed=4)
    assert "seed 3" in one.card.source


@pytest.mark.parametrize("format_name", LOADERS)
def test_every_loader_can_be_imported(format_name: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownOption, match="slug"):
        load_files(format_name, tmp_path, colour="red")


def test_a_folder_is_loaded_by_its_format(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nThe kettle holds 3 litres.\n", encoding="utf-8")
    question = {"id": "q1", "question": "How much?", "answer": "3 litres", "sources": ["a"]}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question) + "\n", encoding="utf-8")
    benchmark = load_files("folder", tmp_path, slug="kettles")
    assert benchmark.card.slug == "kettles"
    assert len(benchmark.questions) == 1


def test_unknown_names_formats_and_options_list_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownBenchmark, match="“paim”; known: scholia-prose, scholia-terms"):
        generate_benchmark("paim")
    with pytest.raises(UnknownFormat, match="“csv”; known: srb, squad, folder"):
        load_files("csv", tmp_path)
    with pytest.raises(
        UnknownOption, match="“scholia-prose” has no option tone; known: size, seed"
    ):
        generate_benchmark("scholia-prose", tone="dry")
    with pytest.raises(UnknownOption, match="known: none"):
        generate_benchmark("toy-staleness", seed=1)
