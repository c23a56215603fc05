"""What is known of benchmarks: the pages' queries as JSON."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation.queries.audit import AuditPage
from evaluation.queries.audit_page import audit_page
from evaluation.queries.compare_page import compare_page
from evaluation.queries.contrasts_page import contrasts_page
from evaluation.queries.home_page import home_page
from evaluation.queries.leaderboard import BoardFilters
from evaluation.queries.leaderboard_page import leaderboard_page
from evaluation.queries.question_page import question_page
from evaluation.queries.questions_page import questions_page
from evaluation.queries.sweep_page import sweep_page
from evaluation.services.page_json import page_json
from evaluation.services.plain_json import plain
from webapp.api import parameters, shapes
from webapp.api.paging import checked_page, envelope
from webapp.forms.filters import board_filters, page_number, text
from webapp.http.embargo import (
    open_to_reader,
    wide_enough,
    without_embargoed_differences,
    without_embargoed_names,
)


@extend_schema(operation_id="benchmarks", summary="Every benchmark", responses=shapes.Benchmarks)
@api_view(["GET"])
def benchmarks(request: Request) -> Response:
    """Those that are loaded, and those of which only published results are here."""
    rows = home_page().benchmarks
    return Response(
        envelope(request, results=[plain(row) for row in rows], count=len(rows), page=1, n_pages=1)
    )


@extend_schema(
    operation_id="leaderboard",
    summary="The leaderboard",
    parameters=parameters.BOARD,
    responses={200: shapes.Leaderboard, **shapes.REFUSED},
)
@api_view(["GET"])
def leaderboard(request: Request, slug: str) -> Response:
    """One comparison key, one judge, one track. rank is the best rank that the data allow and
    rank_band the whole interval; anchors and published rows have none. Intervals are 95 %."""
    return _page(leaderboard_page(slug, _filters(request, slug)))


@extend_schema(
    operation_id="sweep",
    summary="The budget sweep",
    parameters=parameters.SWEEP,
    responses={200: shapes.Sweep, **shapes.REFUSED},
)
@api_view(["GET"])
def sweep(request: Request, slug: str) -> Response:
    """Score against mean achieved characters, a line a variant; who leads where; from which
    budget on one variant stays ahead of another."""
    return _page(sweep_page(slug, _filters(request, slug)))


@extend_schema(
    operation_id="contrasts",
    summary="All pairwise contrasts",
    parameters=parameters.CONTRASTS,
    responses={200: shapes.Contrasts, **shapes.REFUSED},
)
@api_view(["GET"])
def contrasts(request: Request, slug: str) -> Response:
    """a minus b on common questions, with the unadjusted and the simultaneous interval, and what a
    router over the systems could reach."""
    return _page(contrasts_page(slug, _filters(request, slug)))


@extend_schema(
    operation_id="compare",
    summary="Two variants, question by question",
    parameters=parameters.COMPARE,
    responses={200: shapes.Comparison, **shapes.REFUSED},
)
@api_view(["GET"])
def compare(request: Request, slug: str) -> Response:
    """Paired differences on the questions that both have scored; where there is no comparison,
    refusal says why."""
    params = request.query_params
    page = without_embargoed_differences(
        compare_page(slug, board_filters(params), a=text(params, "a"), b=text(params, "b"))
    )
    return _page(page)


@extend_schema(
    operation_id="questions",
    summary="The index of questions",
    parameters=parameters.QUESTIONS,
    responses={200: shapes.Questions, **shapes.REFUSED},
)
@api_view(["GET"])
def questions(request: Request, slug: str) -> Response:
    """50 a page. spread is the best minus the worst ranked variant, drop the loss from the
    largest budget to the smallest."""
    params = request.query_params
    asked = page_number(params)
    page = without_embargoed_names(questions_page(slug, board_filters(params), page=asked))
    checked_page(asked, page.n_pages)
    return _page(page)


@extend_schema(
    operation_id="question",
    summary="One question and every answer to it",
    parameters=parameters.QUESTION,
    responses={200: shapes.QuestionAnswers, **shapes.REFUSED},
)
@api_view(["GET"])
def question(request: Request, slug: str, question_id: str) -> Response:
    """What a right answer is, and each variant's answer with its score and the judge's reason."""
    params = request.query_params
    open_to_reader(request.user, slug, question_id, what=request.path)
    page = question_page(
        slug,
        question_id,
        protocol=text(params, "protocol"),
        judge=text(params, "judge"),
        track=text(params, "track"),
        phase=text(params, "phase"),
    )
    return _page(page)


def _filters(request: Request, slug: str) -> BoardFilters:
    return wide_enough(board_filters(request.query_params), slug, request.user)


def _page(page: Any) -> Response:
    return Response(page_json(page))


@extend_schema(
    operation_id="audit",
    summary="The audit of a benchmark",
    parameters=[parameters.SLUG],
    responses={200: AuditPage, 404: shapes.Refusal},
)
@api_view(["GET"])
def audit(request: Request, slug: str) -> Response:
    """What could be checked of it without a person, by the newest audit: classes A to E of the
    paper, every finding, and what the loader reported."""
    del request
    return Response(plain(audit_page(slug)))
