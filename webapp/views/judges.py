"""The judges of a benchmark beside each other."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.queries.judges import JudgePair
from evaluation.queries.judges_page import judges_page
from evaluation.statistics.calibration.judges import Line
from webapp.charts.calibration_judges import (
    HeatCell,
    ScatterPoint,
    disagreement_figure,
    scatter_figure,
)
from webapp.charts.layout import Figure
from webapp.forms.filters import are_keys_chosen, key_params, keys_query, text
from webapp.http.pages import answers_in_words, render_page
from webapp.views.drawings import difference_scale


@require_safe
@answers_in_words
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    page = judges_page(
        slug,
        protocol=key_params(request.GET).protocol,
        first=text(request.GET, "first"),
        second=text(request.GET, "second"),
    )
    low, high = difference_scale(_biases(page.shown))
    context = {
        "page": page,
        "scatter": _scatter(page.shown),
        "heat": _heat(page.shown),
        "delta_low": low,
        "delta_high": high,
        "section": "benchmarks",
        "keys_open": are_keys_chosen(request.GET),
        "keys_query": keys_query(request.GET),
    }
    return render_page(request, "pages/judges.html", context, partial="judges")


def _biases(pair: JudgePair | None) -> list[tuple[float | None, float | None]]:
    if pair is None or pair.comparison is None:
        return []
    rows = (pair.comparison.bias, *pair.comparison.bias_by_tier)
    return [end for row in rows for end in ((row.low, row.high), (row.mean, row.mean))]


def _scatter(pair: JudgePair | None) -> Figure | None:
    if pair is None or pair.comparison is None:
        return None
    line = pair.comparison.line if isinstance(pair.comparison.line, Line) else None
    return scatter_figure(
        [ScatterPoint(one.x, one.y, one.n) for one in pair.points],
        first=pair.first,
        second=pair.second,
        slope=line.slope if line else None,
        intercept=line.intercept if line else None,
    )


def _heat(pair: JudgePair | None) -> Figure | None:
    if pair is None or not pair.disagreement:
        return None
    return disagreement_figure(
        [
            HeatCell(
                f"{one.track} {one.modality}", one.tier, one.mean_absolute, one.mean_signed, one.n
            )
            for one in pair.disagreement
        ]
    )
