"""Everything of a response that reaches a browser, as bytes, with random tokens taken out."""

from __future__ import annotations

import re
from typing import Any

TOKENS = (
    re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]*'),
    re.compile(rb'(name="(?:assignment|client_token)" value=")[^"]*'),
    re.compile(rb'(data-assignment=")[^"]*'),
    re.compile(rb'("(?:id|rater_key)":")[^"]*'),
    re.compile(rb"((?:csrftoken|place|sessionid|messages)=)[^;\r\n]*"),
    re.compile(rb"(expires=)[^;\r\n]*"),
    re.compile(rb"(rater-)[a-z0-9]{6}"),
)
"""What is drawn anew each time: form tokens, ids of assignments, keys, pseudonyms, cookies."""


def whole(response: Any) -> bytes:
    """Status, headers, cookies and body, in the order in which they are sent."""
    lines = [f"{response.status_code} {response.reason_phrase}"]
    lines += [f"{name}: {value}" for name, value in response.items()]
    lines += [f"Set-Cookie: {cookie.OutputString()}" for cookie in response.cookies.values()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body_of(response)


def body_of(response: Any) -> bytes:
    if getattr(response, "streaming", False):
        body = b"".join(response.streaming_content)
        response.close()
        return body
    return bytes(response.content)


def without_tokens(sent: bytes) -> bytes:
    for pattern in TOKENS:
        sent = pattern.sub(rb"\1-", sent)
    return sent
