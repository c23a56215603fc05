"""The base model keeps no text and retrieves nothing."""

from __future__ import annotations

from pathlib import Path

from memory_systems.base import Budget
from memory_systems.registry import system_info
from tests.memory_systems.contract import BUDGETS, ITEMS, open_memory


def test_it_is_an_anchor_without_context() -> None:
    info = system_info("base-model")
    assert info.is_anchor
    assert not info.has_context
    assert not info.uses_embedder


def test_it_remembers_names_alone(tmp_path: Path) -> None:
    memory = open_memory("base-model", "none", tmp_path)
    for item in ITEMS:
        assert memory.ingest(item).units == 0
    assert memory.stored_item_ids() == {item.id for item in ITEMS}
    for budget in (*BUDGETS, Budget(k=1)):
        assert memory.retrieve("q", "granite", budget=budget).units == ()
    memory.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"granite" not in stored
    assert b"zephyr" not in stored
