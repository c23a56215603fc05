"""Keeps a built lexical index beside its store, never stale and never half-written.

An index lives in a folder named after its engine and the store's fingerprint: it is built aside
and renamed into place, so what carries the name is complete. A lock lets one process build while
others wait. Where the folder cannot be written the index lives in memory alone.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from memory_systems.lexical.engines import LexicalEngine, LexicalEngineClass, get_engine
from memory_systems.lexical.tokenizer import TOKENIZER_NAME

FOLDER_NAME = "lexical"
_FORMAT = "1"


def open_index(
    store_folder: Path, *, engine: str, fingerprint: str, texts: Callable[[], Sequence[str]]
) -> LexicalEngine:
    """The index of ``texts`` by this engine, loaded where it exists, else built and kept.

    ``fingerprint`` stands for the texts; ``texts`` is only called to build. Raises
    UnknownLexicalEngine.
    """
    library = get_engine(engine)
    parts = "\n".join((_FORMAT, engine, TOKENIZER_NAME, fingerprint))
    name = f"{engine}-{hashlib.sha256(parts.encode()).hexdigest()[:24]}"
    folder = store_folder / FOLDER_NAME
    index = _loaded(library, folder / name)
    if index is not None:
        return index
    try:
        folder.mkdir(exist_ok=True)
        with _locked(folder):
            index = _loaded(library, folder / name)
            if index is None:
                index = library.build(texts())
                _keep(index, folder, name)
    except OSError:
        index = index or library.build(texts())
    return index


def _loaded(library: LexicalEngineClass, kept: Path) -> LexicalEngine | None:
    """The kept index, or None where there is none or a power cut left it unreadable."""
    if not kept.is_dir():
        return None
    try:
        return library.load(kept)
    except (OSError, ValueError, KeyError, EOFError):
        shutil.rmtree(kept, ignore_errors=True)
        return None


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _keep(index: LexicalEngine, folder: Path, name: str) -> None:
    for earlier in folder.iterdir():
        if earlier.name == "building" or earlier.name.startswith(f"{index.name}-"):
            shutil.rmtree(earlier, ignore_errors=True)
    building = folder / "building"
    building.mkdir()
    index.save(building)
    for file in building.iterdir():
        with file.open("rb") as written:
            os.fsync(written.fileno())
    building.rename(folder / name)
