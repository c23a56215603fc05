"""A local embeddings endpoint for tests that can be slow, wrong or rate-limited."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = tuple[int, Any]


def good_reply(request: dict[str, Any]) -> Reply:
    rows = [
        {"object": "embedding", "index": index, "embedding": [len(text), 1.0, 2.0]}
        for index, text in enumerate(request["input"])
    ]
    usage = {"prompt_tokens": 5 * len(rows), "total_tokens": 5 * len(rows)}
    return 200, {"object": "list", "data": rows, "model": request["model"], "usage": usage}


@dataclass
class StubEndpoint:
    """``script`` holds the replies to come, one a request; after them every reply is good."""

    base_url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    script: list[Callable[[dict[str, Any]], Reply]] = field(default_factory=list)


@contextmanager
def stub_endpoint() -> Iterator[StubEndpoint]:
    stub = StubEndpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.requests.append(request)
            stub.keys.append(self.headers["Authorization"])
            stub.headers.append(dict(self.headers))
            answer = stub.script.pop(0) if stub.script else good_reply
            status, body = answer(request)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Retry-After-Ms", "1")
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    stub.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
