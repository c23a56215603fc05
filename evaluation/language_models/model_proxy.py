"""The proxy between the native memory systems and their models: a server on 127.0.0.1 that speaks
OpenAI's chat completions and embeddings, one an open memory.

A system's package sees an address and a key that is worth nothing elsewhere. Chat goes through the
memory's account (ledger, limits, counts); embeddings come from the run's own embedder.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import numpy as np

from evaluation.language_models.base import SpendingLimitReached
from evaluation.language_models.errors import (
    EndpointRefused,
    EndpointTimedOut,
    LanguageModelError,
    RateLimited,
)
from evaluation.language_models.model_account import ModelAccount
from memory_systems.base import Embedder
from memory_systems.fetching import estimated_tokens
from memory_systems.model_address import ModelUsage

MAX_BODY_BYTES = 64_000_000
POLL_S = 0.05
_STATUS = ((RateLimited, 429), (EndpointRefused, 400), (EndpointTimedOut, 504))


class BodyUnusable(ValueError):
    """The request is none that this proxy answers; the message says why."""


class ModelProxy:
    """A ``ModelAddress`` of memory systems. ``after_request`` is called in the thread of each
    request that ended, to give back what the thread holds (a database connection)."""

    def __init__(
        self,
        account: ModelAccount,
        embedder: Embedder | None,
        *,
        after_request: Callable[[], None] | None = None,
    ) -> None:
        self._account = account
        self._embedder = embedder
        self._embedding = Lock()
        self._after_request = after_request or (lambda: None)
        self._is_closed = False
        self.api_key = secrets.token_urlsafe(24)
        self._server = _Server(("127.0.0.1", 0), self)
        self._thread = Thread(target=self._server.serve_forever, args=(POLL_S,), daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def model(self) -> str:
        return self._account.upstream.model

    def begin(self, subject: str, *, attempt: int = 0) -> None:  # noqa: ARG002
        self._account.begin(attempt=attempt)

    def usage(self) -> ModelUsage:
        return self._account.usage()

    def check(self) -> None:
        self._account.check()

    def close(self) -> None:
        """Closing again does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
            self._account.close()

    def answer(self, path: str, raw: bytes) -> tuple[int, dict[str, Any]]:
        """Status and body for a posted request."""
        try:
            body = json.loads(raw)
            if not isinstance(body, dict):
                raise BodyUnusable("the body is not a JSON object")
            if path == "/v1/chat/completions":
                if body.get("stream"):
                    raise BodyUnusable("replies are not streamed here: ask without 'stream'")
                return 200, self._account.chat(body)
            if path == "/v1/embeddings":
                return 200, self._embeddings(body)
            return 404, _error("no such page: only chat completions and embeddings are served")
        except ValueError as error:
            return 400, _error(str(error))
        except SpendingLimitReached as stopped:
            return 402, _error(str(stopped))
        except LanguageModelError as error:
            status = next((code for kind, code in _STATUS if isinstance(error, kind)), 502)
            return status, _error(str(error))
        except Exception as error:  # noqa: BLE001 - an embedder's failure is the caller's answer
            self._account.count_failure(f"{type(error).__name__}: {error}")
            return 502, _error(f"{type(error).__name__}: {error}")
        finally:
            self._after_request()

    def models(self) -> dict[str, Any]:
        names = [self.model, *([self._embedder.name] if self._embedder else [])]
        listed = [{"id": name, "object": "model", "owned_by": "memjury"} for name in names]
        return {"object": "list", "data": listed}

    def _embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        if self._embedder is None:
            raise BodyUnusable("this memory was opened without an embedder")
        given = body.get("input", [])
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise BodyUnusable("the input is text or a list of texts; token numbers are not read")
        asked = body.get("dimensions")
        if asked not in (None, self._embedder.dim):
            raise BodyUnusable(f"{self._embedder.name} gives {self._embedder.dim} dimensions")
        with self._embedding:
            vectors = self._embedder.encode([text or " " for text in texts])
        as_text = body.get("encoding_format") == "base64"
        n_tokens = sum(estimated_tokens(len(text)) for text in texts)
        return {
            "object": "list",
            "model": self._embedder.name,
            "data": [
                {
                    "object": "embedding",
                    "index": place,
                    "embedding": _base64(vector) if as_text else vector.tolist(),
                }
                for place, vector in enumerate(vectors)
            ],
            "usage": {"prompt_tokens": n_tokens, "total_tokens": n_tokens},
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], proxy: ModelProxy) -> None:
        self.proxy = proxy
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A worker that hangs up, as a killed one does, is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        if self.path.rstrip("/") == "/v1/models":
            self._send(200, self.server.proxy.models())
        else:
            self._send(404, _error("no such page"))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MAX_BODY_BYTES:
            self.close_connection = True
            self._send(413, _error(f"a request has at most {MAX_BODY_BYTES:,} bytes"))
            return
        raw = self.rfile.read(length)
        if self.headers.get("Authorization") != f"Bearer {self.server.proxy.api_key}":
            self._send(401, _error("the key is not this memory's"))
            return
        self._send(*self.server.proxy.answer(self.path.partition("?")[0].rstrip("/"), raw))

    def _send(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        # What may go through was sent again here already; OpenAI's clients heed this.
        self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the account counts what came."""


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "memjury"}}


def _base64(vector: Any) -> str:
    return base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode()
