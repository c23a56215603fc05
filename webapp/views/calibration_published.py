"""The calibration that a paper printed, as printed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.queries.published_calibration import (
    PublishedCalibrationPage,
    published_calibration_page,
)
from webapp.charts.calibration_agreement import AgreementBar, agreement_figure
from webapp.charts.layout import Figure
from webapp.http.pages import answers_in_words, render_page

LEVEL = 0.75


@require_safe
@answers_in_words
def calibration_published(request: HttpRequest, slug: str) -> HttpResponse:
    page = published_calibration_page(slug)
    context = {"page": page, "figure": _chart(page), "section": "calibration"}
    return render_page(request, "pages/calibration_published.html", context)


def _chart(page: PublishedCalibrationPage) -> Figure | None:
    """The paper prints agreeing and decisive votes by bucket, not the ties of each."""
    if not page.buckets:
        return None
    bars = [
        AgreementBar(
            one.label, one.n_agree, one.n_decisive - one.n_agree, 0, 0,
            one.rate.rate, one.rate.low, one.rate.high,
        )
        for one in page.buckets
    ]  # fmt: skip
    return agreement_figure(bars, level=LEVEL)
