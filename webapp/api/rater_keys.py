"""The signed key of a rater without an account, and how many requests a minute each may send."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.core.signing import BadSignature, Signer
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation.services.voting_refusals import RaterUnknown
from annotation.views.throttle import MAX_OF_A_RATER, MAX_OF_AN_ADDRESS
from webapp.api.throttles import MinuteThrottle

_SIGNER: Final = Signer(salt="webapp.api.rater_key")


def signed_key(rater_key: str) -> str:
    return _SIGNER.sign(rater_key)


def read_key(signed: str) -> str | None:
    """None where none was sent. Raises RaterUnknown for one that we did not sign."""
    if not signed:
        return None
    try:
        return _SIGNER.unsign(signed)
    except BadSignature:
        raise RaterUnknown("rater_key is not one that this site gave; join first.") from None


def person(request: Request) -> User | None:
    """The signed-in person behind the request, by session or token."""
    return request.user if isinstance(request.user, User) else None


class RaterThrottle(MinuteThrottle):
    """As many a minute as the rater's pages allow: one rater 120 votes, skips and the like; people
    who share an address and have not joined yet 600 together."""

    scope = "rater"
    rate = f"{MAX_OF_AN_ADDRESS}/min"

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.key_sent = _key_sent(request)
        if self.key_sent or person(request) is not None:
            self.num_requests = MAX_OF_A_RATER
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        del view
        someone = person(request)
        whose = self.key_sent or (f"user:{someone.pk}" if someone else self.get_ident(request))
        return self.cache_format % {"scope": self.scope, "ident": whose}


def _key_sent(request: Request) -> str:
    """A key that we signed; any other earns no allowance of its own."""
    sent: Any = request.data.get("rater_key") if isinstance(request.data, dict) else None
    try:
        return read_key(sent) or "" if isinstance(sent, str) else ""
    except RaterUnknown:
        return ""
