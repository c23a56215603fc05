"""Where a base URL points."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def host_of(base_url: str) -> str:
    """The host in lower case; empty where the URL has none."""
    try:
        return (urlsplit(base_url).hostname or "").lower()
    except ValueError:
        return ""


def is_loopback(base_url: str) -> bool:
    """Whether the URL names this very machine; a scripted model lives here too."""
    if base_url.startswith("scripted:"):
        return True
    host = host_of(base_url)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
