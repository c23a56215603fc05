"""Imported studies of ratings: how far their raters agree."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.queries.ratings_page import ratings_page, study_page
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import campaign_reader_required


@require_safe
@campaign_reader_required
@answers_in_words
def ratings(request: HttpRequest) -> HttpResponse:
    context = {"studies": ratings_page(), "section": "calibration"}
    return render_page(request, "pages/ratings.html", context)


@require_safe
@campaign_reader_required
@answers_in_words
def rating_study(request: HttpRequest, slug: str) -> HttpResponse:
    context = {"page": study_page(slug), "section": "calibration"}
    return render_page(request, "pages/rating_study.html", context)
