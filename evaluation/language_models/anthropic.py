"""Anthropic's messages, and any endpoint that speaks them."""

from __future__ import annotations

import json
import time
import weakref
from dataclasses import dataclass, replace
from typing import Any

import anthropic
from anthropic import Anthropic, DefaultHttpxClient

from evaluation.language_models.base import Completion, CompletionRequest
from evaluation.language_models.dialects import DialectLearner
from evaluation.language_models.errors import (
    EndpointTimedOut,
    EndpointUnreachable,
    LanguageModelError,
    ReplyUnreadable,
)
from evaluation.language_models.hosts import is_loopback
from evaluation.language_models.replies import (
    error_for_bounds,
    error_for_status,
    read_count,
    read_object,
    time_out_sentence,
    unreadable,
)
from evaluation.language_models.retry import RetryPolicy
from memory_systems.bounded_replies import ReplyOutOfBounds, with_bounds

_CONNECT_TIMEOUT_S = 10.0
_FINISH_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
_TOOL = "reply"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What this model accepts."""

    takes_temperature: bool = True
    output_format: str = "json_schema"

    def after_refusal(self, words: str, request: CompletionRequest) -> _Dialect | None:
        if self.takes_temperature and request.temperature is not None and "temperature" in words:
            return replace(self, takes_temperature=False)
        if request.json_schema is None or self.output_format == "text":
            return None
        if any(word in words for word in ("output_config", "format", "schema", "tool")):
            weaker = {"json_schema": "tool", "tool": "text"}
            return replace(self, output_format=weaker[self.output_format])
        return None


class AnthropicModel:
    """One model of one endpoint. Structured output is asked for by JSON schema, and where that is
    refused by a tool that must be called, and at last by the prompt alone. Newer models take no
    temperature; the completion says what was used. The SDK's own retries are off."""

    def __init__(
        self,
        *,
        name: str,
        provider: str,
        base_url: str,
        api_key: str,
        model: str,
        timeout_s: float,
        timeout_variable: str,
        retry: RetryPolicy,
    ) -> None:
        self.name = name
        self.provider = provider
        self.base_url = base_url
        self.model = model
        self._secrets = (api_key, base_url)
        self._retry = retry
        self._timed_out = time_out_sentence(name, timeout_s, timeout_variable)
        self._learner = DialectLearner(_Dialect())
        timeout = anthropic.Timeout(timeout_s, connect=min(_CONNECT_TIMEOUT_S, timeout_s))
        self._client = Anthropic(
            api_key=api_key or "none",
            base_url=base_url,
            max_retries=0,
            timeout=timeout,
            http_client=with_bounds(
                DefaultHttpxClient(trust_env=not is_loopback(base_url), timeout=timeout),
                longest_s=timeout_s,
            ),
        )

        # A model that nobody holds any more leaves no connection open.
        self._closing = weakref.finalize(self, self._client.close)

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        self._closing()

    def complete(self, request: CompletionRequest) -> Completion:
        """Raises and returns as every back end does (see OpenAIModel.complete)."""
        return self._retry.run(
            lambda: self._learner.send(request, lambda dialect: self._send(request, dialect))
        )

    def _send(self, request: CompletionRequest, dialect: _Dialect) -> Completion:
        temperature = request.temperature if dialect.takes_temperature else None
        body = self._body(request, dialect, temperature)
        started = time.perf_counter()
        try:
            raw = self._client.messages.with_raw_response.create(**body)
            text = raw.http_response.text
        except anthropic.AnthropicError as error:
            raise self._translated(error) from error
        except UnicodeError as error:
            raise ReplyUnreadable(f"{self.name}: the reply is not text") from error
        latency_ms = (time.perf_counter() - started) * 1000
        return self._read(text, latency_ms, temperature)

    def _body(
        self, request: CompletionRequest, dialect: _Dialect, temperature: float | None
    ) -> dict[str, Any]:
        system = "\n\n".join(one.content for one in request.messages if one.role == "system")
        body: dict[str, Any] = {
            "model": request.model,
            "max_tokens": request.max_output_tokens,
            "messages": [
                {"role": one.role, "content": one.content}
                for one in request.messages
                if one.role != "system"
            ],
        }
        if system:
            body["system"] = system
        if temperature is not None:
            # The SDK no longer names this parameter; models before Claude 5 take it.
            body["extra_body"] = {"temperature": temperature}
        if request.json_schema is None:
            return body
        schema = dict(request.json_schema)
        if dialect.output_format == "json_schema":
            body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        elif dialect.output_format == "tool":
            body["tools"] = [{"name": _TOOL, "description": "The reply.", "input_schema": schema}]
            body["tool_choice"] = {"type": "tool", "name": _TOOL}
        return body

    def _read(self, body: str, latency_ms: float, temperature: float | None) -> Completion:
        read = read_object(self.name, body)
        blocks = read.get("content")
        reason = str(read.get("stop_reason") or "end_turn")
        if not isinstance(blocks, list):
            unreadable(self.name, "it holds no content")
        usage = read.get("usage")
        cached = read_count(usage, "cache_read_input_tokens")
        written = read_count(usage, "cache_creation_input_tokens")
        return Completion(
            text=_text_of(self.name, blocks),
            input_tokens=read_count(usage, "input_tokens") + cached + written,
            output_tokens=read_count(usage, "output_tokens"),
            latency_ms=latency_ms,
            finish_reason=_FINISH_REASONS.get(reason, reason),
            temperature_used=temperature,
        )

    def _translated(self, error: anthropic.AnthropicError) -> LanguageModelError:
        if isinstance(error.__cause__, ReplyOutOfBounds):
            return error_for_bounds(self.name, error.__cause__, self._timed_out)
        if isinstance(error, anthropic.APITimeoutError):
            return EndpointTimedOut(self._timed_out)
        if isinstance(error, anthropic.APIConnectionError):
            return EndpointUnreachable(f"{self.name}: the endpoint cannot be reached")
        if isinstance(error, anthropic.APIStatusError):
            response = error.response
            return error_for_status(
                self.name, error.status_code, response.headers, response.text, *self._secrets
            )
        return ReplyUnreadable(f"{self.name}: the reply cannot be read")


def _text_of(model_name: str, blocks: list[Any]) -> str:
    """The text blocks joined, or the input of the reply's tool as JSON; thinking is left out."""
    texts: list[str] = []
    for block in blocks:
        if not isinstance(block, dict):
            unreadable(model_name, "a block of its content is no object")
        if block.get("type") == "tool_use" and block.get("name") == _TOOL:
            return json.dumps(block.get("input"), ensure_ascii=False)
        if block.get("type") == "text" and isinstance(block.get("text"), str):
            texts.append(block["text"])
    return "".join(texts)
