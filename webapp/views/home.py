"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.queries.home_page import home_page
from webapp.http.pages import render_page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render_page(request, "pages/home.html", {"page": home_page(), "section": "benchmarks"})
