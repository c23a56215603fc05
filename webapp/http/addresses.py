"""Addresses that no page has, refused before a page asks the database for them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse

NUL = "\x00"
RATERS_PAGES = "/vote/"
"""They refuse every unknown address in one shape of their own, this one too."""


class NoNulInAddresses:
    """PostgreSQL refuses a NUL in a text, and no name here has one: 400 in words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = request.path + unquote(request.META.get("QUERY_STRING", ""))
        if NUL in asked and not asked.startswith(RATERS_PAGES):
            return HttpResponse(
                "An address cannot hold the character NUL.\n",
                status=400,
                content_type="text/plain; charset=utf-8",
            )
        return self.get_response(request)
