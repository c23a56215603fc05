"""The three endpoints answer over HTTP, and refuse in words."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from memory_systems.adapters.theoria import server
from memory_systems.adapters.theoria.server import MOST_BODY_BYTES, TheoriaServer
from tests.memory_systems.adapters.theoria.papers import filled

FINDING = "Zyphron crystals glow at 40 kelvin because their lattice vibrates."


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    memory = filled(tmp_path_factory.mktemp("served") / "memory")
    with TheoriaServer(memory, port=0) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield serving.server_address[1]
        serving.shutdown()
        thread.join()
    memory.close()


def ask(
    port: int, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    raw = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    connection.request(method, path, raw, headers)
    reply = connection.getresponse()
    told = json.loads(reply.read())
    assert reply.getheader("Content-Type") == "application/json; charset=utf-8"
    connection.close()
    return reply.status, told


def test_theories_come_grouped_by_community_and_filtered(port: int) -> None:
    status, told = ask(port, "GET", "/theories")
    assert status == 200
    groups = told["communities"]
    assert told["n_theories"] == sum(len(group["theories"]) for group in groups) > 0
    assert groups[0]["terms"]
    first = groups[0]["community"]
    _, one = ask(port, "GET", f"/theories?community={first}")
    assert [group["community"] for group in one["communities"]] == [first]
    _, high = ask(port, "GET", "/theories?confidence=high")
    assert {t["confidence"] for g in high["communities"] for t in g["theories"]} <= {"high"}
    assert ask(port, "GET", "/theories?community=999")[1]["n_theories"] == 0


def test_evidence_is_retrieved_by_k_by_budget_and_natively(port: int) -> None:
    query = {"query": "At how many litres does the kettle boil?"}
    status, told = ask(port, "POST", "/retrieve", {**query, "k": 3})
    assert status == 200
    assert len(told["units"]) == 3
    assert told["units"][0]["source_id"].startswith("kettle")
    assert told["knobs"]["k"] == 3
    _, by_chars = ask(port, "POST", "/retrieve", {**query, "budget_chars": 2000})
    assert sum(len(unit["text"]) for unit in by_chars["units"]) >= 2000
    assert len(ask(port, "POST", "/retrieve", query)[1]["units"]) >= 25


def test_a_finding_is_observed_once(port: int) -> None:
    status, told = ask(port, "POST", "/observe", {"finding": FINDING})
    assert status == 200
    assert told["is_new"]
    assert [theory["statement"] for theory in told["seeded"]] == [FINDING]
    again = ask(port, "POST", "/observe", {"finding": FINDING, "title": ""})[1]
    assert (again["is_new"], again["seeded"]) == (False, [])
    contrary = ask(port, "POST", "/observe", {"finding": FINDING.replace("glow", "never glow")})[1]
    assert [one["relation"] for one in contrary["updated"]] == ["contradicts"]
    assert contrary["updated"][0]["contradiction"] == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "told"),
    [
        ("GET", "/theories?confidence=sure", None, 400, "high, medium, low"),
        ("GET", "/theories?community=x", None, 400, "whole number"),
        ("GET", "/theories?colour=red", None, 400, "unknown field 'colour'"),
        ("POST", "/retrieve", b"{", 400, "not JSON"),
        ("POST", "/retrieve", b"\xff", 400, "not JSON"),
        ("POST", "/retrieve", b"[" * 100_000, 400, "not JSON"),
        ("POST", "/retrieve", [1], 400, "not a JSON object"),
        ("POST", "/retrieve", {}, 400, "query is a text"),
        ("POST", "/retrieve", {"query": " "}, 400, "query is a text"),
        ("POST", "/retrieve", {"query": "x", "k": 0}, 400, "from 1 to 1,000"),
        ("POST", "/retrieve", {"query": "x", "k": True}, 400, "from 1 to 1,000"),
        ("POST", "/retrieve", {"query": "x", "k": 1, "budget_chars": 9}, 400, "not both"),
        ("POST", "/retrieve", {"query": "x", "top_k": 1}, 400, "unknown field 'top_k'"),
        ("POST", "/observe", {"finding": 3}, 400, "finding is a text"),
        ("POST", "/observe", {"finding": "x", "title": 3}, 400, "title is a text"),
        ("POST", "/observe", b'{"finding": "half \\ud800"}', 400, "surrogate"),
        ("POST", "/retrieve", b'{"query": "half \\ud800"}', 400, "surrogate"),
        ("PUT", "/theories", None, 405, "takes GET, not PUT"),
        ("DELETE", "/observe", {}, 405, "takes POST, not DELETE"),
        ("OPTIONS", "/nowhere", None, 404, "known: /theories"),
        ("GET", "/retrieve", None, 405, "takes POST"),
        ("POST", "/theories", {}, 405, "takes GET"),
        ("GET", "/", None, 404, "known: /theories"),
    ],
)
def test_bad_input_is_refused_in_words(
    port: int, method: str, path: str, body: Any, status: int, told: str
) -> None:
    found, answer = ask(port, method, path, body)
    assert found == status
    assert told in answer["error"]


def test_too_much_and_strange_names_are_refused(port: int) -> None:
    length = {"Content-Length": str(MOST_BODY_BYTES + 1)}
    assert ask(port, "POST", "/observe", b"", **length)[0] == 413
    assert ask(port, "GET", "/theories", None, Host="evil.example:80")[0] == 403
    assert ask(port, "GET", "/theories", None, Host="evil.example")[0] == 403
    assert ask(port, "GET", "/theories", None, Host="[::1")[0] == 403
    assert ask(port, "GET", "/theories", None, Host="[::1]:8092")[0] == 200
    assert ask(port, "GET", "/theories", None, Host="localhost:1")[0] == 200


def test_the_head_of_a_refusal_has_no_body(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("HEAD", "/theories")
    reply = connection.getresponse()
    assert (reply.status, reply.getheader("Allow"), reply.read()) == (405, "GET", b"")
    connection.close()


def test_what_nobody_foresaw_is_told_and_the_next_request_is_answered(
    port: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(server, "retrieve", fail)
        status, told = ask(port, "POST", "/retrieve", {"query": "x"})
    assert (status, told["error"]) == (500, "OSError: the disk is full")
    assert "POST /retrieve failed" in caplog.text
    assert ask(port, "GET", "/theories")[0] == 200
