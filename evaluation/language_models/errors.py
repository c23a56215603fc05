"""What can go wrong between a request and its completion, in sentences that show no secret."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"(?:sk|pk|key|AIza)[-_][\w-]{6,}|\bAIza[\w-]{10,}|Bearer\s+\S+|(?<=://)[^/\s@]+@",
    re.IGNORECASE,
)
MAX_DETAIL_CHARS = 300


class LanguageModelError(Exception):
    """A request that brought no completion. ``is_transient``: sending it again may help."""

    is_transient = False


class EndpointUnreachable(LanguageModelError):
    """No connection, or one that broke off."""

    is_transient = True


class EndpointTimedOut(LanguageModelError):
    """Nothing came within the time allowed."""

    is_transient = True


class EndpointFailed(LanguageModelError):
    """The endpoint answered that it failed (5xx), or with something other than its API."""

    is_transient = True


class RateLimited(LanguageModelError):
    """Too many requests (429, or the endpoint is overloaded). ``retry_after`` in seconds, if it
    said when to come back."""

    is_transient = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class EndpointRefused(LanguageModelError):
    """The endpoint will not take the request as it is: a wrong key, model or parameter (4xx).
    ``detail`` is what it said itself."""

    def __init__(self, message: str, *, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


class ReplyUnreadable(LanguageModelError):
    """The endpoint answered that all is well, with a body that holds no completion."""


class ReplyTruncated(LanguageModelError):
    """The reply stopped at the limit of output tokens."""


class ReplyWithheld(LanguageModelError):
    """The endpoint withheld the reply (a content filter or a refusal)."""


class EndpointUnknown(LanguageModelError):
    """No endpoint of that name is set up."""


class EndpointMisconfigured(LanguageModelError):
    """The environment describes an endpoint that cannot be used."""


class KeyMissing(LanguageModelError):
    """The endpoint needs a key and the environment has none."""


def safe_detail(text: str, *secrets: str) -> str:
    """A short excerpt of an endpoint's words, with keys and credentials blotted out."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "…")
    text = " ".join(_SECRET.sub("…", text).split())
    return text if len(text) <= MAX_DETAIL_CHARS else text[: MAX_DETAIL_CHARS - 1] + "…"
