"""The boards of a benchmark: leaderboard, sweep, contrasts, comparison of two, audit."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.queries.audit_page import audit_page
from evaluation.queries.compare_page import compare_page
from evaluation.queries.contrasts_page import contrasts_page
from evaluation.queries.leaderboard import LeaderboardPage
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.queries.sweep_page import sweep_page
from webapp.forms.filters import (
    are_keys_chosen,
    board_filters,
    is_filtered,
    keys_query,
    text,
)
from webapp.http.board_files import leaderboard_file
from webapp.http.embargo import wide_enough, without_embargoed_differences
from webapp.http.pages import answers_in_words, render_page
from webapp.views.drawings import (
    compare_chart,
    difference_scale,
    sweep_chart,
    sweep_table,
    undrawn_points,
)

MANY_LINES = 12
NOTE = "note"


@require_safe
@answers_in_words
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    filters = wide_enough(board_filters(request.GET), slug, request.user)
    page = leaderboard_page(slug, filters)
    if text(request.GET, "format"):
        return leaderboard_file(page, text(request.GET, "format"))
    context = {
        "page": page,
        "sort": page.sort,
        "descending": page.descending,
        "shared_null_lines": _lines_of_several_rows(page),
        "flag_legend": [flag for flag in page.flag_legend if flag.code != NOTE],
        "n_columns": 7 + 4 * page.has_measured + len(page.tiers) + len(page.null_lines),
        **_shared(request),
    }
    return render_page(request, "pages/leaderboard.html", context, partial="board")


@require_safe
@answers_in_words
def sweep(request: HttpRequest, slug: str) -> HttpResponse:
    page = sweep_page(slug, wide_enough(board_filters(request.GET), slug, request.user))
    tracks, table = sweep_table(page)
    context = {
        "page": page,
        "tracks": tracks,
        "table": table,
        "figure": sweep_chart(page),
        "undrawn": undrawn_points(page),
        "chart_size": "tall" if len(page.lines) > MANY_LINES else "",
        "located": [one for one in page.crossovers if one.is_located],
        "unlocated": [one for one in page.crossovers if not one.is_located],
        "caption": "Mean score over mean achieved characters. Dashed is dense, solid hybrid, "
        "dotted lexical; variants that share these differ in width and marker size. Bands are 95 % "
        "intervals; open markers are native, matched to no budget.",
        **_shared(request),
    }
    return render_page(request, "pages/sweep.html", context, partial="sweep")


@require_safe
@answers_in_words
def contrasts(request: HttpRequest, slug: str) -> HttpResponse:
    page = contrasts_page(slug, wide_enough(board_filters(request.GET), slug, request.user))
    low, high = difference_scale([(row.shown_low, row.shown_high) for row in page.rows])
    context = {"page": page, "delta_low": low, "delta_high": high, **_shared(request)}
    return render_page(request, "pages/contrasts.html", context, partial="contrasts")


@require_safe
@answers_in_words
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    filters = board_filters(request.GET)
    page = without_embargoed_differences(
        compare_page(slug, filters, a=text(request.GET, "a"), b=text(request.GET, "b"))
    )
    low, high = difference_scale([(tally.ci_low, tally.ci_high) for tally in page.all_tallies])
    context = {
        "page": page,
        "tallies": page.all_tallies,
        "figure": compare_chart(page),
        "caption": "Score of A minus score of B, a bar a question. The dashed line is the mean "
        "difference, the band its 95 % interval.",
        "delta_low": low,
        "delta_high": high,
        **_shared(request),
    }
    return render_page(request, "pages/compare.html", context, partial="compare")


@require_safe
@answers_in_words
def audit(request: HttpRequest, slug: str) -> HttpResponse:
    return render_page(request, "pages/audit.html", {"page": audit_page(slug), **_shared(request)})


def _lines_of_several_rows(page: LeaderboardPage) -> list[str]:
    """Null lines for which several rows stand, such as one an embedder: each difference then says
    which row it is to."""
    rows = {
        line: {row.delta_to[line].null_line for row in page.rows if line in row.delta_to}
        for line in page.null_lines
    }
    return [line for line, labels in rows.items() if len(labels) > 1]


def _shared(request: HttpRequest) -> dict[str, object]:
    return {
        "section": "benchmarks",
        "is_filtered": is_filtered(request.GET),
        "keys_open": are_keys_chosen(request.GET),
        "keys_query": keys_query(request.GET),
    }
