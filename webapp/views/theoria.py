"""What a run's Theoria memory made of its corpus."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.services.theoria_page import theoria_page
from webapp.forms.filters import text
from webapp.http.pages import answers_in_words, render_page


@require_safe
@answers_in_words
def theoria(request: HttpRequest, public_id: str) -> HttpResponse:
    page = theoria_page(
        run=public_id,
        variant=text(request.GET, "variant"),
        scenario=text(request.GET, "scenario"),
    )
    return render_page(request, "pages/theoria.html", {"page": page, "section": "runs"})
