"""What stands behind the proxy of the native memory systems: an endpoint, or the built-in stub.

A body of OpenAI's chat completions goes in as it came and its reply comes out as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from evaluation.language_models.endpoints import get_endpoint
from evaluation.language_models.errors import (
    EndpointMisconfigured,
    EndpointTimedOut,
    EndpointUnknown,
    EndpointUnreachable,
    ReplyUnreadable,
)
from evaluation.language_models.hosts import is_loopback
from evaluation.language_models.replies import (
    error_for_bounds,
    error_for_status,
    read_object,
    time_out_sentence,
    unreadable,
)
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.stub_bodies import chat_completion_body, last_message
from evaluation.language_models.stub_faults import react
from memory_systems.bounded_replies import ReplyOutOfBounds, with_bounds

STUB = "stub"
CONNECT_TIMEOUT_S = 10.0


def is_stub(name: str) -> bool:
    """Whether a model is the stub: the built-in one, or one of the endpoint that is named so where
    the stub is served over HTTP."""
    return name.partition(":")[0] == STUB


class ChatUpstream(Protocol):
    """``base_url`` and ``model`` give the price; ``name`` is how a person picks it."""

    @property
    def name(self) -> str: ...
    @property
    def provider(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def model(self) -> str: ...
    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The reply's own body, with at least one choice. Raises LanguageModelError."""
        ...

    def close(self) -> None: ...


class StubUpstream:
    """The stub's replies without a server between. What is measured through it proves wiring, and
    nothing about a system's quality."""

    name = STUB
    provider = STUB
    base_url = "scripted:stub"
    model = STUB

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        own = {**body, "model": STUB}
        reaction = react(STUB, own, last_message(own), 0)
        return chat_completion_body(own, last_message(own), reaction)

    def close(self) -> None:
        """Nothing is open."""


class EndpointUpstream:
    """One model of an endpoint that speaks OpenAI's chat completions."""

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
    ) -> None:
        import openai

        from evaluation.language_models.openai import headers_for

        self.name = name
        self.provider = provider
        self.base_url = base_url
        self.model = model
        self._secrets = (api_key, base_url)
        self._timed_out = time_out_sentence(name, timeout_s, timeout_variable)
        timeout = openai.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))
        self._client = openai.OpenAI(
            api_key=api_key or "none",
            base_url=base_url,
            max_retries=0,
            timeout=timeout,
            default_headers=headers_for(base_url),
            http_client=with_bounds(
                openai.DefaultHttpxClient(trust_env=not is_loopback(base_url), timeout=timeout),
                longest_s=timeout_s,
            ),
        )

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        import openai

        own = {**body, "model": self.model}
        messages = own.pop("messages", [])
        try:
            raw = self._client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=messages,
                extra_body={name: value for name, value in own.items() if name != "model"},
            )
            text = raw.http_response.text
        except openai.APITimeoutError as error:
            raise EndpointTimedOut(self._timed_out) from error
        except openai.APIConnectionError as error:
            raise EndpointUnreachable(f"{self.name}: the endpoint cannot be reached") from error
        except openai.APIStatusError as error:
            response = error.response
            raise error_for_status(
                self.name, error.status_code, response.headers, response.text, *self._secrets
            ) from error
        except ReplyOutOfBounds as error:
            raise error_for_bounds(self.name, error, self._timed_out) from error
        except (openai.OpenAIError, UnicodeError) as error:
            raise ReplyUnreadable(f"{self.name}: the reply cannot be read") from error
        read = read_object(self.name, text)
        if not isinstance(read.get("choices"), list) or not read["choices"]:
            unreadable(self.name, "it holds no choice")
        return read

    def close(self) -> None:
        self._client.close()


class RetryingUpstream:
    """Any upstream, sent to again by the rules of ``retry`` where that may help."""

    def __init__(self, upstream: ChatUpstream, retry: RetryPolicy) -> None:
        self._upstream = upstream
        self._retry = retry
        self.name = upstream.name
        self.provider = upstream.provider
        self.base_url = upstream.base_url
        self.model = upstream.model

    def reply(self, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._retry.run(lambda: self._upstream.reply(body))

    def close(self) -> None:
        self._upstream.close()


def open_upstream(name: str, *, retry: RetryPolicy | None = None) -> ChatUpstream:
    """``stub``, or ``ENDPOINT:MODEL`` as in openai:gpt-4.1-mini; nothing is sent yet.

    Raises EndpointUnknown, EndpointMisconfigured, KeyMissing.
    """
    if name == STUB:
        return StubUpstream()
    endpoint_name, _, model = name.partition(":")
    if not endpoint_name or not model.strip():
        raise EndpointUnknown(
            f"a system's internal model is named ENDPOINT:MODEL, as in openai:gpt-4.1-mini, or "
            f"{STUB!r}, not {name!r}"
        )
    endpoint = get_endpoint(endpoint_name)
    if endpoint.kind != "openai":
        raise EndpointMisconfigured(
            f"the endpoint {endpoint.name} does not speak OpenAI's chat completions, which is what "
            "the memory systems' packages speak"
        )
    upstream = EndpointUpstream(
        name=name,
        provider=endpoint.name,
        base_url=endpoint.base_url,
        api_key=endpoint.api_key,
        model=model.strip(),
        timeout_s=endpoint.timeout_s,
        timeout_variable=endpoint.timeout_variable,
    )
    return RetryingUpstream(upstream, retry or RetryPolicy())
