from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from evaluation.language_models.model_account import ModelAccount
from evaluation.language_models.model_proxy import ModelProxy
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.upstreams import open_upstream
from memory_systems.base import Modality
from memory_systems.native.memory import NativeMemory
from tests.evaluation.language_models.memory_ledger import MemoryLedger
from tests.memory_systems.hashing_embedder import HashingEmbedder
from tests.memory_systems.native.installed import FEW, SYSTEMS_FOLDER, open_installed

Opener = Callable[..., NativeMemory]


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture(scope="session")
def kept_stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of closed memories that hold FEW, by system: filled once, copied by each test."""
    return {"": tmp_path_factory.mktemp("stores")}


@pytest.fixture
def filled(
    open_native: Opener, kept_stores: dict[str, Path], tmp_path: Path
) -> Callable[[str, Modality], Path]:
    """A folder of the test's own with a closed memory of the system that holds FEW."""

    def copy(slug: str, modality: Modality) -> Path:
        if slug not in kept_stores:
            memory = open_native(slug, modality, kept_stores[""] / slug)
            for item in FEW:
                assert memory.ingest(item).errors == ()
            memory.flush()
            memory.close()
            kept_stores[slug] = kept_stores[""] / slug
        return Path(shutil.copytree(kept_stores[slug], tmp_path / "filled"))

    return copy


@pytest.fixture
def open_native(ledger: MemoryLedger, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """Opens an installed system whose model is the stub, or a model of another name."""
    monkeypatch.setenv("MEMJURY_SYSTEMS", str(SYSTEMS_FOLDER))
    opened: list[NativeMemory] = []

    def open_one(
        slug: str, modality: Modality, folder: Path, *, model: str = "stub"
    ) -> NativeMemory:
        quick = RetryPolicy(attempts=1, rng=Random(1), sleep=lambda _: None)
        account = ModelAccount(open_upstream(model, retry=quick), ledger)
        memory = open_installed(slug, modality, folder, ModelProxy(account, HashingEmbedder()))
        opened.append(memory)
        return memory

    yield open_one
    for memory in opened:
        memory._worker.kill()
        memory._address.close()
