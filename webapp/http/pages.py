"""Rendering a page or its partial from one view, and refusing what does not exist in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from annotation.services.refusals import MISSING as NO_SUCH_CAMPAIGN
from evaluation.queries.choices import UnknownChoice
from evaluation.services.refusals import MISSING
from webapp.http.roles import may_spend

View = Callable[..., HttpResponse]


def wants_partial(request: HttpRequest) -> bool:
    """Whether HTMX asks for a part of the page; restoring its history needs the whole page."""
    return (
        request.headers.get("HX-Request") == "true"
        and request.headers.get("HX-History-Restore-Request") != "true"
        and request.headers.get("HX-Boosted") != "true"
    )


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    partial: str = "",
    status: int = 200,
) -> HttpResponse:
    """The whole page, or its ``partial`` where HTMX asks: one address, one view, one template."""
    is_partial = bool(partial) and wants_partial(request)
    name = f"{template}#{partial}" if is_partial else template
    known = {**context, "may_spend": may_spend(request.user), "is_partial": is_partial}
    response = render(request, name, known, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def answers_in_words(view: View) -> View:
    """An unknown value in the address is a 400 that lists the known ones; a page that is not
    there is a 404 that says what was not found."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except UnknownChoice as refusal:
            context = {"sentence": str(refusal)}
            return render_page(
                request, "pages/refused.html", context, partial="refusal", status=400
            )
        except (*MISSING, *NO_SUCH_CAMPAIGN) as refusal:
            return render_page(request, "404.html", {"sentence": f"{refusal}."}, status=404)

    return wrapped
