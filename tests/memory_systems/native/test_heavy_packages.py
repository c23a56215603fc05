"""What is Cognee's and Hindsight's own, through the real packages."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memory_systems.base import Budget, SourceItem
from tests.memory_systems.contract import ITEMS, QUESTION
from tests.memory_systems.native.conftest import Opener
from tests.memory_systems.native.installed import FEW, why_skipped

cognee, hindsight = (
    pytest.mark.skipif(bool(why_skipped(slug)), reason=why_skipped(slug) or "-")
    for slug in ("cognee", "hindsight")
)
WAIT_S = 30.0


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def descendants(pid: int) -> Iterator[int]:
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            yield child
            yield from descendants(child)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + WAIT_S
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.1)
    return is_so()


@cognee
def test_cognee_reads_a_text_that_looks_like_a_file_or_an_address_as_text(
    open_native: Opener, tmp_path: Path
) -> None:
    memory = open_native("cognee", "dense", tmp_path)
    for text in ("/etc/hostname", "https://example.org/paper", "file:///etc/hostname"):
        assert memory.ingest(SourceItem(id=text, text=text)).errors == ()
        chunks = [unit for unit in memory.units_under(Budget()) if unit.source_id == text]
        assert [unit.text for unit in chunks] == [text]
    memory.close()


@cognee
def test_cognees_chunks_are_coarse_and_questions_leave_nothing_in_its_store(
    open_native: Opener, tmp_path: Path
) -> None:
    memory = open_native("cognee", "dense", tmp_path)
    long = replace(ITEMS[0], text=" ".join(item.text for item in ITEMS[:7]) * 4)
    memory.ingest(long)
    chunks = memory.units_under(Budget())
    assert "".join(unit.text for unit in chunks) == long.text
    assert max(len(unit.text) for unit in chunks) > 10_000
    before = size_of(tmp_path / "cognee" / "system")
    for number in range(5):
        memory.retrieve("q", f"{QUESTION.text} {number}", budget=Budget())
    assert size_of(tmp_path / "cognee" / "system") == before
    memory.close()


@hindsight
def test_hindsight_makes_observations_and_gives_them_the_item_of_their_facts(
    open_native: Opener, tmp_path: Path
) -> None:
    memory = open_native("hindsight", "other", tmp_path)
    for item in FEW[:2]:
        memory.ingest(item)
    kinds = {(unit.kind, unit.source_id) for unit in memory.units()}
    assert kinds == {(kind, item.id) for kind in ("world", "observation") for item in FEW[:2]}
    memory.close()


@hindsight
@pytest.mark.parametrize("orderly", [True, False])
def test_hindsights_servers_end_with_their_worker(
    orderly: bool, open_native: Opener, tmp_path: Path
) -> None:
    memory = open_native("hindsight", "other", tmp_path)
    memory.ingest(FEW[0])
    worker = memory._worker.start()
    started = list(descendants(worker.pid))
    names = " ".join(Path(f"/proc/{pid}/cmdline").read_text() for pid in started)
    assert "postgres" in names
    assert "hindsight-api" in names
    sockets = Path((tmp_path / "sockets.txt").read_text())
    if orderly:
        memory.close()
        assert not sockets.exists()
    else:
        os.kill(worker.pid, signal.SIGKILL)
    assert wait_for(lambda: not any(map(is_alive, [worker.pid, *started])))
    if not orderly:
        assert memory.stored_item_ids() == {FEW[0].id}
        assert memory.retrieve("q", QUESTION.text, budget=Budget(k=3)).units, "a new one is started"
        assert not sockets.exists()
        memory.close()
