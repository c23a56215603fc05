"""What every address of a rater goes through: limits, the form's token, headers, and refusals in
words on a page that keeps what was written."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from annotation.services import voting
from annotation.services.voting_refusals import (
    CampaignNotFound,
    ChoiceUnknown,
    CommentTooLong,
    ConfidenceUnknown,
    RaterBarred,
    RaterUnknown,
    ReasonUnknown,
    VotingRefused,
)
from annotation.views.form_fields import FormUnreadable, read_draft
from annotation.views.form_token import FormOutOfDate, check_token
from annotation.views.places import PlaceUnreadable, read_place
from annotation.views.screens import PARTIAL_HEADER, show_page, show_refusal, wants_partial
from annotation.views.throttle import TooManyRequests, count_request

View = Callable[..., HttpResponse]
MAX_BODY_BYTES: Final = 1_000_000
HEADERS: Final = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
NOT_HERE: Final = (
    "There is no vote at this address. The link may be mistyped or cut off; ask whoever sent it."
)
NOT_STORED: Final = (
    "The site could not store this just now; whoever runs it finds the reason in its log. Go back "
    "and send it again in a minute: what you wrote is still there, and a vote that is sent twice "
    "is stored once."
)
_LOG = logging.getLogger(__name__)
_CAMPAIGN_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,64}")


class RequestTooLarge(Exception):
    """No vote of ours is that long; the message is one sentence for the rater."""

    def __init__(self) -> None:
        super().__init__(
            "What was sent is far too long for a vote, so nothing was stored. Go back, shorten "
            "the comment and vote again."
        )


class PlaceMissing(Exception):
    """This browser holds no place in the campaign; the message is a sentence for the rater."""

    def __init__(self) -> None:
        super().__init__(
            "This browser holds no place in this vote, so nothing was stored. Join below; what "
            "you wrote is kept."
        )


# The first kind that fits decides.
STATUS_OF: Final[dict[type[Exception], int]] = {
    BadRequest: 400,
    CampaignNotFound: 404,
    ChoiceUnknown: 400,
    CommentTooLong: 400,
    ConfidenceUnknown: 400,
    FormOutOfDate: 403,
    FormUnreadable: 400,
    MultiPartParserError: 400,
    OperationalError: 503,
    PlaceMissing: 403,
    RaterBarred: 403,
    RaterUnknown: 403,
    ReasonUnknown: 400,
    RequestTooLarge: 413,
    SuspiciousOperation: 400,
    TooManyRequests: 429,
    VotingRefused: 409,
}
UNREADABLE: Final = (BadRequest, MultiPartParserError, SuspiciousOperation)
WITHOUT_A_PAGE: Final = (
    BadRequest,
    CampaignNotFound,
    MultiPartParserError,
    OperationalError,
    RequestTooLarge,
    SuspiciousOperation,
    TooManyRequests,
)
"""Refusals after which nothing more is looked up."""


def rater_page(view: View) -> View:
    """Guards a view of (request, campaign_token)."""

    @csrf_exempt  # checked in _check_request, so that a refusal is said on a rater's page
    @wraps(view)
    def guarded(request: HttpRequest, campaign_token: str) -> HttpResponse:
        try:
            _check_request(request, campaign_token)
            response = view(request, campaign_token)
        except tuple(STATUS_OF) as refusal:
            response = _refuse(request, campaign_token, refusal)
        for name, value in HEADERS.items():
            response.headers[name] = value
        patch_vary_headers(response, [PARTIAL_HEADER])
        return response

    return guarded


def signed_in(request: HttpRequest) -> User | None:
    """The person behind the request, None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def own_place(request: HttpRequest, campaign_token: str) -> str:
    """The key of the rater who sends a form. Raises PlaceMissing, also where a signed-in person
    sends it from the place that somebody else has when signed in."""
    rater_key, user = place_or_none(request, campaign_token), signed_in(request)
    if rater_key is None:
        raise PlaceMissing
    if user is not None and voting.is_place_of_another(rater_key=rater_key, user=user):
        raise PlaceMissing
    return rater_key


def blind_place(request: HttpRequest, campaign_token: str) -> str:
    """The same, of a rater who may vote. Raises PlaceMissing, RaterBarred (the browser's person
    is signed in and has seen who wrote what)."""
    rater_key = own_place(request, campaign_token)
    user = signed_in(request)
    if user is not None:
        voting.refuse_unblinded(
            campaign_token=campaign_token, rater_key=rater_key, user=user, now=timezone.now()
        )
    return rater_key


def place_or_none(request: HttpRequest, campaign_token: str) -> str | None:
    """The key of the rater whom this browser holds a place of, where it can be read."""
    try:
        return read_place(request, campaign_token)
    except PlaceUnreadable:
        return None


def _check_request(request: HttpRequest, campaign_token: str) -> None:
    """Raises CampaignNotFound, TooManyRequests, RequestTooLarge, FormOutOfDate."""
    if not _CAMPAIGN_TOKEN.fullmatch(campaign_token):
        raise CampaignNotFound
    count_request(request, place_or_none(request, campaign_token))
    if request.method == "POST":
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            raise RequestTooLarge
        check_token(request)


def _sentence(refusal: Exception) -> str:
    if isinstance(refusal, OperationalError):
        return NOT_STORED
    if isinstance(refusal, UNREADABLE):
        return "The form could not be read, so nothing was stored. Load the page again."
    return str(refusal)


def _refuse(request: HttpRequest, campaign_token: str, refusal: Exception) -> HttpResponse:
    status = next(code for kind, code in STATUS_OF.items() if isinstance(refusal, kind))
    if isinstance(refusal, CampaignNotFound):
        return show_refusal(request, NOT_HERE, status=status)
    if isinstance(refusal, OperationalError):
        _LOG.error("the database took nothing from a rater", exc_info=refusal)
    sentence = _sentence(refusal)
    if wants_partial(request) or isinstance(refusal, WITHOUT_A_PAGE):
        response = show_refusal(request, sentence, campaign_token=campaign_token, status=status)
        if isinstance(refusal, TooManyRequests):
            response.headers["Retry-After"] = str(refusal.wait_s)
        return response
    try:
        page = voting.voting_page(
            campaign_token=campaign_token,
            rater_key=place_or_none(request, campaign_token),
            user=signed_in(request),
            now=timezone.now(),
        )
    except CampaignNotFound:
        return show_refusal(request, NOT_HERE, status=404)
    draft = read_draft(request.POST)
    return show_page(request, page, sentence=sentence, draft=draft, status=status)
