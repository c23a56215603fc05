"""The unit store keeps whole items, in their order, and says when it does not fit."""

from __future__ import annotations

import multiprocessing
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from memory_systems.base import SourceItem, StoreStats
from memory_systems.item_digest import digest_of
from memory_systems.store_file import FILE_NAME, StoreMismatch, StoreNotUsable
from memory_systems.unit_store import StoredUnit, UnitStore

SETTINGS: dict[str, int | float | str | bool] = {"system": "test", "chunk_chars": 10}


def item(item_id: str, text: str = "some text") -> SourceItem:
    return SourceItem(id=item_id, text=text)


def put(store: UnitStore, item_id: str, *texts: str) -> None:
    source = item(item_id, " ".join(texts))
    units = [StoredUnit(text=text) for text in texts]
    vectors = np.array([[len(text), index] for index, text in enumerate(texts)], np.float32)
    store.put(source, units, vectors=vectors.reshape(-1, 2), truncated_units=len(texts) // 2)


def open_store(folder: Path) -> UnitStore:
    return UnitStore(folder, settings=SETTINGS, dim=2)


def test_units_vectors_and_lengths_stand_in_one_order(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    put(store, "b", "one", "three")
    put(store, "a", "eleven")
    put(store, "none")
    assert store.texts() == ["one", "three", "eleven"]
    assert store.n_chars.tolist() == [3, 5, 6]
    assert store.vectors.tolist() == [[3, 0], [5, 1], [6, 0]]
    assert store.item_ids() == ("b", "a", "none")
    assert [unit.text for unit in store.units_at([(2, 0.9), (0, 0.1)])] == ["eleven", "one"]
    assert store.stats() == StoreStats(3, 3, 14 / 3, 1)
    store.close()


def test_a_replaced_item_keeps_its_place(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for item_id in "abc":
        put(store, item_id, f"old {item_id}")
    put(store, "b", "new", "parts")
    assert store.texts() == ["old a", "new", "parts", "old c"]
    assert store.vectors.shape == (4, 2)
    store.close()


def test_a_deleted_item_comes_back_at_the_end(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    for item_id in "abc":
        put(store, item_id, item_id)
    assert store.delete("a")
    assert not store.delete("a")
    put(store, "a", "again")
    assert store.texts() == ["b", "c", "again"]
    store.close()


def test_the_fingerprint_tells_content_order_and_settings_apart(tmp_path: Path) -> None:
    stores = [open_store(tmp_path / name) for name in "vwxy"]
    stores.append(UnitStore(tmp_path / "z", settings={**SETTINGS, "chunk_chars": 11}, dim=2))
    for store in stores:
        put(store, "a", "one")
        put(store, "b", "two")
    put(stores[1], "a", "changed")
    for item_id in "ab":
        stores[2].delete(item_id)
    put(stores[2], "b", "two")
    put(stores[2], "a", "one")
    fingerprints = [store.fingerprint for store in stores]
    assert fingerprints[0] == fingerprints[3]
    assert len(set(fingerprints)) == 4
    for store in stores:
        store.close()


def test_a_store_made_with_other_settings_is_refused_with_both_values(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    with pytest.raises(StoreMismatch, match="chunk_chars is 10 there, 500 was asked"):
        UnitStore(tmp_path, settings={**SETTINGS, "chunk_chars": 500}, dim=2)
    with pytest.raises(StoreMismatch, match="dim is 2 there, 384 was asked"):
        UnitStore(tmp_path, settings=SETTINGS, dim=384)


def test_vectors_that_do_not_fit_the_units_are_refused_and_nothing_is_stored(
    tmp_path: Path,
) -> None:
    store = open_store(tmp_path)
    with pytest.raises(ValueError, match=r"vectors of shape \(1, 3\) do not fit 1 units of 2"):
        store.put(item("a"), [StoredUnit("x")], vectors=np.zeros((1, 3), np.float32))
    assert store.item_ids() == ()
    store.close()


def test_a_failed_put_leaves_the_earlier_item_whole(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    put(store, "a", "one", "two")
    wrong = [StoredUnit("x"), StoredUnit(b"y")]  # type: ignore[arg-type]
    with pytest.raises((sqlite3.Error, TypeError)):
        store.put(item("a", "z"), [*wrong, StoredUnit(None)], vectors=np.zeros((3, 2), np.float32))  # type: ignore[arg-type]
    assert store.texts() == ["one", "two"]
    assert store.counts_if_same(item("a", "one two")) == (2, 1)
    store.close()


def test_an_opening_sees_what_another_one_wrote(tmp_path: Path) -> None:
    writer, reader = open_store(tmp_path), open_store(tmp_path)
    put(writer, "a", "one")
    assert reader.vectors.shape == (1, 2)
    put(writer, "b", "two", "three")
    assert reader.n_chars.tolist() == [3, 3, 5]
    assert reader.texts() == ["one", "two", "three"]
    writer.close()
    reader.close()


def test_a_closed_store_is_one_file(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    put(store, "a", "one")
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_store_in_a_folder_that_cannot_be_written_can_still_be_read(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    put(store, "a", "one")
    store.close()
    (tmp_path / FILE_NAME).chmod(0o444)
    store = open_store(tmp_path)
    assert store.texts() == ["one"]
    store.close()


def test_a_file_that_is_no_store_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all, but long enough" * 99)
    with pytest.raises(StoreNotUsable, match="cannot be read: file is not a database"):
        open_store(tmp_path)
    with pytest.raises(StoreNotUsable, match="cannot be opened"):
        open_store(tmp_path / FILE_NAME)


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    put(store, "a", "one")
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreNotUsable, match="cannot be written: database or disk is full"):
        put(store, "b", "x" * 100_000)
    assert store.item_ids() == ("a",)
    store._db.execute("PRAGMA max_page_count = 100000")
    put(store, "b", "x" * 100_000)
    assert store.item_ids() == ("a", "b")
    store.close()


def test_threads_may_share_a_store(tmp_path: Path) -> None:
    store = open_store(tmp_path)

    def write_and_read(number: int) -> int:
        put(store, str(number), f"text {number}", "second")
        return len(store.n_chars)

    with ThreadPoolExecutor(6) as pool:
        seen = list(pool.map(write_and_read, range(30)))
    assert all(count % 2 == 0 and count >= 2 for count in seen)
    assert store.vectors.shape == (60, 2)
    store.close()


def test_items_differ_by_everything_but_their_id() -> None:
    base = SourceItem(id="a", text="t", title="n", kind="document", timestamp="2026-01-01")
    others = [
        SourceItem(id="a", text="u", title="n", kind="document", timestamp="2026-01-01"),
        SourceItem(id="a", text="t", title="m", kind="document", timestamp="2026-01-01"),
        SourceItem(id="a", text="t", title="n", kind="session", timestamp="2026-01-01"),
        SourceItem(id="a", text="t", title="n", kind="document", timestamp=""),
        SourceItem(id="a", text="tn", title="", kind="document", timestamp="2026-01-01"),
    ]
    assert len({digest_of(each) for each in [base, *others]}) == 6


def _write_some(folder: Path, name: str) -> None:
    store = open_store(folder)
    for number in range(25):
        put(store, f"{name}-{number}", f"text {number} of {name}")
    store.close()


def test_two_processes_opening_a_new_folder_at_once_both_succeed(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_some, args=(tmp_path, name)) for name in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    store = open_store(tmp_path)
    assert len(store.item_ids()) == 50
    assert store.vectors.shape == (50, 2)
    store.close()
