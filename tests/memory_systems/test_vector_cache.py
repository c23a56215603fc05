"""The vector cache keeps vectors for several processes and never stands in the way."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from memory_systems.vector_cache import VectorCache, text_key


def vector(number: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.full(8, number, np.float32)


def test_what_is_stored_is_found_again(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "some embedder")
    cache.store({text_key("a"): vector(1), text_key("b"): vector(2)})
    cache.close()
    again = VectorCache(tmp_path, "some embedder")
    found = again.find([text_key("b"), text_key("c"), text_key("a")])
    assert {key: row.tolist() for key, row in found.items()} == {
        text_key("a"): [1.0] * 8,
        text_key("b"): [2.0] * 8,
    }
    assert again.any_dim() == 8
    again.close()


def test_more_texts_than_one_statement_takes_are_found(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "e")
    keys = [text_key(str(number)) for number in range(1_700)]
    cache.store({key: vector(number) for number, key in enumerate(keys)})
    assert len(cache.find(keys)) == 1_700
    cache.close()


def test_embedders_do_not_share_vectors(tmp_path: Path) -> None:
    first, second = VectorCache(tmp_path, "one: a/b"), VectorCache(tmp_path, "one: a.b")
    first.store({text_key("a"): vector(1)})
    assert second.find([text_key("a")]) == {}
    assert second.any_dim() is None
    assert len(list(tmp_path.iterdir())) == 2
    first.close()
    second.close()


def test_a_vector_stored_already_stays(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "e")
    for number in (1, 2):
        cache.store({text_key("a"): vector(number)})
    assert cache.find([text_key("a")])[text_key("a")][0] == 1.0
    cache.close()


def test_a_damaged_file_is_set_aside_and_begun_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    cache = VectorCache(tmp_path, "e")
    cache.store({text_key("a"): vector(1)})
    cache.close()
    cache.path.write_bytes(b"this is no database, whatever its name says" * 200)
    assert cache.find([text_key("a")]) == {}
    assert "was not used" in caplog.text
    cache.store({text_key("a"): vector(3)})
    assert cache.find([text_key("a")])[text_key("a")][0] == 3.0
    assert cache.path.with_suffix(".damaged").exists()
    cache.close()


def test_a_folder_that_cannot_be_made_costs_speed_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = VectorCache(tmp_path / "file" / "vectors", "e")
    cache.store({text_key("a"): vector(1)})
    assert cache.find([text_key("a")]) == {}
    assert cache.any_dim() is None
    assert caplog.text.count("was not used") == 3
    cache.close()


def test_a_connection_is_not_used_across_a_fork(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "e")
    cache.store({text_key("a"): vector(1)})
    child = os.fork()
    if child == 0:
        cache.store({text_key("b"): vector(2)})
        os._exit(0 if len(cache.find([text_key("a"), text_key("b")])) == 2 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(cache.find([text_key("a"), text_key("b")])) == 2
    cache.close()


def _write_for_ever(folder: Path, first: int) -> None:
    cache = VectorCache(folder, "e")
    number = first
    while True:
        cache.store({text_key(str(number + i)): vector(number + i) for i in range(20)})
        number += 20


def test_killed_writers_leave_true_entries_only(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_write_for_ever, args=(tmp_path, first)) for first in (0, 500_000)
    ]
    for writer in writers:
        writer.start()
    cache = VectorCache(tmp_path, "e")
    wanted = {text_key(str(first + 30)): first + 30 for first in (0, 500_000)}
    for _ in range(2_000):
        if len(cache.find(wanted)) == 2:
            break
        writers[0].join(0.01)
    for writer in writers:
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
    numbers = [*range(2_000), *range(500_000, 502_000)]
    number_of = {text_key(str(number)): number for number in numbers}
    found = cache.find(number_of)
    assert found.keys() >= wanted.keys()
    for key, row in found.items():
        assert row.tolist() == [float(number_of[key])] * 8
    assert len(found) % 20 == 0, "a transaction is kept whole or not at all"
    cache.store({text_key("after"): vector(7)})
    assert text_key("after") in cache.find([text_key("after")])
    cache.close()
