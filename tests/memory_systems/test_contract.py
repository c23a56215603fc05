"""Every registered memory system keeps the contract, in every modality it has."""

from __future__ import annotations

import dataclasses
import inspect
import shutil
from pathlib import Path

import pytest

from memory_systems.base import (
    Budget,
    IngestOutcome,
    Modality,
    Oracle,
    Revises,
    SourceItem,
    StoreStats,
)
from memory_systems.item_digest import TextNotUnicode
from memory_systems.item_memory import GoldRequired
from memory_systems.registry import system_info
from tests.memory_systems.contract import (
    BUDGETED_CASES,
    CASES,
    ITEMS,
    ODD_ITEMS,
    QUESTION,
    ask,
    budgets_of,
    filled_state,
    open_memory,
    state_of,
)

every_system = pytest.mark.parametrize(("slug", "modality"), CASES)


@every_system
class TestEverySystem:
    def test_reopened_gives_the_same(self, slug: str, modality: Modality, tmp_path: Path) -> None:
        before = filled_state(slug, modality, tmp_path)
        for _ in range(2):
            memory = open_memory(slug, modality, tmp_path)
            assert state_of(memory, slug) == before
            memory.close()

    def test_built_twice_gives_the_same(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        first = filled_state(slug, modality, tmp_path / "first")
        assert filled_state(slug, modality, tmp_path / "second") == first

    def test_a_copy_of_the_closed_folder_is_a_fork(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        before = filled_state(slug, modality, tmp_path / "trunk")
        shutil.copytree(tmp_path / "trunk", tmp_path / "branch")
        branch = open_memory(slug, modality, tmp_path / "branch")
        assert state_of(branch, slug) == before
        branch.ingest(SourceItem(id="only here", text="The granite of the branch is 99 units."))
        branch.flush()
        assert branch.stored_item_ids() == before["items"] | {"only here"}
        branch.close()
        trunk = open_memory(slug, modality, tmp_path / "trunk")
        assert state_of(trunk, slug) == before
        trunk.close()

    def test_ingesting_an_item_again_changes_nothing(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        before = filled_state(slug, modality, tmp_path)
        memory = open_memory(slug, modality, tmp_path)
        first = [memory.ingest(item) for item in ITEMS]
        memory.flush()
        assert state_of(memory, slug) == before
        assert [memory.ingest(item) for item in ITEMS] == first
        memory.close()

    def test_an_id_ingested_again_replaces_the_earlier_text(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        new = SourceItem(id="paper-3", text="The granite of kind 4 was measured at 1234 units.")
        memory = open_memory(slug, modality, tmp_path / "replaced")
        for item in (*ITEMS, new):
            memory.ingest(item)
        memory.flush()
        replaced = state_of(memory, slug)
        memory.close()
        memory = open_memory(slug, modality, tmp_path / "fresh")
        for item in ITEMS:
            memory.ingest(new if item.id == new.id else item)
        memory.flush()
        assert replaced == state_of(memory, slug)
        memory.close()

    def test_what_is_deleted_is_gone_and_can_come_back(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        if not isinstance(memory, Revises):
            memory.close()
            return
        for item in ITEMS:
            memory.ingest(item)
        assert memory.delete("paper-3").errors == ()
        assert memory.delete("never stored") == IngestOutcome(units=0)
        memory.flush()
        assert "paper-3" not in memory.stored_item_ids()
        assert all(unit.source_id != "paper-3" for unit in memory.units())
        for budget in budgets_of(slug):
            units = ask(memory, QUESTION, budget).units
            assert all(unit.source_id != "paper-3" for unit in units)
        memory.revise(dataclasses.replace(ITEMS[3], text="The granite is new."))
        memory.flush()
        assert "paper-3" in memory.stored_item_ids()
        texts = [unit.text for unit in memory.units() if unit.source_id == "paper-3"]
        assert texts in (["The granite is new."], [])
        memory.close()

    def test_an_empty_store_answers_with_nothing(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        memory.flush()
        assert memory.stats() == StoreStats(n_items=0, n_units=0, mean_unit_chars=0.0)
        assert memory.stored_item_ids() == frozenset()
        assert tuple(memory.units()) == ()
        for budget in budgets_of(slug):
            assert ask(memory, QUESTION, budget).units == ()
        memory.close()

    def test_odd_unicode_is_stored_and_brought_back_as_it_was(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        text_of = {item.id: item.text for item in ODD_ITEMS}
        for item in ODD_ITEMS:
            assert memory.ingest(item).errors == ()
        memory.flush()
        assert memory.stored_item_ids() == text_of.keys()
        question = dataclasses.replace(
            QUESTION,
            text="שלום 記憶システム 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 after\x00 e\u0301",
            source_ids=tuple(text_of),
            spans=tuple((item.id, 5, 40) for item in ODD_ITEMS),
        )
        retrieved = [
            unit for budget in budgets_of(slug) for unit in ask(memory, question, budget).units
        ]
        for unit in (*memory.units(), *retrieved):
            if unit.start >= 0:
                assert text_of[unit.source_id][unit.start : unit.end] == unit.text
        memory.close()

    def test_a_lone_surrogate_is_refused_in_a_sentence(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        if slug != "base-model":
            with pytest.raises(TextNotUnicode, match="lone surrogate"):
                memory.ingest(SourceItem(id="x", text="half a pair: \ud800"))
        with pytest.raises(TextNotUnicode, match="lone surrogate"):
            memory.ingest(SourceItem(id="\udfff", text="fine"))
        assert memory.stored_item_ids() == frozenset()
        memory.close()

    def test_offsets_are_true_and_stats_agree_with_the_units(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        outcomes = [memory.ingest(item) for item in ITEMS]
        memory.flush()
        units = tuple(memory.units())
        text_of = {item.id: item.text for item in ITEMS}
        for unit in units:
            assert unit.text
            if unit.start >= 0:
                assert text_of[unit.source_id][unit.start : unit.end] == unit.text
        stats = memory.stats()
        assert stats.n_items == len(ITEMS) == len(memory.stored_item_ids())
        assert stats.n_units == len(units) == sum(outcome.units for outcome in outcomes)
        mean = sum(len(unit.text) for unit in units) / len(units) if units else 0.0
        assert stats.mean_unit_chars == pytest.approx(mean)
        assert stats.n_over_embedder_limit == sum(each.truncated_units for each in outcomes)
        memory.close()

    def test_units_come_best_first_and_none_twice(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        for item in ITEMS:
            memory.ingest(item)
        memory.flush()
        for budget in budgets_of(slug):
            units = ask(memory, QUESTION, budget).units
            scores = [unit.score for unit in units]
            assert scores == sorted(scores, reverse=True)
            places = [(unit.source_id, unit.start, unit.end, unit.text) for unit in units]
            assert len(set(places)) == len(places)
        memory.close()

    def test_two_openings_read_the_same_store_at_once(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        before = filled_state(slug, modality, tmp_path)
        first = open_memory(slug, modality, tmp_path)
        second = open_memory(slug, modality, tmp_path)
        assert state_of(first, slug) == state_of(second, slug) == before
        first.close()
        assert state_of(second, slug) == before
        second.close()

    def test_gold_reaches_oracle_anchors_alone(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        is_oracle = isinstance(memory, Oracle)
        assert not is_oracle or system_info(slug).is_anchor
        taken = {
            name
            for _, method in inspect.getmembers(memory, inspect.ismethod)
            if not method.__name__.startswith("_")
            for name in inspect.signature(method).parameters
        }
        assert taken.isdisjoint({"gold", "facts", "spans", "tier", "type", "source_ids"})
        assert ("question" in taken) == is_oracle
        assert list(inspect.signature(memory.retrieve).parameters) == [
            "question_id",
            "text",
            "budget",
        ]
        memory.close()

    def test_the_questions_id_tells_nothing(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        memory = open_memory(slug, modality, tmp_path)
        for item in ITEMS:
            memory.ingest(item)
        memory.flush()
        if isinstance(memory, Oracle):
            with pytest.raises(GoldRequired):
                memory.retrieve(QUESTION.id, QUESTION.text, budget=Budget())
            memory.close()
            return
        for budget in budgets_of(slug):
            by_id = [
                memory.retrieve(question_id, QUESTION.text, budget=budget)
                for question_id in ("q1", "paper-3", "")
            ]
            assert by_id[0] == by_id[1] == by_id[2]
        memory.close()

    def test_its_registration_is_complete(
        self, slug: str, modality: Modality, tmp_path: Path
    ) -> None:
        info = system_info(slug)
        assert info.slug == slug
        assert modality in info.modalities
        assert info.title
        assert info.description
        assert info.granularity
        assert info.knob
        assert not info.ingest_parameters.keys() & info.retrieval_parameters.keys()
        if not info.is_anchor:
            assert info.native_k is None or info.native_k > 0


@pytest.mark.parametrize(("slug", "modality"), BUDGETED_CASES)
def test_a_capped_budget_is_over_fetched(slug: str, modality: Modality, tmp_path: Path) -> None:
    memory = open_memory(slug, modality, tmp_path)
    for item in ITEMS:
        memory.ingest(item)
    memory.flush()
    for chars in (1, 500, 2_000, 5_000):
        fetched = sum(len(unit.text) for unit in ask(memory, QUESTION, Budget(chars=chars)).units)
        assert fetched >= chars
    for k in (1, 2):
        assert len(ask(memory, QUESTION, Budget(k=k)).units) == k
    memory.close()
