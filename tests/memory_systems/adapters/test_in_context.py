"""In context brings back everything, in the order it came."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_systems.base import Budget, Revises, SourceItem
from memory_systems.item_memory import BudgetNotSupported
from tests.memory_systems.contract import ITEMS, open_memory


def test_every_item_with_text_comes_whole_and_in_order(tmp_path: Path) -> None:
    memory = open_memory("in-context", "none", tmp_path)
    for item in ITEMS:
        memory.ingest(item)
    found = memory.retrieve("q", "anything", budget=Budget())
    assert [(unit.source_id, unit.text, unit.kind) for unit in found.units] == [
        (item.id, item.text, item.kind) for item in ITEMS if item.text
    ]
    assert found.knobs == {"n_items": len(ITEMS) - 1}
    memory.close()


def test_a_revised_item_stands_where_it_stood(tmp_path: Path) -> None:
    memory = open_memory("in-context", "none", tmp_path)
    assert isinstance(memory, Revises)
    for name in "abc":
        memory.ingest(SourceItem(id=name, text=f"old {name}"))
    memory.revise(SourceItem(id="b", text="new b"))
    memory.delete("a")
    found = memory.retrieve("q", "", budget=Budget())
    assert [unit.text for unit in found.units] == ["new b", "old c"]
    memory.close()


def test_a_budget_is_refused(tmp_path: Path) -> None:
    memory = open_memory("in-context", "none", tmp_path)
    with pytest.raises(BudgetNotSupported, match="measured at native only"):
        memory.retrieve("q", "", budget=Budget(chars=10_000))
    memory.close()
