"""Simple RAG ranks its chunks by cosine, and its hybrid fuses that with BM25 over the same."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from memory_systems.base import Budget, SourceItem, SystemConfig
from memory_systems.embedding import get_embedder
from memory_systems.fusion import reciprocal_rank_fusion
from memory_systems.lexical.engines import get_engine
from memory_systems.registry import open_system
from memory_systems.store_file import StoreMismatch
from tests.memory_systems.contract import ITEMS, QUESTION, open_memory
from tests.memory_systems.hashing_embedder import HashingEmbedder

BLANK = {"empty": "", "blank": " \n\t "}


def random_items(n_items: int = 12) -> list[SourceItem]:
    """Items whose chunks have no nearly equal scores."""
    rng = random.Random(3)
    words = [f"word{number}" for number in range(400)]
    return [
        SourceItem(id=f"item {number}", text=". ".join(rng.choices(words, k=600)))
        for number in range(n_items)
    ]


RANDOM_QUESTION = "word7 word31 word112 word250 word399"


def fill(folder: Path, items: Sequence[SourceItem] = ITEMS) -> None:
    memory = open_memory("simple-rag", "dense", folder)
    for item in items:
        memory.ingest(item)
    memory.flush()
    memory.close()


def test_the_dense_ranking_is_by_cosine_over_all_units(tmp_path: Path) -> None:
    fill(tmp_path, random_items())
    memory = open_memory("simple-rag", "dense", tmp_path)
    embedder = HashingEmbedder()
    units = memory.units()
    cosines = embedder.encode([unit.text for unit in units]) @ embedder.encode([RANDOM_QUESTION])[0]
    best = sorted(range(len(units)), key=lambda i: (-round(float(cosines[i]), 6), i))[:5]
    found = memory.retrieve("q", RANDOM_QUESTION, budget=Budget(k=5))
    assert [unit.text for unit in found.units] == [units[i].text for i in best]
    assert [unit.score for unit in found.units] == pytest.approx(cosines[best], abs=1e-6)
    memory.close()


@pytest.mark.parametrize("engine", ["bm25s", "rank-bm25"])
def test_the_hybrid_fuses_both_rankings_over_units_stored_before(
    engine: str, tmp_path: Path
) -> None:
    fill(tmp_path, random_items())
    memory = open_memory("simple-rag", "hybrid", tmp_path, lexical_engine=engine)
    embedder = HashingEmbedder()
    units = memory.units()
    texts = [unit.text for unit in units]
    cosines = np.round(embedder.encode(texts) @ embedder.encode([RANDOM_QUESTION])[0], 6)
    dense = sorted(range(len(units)), key=lambda i: (-cosines[i], i))[:200]
    lexical = [index for index, _ in get_engine(engine).build(texts).top(RANDOM_QUESTION, 200)]
    fused = reciprocal_rank_fusion([dense, lexical])[:6]
    found = memory.retrieve("q", RANDOM_QUESTION, budget=Budget(k=6))
    assert [unit.text for unit in found.units] == [texts[index] for index, _ in fused]
    assert [unit.score for unit in found.units] == [score for _, score in fused]
    assert found.knobs == {
        "embedder": "hashing",
        "lexical_engine": engine,
        "tokenizer": "memjury-lex-1",
        "rrf_k": 60,
        "fused_depth": 200,
        "n_dense": len(dense),
        "n_lexical": len(lexical),
        "n_in_both": len(set(dense) & set(lexical)),
        "k": 6,
    }
    memory.close()


def test_a_hybrid_opened_later_embeds_no_unit_again(tmp_path: Path) -> None:
    fill(tmp_path)
    embedder = HashingEmbedder()
    memory = open_system("simple-rag", SystemConfig("hybrid", embedder), tmp_path)
    for item in ITEMS:
        memory.ingest(item)
    assert embedder.texts_encoded == 0
    memory.retrieve("q", QUESTION.text, budget=Budget(chars=10_000))
    assert embedder.texts_encoded == 1
    memory.close()


def test_the_lexical_side_follows_every_change(tmp_path: Path) -> None:
    fill(tmp_path)
    memory = open_memory("simple-rag", "hybrid", tmp_path)
    question = "zephyr registers"
    assert memory.retrieve("q", question, budget=Budget(k=1)).units[0].source_id == "short note"
    memory.ingest(SourceItem(id="short note", text="Nothing of the kind."))
    assert memory.retrieve("q", question, budget=Budget(k=1)).knobs["n_lexical"] == 0
    memory.ingest(SourceItem(id="later", text="The zephyr again."))
    assert memory.retrieve("q", question, budget=Budget(k=1)).units[0].source_id == "later"
    memory.close()


def test_units_over_the_embedders_limit_are_counted(tmp_path: Path) -> None:
    memory = open_memory("simple-rag", "dense", tmp_path)
    long_words = memory.ingest(SourceItem(id="long", text="a b c d e f g h i j. " * 100))
    fine = memory.ingest(SourceItem(id="fine", text="extraordinarily long words " * 35))
    assert long_words.truncated_units == long_words.units > 0
    assert fine.truncated_units == 0
    assert memory.stats().n_over_embedder_limit == long_words.units
    memory.close()


def test_a_store_is_not_opened_with_another_embedder_or_other_chunks(tmp_path: Path) -> None:
    fill(tmp_path)
    other = SystemConfig("dense", HashingEmbedder(name="other"))
    with pytest.raises(StoreMismatch, match="embedder is"):
        open_system("simple-rag", other, tmp_path)
    with pytest.raises(StoreMismatch, match="chunk_chars is 1000 there, 500 was asked"):
        open_memory("simple-rag", "dense", tmp_path, chunk_chars=500)


def test_a_targeted_budget_sets_k_from_the_stores_own_mean(tmp_path: Path) -> None:
    fill(tmp_path)
    memory = open_memory("simple-rag", "dense", tmp_path)
    mean = memory.stats().mean_unit_chars
    found = memory.retrieve("q", QUESTION.text, budget=Budget(chars=4_000, mode="targeted"))
    assert found.knobs["k"] == len(found.units) == round(4_000 / mean)
    memory.close()


def test_a_budget_beyond_the_fused_depth_fuses_deeper(tmp_path: Path) -> None:
    memory = open_memory("simple-rag", "hybrid", tmp_path, chunk_chars=40, overlap_chars=0)
    memory.ingest(SourceItem(id="a", text="The lamp is warm and bright. " * 600))
    found = memory.retrieve("q", "lamp", budget=Budget(chars=8_000))
    assert found.knobs["fused_depth"] == found.knobs["n_dense"] == found.knobs["n_lexical"]
    assert int(found.knobs["fused_depth"]) > 200
    assert sum(len(unit.text) for unit in found.units) >= 1.6 * 8_000
    memory.close()


def test_an_item_without_text_is_stored_empty_with_an_embedder_of_a_run(tmp_path: Path) -> None:
    embedder = get_embedder("static", tmp_path / "vectors")
    config = SystemConfig("dense", embedder=embedder)
    memory = open_system("simple-rag", config, tmp_path / "memory")
    assert [memory.ingest(SourceItem(name, text)).units for name, text in BLANK.items()] == [0, 0]
    assert memory.ingest(ITEMS[0]).units > 0
    assert memory.stored_item_ids() == {*BLANK, ITEMS[0].id}
    memory.close()
    embedder.close()
