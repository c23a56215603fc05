"""The contracts of language models: a request, a completion, and the ledger that loses neither."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One call. ``temperature`` None leaves the model's default. ``json_schema`` asks for
    structured output. ``repeat`` separates deliberate repeats of the same prompt. ``attempt`` is
    how often somebody had it asked again after it came to nothing."""

    model: str
    messages: tuple[Message, ...]
    max_output_tokens: int
    temperature: float | None = 0.0
    json_schema: Mapping[str, Any] | None = None
    repeat: int = 0
    attempt: int = 0

    def key(self, base_url: str) -> str:
        """SHA-256 over base_url, model, parameters, the full prompt, the repeat and the attempt."""
        parts: dict[str, Any] = {
            "base_url": base_url,
            "model": self.model,
            "messages": [[message.role, message.content] for message in self.messages],
            "max_output_tokens": self.max_output_tokens,
            "temperature": self.temperature,
            "json_schema": self.json_schema,
            "repeat": self.repeat,
        }
        if self.attempt:
            parts["attempt"] = self.attempt
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Completion:
    """``finish_reason`` is ``length`` where the reply was cut, ``content_filter`` where it was
    withheld. ``cost_usd`` is None when the price is unknown. ``from_cache``: nothing was sent and
    nothing was paid this time."""

    text: str
    input_tokens: int
    output_tokens: int
    latency_ms: float
    finish_reason: str = "stop"
    temperature_used: float | None = 0.0
    cost_usd: float | None = None
    from_cache: bool = False

    @property
    def is_whole(self) -> bool:
        return self.finish_reason not in ("length", "content_filter")


class LanguageModel(Protocol):
    """``name`` is how a person picks it (``openai:gpt-4.1-mini``); ``base_url`` is never shown."""

    @property
    def name(self) -> str: ...
    @property
    def provider(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def model(self) -> str: ...
    def complete(self, request: CompletionRequest) -> Completion: ...


class SpendingLimitReached(Exception):
    """The run's spending limit does not allow this request (or its price is unknown)."""


class Ledger(Protocol):
    """The durable record of requests: written before a request is sent, its reply committed
    before it is used. It also holds the limits that span processes."""

    def begin(
        self,
        request_key: str,
        *,
        provider: str,
        model: str,
        request: CompletionRequest,
        concurrency_limit: int,
        most_it_can_cost_usd: float | None,
    ) -> Completion | None:
        """The stored reply, or None: the caller now holds the request and must send it.

        Waits while another holder is sending the same request or the provider's concurrency
        limit is reached. Raises SpendingLimitReached.
        """
        ...

    def find(self, request_key: str) -> Completion | None:
        """The stored reply, if there is one."""
        ...

    def finish(self, request_key: str, completion: Completion) -> None: ...
    def fail(self, request_key: str, error: str) -> None:
        """Give the request back unanswered, with what went wrong; a later begin may send it."""
        ...
