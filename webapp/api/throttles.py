"""How many requests a minute the API answers, counted for all web processes together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from annotation.views.request_counts import count_one

if TYPE_CHECKING:  # its module asks for the throttles while it is read
    from rest_framework.views import APIView


class MinuteThrottle(SimpleRateThrottle):
    """So many a minute of whom ``get_cache_key`` names; rates are in requests a minute."""

    num_requests: int | None
    wait_s: float | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        sender = self.get_cache_key(request, view) if settings.MEMJURY_THROTTLE else None
        if sender is None or self.num_requests is None:
            return True
        n_sent, self.wait_s = count_one(sender)
        return n_sent <= self.num_requests

    def wait(self) -> float | None:
        return self.wait_s


class VisitorThrottle(MinuteThrottle, AnonRateThrottle):
    """Of an address, for who has not signed in."""


class PersonThrottle(MinuteThrottle, UserRateThrottle):
    """Of a person, or of an address."""
