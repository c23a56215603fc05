"""A stub of an OpenAI- and Anthropic-compatible endpoint, for tests and rehearsals.

It speaks chat completions, embeddings and messages over real HTTP, replies by rules, misbehaves on
demand (see ``stub_faults``) and counts what it is asked. Run it as a process with
``python -m evaluation.language_models.stub_server --port 8808``; it binds to 127.0.0.1 alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

from evaluation.language_models.stub_bodies import (
    chat_completion_body,
    embeddings_body,
    last_message,
    message_body,
)
from evaluation.language_models.stub_faults import Reaction, react

MAX_BODY_BYTES = 64_000_000
DRIBBLE_S = 0.1


class RequestCount:
    """What was asked: how often in all, by distinct body and by model, and every body once with
    the headers it last came with.

    With a log file a line is added for each request before it is answered, so that a count
    survives the process.
    """

    def __init__(self, log: Path | None = None) -> None:
        self._lock = Lock()
        self._log = log
        self.by_body: Counter[str] = Counter()
        self.by_model: Counter[str] = Counter()
        self.bodies: dict[str, dict[str, Any]] = {}
        self.headers: dict[str, dict[str, str]] = {}

    @property
    def n_requests(self) -> int:
        return self.by_body.total()

    @property
    def n_distinct(self) -> int:
        return len(self.by_body)

    def add(self, raw: bytes, headers: dict[str, str]) -> int:
        """Counts one request; returns how often the same body came before."""
        digest = hashlib.sha256(raw).hexdigest()
        body = json.loads(raw)
        model = str(body["model"])
        with self._lock:
            n_earlier = self.by_body[digest]
            self.by_body[digest] += 1
            self.by_model[model] += 1
            self.bodies[digest] = body
            self.headers[digest] = headers
            if self._log is not None:
                with self._log.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps({"body": digest, "model": model}) + "\n")
        return n_earlier

    def as_json(self) -> str:
        with self._lock:
            return json.dumps(
                {
                    "n_requests": self.n_requests,
                    "n_distinct": self.n_distinct,
                    "by_body": dict(self.by_body),
                    "by_model": dict(self.by_model),
                }
            )


class StubServer:
    """The endpoint in a thread: ``with StubServer() as stub: … stub.base_url``.

    ``delay_s`` holds back every reply. ``required_key`` refuses requests with another key.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        delay_s: float = 0.0,
        required_key: str = "",
        log: Path | None = None,
    ) -> None:
        self.count = RequestCount(log)
        self.delay_s = delay_s
        self.required_key = required_key
        self.closing = Event()
        self._server = _Server(("127.0.0.1", port), self)
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def root_url(self) -> str:
        """The base URL for Anthropic's clients."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """The base URL for OpenAI's clients."""
        return f"{self.root_url}/v1"

    @property
    def environ(self) -> dict[str, str]:
        """What to put into the environment so that ``openai:``, ``anthropic:`` and ``stub:``
        models are served from here."""
        return {
            "OPENAI_BASE_URL": self.base_url,
            "ANTHROPIC_BASE_URL": self.root_url,
            "MEMJURY_ENDPOINT_STUB_BASE_URL": self.base_url,
        }

    def start(self) -> Self:
        self._thread.start()
        return self

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def serve(self) -> None:
        """Serve in this thread until interrupted."""
        try:
            self._server.serve_forever(0.2)
        finally:
            self.closing.set()
            self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], stub: StubServer) -> None:
        self.stub = stub
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up, as a killed worker does, is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        if self.path == "/_stub/requests":
            self._send(200, self.server.stub.count.as_json())
        elif self.path == "/v1/models":
            self._send(200, json.dumps({"object": "list", "data": []}))
        else:
            self._send(404, '{"error": {"message": "no such page"}}')

    def do_POST(self) -> None:
        stub = self.server.stub
        raw = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), MAX_BODY_BYTES))
        try:
            body = json.loads(raw)
            model = str(body["model"])
        except (ValueError, KeyError, TypeError):
            self._send(400, '{"error": {"message": "the body is no request"}}')
            return
        key = self.headers.get("x-api-key") or self.headers.get("Authorization", "")[7:]
        if stub.required_key and key != stub.required_key:
            self._send(401, json.dumps({"error": {"message": f"Incorrect API key: {key}"}}))
            return
        n_earlier = stub.count.add(raw, dict(self.headers.items()))
        if self.path == "/v1/embeddings":
            reaction = react(model, body, "", n_earlier)
            self._react(reaction, lambda: embeddings_body(body))
        elif self.path in ("/v1/chat/completions", "/v1/messages"):
            prompt = last_message(body)
            reaction = react(model, body, prompt, n_earlier)
            shape = message_body if self.path == "/v1/messages" else chat_completion_body
            self._react(reaction, lambda: shape(body, prompt, reaction))
        else:
            self._send(404, '{"error": {"message": "no such page"}}')

    def _react(self, reaction: Reaction, well_formed: Callable[[], dict[str, Any]]) -> None:
        stub = self.server.stub
        if reaction.hangs:
            stub.closing.wait()
        elif reaction.dribbles:
            self._dribble()
        elif reaction.wait_s or stub.delay_s:
            stub.closing.wait(reaction.wait_s + stub.delay_s)
        if reaction.status == 0 or reaction.dribbles or stub.closing.is_set():
            self.close_connection = True
            return
        body = reaction.raw_body
        if body is None:
            body = json.dumps(well_formed())
        self._send(reaction.status, body, reaction.headers)

    def _dribble(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        with suppress(OSError):
            while not self.server.stub.closing.wait(DRIBBLE_S):
                self.wfile.write(b" ")

    def _send(self, status: int, body: str, headers: dict[str, str] | None = None) -> None:
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the count tells what came."""


def main(arguments: list[str] | None = None) -> int:
    """Serve until interrupted; prints the base URL first."""
    parser = argparse.ArgumentParser(description="A stub endpoint on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=8808, help="0 takes any free port")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before every reply")
    parser.add_argument("--log", type=Path, default=None, help="a file for a line per request")
    options = parser.parse_args(arguments)
    stub = StubServer(port=options.port, delay_s=options.delay, log=options.log)
    print(stub.base_url, flush=True)
    try:
        stub.serve()
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
