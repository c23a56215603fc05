"""The proxy of native systems: on the ledger, counted, limited, and honest about failures."""

from __future__ import annotations

import base64
import json
import socket
import struct
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from evaluation.language_models.base import SpendingLimitReached
from evaluation.language_models.errors import EndpointUnknown
from evaluation.language_models.model_account import ModelAccount
from evaluation.language_models.model_proxy import ModelProxy
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.stub_server import StubServer
from evaluation.language_models.upstreams import open_upstream
from tests.evaluation.language_models.memory_ledger import MemoryLedger
from tests.memory_systems.hashing_embedder import HashingEmbedder

BODY = {"model": "whatever", "messages": [{"role": "user", "content": "One fact.\nWhich fact?"}]}
NO_WAIT = RetryPolicy(attempts=2, rng=Random(1), sleep=lambda _: None)
Opener = Callable[..., ModelProxy]


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def open_proxy(
    stub: StubServer, ledger: MemoryLedger, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Opener]:
    for name, value in stub.environ.items():
        monkeypatch.setenv(name, value)
    opened: list[ModelProxy] = []

    def open_one(name: str = "stub:good", **options: Any) -> ModelProxy:
        account = ModelAccount(open_upstream(name, retry=NO_WAIT), ledger)
        opened.append(ModelProxy(account, HashingEmbedder(), **options))
        return opened[-1]

    yield open_one
    for proxy in opened:
        proxy.close()


def post(proxy: ModelProxy, path: str, body: Any, *, key: str | None = None) -> tuple[int, Any]:
    request = urllib.request.Request(
        f"{proxy.base_url}{path}",
        data=body if isinstance(body, bytes) else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {proxy.api_key if key is None else key}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def chat(proxy: ModelProxy, body: Any = BODY) -> tuple[int, Any]:
    return post(proxy, "/chat/completions", body)


def test_a_chat_is_forwarded_counted_and_kept(open_proxy: Opener, stub: StubServer) -> None:
    proxy = open_proxy()
    status, reply = chat(proxy)
    assert status == 200
    assert reply["choices"][0]["message"]["content"]
    usage = proxy.usage()
    assert (usage.calls, usage.failures, usage.cost_usd) == (1, 0, 0.0)
    assert usage.tokens == reply["usage"]["total_tokens"]
    again = open_proxy()
    assert chat(again) == (200, reply)
    assert stub.count.n_requests == 1
    assert again.usage().calls == 1


def test_the_model_of_the_run_is_asked_whatever_the_package_names(
    open_proxy: Opener, stub: StubServer
) -> None:
    chat(open_proxy("stub:mine"))
    assert list(stub.count.by_model) == ["mine"]


def test_asking_again_for_one_subject_is_a_new_request_and_for_another_is_not(
    open_proxy: Opener, stub: StubServer
) -> None:
    proxy = open_proxy()
    for _ in range(2):
        chat(proxy)
    assert stub.count.n_requests == 2
    proxy.begin("another item")
    for _ in range(2):
        chat(proxy)
    assert stub.count.n_requests == 2


def test_what_came_to_nothing_is_asked_anew_once_for_each_attempt(
    open_proxy: Opener, stub: StubServer
) -> None:
    for attempt, n_requests in ((0, 1), (1, 2), (1, 2), (0, 2), (2, 3)):
        proxy = open_proxy()
        proxy.begin("a question", attempt=attempt)
        chat(proxy)
        assert stub.count.n_requests == n_requests


@pytest.mark.parametrize(
    ("model", "status", "told"),
    [
        ("stub-500", 502, "HTTP 500"),
        ("stub-429", 429, "too many requests"),
        ("stub-401", 400, "key was not accepted"),
        ("stub-invalid-json", 502, "cannot be read"),
        ("stub-empty", 502, "holds no choice"),
        ("stub-disconnect", 502, "cannot be reached"),
    ],
)
def test_a_failure_of_the_endpoint_is_counted_and_told(
    model: str, status: int, told: str, open_proxy: Opener, ledger: MemoryLedger
) -> None:
    proxy = open_proxy(f"stub:{model}")
    answered, reply = chat(proxy)
    assert answered == status
    assert told in reply["error"]["message"]
    usage = proxy.usage()
    assert (usage.calls, usage.failures) == (0, 1)
    assert told in usage.last_failure
    assert len(ledger.failures) == 1


@pytest.mark.parametrize("fault", ["hang", "dribble"])
def test_an_endpoint_that_hangs_is_given_up_and_what_gives_it_more_time_is_named(
    fault: str, open_proxy: Opener, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMJURY_ENDPOINT_STUB_TIMEOUT_S", "1")
    status, reply = chat(open_proxy(f"stub:stub-{fault}"))
    assert status == 504
    assert "MEMJURY_ENDPOINT_STUB_TIMEOUT_S gives it more" in reply["error"]["message"]
    assert stub.count.n_requests == 2


def test_what_may_go_through_is_sent_again_here_and_not_by_the_package(
    open_proxy: Opener, stub: StubServer
) -> None:
    assert chat(open_proxy("stub:stub-500-once"))[0] == 200
    assert stub.count.n_requests == 2


def test_a_spending_limit_stops_the_request_and_the_run(
    open_proxy: Opener, ledger: MemoryLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.spending_limit_usd = 0.0
    monkeypatch.setattr("evaluation.language_models.prices.is_loopback", lambda _: False)
    proxy = open_proxy()
    status, reply = chat(proxy)
    assert status == 402
    assert "price" in reply["error"]["message"]
    with pytest.raises(SpendingLimitReached):
        proxy.check()


def test_embeddings_come_from_the_runs_own_embedder(open_proxy: Opener, stub: StubServer) -> None:
    proxy = open_proxy()
    texts = ["red car", "blue boat"]
    expected = HashingEmbedder().encode(texts)
    _, reply = post(proxy, "/embeddings", {"model": "x", "input": texts})
    assert [row["embedding"] for row in reply["data"]] == [
        pytest.approx(row.tolist()) for row in expected
    ]
    packed = {"model": "x", "input": "red car", "encoding_format": "base64"}
    _, reply = post(proxy, "/embeddings", packed)
    raw = base64.b64decode(reply["data"][0]["embedding"])
    assert list(struct.unpack(f"<{len(raw) // 4}f", raw)) == pytest.approx(expected[0].tolist())
    assert stub.count.n_requests == 0
    assert proxy.usage().calls == 0


@pytest.mark.parametrize(
    ("path", "body", "status", "told"),
    [
        ("/chat/completions", b"{", 400, "Expecting"),
        ("/chat/completions", [], 400, "not a JSON object"),
        ("/chat/completions", {**BODY, "stream": True}, 400, "not streamed"),
        ("/embeddings", {"input": [[1, 2]]}, 400, "token numbers are not read"),
        ("/embeddings", {"input": "x", "dimensions": 7}, 400, "dimensions"),
        ("/responses", BODY, 404, "no such page"),
    ],
)
def test_what_it_cannot_answer_is_refused_in_words(
    path: str, body: Any, status: int, told: str, open_proxy: Opener
) -> None:
    answered, reply = post(open_proxy(), path, body)
    assert answered == status
    assert told in reply["error"]["message"]


def test_a_request_without_measure_is_refused_unread(open_proxy: Opener) -> None:
    port = int(open_proxy().base_url.split(":")[2].partition("/")[0])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(
            b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: 64000001\r\n\r\n"
        )
        said = connection.makefile("rb").read()
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"at most 64,000,000 bytes" in said


def test_another_memorys_key_is_refused(open_proxy: Opener, stub: StubServer) -> None:
    assert post(open_proxy(), "/chat/completions", BODY, key="guessed")[0] == 401
    assert stub.count.n_requests == 0


def test_what_a_thread_holds_is_given_back_after_each_request(open_proxy: Opener) -> None:
    ended: list[int] = []
    proxy = open_proxy(after_request=lambda: ended.append(1))
    chat(proxy)
    chat(proxy, b"{")
    assert ended == [1, 1]


def test_the_built_in_stub_needs_no_server(ledger: MemoryLedger) -> None:
    account = ModelAccount(open_upstream("stub"), ledger)
    body = {
        "messages": [{"role": "user", "content": "Text: The Zephyr-9 kernel needs 17 registers."}],
        "response_format": {"type": "json_object"},
    }
    reply = account.chat(body)
    assert json.loads(reply["choices"][0]["message"]["content"])["facts"]
    assert account.usage().cost_usd == 0.0


def test_a_model_that_is_not_named_as_one_lists_what_is_known() -> None:
    with pytest.raises(EndpointUnknown, match="ENDPOINT:MODEL"):
        open_upstream("gpt-4")
    with pytest.raises(EndpointUnknown, match="known:"):
        open_upstream("nowhere:gpt-4")


def test_headers_meant_for_openai_go_nowhere_else(
    open_proxy: Opener, stub: StubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Private: hush")
    status, _ = post(open_proxy(), "/chat/completions", BODY)
    assert status == 200
    (headers,) = stub.count.headers.values()
    assert "org-private" not in headers.values()
    assert "hush" not in headers.values()
