"""Direct Read reads the gold sources in full, among filler drawn from the seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memory_systems.base import Budget, GoldQuestion, Oracle, Retrieval, SourceItem
from memory_systems.item_memory import BudgetNotSupported, GoldRequired
from tests.memory_systems.contract import open_memory

ITEMS = [SourceItem(id=f"d{number}", text=f"{number}" * 400) for number in range(10)]
QUESTION = GoldQuestion(id="q", text="?", source_ids=("d7", "d2", "d7"), spans=())


def read(
    folder: Path, question: GoldQuestion = QUESTION, *, seed: int = 0, filler_tokens: int = 350
) -> Retrieval:
    memory = open_memory("direct-read", "none", folder, seed=seed, filler_tokens=filler_tokens)
    for item in ITEMS:
        memory.ingest(item)
    assert isinstance(memory, Oracle)
    found = memory.retrieve_for(question, budget=Budget())
    memory.close()
    return found


def test_gold_comes_first_and_whole_then_filler_within_its_tokens(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert [unit.source_id for unit in found.units[:2]] == ["d7", "d2"]
    assert [unit.text for unit in found.units[:2]] == [ITEMS[7].text, ITEMS[2].text]
    filler = [unit.source_id for unit in found.units[2:]]
    assert len(filler) == 3
    assert not {"d7", "d2"} & set(filler)
    assert found.knobs == {
        "n_gold": 2,
        "n_gold_not_stored": 0,
        "n_filler": 3,
        "estimated_filler_tokens": 300,
    }


def test_filler_depends_on_the_seed_and_the_question_alone(tmp_path: Path) -> None:
    first = read(tmp_path)
    assert read(tmp_path) == first
    assert read(tmp_path, seed=1) != first
    assert read(tmp_path, replace(QUESTION, id="other")) != first
    assert read(tmp_path, replace(QUESTION, text="other words")) == first


def test_no_filler_is_read_where_none_is_allowed(tmp_path: Path) -> None:
    assert [unit.source_id for unit in read(tmp_path, filler_tokens=99).units] == ["d7", "d2"]
    assert len(read(tmp_path, filler_tokens=10**9).units) == len(ITEMS)


def test_a_source_that_is_not_stored_is_counted(tmp_path: Path) -> None:
    found = read(tmp_path, replace(QUESTION, source_ids=("gone", "d1")), filler_tokens=0)
    assert [unit.source_id for unit in found.units] == ["d1"]
    assert found.knobs["n_gold_not_stored"] == 1


def test_it_refuses_a_budget_and_a_question_without_gold(tmp_path: Path) -> None:
    memory = open_memory("direct-read", "none", tmp_path)
    assert isinstance(memory, Oracle)
    with pytest.raises(BudgetNotSupported):
        memory.retrieve_for(QUESTION, budget=Budget(k=3))
    with pytest.raises(GoldRequired, match="was not told"):
        memory.retrieve("q", "?", budget=Budget())
    memory.close()
