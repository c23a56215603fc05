"""Endpoints and keys: from the environment only, chosen by name.

``openai`` reads OPENAI_API_KEY and OPENAI_BASE_URL, ``anthropic`` reads ANTHROPIC_API_KEY and
ANTHROPIC_BASE_URL. Any other is set up with MEMJURY_ENDPOINT_<NAME>_BASE_URL, _API_KEY and _KIND
(``openai``, which every compatible server speaks, or ``anthropic``). A variable that ends in
_TIMEOUT_S beside them says how many seconds one reply is waited for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from evaluation.language_models.base import LanguageModel
from evaluation.language_models.errors import (
    EndpointMisconfigured,
    EndpointUnknown,
    KeyMissing,
)
from evaluation.language_models.hosts import is_loopback
from evaluation.language_models.retry import RetryPolicy
from evaluation.language_models.scripted import ScriptedModel

_BACK_ENDS = {
    "openai": "evaluation.language_models.openai:OpenAIModel",
    "anthropic": "evaluation.language_models.anthropic:AnthropicModel",
}
_DEFAULT_URLS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_NAMED = re.compile(
    r"MEMJURY_ENDPOINT_([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(BASE_URL|API_KEY|KIND|TIMEOUT_S)"
)
SCRIPTED = "scripted"
DEFAULT_TIMEOUT_S = 180.0
LONGEST_TIMEOUT_S = 420.0
"""With the four minutes before the last sending it stays under the ledger's lease of a request; by
itself under the ten minutes that OpenAI's clients in the packages wait."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A place that serves models. What ``repr`` shows is safe to log."""

    name: str
    kind: str
    base_url: str = field(repr=False)
    api_key: str = field(repr=False)
    variable_prefix: str
    timeout_text: str = ""

    @property
    def key_variable(self) -> str:
        return f"{self.variable_prefix}_API_KEY"

    @property
    def timeout_variable(self) -> str:
        return f"{self.variable_prefix}_TIMEOUT_S"

    @property
    def timeout_s(self) -> float:
        """How long one reply is waited for. Raises EndpointMisconfigured."""
        if not self.timeout_text:
            return DEFAULT_TIMEOUT_S
        try:
            seconds = float(self.timeout_text)
        except ValueError:
            seconds = 0.0
        if not 1 <= seconds <= LONGEST_TIMEOUT_S:
            raise EndpointMisconfigured(
                f"{self.timeout_variable} is {self.timeout_text!r}; it takes seconds from 1 to "
                f"{LONGEST_TIMEOUT_S:g}"
            )
        return seconds

    @property
    def needs_key(self) -> bool:
        return not is_loopback(self.base_url)

    @property
    def is_ready(self) -> bool:
        return bool(self.api_key) or not self.needs_key


def known_endpoints(environ: Mapping[str, str] | None = None) -> tuple[Endpoint, ...]:
    """Every endpoint that the environment describes, with or without a key, by name."""
    environ = os.environ if environ is None else environ
    endpoints = [
        Endpoint(
            name=kind,
            kind=kind,
            base_url=environ.get(f"{kind.upper()}_BASE_URL", "").strip() or default,
            api_key=environ.get(f"{kind.upper()}_API_KEY", "").strip(),
            variable_prefix=kind.upper(),
            timeout_text=environ.get(f"{kind.upper()}_TIMEOUT_S", "").strip(),
        )
        for kind, default in _DEFAULT_URLS.items()
    ]
    names = {match[1] for variable in environ if (match := _NAMED.fullmatch(variable))}
    for variable_name in sorted(names):
        prefix = f"MEMJURY_ENDPOINT_{variable_name}"
        endpoints.append(
            Endpoint(
                name=variable_name.lower().replace("_", "-"),
                kind=environ.get(f"{prefix}_KIND", "").strip().lower() or "openai",
                base_url=environ.get(f"{prefix}_BASE_URL", "").strip(),
                api_key=environ.get(f"{prefix}_API_KEY", "").strip(),
                variable_prefix=prefix,
                timeout_text=environ.get(f"{prefix}_TIMEOUT_S", "").strip(),
            )
        )
    return tuple(sorted(endpoints, key=lambda endpoint: endpoint.name))


def get_endpoint(name: str, environ: Mapping[str, str] | None = None) -> Endpoint:
    """The endpoint of that name, checked. Raises EndpointUnknown (which lists the known ones),
    EndpointMisconfigured or KeyMissing (which names the variable)."""
    endpoints = {endpoint.name: endpoint for endpoint in known_endpoints(environ)}
    endpoint = endpoints.get(name.lower().replace("_", "-"))
    if endpoint is None:
        raise EndpointUnknown(
            f"no endpoint is called {name!r}; known: {', '.join(endpoints)}. Another one is set up "
            "with MEMJURY_ENDPOINT_<NAME>_BASE_URL in the environment"
        )
    _check(endpoint)
    if not endpoint.is_ready:
        raise KeyMissing(f"the endpoint {endpoint.name} needs a key: set {endpoint.key_variable}")
    return endpoint


def open_model(
    name: str,
    *,
    environ: Mapping[str, str] | None = None,
    retry: RetryPolicy | None = None,
    timeout_s: float | None = None,
) -> LanguageModel:
    """The model that ``ENDPOINT:MODEL`` names (``openai:gpt-4.1-mini``), or ``scripted``.

    Raises EndpointUnknown, EndpointMisconfigured or KeyMissing; nothing is sent yet.
    """
    if name == SCRIPTED or name.startswith(f"{SCRIPTED}:"):
        return ScriptedModel(name=name, model=name)
    endpoint_name, _, model = name.partition(":")
    if not endpoint_name or not model.strip():
        known = ", ".join(endpoint.name for endpoint in known_endpoints(environ))
        raise EndpointUnknown(
            f"a model is named ENDPOINT:MODEL, as in openai:gpt-4.1-mini, not {name!r}; "
            f"known endpoints: {known}"
        )
    endpoint = get_endpoint(endpoint_name, environ)
    opened: LanguageModel = _back_end(endpoint)(
        name=name,
        provider=endpoint.name,
        base_url=endpoint.base_url,
        api_key=endpoint.api_key,
        model=model.strip(),
        timeout_s=endpoint.timeout_s if timeout_s is None else timeout_s,
        timeout_variable=endpoint.timeout_variable,
        retry=retry or RetryPolicy(),
    )
    return opened


def _back_end(endpoint: Endpoint) -> Any:
    module_name, _, class_name = _BACK_ENDS[endpoint.kind].partition(":")
    try:
        return getattr(import_module(module_name), class_name)
    except ModuleNotFoundError as error:
        raise EndpointMisconfigured(
            f"the endpoint {endpoint.name} needs the package {error.name}; install it with "
            f"uv pip install {endpoint.kind}"
        ) from error


def _check(endpoint: Endpoint) -> None:
    where = endpoint.variable_prefix
    if endpoint.kind not in _BACK_ENDS:
        raise EndpointMisconfigured(
            f"{where}_KIND is {endpoint.kind!r}; known kinds: {', '.join(_BACK_ENDS)}"
        )
    try:
        parts = urlsplit(endpoint.base_url)
        has_credentials = parts.username is not None or parts.password is not None
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        has_credentials, is_web = False, False
    if not is_web:
        raise EndpointMisconfigured(f"{where}_BASE_URL is not an http or https address")
    if has_credentials:
        raise EndpointMisconfigured(
            f"{where}_BASE_URL holds a user name or password; put the key in {where}_API_KEY"
        )
