"""Any endpoint that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, Gemini, DeepSeek."""

from __future__ import annotations

import os
import time
import weakref
from dataclasses import dataclass, replace
from typing import Any

import openai
from openai import DefaultHttpxClient, Omit, OpenAI

from evaluation.language_models.base import Completion, CompletionRequest
from evaluation.language_models.dialects import DialectLearner
from evaluation.language_models.errors import (
    EndpointTimedOut,
    EndpointUnreachable,
    LanguageModelError,
    ReplyUnreadable,
)
from evaluation.language_models.hosts import host_of, is_loopback
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
_OWN_HOST = "api.openai.com"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What this endpoint and model accept. OpenAI's reasoning models take no temperature and know
    only ``max_completion_tokens``; many compatible servers know only ``max_tokens``."""

    token_parameter: str
    takes_temperature: bool = True
    output_format: str = "json_schema"

    def after_refusal(self, words: str, request: CompletionRequest) -> _Dialect | None:
        other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
        if self.token_parameter in words:
            return replace(self, token_parameter=other[self.token_parameter])
        if self.takes_temperature and request.temperature is not None and "temperature" in words:
            return replace(self, takes_temperature=False)
        about_format = any(
            word in words for word in ("response_format", "json_schema", "json_object", "schema")
        )
        if request.json_schema is not None and self.output_format != "text" and about_format:
            weaker = {"json_schema": "json_object", "json_object": "text"}
            return replace(self, output_format=weaker[self.output_format])
        return None


class OpenAIModel:
    """One model of one endpoint. Structured output is asked for by JSON schema, and where that is
    refused as a JSON object, and at last by the prompt alone. The SDK's own retries are off."""

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
        is_own = host_of(base_url) == _OWN_HOST
        first = _Dialect("max_completion_tokens" if is_own else "max_tokens")
        self._learner = DialectLearner(first)
        timeout = openai.Timeout(timeout_s, connect=min(_CONNECT_TIMEOUT_S, timeout_s))
        self._client = OpenAI(
            api_key=api_key or "none",
            base_url=base_url,
            max_retries=0,
            timeout=timeout,
            default_headers=headers_for(base_url),
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
        """Raises EndpointUnreachable, EndpointTimedOut, EndpointFailed and RateLimited (after
        retries), EndpointRefused, ReplyUnreadable. A reply that was cut comes back with
        ``finish_reason`` "length"."""
        return self._retry.run(
            lambda: self._learner.send(request, lambda dialect: self._send(request, dialect))
        )

    def _send(self, request: CompletionRequest, dialect: _Dialect) -> Completion:
        temperature = request.temperature if dialect.takes_temperature else None
        body = self._body(request, dialect, temperature)
        started = time.perf_counter()
        try:
            raw = self._client.chat.completions.with_raw_response.create(**body)
            text = raw.http_response.text
        except openai.OpenAIError as error:
            raise self._translated(error) from error
        except ReplyOutOfBounds as error:
            raise error_for_bounds(self.name, error, self._timed_out) from error
        except UnicodeError as error:
            raise ReplyUnreadable(f"{self.name}: the reply is not text") from error
        latency_ms = (time.perf_counter() - started) * 1000
        return self._read(text, latency_ms, temperature)

    def _body(
        self, request: CompletionRequest, dialect: _Dialect, temperature: float | None
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": request.model,
            "messages": [
                {"role": message.role, "content": message.content} for message in request.messages
            ],
            dialect.token_parameter: request.max_output_tokens,
        }
        if temperature is not None:
            body["temperature"] = temperature
        if request.json_schema is not None and dialect.output_format == "json_schema":
            schema = {"name": "reply", "strict": True, "schema": dict(request.json_schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.json_schema is not None and dialect.output_format == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _read(self, body: str, latency_ms: float, temperature: float | None) -> Completion:
        read = read_object(self.name, body)
        choices = read.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            unreadable(self.name, "it holds no choice")
        message = choices[0].get("message")
        content = message.get("content") if isinstance(message, dict) else None
        finish = choices[0].get("finish_reason")
        refusal = message.get("refusal") if isinstance(message, dict) else None
        if content is None and (refusal or finish in ("length", "content_filter")):
            content = ""
        if not isinstance(content, str):
            unreadable(self.name, "its choice holds no text")
        usage = read.get("usage")
        return Completion(
            text=content,
            input_tokens=read_count(usage, "prompt_tokens"),
            output_tokens=read_count(usage, "completion_tokens"),
            latency_ms=latency_ms,
            finish_reason="content_filter" if refusal else str(finish or "stop"),
            temperature_used=temperature,
        )

    def _translated(self, error: openai.OpenAIError) -> LanguageModelError:
        if isinstance(error, openai.APITimeoutError):
            return EndpointTimedOut(self._timed_out)
        if isinstance(error, openai.APIConnectionError):
            return EndpointUnreachable(f"{self.name}: the endpoint cannot be reached")
        if isinstance(error, openai.APIStatusError):
            response = error.response
            return error_for_status(
                self.name, error.status_code, response.headers, response.text, *self._secrets
            )
        return ReplyUnreadable(f"{self.name}: the reply cannot be read")


def headers_for(base_url: str) -> Any:
    """The SDK sends the organisation, project and custom headers of OpenAI's environment variables
    anywhere; these take them out for everybody whose business they are not."""
    if host_of(base_url) == _OWN_HOST:
        return {}
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return {name: Omit() for name in ("OpenAI-Organization", "OpenAI-Project", *names)}
