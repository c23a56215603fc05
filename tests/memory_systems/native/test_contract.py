"""The published systems keep the contract through their real packages, wherever they are installed.

What a graph holds depends on the order in which items came, and what a package writes of an item on
its model: so a memory is compared with one that went the same way, not with one that went another.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluation.language_models.stub_server import StubServer
from memory_systems.base import Budget, Modality, NarrowsBudgets, Revises, SourceItem, StoreStats
from memory_systems.item_digest import TextNotUnicode
from memory_systems.native.installation import pinned_version
from memory_systems.native.memory import NativeMemory
from memory_systems.registry import system_info
from tests.evaluation.language_models.memory_ledger import MemoryLedger
from tests.memory_systems.contract import BUDGETS, ITEMS, ODD_ITEMS, QUESTION
from tests.memory_systems.native.conftest import Opener
from tests.memory_systems.native.installed import FEW, PACKAGES, cases

Filled = Callable[[str, Modality], Path]
every_package = pytest.mark.parametrize(("slug", "modality"), cases(modalities=1))
every_variant = pytest.mark.parametrize(("slug", "modality"), cases())


def state_of(memory: NativeMemory) -> dict[str, Any]:
    return {
        "items": memory.stored_item_ids(),
        "units": tuple(memory.units()),
        "stats": memory.stats(),
        "retrievals": [
            memory.retrieve("q1", QUESTION.text, budget=budget).units for budget in BUDGETS
        ],
    }


def fill(memory: NativeMemory, items: tuple[SourceItem, ...] = FEW) -> dict[str, Any]:
    for item in items:
        assert memory.ingest(item).errors == ()
    memory.flush()
    return state_of(memory)


@pytest.mark.parametrize("slug", PACKAGES)
def test_the_version_in_the_key_is_the_pinned_one(slug: str) -> None:
    info = system_info(slug)
    assert pinned_version(slug, info.package)
    assert info.version.endswith(pinned_version(slug, info.package))
    assert info.uses_model
    assert info.ingest_parameters["model"] == "stub"
    assert not info.ingest_parameters.keys() & info.retrieval_parameters.keys()


@every_package
class TestEveryPackage:
    def test_reopened_gives_the_same_and_a_copy_is_a_fork(
        self,
        slug: str,
        modality: Modality,
        filled: Filled,
        open_native: Opener,
        tmp_path: Path,
    ) -> None:
        trunk = filled(slug, modality)
        memory = open_native(slug, modality, trunk)
        before = state_of(memory)
        memory.close()
        branch = open_native(slug, modality, Path(shutil.copytree(trunk, tmp_path / "branch")))
        branch.ingest(SourceItem(id="only here", text="The Granite of the branch is 99 units."))
        assert branch.stored_item_ids() == before["items"] | {"only here"}
        branch.close()
        memory = open_native(slug, modality, trunk)
        assert state_of(memory) == before
        memory.close()

    def test_built_again_it_is_the_same_and_pays_nothing(
        self,
        slug: str,
        modality: Modality,
        open_native: Opener,
        ledger: MemoryLedger,
        tmp_path: Path,
    ) -> None:
        first = open_native(slug, modality, tmp_path / "first")
        before = fill(first)
        first.close()
        n_sent = ledger.n_sent
        assert n_sent > 0
        second = open_native(slug, modality, tmp_path / "second")
        assert fill(second) == before
        assert ledger.n_sent == n_sent
        second.close()

    def test_an_item_that_is_stored_already_changes_nothing(
        self, slug: str, modality: Modality, filled: Filled, open_native: Opener
    ) -> None:
        memory = open_native(slug, modality, filled(slug, modality))
        before = state_of(memory)
        assert fill(memory) == before
        memory.close()

    def test_what_is_deleted_is_gone_and_can_come_back(
        self, slug: str, modality: Modality, filled: Filled, open_native: Opener
    ) -> None:
        memory = open_native(slug, modality, filled(slug, modality))
        if not isinstance(memory, Revises):
            memory.close()
            return
        assert memory.delete("paper-1").errors == ()
        assert memory.delete("never stored").errors == ()
        assert "paper-1" not in memory.stored_item_ids()
        assert all(unit.source_id != "paper-1" for unit in memory.units())
        for budget in BUDGETS:
            units = memory.retrieve("q1", QUESTION.text, budget=budget).units
            assert all(unit.source_id != "paper-1" for unit in units)
        memory.revise(replace(ITEMS[1], text="The Harbour of kind 4 has 77 cranes of Zephyr-9."))
        assert "paper-1" in memory.stored_item_ids()
        texts = [unit.text for unit in memory.units() if unit.source_id == "paper-1"]
        assert any("77 cranes" in text for text in texts)
        memory.close()

    def test_odd_unicode_loses_no_item(
        self, slug: str, modality: Modality, open_native: Opener, tmp_path: Path
    ) -> None:
        memory = open_native(slug, modality, tmp_path)
        outcomes = {item.id: memory.ingest(item) for item in ODD_ITEMS}
        for item, outcome in outcomes.items():
            assert (item in memory.stored_item_ids()) or outcome.errors
        memory.retrieve("q", "שלום 記憶システム 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 after\x00 e\u0301", budget=Budget())
        with pytest.raises(TextNotUnicode, match="lone surrogate"):
            memory.ingest(SourceItem(id="x", text="half a pair: \ud800"))
        memory.close()

    def test_stats_and_outcomes_agree_with_the_units(
        self, slug: str, modality: Modality, open_native: Opener, tmp_path: Path
    ) -> None:
        memory = open_native(slug, modality, tmp_path)
        outcomes = [memory.ingest(item) for item in FEW]
        units = tuple(memory.units())
        stats = memory.stats()
        assert all(unit.text for unit in units)
        assert stats.n_items == len(FEW) == len(memory.stored_item_ids())
        assert stats.n_units == len(units) == sum(outcome.units for outcome in outcomes)
        assert all(outcome.units and outcome.model_calls for outcome in outcomes[:-1])
        memory.close()

    @pytest.mark.parametrize("fault", ["stub-500", "stub-garbage"])
    def test_an_endpoint_that_fails_or_talks_is_told_for_every_document(
        self,
        fault: str,
        slug: str,
        modality: Modality,
        open_native: Opener,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        with StubServer() as stub:
            for name, value in stub.environ.items():
                monkeypatch.setenv(name, value)
            memory = open_native(slug, modality, tmp_path, model=f"stub:{fault}")
            for item in FEW[:2]:
                outcome = memory.ingest(item)
                assert outcome.errors, "nothing is silently empty"
            memory.close()
        well = open_native(slug, modality, tmp_path)
        assert well.ingest(SourceItem(id="later", text=FEW[2].text)).errors == ()
        well.close()


@every_variant
class TestEveryVariant:
    def test_an_empty_store_answers_with_nothing(
        self, slug: str, modality: Modality, open_native: Opener, tmp_path: Path
    ) -> None:
        memory = open_native(slug, modality, tmp_path)
        memory.flush()
        assert memory.stats() == StoreStats(n_items=0, n_units=0, mean_unit_chars=0.0)
        assert memory.stored_item_ids() == frozenset()
        for budget in BUDGETS:
            assert memory.retrieve("q1", QUESTION.text, budget=budget).units == ()
        memory.close()

    def test_units_come_best_first_none_twice_and_the_questions_id_tells_nothing(
        self, slug: str, modality: Modality, filled: Filled, open_native: Opener
    ) -> None:
        memory = open_native(slug, modality, filled(slug, modality))
        stored = set(memory.units())
        for budget in BUDGETS:
            found = memory.retrieve("q1", QUESTION.text, budget=budget)
            assert found == memory.retrieve("paper-3", QUESTION.text, budget=budget)
            scores = [unit.score for unit in found.units]
            assert scores == sorted(scores, reverse=True)
            plain = [replace(unit, score=0.0) for unit in found.units]
            assert len(set(plain)) == len(plain)
            assert set(plain) <= stored
        memory.close()

    def test_a_capped_budget_is_filled_or_the_store_is_exhausted(
        self, slug: str, modality: Modality, filled: Filled, open_native: Opener
    ) -> None:
        memory = open_native(slug, modality, filled(slug, modality))
        assert isinstance(memory, NarrowsBudgets)
        for chars in (1, 500, 2_000, 5_000):
            budget = Budget(chars=chars)
            there = sum(len(unit.text) for unit in memory.units_under(budget))
            units = memory.retrieve("q1", QUESTION.text, budget=budget).units
            assert sum(len(unit.text) for unit in units) >= min(chars, there)
        memory.close()
