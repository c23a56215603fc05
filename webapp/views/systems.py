"""Memory systems: the list and one of them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.queries.system_pages import system_page, system_rows
from webapp.http.pages import answers_in_words, render_page


@require_safe
def systems(request: HttpRequest) -> HttpResponse:
    return render_page(request, "pages/systems.html", {"rows": system_rows(), "section": "systems"})


@require_safe
@answers_in_words
def system(request: HttpRequest, slug: str) -> HttpResponse:
    return render_page(
        request, "pages/system.html", {"page": system_page(slug), "section": "systems"}
    )
