"""The systems on 92 real papers, where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_systems.base import Budget, Modality, SourceItem, SystemConfig
from memory_systems.chunking import chunk_spans
from memory_systems.embedding import get_embedder
from memory_systems.registry import open_system
from tests.evaluation.real_files import real_file


@pytest.fixture(scope="module")
def papers() -> list[dict[str, Any]]:
    file = real_file("data", "covidqa", "covidqa_ccby_only.json")
    loaded = json.loads(file.read_text(encoding="utf-8"))
    return [paragraph for entry in loaded["data"] for paragraph in entry["paragraphs"]]


def test_the_mean_chunk_of_real_papers_is_a_thousand_characters(
    papers: list[dict[str, Any]],
) -> None:
    spans = [span for paper in papers for span in chunk_spans(paper["context"])]
    assert sum(end - start for start, end in spans) / len(spans) == pytest.approx(999, abs=2)


@pytest.mark.parametrize(("slug", "modality"), [("simple-rag", "hybrid"), ("bm25", "lexical")])
def test_most_answers_are_in_what_comes_back(
    slug: str, modality: Modality, papers: list[dict[str, Any]], tmp_path: Path
) -> None:
    embedder = get_embedder("static", tmp_path / "vectors")
    memory = open_system(slug, SystemConfig(modality, embedder), tmp_path / "store")
    for number, paper in enumerate(papers[:30]):
        memory.ingest(SourceItem(id=str(number), text=paper["context"]))
    asked = [qa for paper in papers[:30] for qa in paper["qas"][:3]]
    found = sum(
        any(
            qa["answers"][0]["text"] in unit.text
            for unit in memory.retrieve("q", qa["question"], budget=Budget(chars=10_000)).units
        )
        for qa in asked
    )
    assert found / len(asked) > 0.6
    memory.close()
    embedder.close()
