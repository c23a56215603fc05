"""A rater's requests a minute: far above what reading and voting take, far below a flood."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest

from annotation.views.request_counts import count_one

MAX_OF_A_RATER: Final = 120
"""Votes, skips and the like a minute."""
MAX_OF_AN_ADDRESS: Final = 600
"""Requests a minute without a place: a lecture hall may share one address."""


class TooManyRequests(Exception):
    """``wait_s``: seconds until the next is answered."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(
            f"That was very fast: too many requests within a minute. Wait {wait_s} seconds; "
            "nothing is lost."
        )
        self.wait_s = wait_s


def count_request(request: HttpRequest, rater_key: str | None) -> None:
    """Raises TooManyRequests over the limit; does nothing while MEMJURY_THROTTLE is off."""
    if not settings.MEMJURY_THROTTLE:
        return
    who, most = (
        (f"rater:{rater_key}", MAX_OF_A_RATER)
        if rater_key
        else (f"address:{_address(request)}", MAX_OF_AN_ADDRESS)
    )
    n_sent, wait_s = count_one(f"vote:{who}")
    if n_sent > most:
        raise TooManyRequests(wait_s)


def _address(request: HttpRequest) -> str:
    """What the proxy says, where there is one: a client may say more before it."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.MEMJURY_PRODUCTION and forwarded:
        return str(forwarded.rpartition(",")[2].strip())
    return str(request.META.get("REMOTE_ADDR", ""))
