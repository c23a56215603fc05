import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import openai
import pytest

from evaluation.language_models.stub_replies import embedding
from evaluation.language_models.stub_server import StubServer


def ask(base_url: str, body: object, path: str = "/chat/completions") -> dict[str, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    with urllib.request.urlopen(f"{base_url}{path}", data=data, timeout=10) as reply:
        read: dict[str, Any] = json.load(reply)
    return read


BODY = {"model": "m", "messages": [{"role": "user", "content": "a b\nb?"}]}


def test_the_same_request_has_the_same_reply_and_is_counted_once_as_distinct(stub):
    assert ask(stub.base_url, BODY) == ask(stub.base_url, BODY)
    ask(stub.base_url, BODY | {"model": "other"})
    assert (stub.count.n_requests, stub.count.n_distinct) == (3, 2)
    with urllib.request.urlopen(f"{stub.root_url}/_stub/requests", timeout=10) as reply:
        assert json.load(reply)["by_model"] == {"m": 2, "other": 1}


def test_embeddings_come_as_numbers_and_as_base64(stub):
    plain = ask(stub.base_url, {"model": "m", "input": ["red car", ""]}, "/embeddings")
    assert plain["data"][0]["embedding"] == embedding("red car")
    client = openai.OpenAI(
        base_url=stub.base_url, api_key="none",
        http_client=openai.DefaultHttpxClient(trust_env=False),
    )  # fmt: skip
    with client:
        packed = client.embeddings.create(model="m", input=["red car"]).data[0].embedding
    assert packed == pytest.approx(embedding("red car"), abs=1e-6)
    assert plain["data"][1]["embedding"] == [0.0] * 64


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"messages": []}'])
def test_a_body_that_is_no_request_is_refused(stub, body):
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(stub.base_url, body)
    caught.value.close()
    assert caught.value.code == 400


def test_every_request_is_logged_before_it_is_answered(tmp_path: Path):
    log = tmp_path / "requests.jsonl"
    with StubServer(log=log) as stub:
        ask(stub.base_url, BODY)
    assert json.loads(log.read_text())["model"] == "m"


def test_it_runs_as_a_process_of_its_own(tmp_path: Path):
    command = [sys.executable, "-m", "evaluation.language_models.stub_server", "--port", "0"]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().strip()
            assert ask(base_url, BODY)["object"] == "chat.completion"
        finally:
            process.terminate()
