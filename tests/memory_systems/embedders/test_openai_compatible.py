"""An endpoint's vectors are batched, retried, checked, and refused in sentences."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory_systems import bounded_replies
from memory_systems.base import Budget, SourceItem, SystemConfig
from memory_systems.embedders.openai_compatible import (
    EmbeddingCallFailed,
    EmbeddingReplyUnreadable,
    OpenAICompatible,
)
from memory_systems.embedding import get_embedder
from memory_systems.registry import open_system
from tests.memory_systems.embedders.stub_endpoint import (
    Reply,
    StubEndpoint,
    good_reply,
    stub_endpoint,
)


@pytest.fixture
def stub() -> Iterator[StubEndpoint]:
    with stub_endpoint() as running:
        yield running


def opened(stub: StubEndpoint, **options: Any) -> OpenAICompatible:
    return OpenAICompatible(
        name="openai:stub", model="stub", api_key="secret", base_url=stub.base_url, **options
    )


def failing(message: str, status: int) -> Any:
    return lambda request: (status, {"error": {"message": message, "type": "x"}})


def changed(**parts: Any) -> Any:
    def reply(request: dict[str, Any]) -> Reply:
        status, body = good_reply(request)
        return status, {**body, **parts}

    return reply


def test_vectors_come_back_at_length_one_in_the_order_of_the_texts(stub: StubEndpoint) -> None:
    def backwards(request: dict[str, Any]) -> Reply:
        status, body = good_reply(request)
        return status, {**body, "data": body["data"][::-1]}

    stub.script = [backwards]
    embedder = opened(stub)
    vectors = embedder.encode(["a", "abc"])
    expected = np.array([[1, 1, 2], [3, 1, 2]], np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(vectors, expected)
    assert stub.keys == ["Bearer secret"]
    assert (embedder.dim, embedder.n_calls, embedder.n_tokens) == (3, 1, 10)


def test_openais_own_headers_go_to_nobody_else(
    stub: StubEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-private")
    opened(stub).encode(["a"])
    assert "private" not in str(stub.headers)


def test_an_unknown_models_dimension_is_asked_for_once(stub: StubEndpoint) -> None:
    embedder = opened(stub)
    assert [embedder.dim, embedder.dim] == [3, 3]
    assert len(stub.requests) == 1


def test_texts_go_in_batches_and_empty_ones_stay_home(stub: StubEndpoint) -> None:
    texts = [f"text {number}" for number in range(150)] + ["", " \n"]
    vectors = opened(stub).encode(texts)
    assert [len(request["input"]) for request in stub.requests] == [64, 64, 22]
    assert vectors[-2:].tolist() == [[0.0] * 3] * 2
    assert opened(stub).encode([]).shape == (0, 0)


def test_a_text_over_the_limit_is_the_mean_of_windows_and_is_counted(stub: StubEndpoint) -> None:
    embedder = opened(stub, max_tokens=100)
    text = "abcde " * 100
    assert embedder.count_tokens([text]) == [240]
    assert np.isclose(np.linalg.norm(embedder.encode([text])), 1)
    assert [len(piece) for piece in stub.requests[0]["input"]] == [200, 200, 200]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(status: int, stub: StubEndpoint) -> None:
    stub.script = [failing("not now", status), failing("not now", status)]
    embedder = opened(stub)
    assert embedder.encode(["a"]).shape == (1, 3)
    assert len(stub.requests) == 3
    assert embedder.n_calls == 1


def test_a_lasting_failure_is_told_with_its_status(stub: StubEndpoint) -> None:
    stub.script = [failing("not now", 503)] * 9
    with pytest.raises(EmbeddingCallFailed, match="'openai:stub': the endpoint answered 503"):
        opened(stub, max_retries=2).encode(["a"])
    assert len(stub.requests) == 3


def test_a_refused_key_is_not_tried_again_and_never_shown(stub: StubEndpoint) -> None:
    stub.script = [failing("key secret is wrong", 401)]
    with pytest.raises(EmbeddingCallFailed, match=r"answered 401 .*check the key") as refused:
        opened(stub).encode(["a"])
    assert len(stub.requests) == 1
    assert "secret" not in str(refused.value)


def test_a_slow_endpoint_is_given_up_in_a_sentence(stub: StubEndpoint) -> None:
    def slow(request: dict[str, Any]) -> Reply:
        time.sleep(0.5)
        return good_reply(request)

    stub.script = [slow] * 2
    with pytest.raises(EmbeddingCallFailed, match="cannot be reached or is too slow"):
        opened(stub, timeout_s=0.1, max_retries=0).encode(["a"])


def test_a_reply_without_measure_is_not_taken_in(
    stub: StubEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_replies, "MOST_REPLY_BYTES", 100)
    with pytest.raises(EmbeddingCallFailed, match="too slow, or its reply is too long"):
        opened(stub).encode(["a"] * 20)
    assert len(stub.requests) == 1


def test_an_endpoint_that_is_down_is_told_in_a_sentence(stub: StubEndpoint) -> None:
    embedder = OpenAICompatible(
        name="openai:x", model="x", api_key="k", base_url="http://127.0.0.1:9/v1", max_retries=0
    )
    with pytest.raises(EmbeddingCallFailed, match="cannot be reached"):
        embedder.encode(["a"])


@pytest.mark.parametrize(
    "reply",
    [
        lambda request: (200, b"not json"),
        lambda request: (200, b""),
        lambda request: (200, {}),
        changed(data=[]),
        changed(data=None),
        changed(data=[{"index": 0, "embedding": [1.0, 2.0]}]),
        changed(data=[{"index": i, "embedding": [1.0] * (i + 1)} for i in range(2)]),
        changed(data=[{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]),
        changed(data=[{"index": i, "embedding": ["x"]} for i in range(2)]),
        changed(data=[{"index": i, "embedding": [float("nan")]} for i in range(2)]),
    ],
)
def test_an_unreadable_reply_is_refused(reply: Any, stub: StubEndpoint) -> None:
    stub.script = [reply] * 3
    with pytest.raises(EmbeddingReplyUnreadable, match="'openai:stub'"):
        opened(stub, max_retries=0).encode(["a", "b"])


def test_a_reply_of_another_dimension_is_refused(stub: StubEndpoint) -> None:
    embedder = opened(stub)
    embedder.encode(["a"])
    stub.script = [changed(data=[{"index": 0, "embedding": [1.0]}])]
    with pytest.raises(EmbeddingReplyUnreadable, match="vectors of 1 dimensions, not 3"):
        embedder.encode(["b"])


def test_a_memory_counts_the_calls_it_paid_for_and_pays_once(
    stub: StubEndpoint, tmp_path: Path
) -> None:
    environ = {"MEMJURY_ENDPOINT_MY_LAB_BASE_URL": stub.base_url}
    item = SourceItem(id="a", text="".join(f"Lamp {n} is warm. " for n in range(200)))
    paid = []
    for name in ("first", "second"):
        embedder = get_embedder("my-lab:any", tmp_path / "vectors", environ=environ)
        memory = open_system("simple-rag", SystemConfig("dense", embedder), tmp_path / name)
        paid.append(memory.ingest(item))
        assert memory.retrieve("q", "lamp", budget=Budget(k=1)).units
        memory.close()
        embedder.close()
    assert (paid[0].model_calls, paid[0].tokens) == (1, 5 * paid[0].units)
    assert (paid[1].model_calls, paid[1].tokens) == (0, 0)
    assert stub.keys[0] == "Bearer none"
