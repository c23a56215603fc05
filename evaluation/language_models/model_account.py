"""One memory's dealings with its language model: on the ledger, counted, and stopped in time."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from threading import Lock
from typing import Any, Literal, cast

from evaluation.language_models.base import (
    Completion,
    CompletionRequest,
    Ledger,
    Message,
    SpendingLimitReached,
)
from evaluation.language_models.errors import LanguageModelError
from evaluation.language_models.prices import Prices, load_prices
from evaluation.language_models.replies import read_count
from evaluation.language_models.upstreams import ChatUpstream
from evaluation.source_files.reading import storable
from memory_systems.model_address import ModelUsage

CONCURRENCY_LIMIT = 4
DEFAULT_OUTPUT_TOKENS = 16_384
_NOT_PART_OF_KEY = ("stream", "stream_options", "user", "model")


class ModelAccount:
    """Answers chat completions from the ledger, else from ``upstream``. Without a ledger (a probe
    on demand) nothing is kept. Safe between threads.

    The same body asked twice on behalf of one subject is a new request, since whoever asks again
    was not content; on behalf of another subject it is the one that is on the ledger.
    """

    def __init__(
        self, upstream: ChatUpstream, ledger: Ledger | None, *, prices: Prices | None = None
    ) -> None:
        self.upstream = upstream
        self._ledger = ledger
        self._prices = load_prices() if prices is None else prices
        self._lock = Lock()
        self._usage = ModelUsage()
        self._asked: Counter[str] = Counter()
        self._attempt = 0
        self._stopped: SpendingLimitReached | None = None

    def begin(self, *, attempt: int = 0) -> None:
        """What follows is on behalf of another subject, or of the same for the ``attempt``-th time
        after what came before was of no use."""
        with self._lock:
            self._asked.clear()
            self._attempt = attempt

    def usage(self) -> ModelUsage:
        with self._lock:
            return self._usage

    def check(self) -> None:
        """Raises SpendingLimitReached where it stopped a request."""
        if self._stopped is not None:
            raise self._stopped

    def chat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The reply's body. Raises LanguageModelError and SpendingLimitReached, both counted."""
        try:
            completion = self._complete(self._request(body), body)
        except SpendingLimitReached as stopped:
            self._stopped = stopped
            self.count_failure(str(stopped))
            raise
        except LanguageModelError as error:
            self.count_failure(str(error))
            raise
        paid = 0.0 if completion.from_cache else completion.cost_usd
        self.count(
            calls=1, tokens=completion.input_tokens + completion.output_tokens, cost_usd=paid
        )
        return cast(dict[str, Any], json.loads(completion.text))

    def count(self, *, calls: int, tokens: int, cost_usd: float | None) -> None:
        with self._lock:
            known = self._usage.cost_usd
            total = None if known is None or cost_usd is None else known + cost_usd
            self._usage = replace(
                self._usage,
                calls=self._usage.calls + calls,
                tokens=self._usage.tokens + tokens,
                cost_usd=total,
            )

    def count_failure(self, sentence: str) -> None:
        with self._lock:
            self._usage = replace(
                self._usage, failures=self._usage.failures + 1, last_failure=sentence
            )

    def _complete(self, request: CompletionRequest, body: Mapping[str, Any]) -> Completion:
        key = self._key(body, request)
        if self._ledger is not None:
            stored = self._ledger.begin(
                key,
                provider=self.upstream.provider,
                model=self.upstream.model,
                request=request,
                concurrency_limit=CONCURRENCY_LIMIT,
                most_it_can_cost_usd=self._prices.most_usd(self.upstream, request),
            )
            if stored is not None:
                return stored
        try:
            reply = self.upstream.reply(body)
        except BaseException as error:
            if self._ledger is not None:
                self._ledger.fail(key, f"{type(error).__name__}: {error}")
            raise
        completion = self._completion(reply)
        if self._ledger is not None:
            self._ledger.finish(key, completion)
        return completion

    def _completion(self, reply: Mapping[str, Any]) -> Completion:
        """The whole body is kept as the text: tools and structured output are part of it."""
        usage = reply.get("usage")
        n_in, n_out = read_count(usage, "prompt_tokens"), read_count(usage, "completion_tokens")
        return Completion(
            text=storable(json.dumps(reply, ensure_ascii=True)),
            input_tokens=n_in,
            output_tokens=n_out,
            latency_ms=0.0,
            finish_reason="stop",
            temperature_used=None,
            cost_usd=self._prices.cost_usd(self.upstream, n_in, n_out),
        )

    def _request(self, body: Mapping[str, Any]) -> CompletionRequest:
        """The body as the ledger describes requests, with how often it was asked before."""
        with self._lock:
            asked = _canonical(body)
            repeat = self._asked[asked]
            self._asked[asked] += 1
            attempt = self._attempt
        given = body.get("messages")
        messages = given if isinstance(given, list) else []
        most = body.get("max_completion_tokens") or body.get("max_tokens")
        wanted = body.get("response_format")
        tools = body.get("tools")
        return CompletionRequest(
            model=self.upstream.model,
            messages=tuple(
                Message(_role(one.get("role")), storable(_text(one.get("content"))))
                for one in messages
                if isinstance(one, dict)
            ),
            max_output_tokens=most if isinstance(most, int) else DEFAULT_OUTPUT_TOKENS,
            temperature=None,
            json_schema={"response_format": wanted, "tools": tools} if wanted or tools else None,
            repeat=repeat,
            attempt=attempt,
        )

    def _key(self, body: Mapping[str, Any], request: CompletionRequest) -> str:
        asked = [_canonical(body), request.repeat, *([request.attempt] if request.attempt else [])]
        parts = ["proxy", self.upstream.base_url, self.upstream.model, *asked]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def close(self) -> None:
        self.upstream.close()


def _canonical(body: Mapping[str, Any]) -> str:
    kept = {name: value for name, value in body.items() if name not in _NOT_PART_OF_KEY}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def _role(role: object) -> Literal["system", "user", "assistant"]:
    if role in ("system", "developer"):
        return "system"
    return "assistant" if role == "assistant" else "user"


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text", "") for part in content if isinstance(part, dict))
        return "\n".join(str(part) for part in parts)
    return ""
