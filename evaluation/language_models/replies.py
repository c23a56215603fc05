"""Reading what an endpoint sent back, the same way for every back end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from evaluation.language_models.errors import (
    EndpointFailed,
    EndpointRefused,
    EndpointTimedOut,
    LanguageModelError,
    RateLimited,
    ReplyUnreadable,
    safe_detail,
)
from memory_systems.bounded_replies import ReplyOutOfBounds, ReplyOverdue

# Anthropic's "overloaded" is a rate limit by another name.
_RATE_LIMIT_STATUSES = frozenset({429, 529})
MOST_TOKENS = 1_000_000_000
_TRANSIENT_STATUSES = frozenset({408, 409, 425})


def error_for_status(
    model_name: str, status: int, headers: Mapping[str, str], body: str, *secrets: str
) -> LanguageModelError:
    """The error that an HTTP status stands for, with the endpoint's own words made safe."""
    detail = safe_detail(_message_in(body), *secrets)
    said = f": {detail}" if detail else ""
    if status in _RATE_LIMIT_STATUSES:
        return RateLimited(
            f"{model_name}: too many requests (HTTP {status}){said}",
            retry_after=retry_after_seconds(headers),
        )
    if status >= 500 or status in _TRANSIENT_STATUSES:
        return EndpointFailed(f"{model_name}: the endpoint failed (HTTP {status}){said}")
    if status in (401, 403):
        return EndpointRefused(f"{model_name}: the key was not accepted (HTTP {status}){said}")
    return EndpointRefused(
        f"{model_name}: the request was refused (HTTP {status}){said}", detail=detail
    )


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds of ``retry-after-ms`` or ``Retry-After``; None where neither is a number (a date is
    not read: the machine's clock may differ)."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * scale
        except ValueError:
            continue
        if 0 <= seconds < 86_400:
            return seconds
    return None


def read_object(model_name: str, body: str) -> dict[str, Any]:
    """The JSON object that ``body`` is. Raises ReplyUnreadable."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        unreadable(model_name, "its body is not JSON")
    if not isinstance(read, dict):
        unreadable(model_name, "its body is not a JSON object")
    return read


def read_count(holder: object, name: str) -> int:
    """A count of tokens; 0 where the endpoint does not tell, or tells what no reply can have."""
    value = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 <= value <= MOST_TOKENS else 0


def error_for_bounds(
    model_name: str, error: ReplyOutOfBounds, timed_out: str
) -> LanguageModelError:
    """The error that a reply stands for which was not read to its end."""
    if isinstance(error, ReplyOverdue):
        return EndpointTimedOut(timed_out)
    return ReplyUnreadable(f"{model_name}: {error}")


def time_out_sentence(model_name: str, timeout_s: float, variable: str) -> str:
    """What an endpoint that gave no reply did, and what gives it more time."""
    return f"{model_name}: no reply came within {timeout_s:g} s; {variable} gives it more time"


def unreadable(model_name: str, why: str) -> NoReturn:
    raise ReplyUnreadable(f"{model_name}: the reply cannot be read: {why}")


def _message_in(body: str) -> str:
    """The message of an API's error body, else the body itself unless it is a page of HTML."""
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return "" if body.lstrip().startswith("<") else body
    error = read.get("error", read) if isinstance(read, dict) else read
    message = error.get("message", "") if isinstance(error, dict) else error
    return message if isinstance(message, str) else json.dumps(message)
