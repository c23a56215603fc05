"""One page of a longer list, with the addresses of the next and the previous."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from evaluation.queries.choices import UnknownChoice
from webapp.forms.filters import MOST_DIGITS

PAGE_SIZE = 50
LARGEST_PAGE = 500


def page_size(request: Request) -> int:
    """``page_size`` from the address. Raises UnknownChoice."""
    asked = request.query_params.get("page_size", str(PAGE_SIZE))
    is_number = asked.isdecimal() and len(asked) <= MOST_DIGITS
    if not is_number or not 1 <= int(asked) <= LARGEST_PAGE:
        raise UnknownChoice("page_size", asked, (f"a number from 1 to {LARGEST_PAGE}",))
    return int(asked)


def cursor(request: Request, name: str) -> int:
    """The place of the last row read, 0 for the start. Raises UnknownChoice."""
    asked = request.query_params.get(name, "0")
    if not asked.isdecimal() or len(asked) > MOST_DIGITS:
        raise UnknownChoice(name, asked, ("a number, as next gives it",))
    return int(asked)


def checked_page(page: int, n_pages: int) -> int:
    """Raises UnknownChoice for a page beyond the last; an empty list has one empty page."""
    if page > max(n_pages, 1):
        raise UnknownChoice("page", str(page), (f"a number from 1 to {max(n_pages, 1)}",))
    return page


def envelope(
    request: Request, *, results: Sequence[Any], count: int, page: int, n_pages: int
) -> dict[str, Any]:
    return {
        "count": count,
        "page": page,
        "n_pages": max(n_pages, 1),
        "next": _address(request, page + 1) if page < n_pages else None,
        "previous": _address(request, page - 1) if page > 1 else None,
        "results": list(results),
    }


def _address(request: Request, page: int) -> str:
    here = request.build_absolute_uri()
    if page == 1:
        return str(remove_query_param(here, "page"))
    return str(replace_query_param(here, "page", page))
