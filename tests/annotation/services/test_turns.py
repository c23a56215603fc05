"""The queue that voters wait in where the database has one writer."""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from annotation.services import turns


@pytest.fixture
def queue_file(tmp_path: Path, settings: Any) -> Path:
    settings.MEMJURY_DATA = tmp_path
    return tmp_path / turns.QUEUE_FILE


def n_open(path: Path) -> int:
    descriptors = Path("/proc/self/fd")
    return sum(path.samefile(one) for one in descriptors.iterdir() if one.exists())


def test_a_thread_keeps_one_descriptor_and_closes_it_when_it_ends(queue_file: Path) -> None:
    seen: list[tuple[int, int]] = []

    def vote_twice() -> None:
        descriptors = {turns._queue(), turns._queue()}
        seen.append((len(descriptors), n_open(queue_file)))

    thread = threading.Thread(target=vote_twice)
    thread.start()
    thread.join()
    assert seen == [(1, 1)]
    assert n_open(queue_file) == 0


def test_a_fork_waits_for_the_queue_its_parent_holds(queue_file: Path) -> None:
    fcntl.flock(turns._queue(), fcntl.LOCK_EX)
    child = os.fork()
    if not child:
        try:
            fcntl.flock(turns._queue(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os._exit(7)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    fcntl.flock(turns._queue(), fcntl.LOCK_UN)
    assert os.waitstatus_to_exitcode(status) == 7
