"""A native memory survives what its package does, says what happened, loses nothing silently."""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from memory_systems.base import Budget, SourceItem
from memory_systems.model_address import ModelUsage
from memory_systems.native import process
from memory_systems.native.holding import StoreBusy
from memory_systems.native.memory import CannotReplace, NativeMemory
from memory_systems.native.process import (
    WorkerCrashed,
    WorkerNotStarted,
    WorkerReplyUnreadable,
    WorkerTimedOut,
)
from tests.memory_systems.native.fake_system import FakeAddOnly, FakeAddress, FakeNative, open_fake

GOOD = SourceItem(id="good", text="The kettle holds 3 litres. The pan holds 2.")
OTHER = SourceItem(id="other", text="A lid fits both")


def item(text: str, name: str = "bad") -> SourceItem:
    return SourceItem(id=name, text=text)


def texts(memory: NativeMemory) -> list[str]:
    return [unit.text for unit in memory.units()]


def test_items_are_stored_found_and_still_there_after_reopening(tmp_path: Path) -> None:
    memory = open_fake(tmp_path)
    assert memory.ingest(GOOD).units == 2
    memory.flush()
    found = memory.retrieve("q", "how much does the kettle hold", budget=Budget())
    assert found.units[0].text == "The kettle holds 3 litres"
    assert found.units[0].source_id == "good"
    memory.close()
    again = open_fake(tmp_path)
    assert again.stored_item_ids() == {"good"}
    assert (
        texts(again) == ["The kettle holds 3 litres", "The pan holds 2."] or len(texts(again)) == 2
    )
    assert again.retrieve("q", "how much does the kettle hold", budget=Budget()) == found
    again.close()


@pytest.mark.parametrize(
    ("mishap", "told"),
    [
        ("CRASH here", r"ended during 'add' \(exit code 3\); its last lines: .*Segmentation fault"),
        ("HANG here", r"no answer to 'add' within 1\.5 s"),
        ("RAISE here", "RuntimeError: the package does not like this text"),
        ("GARBAGE here", "answered something that is not the protocol: 'not the protocol'"),
        ("DEEP here", r"answered something that is not the protocol: '\[\[\["),
        ("BABBLE here", "answered 'add' with more than 150,000 bytes and was ended"),
        ("HALF here. And more", r"ended during 'add' \(exit code 9\)"),
    ],
)
def test_a_mishap_in_an_ingest_is_an_error_of_that_item_and_the_next_goes_on(
    mishap: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LONGEST_REPLY_BYTES", 150_000)
    memory = open_fake(tmp_path)
    memory.ingest(GOOD)
    outcome = memory.ingest(item(mishap))
    assert outcome.units == 0
    assert any(re.search(told, error) for error in outcome.errors), outcome.errors
    assert memory.ingest(OTHER).errors == ()
    assert memory.stored_item_ids() == {"good", "other"}
    assert all(unit.source_id != "bad" for unit in memory.units())
    assert memory.stats().n_units == 3
    memory.close()


def test_a_part_that_the_package_refuses_does_not_lose_the_others(tmp_path: Path) -> None:
    memory = open_fake(tmp_path)
    outcome = memory.ingest(item("One fact\n\nRAISE at this one\n\nAnother fact"))
    assert outcome.units == 2
    assert outcome.errors[0].startswith("part 2 of 3: ")
    assert memory.stored_item_ids() == {"bad"}
    memory.close()


def test_a_text_of_which_nothing_was_stored_is_an_error_though_nothing_failed(
    tmp_path: Path,
) -> None:
    memory = open_fake(tmp_path)
    outcome = memory.ingest(item("LOSE all of this"))
    assert outcome.errors[0].startswith("stored nothing: the package reported no failure, but 16 ")
    assert memory.stored_item_ids() == {"bad"}
    assert memory.ingest(item("", "empty")).errors == ()
    memory.close()


def test_model_calls_that_failed_are_told_even_if_the_package_swallows_them(
    tmp_path: Path,
) -> None:
    address = FakeAddress()
    memory = open_fake(tmp_path, address=address)
    counts = iter([ModelUsage(), ModelUsage(3, 40, 0.5, failures=2, last_failure="HTTP 500")])
    address.usage = lambda: next(counts)  # type: ignore[method-assign]
    outcome = memory.ingest(GOOD)
    assert outcome.errors == ("2 of 5 model calls failed: HTTP 500",)
    assert (outcome.model_calls, outcome.tokens, outcome.cost_usd) == (3, 40, 0.5)
    memory.close()


@pytest.mark.parametrize(
    ("question", "error"),
    [("CRASH", WorkerCrashed), ("HANG", WorkerTimedOut), ("GARBAGE", WorkerReplyUnreadable)],
)
def test_a_mishap_in_a_search_is_raised_and_the_next_search_works(
    question: str, error: type[Exception], tmp_path: Path
) -> None:
    memory = open_fake(tmp_path)
    memory.ingest(GOOD)
    with pytest.raises(error):
        memory.retrieve("q", question, budget=Budget())
    assert memory.retrieve("q", "the pan", budget=Budget()).units
    memory.close()


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ("crash", r"did not start: .*exit code 7"),
        ("raise", r"did not start: .*no module named 'package'"),
    ],
)
def test_a_package_that_cannot_be_imported_is_said_in_words(
    start: str, told: str, tmp_path: Path
) -> None:
    address = FakeAddress()
    with pytest.raises(WorkerNotStarted, match=told):
        open_fake(tmp_path, address=address, start=start)
    assert address.is_closed
    open_fake(tmp_path).close()


def test_a_package_that_hangs_at_import_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(FakeNative, "LIMITS", replace(FakeNative.LIMITS, start_s=0.5))
    began = time.monotonic()
    with pytest.raises(
        WorkerNotStarted, match=r"did not start within 0\.5 s; its last lines: hello"
    ):
        open_fake(tmp_path, start="hang")
    assert time.monotonic() - began < 10


def test_three_items_in_a_row_that_take_too_long_end_the_ingest(tmp_path: Path) -> None:
    memory = open_fake(tmp_path)
    for number in range(2):
        assert memory.ingest(item("HANG", f"slow {number}")).errors
    with pytest.raises(WorkerTimedOut):
        memory.ingest(item("HANG", "slow 3"))
    memory.close()


def test_what_must_end_the_run_is_raised_out_of_an_ingest(tmp_path: Path) -> None:
    address = FakeAddress()
    memory = open_fake(tmp_path, address=address)
    address.stopped = RuntimeError("the spending limit is reached")
    with pytest.raises(RuntimeError, match="spending limit"):
        memory.ingest(GOOD)
    memory.close()


def test_another_text_of_an_item_replaces_it_in_its_place(tmp_path: Path) -> None:
    memory = open_fake(tmp_path)
    memory.ingest(GOOD)
    memory.ingest(OTHER)
    memory.ingest(SourceItem(id="good", text="The kettle is gone"))
    assert texts(memory) == ["The kettle is gone", "A lid fits both"]
    assert isinstance(memory, FakeNative)
    assert memory.delete("good").errors == ()
    assert memory.delete("never there").errors == ()
    assert texts(memory) == ["A lid fits both"]
    memory.close()


def test_a_package_that_cannot_delete_refuses_another_text(tmp_path: Path) -> None:
    memory = open_fake(tmp_path, FakeAddOnly)
    memory.ingest(GOOD)
    assert memory.ingest(GOOD).units == 2
    with pytest.raises(CannotReplace, match="cannot take an item out again"):
        memory.ingest(SourceItem(id="good", text="The kettle is gone"))
    memory.close()


def test_remains_that_cannot_be_taken_out_are_told_and_never_retrieved(tmp_path: Path) -> None:
    memory = open_fake(tmp_path, remove="raise")
    memory.ingest(OTHER)
    outcome = memory.ingest(item("HALF of this. Is stored"))
    assert "what was stored of it could not be taken out" in outcome.errors[-1]
    assert texts(memory) == ["A lid fits both"]
    assert all(
        unit.source_id == "other"
        for unit in memory.retrieve("q", "half of this", budget=Budget(k=9)).units
    )
    memory.close()


def test_a_hybrid_ranks_the_same_stored_texts_by_words_too(tmp_path: Path) -> None:
    memory = open_fake(tmp_path)
    memory.ingest(GOOD)
    memory.ingest(OTHER)
    memory.close()
    hybrid = open_fake(tmp_path, modality="hybrid")
    found = hybrid.retrieve("q", "what fits a lid", budget=Budget())
    assert found.units[0].text == "A lid fits both"
    assert found.knobs["n_dense"] == 3
    assert found.knobs["n_lexical"] == 1
    hybrid.close()


def test_a_second_holder_of_a_store_waits_and_is_then_told(tmp_path: Path) -> None:
    memory = open_fake(tmp_path)
    with pytest.raises(StoreBusy, match=r"in use for 0\.5 s by another process"):
        open_fake(tmp_path)
    memory.close()
    open_fake(tmp_path).close()


def test_a_copy_of_a_closed_store_is_a_fork(tmp_path: Path) -> None:
    memory = open_fake(tmp_path / "trunk")
    memory.ingest(GOOD)
    memory.close()
    shutil.copytree(tmp_path / "trunk", tmp_path / "branch")
    branch = open_fake(tmp_path / "branch")
    branch.ingest(OTHER)
    assert branch.stored_item_ids() == {"good", "other"}
    branch.close()
    trunk = open_fake(tmp_path / "trunk")
    assert trunk.stored_item_ids() == {"good"}
    trunk.close()


def test_identifiers_are_the_same_when_a_store_is_built_again(tmp_path: Path) -> None:
    tables = []
    for name in ("first", "second"):
        memory = open_fake(tmp_path / name)
        memory.ingest(GOOD)
        tables.append(memory._units_now().ids)
        memory.close()
    assert tables[0] == tables[1]
