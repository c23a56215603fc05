"""The project's documents as pages, so that help on a page leads somewhere."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from webapp.http.documents import document_named
from webapp.http.pages import answers_in_words, render_page


@require_safe
@answers_in_words
def documentation(request: HttpRequest, name: str) -> HttpResponse:
    document = document_named(name)
    return render_page(
        request, "pages/documentation.html", {"title": document.title, "html": document.html}
    )
