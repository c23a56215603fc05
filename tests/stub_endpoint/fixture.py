"""The stub endpoint as a fixture; a folder's conftest.py imports it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest

from evaluation.language_models.base import LanguageModel
from evaluation.language_models.endpoints import open_model
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.stub_server import StubServer

Opener = Callable[..., LanguageModel]


@pytest.fixture
def stub() -> Iterator[StubServer]:
    """A running stub endpoint of this test's own."""
    with StubServer() as server:
        yield server


@pytest.fixture
def waits() -> list[float]:
    """The waits between attempts, in seconds; nobody really waits."""
    return []


@pytest.fixture
def open_stub(stub: StubServer, waits: list[float]) -> Iterator[Opener]:
    """Opens ``openai:NAME``, ``anthropic:NAME`` or ``stub:NAME`` at the stub endpoint."""
    opened: list[LanguageModel] = []

    def open_one(name: str, *, timeout_s: float = 5.0, attempts: int = 3) -> LanguageModel:
        retry = RetryPolicy(attempts=attempts, rng=Random(1), sleep=waits.append)
        model = open_model(name, environ=stub.environ, retry=retry, timeout_s=timeout_s)
        opened.append(model)
        return model

    yield open_one
    for model in opened:
        close = getattr(model, "close", None)
        if close is not None:
            close()
