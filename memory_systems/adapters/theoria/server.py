"""Theoria's three endpoints over HTTP, on this machine only: JSON in, JSON out.

``GET /theories`` (``?confidence=high&community=3``), ``POST /retrieve`` (``{"query": "…"}`` with
``k`` or ``budget_chars``), ``POST /observe`` (``{"finding": "…"}`` with ``title``). What cannot be
read is answered with 400, another method with 405, and a sentence under ``error``.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from memory_systems.adapters.theoria.system import Theoria
from memory_systems.adapters.theoria.theories import CONFIDENCES, Theory
from memory_systems.base import Budget, SystemRefused

_LOG = logging.getLogger(__name__)
HOST = "127.0.0.1"
MOST_BODY_BYTES = 1_000_000
MOST_UNITS = 1000
MOST_CHARS = 1_000_000
_LOCAL_NAMES = ("127.0.0.1", "localhost", "::1")
_PATHS = {"/theories": "GET", "/retrieve": "POST", "/observe": "POST"}


class RequestRefused(Exception):
    """A request that cannot be answered; the message is a sentence for whoever sent it."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class TheoriaServer(ThreadingHTTPServer):
    """Serves one open memory on 127.0.0.1; one request at a time reaches it. Port 0 takes any free
    one. Raises OSError where the port is taken."""

    daemon_threads = True

    def __init__(self, memory: Theoria, *, port: int) -> None:
        self.memory = memory
        self.lock = Lock()
        super().__init__((HOST, port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: TheoriaServer
    server_version = "theoria"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_HEAD(self) -> None:
        self._serve("HEAD")

    def do_PUT(self) -> None:
        self._serve("PUT")

    def do_PATCH(self) -> None:
        self._serve("PATCH")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def do_OPTIONS(self) -> None:
        self._serve("OPTIONS")

    def _serve(self, method: str) -> None:
        try:
            status, answer = 200, self._answered(method)
        except RequestRefused as refusal:
            status, answer = refusal.status, {"error": str(refusal)}
        except SystemRefused as refusal:
            status, answer = 400, {"error": str(refusal)}
        except Exception as error:  # noqa: BLE001 - whoever asked is told, and the next is served
            _LOG.exception("%s %s failed", method, self.path)
            status, answer = 500, {"error": f"{type(error).__name__}: {error}"}
        body = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        if status == 405:
            self.send_header("Allow", _PATHS[urlsplit(self.path).path])
        self.end_headers()
        if method != "HEAD":
            self.wfile.write(body)

    def _answered(self, method: str) -> dict[str, Any]:
        # A page of another site must not reach this server through a name that points here.
        if not _is_local(self.headers.get("Host", HOST)):
            raise RequestRefused(403, f"this server answers on {HOST} alone")
        parts = urlsplit(self.path)
        known = _PATHS.get(parts.path)
        if known is None:
            raise RequestRefused(404, f"there is no {parts.path}; known: {', '.join(_PATHS)}")
        if known != method:
            raise RequestRefused(405, f"{parts.path} takes {known}, not {method}")
        if method == "GET":
            given = dict(parse_qsl(parts.query, keep_blank_values=True))
            with self.server.lock:
                return theories(self.server.memory, given)
        body = self._body()
        with self.server.lock:
            return (retrieve if parts.path == "/retrieve" else observe)(self.server.memory, body)

    def _body(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdecimal():
            raise RequestRefused(400, "send a JSON object with its Content-Length")
        if int(length) > MOST_BODY_BYTES:
            self.close_connection = True
            raise RequestRefused(413, f"a request has at most {MOST_BODY_BYTES:,} bytes")
        try:
            told = json.loads(self.rfile.read(int(length)))
            json.dumps(told, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise RequestRefused(
                400, "the body holds a lone surrogate, which is not Unicode text"
            ) from error
        except (ValueError, RecursionError) as error:
            raise RequestRefused(400, f"the body is not JSON: {error}") from error
        if not isinstance(told, dict):
            raise RequestRefused(400, "the body is not a JSON object")
        return told

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


def _is_local(host: str) -> bool:
    """Whether a name, with or without a port, is this machine's own."""
    try:
        return urlsplit(f"//{host}").hostname in _LOCAL_NAMES
    except ValueError:
        return False


def theories(memory: Theoria, given: Mapping[str, str]) -> dict[str, Any]:
    """Theories grouped by community. Raises RequestRefused."""
    _only(given, ("confidence", "community"))
    confidence = next((one for one in CONFIDENCES if one == given.get("confidence")), None)
    if "confidence" in given and confidence is None:
        raise RequestRefused(
            400, f"confidence is {', '.join(CONFIDENCES)}, not {given['confidence']!r}"
        )
    community = _whole_number(given["community"], "community") if "community" in given else None
    found = memory.theories(confidence=confidence, community=community)
    described = {one.id: one for one in memory.layers().communities}
    grouped: dict[int, list[Theory]] = {}
    for theory in found:
        grouped.setdefault(theory.community, []).append(theory)
    return {
        "n_theories": len(found),
        "communities": [
            {
                "community": number,
                "terms": list(described[number].terms) if number in described else [],
                "size": described[number].size if number in described else 0,
                "theories": [_told(theory) for theory in members],
            }
            for number, members in grouped.items()
        ],
    }


def retrieve(memory: Theoria, given: Mapping[str, Any]) -> dict[str, Any]:
    """Evidence for a query, best first. Raises RequestRefused."""
    _only(given, ("query", "k", "budget_chars"))
    query = _text(given, "query")
    k = _positive(given, "k", MOST_UNITS)
    chars = _positive(given, "budget_chars", MOST_CHARS)
    if k and chars:
        raise RequestRefused(400, "give k or budget_chars, not both")
    found = memory.retrieve("", query, budget=Budget(k=k, chars=chars))
    return {"units": [asdict(unit) for unit in found.units], "knobs": dict(found.knobs)}


def observe(memory: Theoria, given: Mapping[str, Any]) -> dict[str, Any]:
    """Take a finding in, and tell what it did. Raises RequestRefused."""
    _only(given, ("finding", "title"))
    title = given.get("title", "")
    if not isinstance(title, str):
        raise RequestRefused(400, "title is a text")
    found = memory.observe(_text(given, "finding"), title=title)
    by_id = {theory.id: theory for theory in memory.theories()}
    return {
        "id": found.item_id,
        "is_new": found.is_new,
        "claims": found.outcome.units,
        "errors": list(found.outcome.errors),
        "updated": [
            {"relation": one.relation, "cosine": one.cosine, **_told(by_id[one.theory])}
            for one in found.bearings
        ],
        "seeded": [_told(theory) for theory in found.seeded],
    }


def _told(theory: Theory) -> dict[str, Any]:
    return {**asdict(theory), "confidence": theory.confidence}


def _only(given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise RequestRefused(400, f"unknown field {unknown[0]!r}; known: {', '.join(known)}")


def _text(given: Mapping[str, Any], name: str) -> str:
    text = given.get(name)
    if not isinstance(text, str) or not text.strip():
        raise RequestRefused(400, f"{name} is a text that is not empty")
    return text


def _positive(given: Mapping[str, Any], name: str, most: int) -> int | None:
    number = given.get(name)
    if number is None:
        return None
    if type(number) is not int or not 1 <= number <= most:
        raise RequestRefused(400, f"{name} is a whole number from 1 to {most:,}")
    return number


def _whole_number(text: str, name: str) -> int:
    if not text.removeprefix("-").isdecimal() or not text.isascii() or len(text) > 9:
        raise RequestRefused(400, f"{name} is a whole number, not {text[:40]!r}")
    return int(text)
