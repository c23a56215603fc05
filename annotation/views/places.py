"""The cookie that keeps a rater's place in one campaign: signed, and sent to its pages alone."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

COOKIE: Final = "place"
MAX_AGE_S: Final = 180 * 24 * 3600


class PlaceUnreadable(Exception):
    """The cookie was changed, or was signed for another campaign."""


def read_place(request: HttpRequest, campaign_token: str) -> str | None:
    """The key of the rater whom this browser holds a place of. Raises PlaceUnreadable."""
    value = request.COOKIES.get(COOKIE)
    if value is None:
        return None
    try:
        return _signer(campaign_token).unsign(value)
    except BadSignature as error:
        raise PlaceUnreadable from error


def keep_place(response: HttpResponse, campaign_token: str, rater_key: str) -> None:
    """For 180 days, for the pages of this campaign alone."""
    response.set_cookie(
        COOKIE,
        signed_place(campaign_token, rater_key),
        max_age=MAX_AGE_S,
        path=_path(campaign_token),
        secure=settings.MEMJURY_PRODUCTION,
        httponly=True,
        samesite="Lax",
    )


def signed_place(campaign_token: str, rater_key: str) -> str:
    """The cookie's value."""
    return _signer(campaign_token).sign(rater_key)


def forget_place(response: HttpResponse, campaign_token: str) -> None:
    """The browser holds no place afterwards; the rater and the votes stay."""
    response.delete_cookie(COOKIE, path=_path(campaign_token), samesite="Lax")


def _signer(campaign_token: str) -> Signer:
    return Signer(salt=f"annotation.place.{campaign_token}")


def _path(campaign_token: str) -> str:
    return reverse("vote", args=[campaign_token])
