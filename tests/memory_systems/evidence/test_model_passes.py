"""Extraction by a language model: what it says is read, placed and counted, never trusted."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from memory_systems.base import Budget, SourceItem, SystemConfig
from memory_systems.evidence.internal_model import InternalModel, ModelCallFailed
from memory_systems.evidence.model_passes import extract_by_model
from memory_systems.model_address import ModelUsage
from memory_systems.registry import open_system
from tests.memory_systems.hashing_embedder import HashingEmbedder

TEXT = "# Kettles\n\nThe kettle boils\nin 3.5 minutes.\n\nThe lid is sealed.\n"


class FakeAddress:
    """``reply`` makes the content of a completion from the request, or raises an HTTP status."""

    api_key = "secret"
    model = "fake"

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.subjects: list[str] = []
        self.used = ModelUsage(cost_usd=None)
        self.is_closed = False
        self.stops = False

    def begin(self, subject: str, *, attempt: int = 0) -> None:
        self.subjects.append(subject)

    def usage(self) -> ModelUsage:
        return self.used

    def check(self) -> None:
        if self.stops:
            raise PermissionError("the spending limit is reached")

    def close(self) -> None:
        self.is_closed = True


@contextmanager
def endpoint(
    reply: Callable[[dict[str, Any]], str | int | dict[str, Any]],
) -> Iterator[FakeAddress]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            address.used = replace(
                address.used, calls=address.used.calls + 1, tokens=address.used.tokens + 10
            )
            told = reply(asked)
            status = told if isinstance(told, int) else 200
            body = told
            if isinstance(told, str):
                body = {"choices": [{"message": {"content": told}}]}
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        address = FakeAddress(f"http://127.0.0.1:{server.server_address[1]}/v1")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield address
        finally:
            server.shutdown()
            thread.join()


def claims_reply(asked: dict[str, Any]) -> str:
    assert asked["model"] == "fake"
    assert asked["temperature"] == 0
    assert TEXT.split("\n\n")[1] in asked["messages"][1]["content"]
    prompt = asked["messages"][0]["content"]
    told: list[Any]
    if "quantitative" in prompt:
        told = [{"claim": "The kettle boils in 3.5 minutes.", "quote": "kettle boils in 3.5"}]
        return f"Here:\n```json\n{json.dumps({'claims': told})}\n```"
    if "mechanism" in prompt:
        told = [{"claim": "A sealed lid keeps steam in.", "quote": "never said"}, 3]
        return json.dumps({"claims": told})
    return '{"claims": []}'


def test_claims_are_placed_where_their_quote_stands_or_in_their_chunk() -> None:
    with endpoint(claims_reply) as address:
        claims, errors = extract_by_model(
            TEXT, title="Kettles", chunk_chars=6000, model=InternalModel(address)
        )
    assert errors == []
    placed = {claim.aspects[0]: claim for claim in claims}
    numbers, mechanism = placed["numbers"], placed["mechanisms"]
    assert TEXT[numbers.start : numbers.end] == "kettle boils\nin 3.5"
    assert not numbers.is_verbatim
    assert (mechanism.start, TEXT[mechanism.end :].strip()) == (len("# Kettles"), "")


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("I would rather not.", "not JSON with a list"),
        ('[{"claim": "half', "not JSON with a list"),
        (500, "answered 500"),
        ("  ", "is empty"),
        ({"choices": []}, "no usable answer"),
    ],
)
def test_what_cannot_be_read_is_a_sentence_and_no_claim(reply: Any, told: str) -> None:
    with endpoint(lambda _: reply) as address:
        claims, errors = extract_by_model(
            TEXT, title="", chunk_chars=6000, model=InternalModel(address)
        )
    assert claims == []
    assert len(errors) == 4
    assert "pass numbers over chunk 1 found nothing" in errors[0]
    assert all(told in error for error in errors)


@pytest.mark.parametrize("opening", ['{"claims": [', "Here:\n["])
def test_the_whole_claims_of_a_reply_that_breaks_off_are_kept(opening: str) -> None:
    told = '{"claim": "It boils.", "quote": "boils"}, {"claim": "It is sealed."},\n {"claim": "It i'
    with endpoint(lambda _: opening + told) as address:
        claims, errors = extract_by_model(
            TEXT, title="", chunk_chars=6000, model=InternalModel(address)
        )
    assert {claim.text for claim in claims} == {"It boils.", "It is sealed."}
    assert len(errors) == 4
    assert errors[0] == "pass numbers over chunk 1 broke off: what was said before is kept"


def test_a_short_chunk_is_given_few_tokens_and_a_long_one_the_most() -> None:
    asked: list[int] = []

    def reply(request: dict[str, Any]) -> str:
        asked.append(request["max_tokens"])
        return claims_reply(request) if len(asked) <= 4 else '{"claims": []}'

    with endpoint(reply) as address:
        model = InternalModel(address)
        for text in (TEXT, "# Kettles\n\n" + "The kettle boils in 3.5 minutes. " * 180):
            extract_by_model(text, title="", chunk_chars=6000, model=model)
    assert asked == [400 + (len(TEXT) - len("# Kettles")) * 3 // 4] * 4 + [4000] * 4


def test_a_bare_list_is_read_too_and_a_refused_schema_is_left_out() -> None:
    asked: list[bool] = []

    def reply(request: dict[str, Any]) -> str | int:
        asked.append("response_format" in request)
        return 400 if "response_format" in request else '[{"claim": "It boils."}]'

    with endpoint(reply) as address:
        claims, errors = extract_by_model(
            TEXT, title="", chunk_chars=6000, model=InternalModel(address)
        )
    assert errors == []
    assert {claim.text for claim in claims} == {"It boils."}
    assert asked == [True, False, False, False, False]


def test_an_endpoint_that_is_gone_says_so_and_a_limit_ends_the_run() -> None:
    with endpoint(claims_reply) as address:
        address.stops = True
        with pytest.raises(PermissionError, match="spending limit"):
            InternalModel(address).complete(system="", prompt="", max_output_tokens=5)
    address.stops = False
    with pytest.raises(ModelCallFailed, match="no usable answer"):
        InternalModel(address).complete(system="", prompt="", max_output_tokens=5)


@pytest.mark.parametrize("slug", ["theoria", "prism"])
def test_a_memory_with_a_model_counts_what_it_used(slug: str, tmp_path: Path) -> None:
    item = SourceItem(id="kettle", text=TEXT, title="Kettles")
    with endpoint(claims_reply) as address:
        config = SystemConfig("dense", HashingEmbedder(), {"model": "local:fake"}, model=address)
        memory = open_system(slug, config, tmp_path)
        outcome = memory.ingest(item)
        assert (outcome.units, outcome.model_calls, outcome.tokens) == (2, 4, 40)
        assert outcome.cost_usd is None
        assert address.subjects == ["kettle"]
        assert memory.ingest(item).model_calls == 0
        found = memory.retrieve("q", "kettle", budget=Budget(k=2)).units
        assert {unit.start for unit in found} == {-1}
        memory.close()
        assert address.is_closed
