"""A kept lexical index is never stale, never half-written and built once."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_systems.lexical.engines import LexicalEngine, UnknownLexicalEngine
from memory_systems.lexical.index_folder import FOLDER_NAME, open_index

TEXTS = ["alpha beta", "gamma delta", "alpha gamma"]


class CountedTexts:
    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.n_asked = 0

    def __call__(self) -> list[str]:
        self.n_asked += 1
        return self.texts


def opened(folder: Path, texts: Callable[[], list[str]], fingerprint: str = "one") -> LexicalEngine:
    return open_index(folder, engine="bm25s", fingerprint=fingerprint, texts=texts)


def kept_in(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / FOLDER_NAME).iterdir() if path.is_dir())


def test_an_index_is_built_once_and_then_loaded(tmp_path: Path) -> None:
    texts = CountedTexts(TEXTS)
    first = opened(tmp_path, texts).top("alpha", 5)
    assert opened(tmp_path, texts).top("alpha", 5) == first
    assert texts.n_asked == 1


def test_another_fingerprint_is_another_index_and_the_old_one_goes(tmp_path: Path) -> None:
    opened(tmp_path, CountedTexts(TEXTS))
    (before,) = kept_in(tmp_path)
    found = opened(tmp_path, CountedTexts(["omega"]), fingerprint="two").top("omega", 5)
    assert [index for index, _ in found] == [0]
    (after,) = kept_in(tmp_path)
    assert before != after


def test_engines_are_kept_side_by_side(tmp_path: Path) -> None:
    opened(tmp_path, CountedTexts(TEXTS))
    open_index(tmp_path, engine="rank-bm25", fingerprint="one", texts=lambda: TEXTS)
    assert [name.rpartition("-")[0] for name in kept_in(tmp_path)] == ["bm25s", "rank-bm25"]


def test_what_a_killed_builder_left_is_cleared(tmp_path: Path) -> None:
    half = tmp_path / FOLDER_NAME / "building"
    half.mkdir(parents=True)
    (half / "data.csc.index.npy").write_bytes(b"half")
    assert opened(tmp_path, CountedTexts(TEXTS)).top("gamma", 1)
    assert "building" not in kept_in(tmp_path)


@pytest.mark.parametrize("content", [b"", b"torn"])
def test_an_unreadable_index_is_built_again(tmp_path: Path, content: bytes) -> None:
    before = opened(tmp_path, CountedTexts(TEXTS)).top("gamma", 3)
    (name,) = kept_in(tmp_path)
    for file in (tmp_path / FOLDER_NAME / name).iterdir():
        file.write_bytes(content)
    texts = CountedTexts(TEXTS)
    assert opened(tmp_path, texts).top("gamma", 3) == before
    assert texts.n_asked == 1
    assert opened(tmp_path, texts).top("gamma", 3) == before
    assert texts.n_asked == 1


def test_many_openings_at_once_build_once(tmp_path: Path) -> None:
    texts = CountedTexts(TEXTS * 200)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: opened(tmp_path, texts).top("alpha", 3), range(8)))
    assert all(each == found[0] for each in found)
    assert texts.n_asked == 1


def test_where_nothing_can_be_kept_the_index_lives_in_memory(tmp_path: Path) -> None:
    (tmp_path / FOLDER_NAME).write_text("a file stands in the way")
    texts = CountedTexts(TEXTS)
    assert opened(tmp_path, texts).top("alpha", 5)
    assert texts.n_asked == 1
    assert os.listdir(tmp_path) == [FOLDER_NAME]


def test_an_unknown_engine_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(UnknownLexicalEngine):
        open_index(tmp_path, engine="x", fingerprint="one", texts=lambda: TEXTS)
    assert list(tmp_path.iterdir()) == []
