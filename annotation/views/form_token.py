"""Whether a form was ours: Django's check, with a refusal that a rater's page can show."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware


class FormOutOfDate(Exception):
    """The form's token is missing or not this browser's; the message is a sentence for a rater."""

    def __init__(self) -> None:
        super().__init__(
            "The form was out of date, or this browser keeps no cookies, so nothing was stored. "
            "Load the page again; what you wrote is kept."
        )


class _FormCheck(CsrfViewMiddleware):
    """A page that sends no referrer sends the origin "null" with its forms, so for that origin the
    token decides alone; a foreign page has no such token and gets no cookie of ours sent along."""

    def _origin_verified(self, request: HttpRequest) -> bool:
        if request.META["HTTP_ORIGIN"] == "null":
            return True
        return bool(super()._origin_verified(request))  # type: ignore[misc]

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        del request, reason
        raise FormOutOfDate


def _nothing_more(request: HttpRequest) -> HttpResponse:
    del request
    return HttpResponse()


_CHECK = _FormCheck(_nothing_more)


def check_token(request: HttpRequest) -> None:
    """Raises FormOutOfDate."""
    _CHECK.process_view(request, _nothing_more, (), {})
