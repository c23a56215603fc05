"""A campaign's calibration report as a file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from webapp.forms.calibration import calibration_choice
from webapp.forms.filters import text
from webapp.http.calibration_access import readable_file
from webapp.http.pages import answers_in_words
from webapp.http.roles import campaign_reader_required


@require_safe
@campaign_reader_required
@answers_in_words
def calibration_export(request: HttpRequest, slug: str) -> HttpResponse:
    made = readable_file(
        request.user,
        slug,
        calibration_choice(request.GET),
        name=text(request.GET, "format") or "html",
        what=request.path,
        now=timezone.now(),
    )
    return HttpResponse(
        made.content,
        content_type=made.content_type,
        headers={"Content-Disposition": f'attachment; filename="{made.name}"'},
    )
