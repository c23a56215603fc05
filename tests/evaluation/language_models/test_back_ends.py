"""Both back ends against the stub endpoint, over real HTTP."""

import json
import socket
import time

import pytest

from evaluation.language_models.base import CompletionRequest, Message
from evaluation.language_models.endpoints import open_model
from evaluation.language_models.errors import (
    EndpointFailed,
    EndpointRefused,
    EndpointTimedOut,
    EndpointUnreachable,
    RateLimited,
    ReplyUnreadable,
)
from evaluation.language_models.replies import read_count
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.stub_server import StubServer
from memory_systems import bounded_replies

SCHEMA = {
    "type": "object",
    "properties": {"case": {"type": "string"}},
    "required": ["case"],
    "additionalProperties": False,
}
both = pytest.mark.parametrize("endpoint", ["openai", "anthropic"])


def request(model: str, *, prompt: str = "Water boils.\nWhen?", schema=None) -> CompletionRequest:
    messages = (Message("system", "Be brief."), Message("user", prompt))
    return CompletionRequest(model, messages, 50, json_schema=schema)


@both
def test_a_completion_has_text_tokens_and_latency(open_stub, stub, endpoint):
    completion = open_stub(f"{endpoint}:plain").complete(request("plain"))
    assert "Water boils." in completion.text
    assert (completion.finish_reason, completion.temperature_used) == ("stop", 0.0)
    assert completion.input_tokens > 0
    assert completion.output_tokens > 0
    assert completion.latency_ms > 0
    assert completion.cost_usd is None
    assert stub.count.n_requests == 1


@both
@pytest.mark.parametrize("fault", ["429", "500", "503", "529", "disconnect"])
def test_what_fails_once_goes_through_the_next_time(open_stub, stub, endpoint, fault):
    name = f"stub-{fault}-once"
    assert "Water" in open_stub(f"{endpoint}:{name}").complete(request(name)).text
    assert (stub.count.n_requests, stub.count.n_distinct) == (2, 1)


@both
@pytest.mark.parametrize(
    ("fault", "error", "n_sent"),
    [
        ("429", RateLimited, 3),
        ("500", EndpointFailed, 3),
        ("529", RateLimited, 3),
        ("disconnect", EndpointUnreachable, 3),
        ("401", EndpointRefused, 1),
        ("404", EndpointRefused, 1),
        ("invalid-json", ReplyUnreadable, 1),
        ("html", ReplyUnreadable, 1),
        ("empty", ReplyUnreadable, 1),
    ],
)
def test_what_keeps_failing_is_named_for_what_happened(
    open_stub, stub, endpoint, fault, error, n_sent
):
    with pytest.raises(error, match=f"{endpoint}:stub-{fault}") as caught:
        open_stub(f"{endpoint}:stub-{fault}").complete(request(f"stub-{fault}"))
    assert stub.count.n_requests == n_sent
    assert "127.0.0.1" not in str(caught.value)


@both
@pytest.mark.parametrize("fault", ["hang", "dribble"])
def test_an_endpoint_that_hangs_is_given_up(open_stub, endpoint, fault):
    model = open_stub(f"{endpoint}:stub-{fault}", timeout_s=0.3, attempts=2)
    started = time.perf_counter()
    variable = f"{endpoint.upper()}_TIMEOUT_S"
    with pytest.raises(EndpointTimedOut, match=f"within 0.3 s; {variable} gives it more time"):
        model.complete(request(f"stub-{fault}"))
    assert time.perf_counter() - started < 5


@both
def test_a_reply_without_measure_is_not_taken_in(open_stub, stub, endpoint, monkeypatch):
    monkeypatch.setattr(bounded_replies, "MOST_REPLY_BYTES", 100)
    with pytest.raises(ReplyUnreadable, match="the reply has more than 100 bytes"):
        open_stub(f"{endpoint}:good").complete(request("good"))
    assert stub.count.n_requests == 1


@both
def test_a_slow_endpoint_is_waited_for(open_stub, endpoint):
    completion = open_stub(f"{endpoint}:stub-slow-200").complete(request("stub-slow-200"))
    assert completion.latency_ms >= 200


def test_nobody_listening_is_unreachable(waits):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    retry = RetryPolicy(attempts=2, sleep=waits.append)
    model = open_model(
        "openai:x", environ={"OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1"}, retry=retry
    )
    with pytest.raises(EndpointUnreachable, match="cannot be reached"):
        model.complete(request("x"))
    assert len(waits) == 1


@both
def test_the_wait_that_the_endpoint_asks_for_is_kept_up_to_a_minute(open_stub, endpoint, waits):
    with pytest.raises(RateLimited) as caught:
        open_stub(f"{endpoint}:stub-429-later").complete(request("stub-429-later"))
    assert caught.value.retry_after == 3600
    assert waits == [60.0, 60.0]
    waits.clear()
    open_stub(f"{endpoint}:stub-429-once").complete(request("stub-429-once"))
    assert waits == [0.0]


@both
def test_a_cut_or_withheld_reply_says_so(open_stub, endpoint):
    cut = open_stub(f"{endpoint}:stub-truncated").complete(request("stub-truncated"))
    assert cut.finish_reason == "length"
    withheld = open_stub(f"{endpoint}:stub-withheld").complete(request("stub-withheld"))
    assert withheld.finish_reason == "content_filter"


@both
def test_a_refused_temperature_is_left_to_the_model_and_recorded(open_stub, stub, endpoint):
    model = open_stub(f"{endpoint}:stub-refuses-temperature")
    first = model.complete(request("stub-refuses-temperature"))
    second = model.complete(request("stub-refuses-temperature", prompt="Ice melts.\nWhen?"))
    assert first.temperature_used is None
    assert second.temperature_used is None
    assert stub.count.n_requests == 3  # the refusal is learnt from once


def test_the_other_name_of_the_token_limit_is_tried(open_stub, stub):
    name = "stub-wants-max-completion-tokens"
    open_stub(f"openai:{name}").complete(request(name))
    bodies = list(stub.count.bodies.values())
    assert bodies[0]["max_tokens"] == bodies[1]["max_completion_tokens"] == 50


CASE = json.dumps({"case": "abc", "gold_answer": "red", "answer": "red"})


@both
@pytest.mark.parametrize(
    ("fault", "n_sent"), [("plain", 1), ("stub-refuses-schema", 2), ("stub-refuses-json", 3)]
)
def test_structured_output_falls_back_to_what_the_endpoint_takes(
    open_stub, stub, endpoint, fault, n_sent
):
    model = open_stub(f"{endpoint}:{fault}")
    completion = model.complete(request(fault, prompt=CASE, schema=SCHEMA))
    assert json.loads(completion.text)["case"] == "abc"
    assert stub.count.n_requests == n_sent


def test_a_wrong_key_is_refused_and_never_shown(waits):
    with StubServer(required_key="right") as stub:
        environ = stub.environ | {"OPENAI_API_KEY": "sk-wrong-and-secret"}
        model = open_model("openai:x", environ=environ, retry=RetryPolicy(sleep=waits.append))
        with pytest.raises(EndpointRefused, match="key was not accepted") as caught:
            model.complete(request("x"))
    assert "secret" not in str(caught.value)


def test_headers_meant_for_openai_go_nowhere_else(monkeypatch, open_stub, stub):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Private: hush")
    open_stub("stub:plain").complete(request("plain"))
    (headers,) = stub.count.headers.values()
    assert "org-private" not in headers.values()
    assert "hush" not in headers.values()


@pytest.mark.parametrize("told", [None, -1, True, "5", 1.5, 10**30], ids=str)
def test_a_count_of_tokens_that_no_reply_can_have_is_not_told(told):
    assert read_count({"tokens": told}, "tokens") == 0
    assert read_count({"tokens": 5}, "tokens") == 5
