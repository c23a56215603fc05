"""BM25 alone needs no embedder and brings back what shares a word with the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_systems.base import Budget, SourceItem
from memory_systems.lexical.engines import get_engine
from tests.memory_systems.contract import ITEMS, QUESTION, open_memory


@pytest.mark.parametrize("engine", ["bm25s", "rank-bm25"])
def test_the_ranking_is_the_engines_over_all_units(engine: str, tmp_path: Path) -> None:
    memory = open_memory("bm25", "lexical", tmp_path, lexical_engine=engine)
    for item in ITEMS:
        memory.ingest(item)
    texts = [unit.text for unit in memory.units()]
    expected = get_engine(engine).build(texts).top(QUESTION.text, 4)
    found = memory.retrieve("q", QUESTION.text, budget=Budget(k=4))
    assert [(unit.text, unit.score) for unit in found.units] == [
        (texts[index], score) for index, score in expected
    ]
    assert found.knobs == {"lexical_engine": engine, "tokenizer": "memjury-lex-1", "k": 4}
    memory.close()


def test_a_question_of_unknown_words_brings_back_nothing(tmp_path: Path) -> None:
    memory = open_memory("bm25", "lexical", tmp_path)
    memory.ingest(SourceItem(id="a", text="The lamp is warm."))
    for budget in (Budget(), Budget(chars=500), Budget(k=3)):
        assert memory.retrieve("q", "xylophone?", budget=budget).units == ()
        assert memory.retrieve("q", "", budget=budget).units == ()
    memory.close()


def test_the_same_chunks_are_stored_as_by_simple_rag(tmp_path: Path) -> None:
    bm25 = open_memory("bm25", "lexical", tmp_path / "bm25")
    simple_rag = open_memory("simple-rag", "dense", tmp_path / "simple-rag")
    for item in ITEMS:
        bm25.ingest(item)
        simple_rag.ingest(item)
    assert bm25.units() == simple_rag.units()
    bm25.close()
    simple_rag.close()
