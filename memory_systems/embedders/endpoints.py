"""Where embeddings can be had: addresses and keys from the environment only, chosen by name.

``openai`` reads OPENAI_API_KEY and OPENAI_BASE_URL; any other name, which must be set up, reads
MEMJURY_ENDPOINT_<NAME>_BASE_URL and MEMJURY_ENDPOINT_<NAME>_API_KEY. An endpoint on this machine
needs no key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from memory_systems.base import SystemRefused

OPENAI = "openai"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class EmbedderKeyMissing(SystemRefused):
    """The environment variable that holds the endpoint's key is not set."""


class EmbedderAddressNotValid(SystemRefused):
    """The environment gives the endpoint an address that is none."""


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """``base_url`` None is OpenAI's own. What ``repr`` shows is safe to log."""

    name: str
    base_url: str | None = field(repr=False)
    api_key: str = field(repr=False)


def find_endpoint(name: str, environ: Mapping[str, str]) -> EmbeddingEndpoint | None:
    """The endpoint of this name, or None where the environment sets none up.

    Raises EmbedderKeyMissing, EmbedderAddressNotValid.
    """
    is_openai = name == OPENAI
    variables = "OPENAI" if is_openai else f"MEMJURY_ENDPOINT_{name.upper().replace('-', '_')}"
    base_url = environ.get(f"{variables}_BASE_URL", "").strip()
    if not is_openai and not (base_url and _NAME.fullmatch(name)):
        return None
    api_key = environ.get(f"{variables}_API_KEY", "").strip()
    host = _host_of(base_url) if base_url else ""
    if base_url and not host:
        raise EmbedderAddressNotValid(f"{variables}_BASE_URL is not an http or https address")
    if not api_key and not _is_this_machine(host):
        raise EmbedderKeyMissing(f"the endpoint {name} needs a key: set {variables}_API_KEY")
    return EmbeddingEndpoint(name=name, base_url=base_url or None, api_key=api_key)


def _host_of(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        return (parts.hostname or "") if parts.scheme in ("http", "https") else ""
    except ValueError:
        return ""


def _is_this_machine(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
