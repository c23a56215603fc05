"""A native memory without a package, for tests of what surrounds one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memory_systems.base import SourceItem, SystemConfig, SystemInfo
from memory_systems.model_address import ModelUsage
from memory_systems.native.kept_worker import TimeLimits
from memory_systems.native.memory import NativeMemory, RevisingNativeMemory
from tests.memory_systems.hashing_embedder import HashingEmbedder

SLUG = "fake-native"
LINE = "tests.memory_systems.native.fake_system:FakeNative"


class FakeNative(RevisingNativeMemory):
    INFO = SystemInfo(
        slug=SLUG,
        title="Fake",
        description="Sentences in a file.",
        modalities=("dense", "hybrid"),
        granularity="sentences",
        knob="k",
        uses_embedder=False,
        native_k=3,
        ingest_parameters={"model": "stub", "asks_model": False, "start": "", "remove": ""},
        retrieval_parameters={"lexical_engine": "bm25s"},
        uses_model=True,
    )
    LIMITS = TimeLimits(start_s=10.0, add_s=1.5, search_s=1.5, other_s=10.0, hold_s=0.5)

    def python(self) -> Path:
        return Path(sys.executable)

    def worker_file(self) -> Path:
        return Path(__file__).with_name("fake_worker.py")

    def parts(self, item: SourceItem) -> Sequence[str]:
        return item.text.split("\n\n")


class FakeAddOnly(NativeMemory):
    """The same of a package that cannot take anything out."""

    INFO = replace(FakeNative.INFO, slug="fake-add-only")
    LIMITS = FakeNative.LIMITS
    python = FakeNative.python
    worker_file = FakeNative.worker_file


class FakeAddress:
    """A model's address that leads nowhere; what it counts is set by the test."""

    base_url = "http://127.0.0.1:9/v1"
    api_key = "none"
    model = "fake"

    def __init__(self) -> None:
        self.counted = ModelUsage()
        self.stopped: Exception | None = None
        self.is_closed = False

    def begin(self, subject: str, *, attempt: int = 0) -> None:
        self.subject = subject

    def usage(self) -> ModelUsage:
        return self.counted

    def check(self) -> None:
        if self.stopped is not None:
            raise self.stopped

    def close(self) -> None:
        self.is_closed = True


def open_fake(
    folder: Path,
    kind: type[NativeMemory] = FakeNative,
    *,
    address: FakeAddress | None = None,
    modality: Any = "dense",
    **parameters: Any,
) -> NativeMemory:
    defaults = {**kind.INFO.ingest_parameters, **kind.INFO.retrieval_parameters}
    config = SystemConfig(
        modality,
        embedder=HashingEmbedder(),
        parameters={**defaults, **parameters},
        model=address or FakeAddress(),
    )
    return kind(config, folder)
