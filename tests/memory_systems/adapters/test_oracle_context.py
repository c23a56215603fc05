"""Oracle context brings back the text around the gold spans, as much as the budget holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_systems.base import Budget, GoldQuestion, Oracle, Retrieval, SourceItem
from memory_systems.item_memory import GoldRequired
from tests.memory_systems.contract import open_memory

LONG = "".join(f"Sentence number {number:04d} says little. " for number in range(500))
ITEMS = [SourceItem(id="long", text=LONG), SourceItem(id="short", text="The one fact is 42.")]
FACT = LONG.index("number 0250")


def question(*spans: tuple[str, int, int], sources: tuple[str, ...] = ("long",)) -> GoldQuestion:
    return GoldQuestion(id="q", text="?", source_ids=sources, spans=spans)


def restore(folder: Path, asked: GoldQuestion, budget: Budget) -> Retrieval:
    memory = open_memory("oracle-context", "none", folder)
    for item in ITEMS:
        memory.ingest(item)
    assert isinstance(memory, Oracle)
    found = memory.retrieve_for(asked, budget=budget)
    memory.close()
    return found


TWO_FACTS = question(("long", FACT, FACT + 20), ("short", 4, 18))


def test_native_gives_one_window_around_each_span(tmp_path: Path) -> None:
    found = restore(tmp_path, TWO_FACTS, Budget())
    assert [unit.source_id for unit in found.units] == ["long", "short"]
    long, short = found.units
    assert 900 <= len(long.text) <= 1_100
    assert long.start <= FACT - 400
    assert long.end >= FACT + 400
    assert LONG[long.start : long.end] == long.text
    assert long.text.startswith("Sentence")
    assert short.text == ITEMS[1].text


def test_windows_that_meet_are_one(tmp_path: Path) -> None:
    near = question(("long", FACT, FACT + 20), ("long", FACT + 900, FACT + 910), ("long", 5, 9))
    found = restore(tmp_path, near, Budget())
    assert len(found.units) == 2
    assert found.units[0].start < FACT
    assert found.units[0].end > FACT + 910
    assert found.units[1].start == 0


@pytest.mark.parametrize("chars", [200, 1_000, 5_000, 10_000])
def test_a_capped_budget_starts_with_every_fact_and_is_over_fetched(
    chars: int, tmp_path: Path
) -> None:
    found = restore(tmp_path, TWO_FACTS, Budget(chars=chars))
    first_round = [unit for unit in found.units if unit.score == 1.0]
    assert "number 0250" in first_round[0].text
    assert "42" in first_round[1].text
    widest = [unit for unit in found.units if unit.source_id == "long"][-1]
    assert len(widest.text) + len(ITEMS[1].text) >= chars
    for unit in found.units:
        assert unit.source_id == "short" or unit.start <= FACT < unit.end


def test_a_budget_over_all_sources_gives_the_sources_whole(tmp_path: Path) -> None:
    found = restore(tmp_path, TWO_FACTS, Budget(chars=10**7))
    assert max(len(unit.text) for unit in found.units) == len(LONG)


def test_a_targeted_budget_is_shared_out_among_the_spans(tmp_path: Path) -> None:
    asked = question(("long", 100, 120), ("long", FACT, FACT + 20), ("long", 15_000, 15_009))
    found = restore(tmp_path, asked, Budget(chars=6_000, mode="targeted"))
    assert [1_800 <= len(unit.text) <= 2_200 for unit in found.units] == [True] * 3


def test_a_budget_of_k_gives_the_first_k_windows(tmp_path: Path) -> None:
    found = restore(tmp_path, TWO_FACTS, Budget(k=1))
    assert [unit.source_id for unit in found.units] == ["long"]


def test_a_span_wider_than_the_window_stays_whole(tmp_path: Path) -> None:
    found = restore(tmp_path, question(("long", 2_000, 9_000)), Budget())
    assert found.units[0].start <= 2_000
    assert found.units[0].end >= 9_000


def test_a_question_without_spans_gets_the_beginnings_of_its_sources(tmp_path: Path) -> None:
    found = restore(tmp_path, question(sources=("short", "long")), Budget())
    assert [(unit.source_id, unit.start) for unit in found.units] == [("short", 0), ("long", 0)]


def test_spans_that_cannot_be_found_are_left_out_and_counted(tmp_path: Path) -> None:
    asked = question(("gone", 0, 5), ("short", 4, 18), ("short", 900, 999))
    found = restore(tmp_path, asked, Budget())
    assert [unit.text for unit in found.units] == [ITEMS[1].text]
    assert found.knobs["n_spans"] == 2
    assert found.knobs["n_spans_not_stored"] == 1


def test_it_refuses_a_question_without_gold(tmp_path: Path) -> None:
    memory = open_memory("oracle-context", "none", tmp_path)
    with pytest.raises(GoldRequired, match="was not told"):
        memory.retrieve("q", "?", budget=Budget())
    memory.close()
