"""Requests are counted for all processes together, in little space and time."""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from annotation.views import request_counts
from annotation.views.request_counts import COUNTS_FILE, N_SLOTS, N_TRIED, count_one

pytestmark = pytest.mark.usefixtures("data_folder", "in_one_minute")


@pytest.fixture
def in_one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_000_020.0)


def many(n: int) -> None:
    for _ in range(n):
        count_one("ann")


def test_each_sender_is_counted_apart_and_anew_each_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [count_one("ann")[0] for _ in range(3)] == [1, 2, 3]
    assert count_one("bob") == (1, 60)
    monkeypatch.setattr(time, "time", lambda: 1_000_000_079.0)
    assert count_one("ann") == (4, 1)
    monkeypatch.setattr(time, "time", lambda: 1_000_000_080.0)
    assert count_one("ann") == (1, 60)


def test_processes_and_threads_count_together() -> None:
    many(1)
    context = multiprocessing.get_context("fork")
    workers: list[Any] = [
        *(context.Process(target=many, args=(200,)) for _ in range(3)),
        *(threading.Thread(target=many, args=(200,)) for _ in range(3)),
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert count_one("ann")[0] == 1202


def test_five_thousand_visitors_do_not_make_it_forget_a_flood(data_folder: Path) -> None:
    many(100)
    for number in range(5_000):
        count_one(f"visitor {number}")
    assert count_one("ann")[0] == 101
    size = (data_folder / COUNTS_FILE).stat().st_size
    assert size <= (N_SLOTS + N_TRIED) * 16
    assert b"ann" not in (data_folder / COUNTS_FILE).read_bytes()


def test_where_all_places_are_taken_the_smallest_count_gives_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(request_counts, "N_SLOTS", 1)
    many(50)
    for number in range(40):
        count_one(f"visitor {number}")
    assert count_one("ann")[0] == 51


def test_a_file_that_cannot_be_written_refuses_nobody(
    data_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (data_folder / COUNTS_FILE).mkdir()
    with caplog.at_level(logging.ERROR):
        assert count_one("ann")[0] == 0
    assert "requests are not counted" in caplog.text
