"""Runs: reading them, and what only a lead may do with them."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation.queries.run_pages import run_page, runs_page
from evaluation.queries.runs import RunPage
from evaluation.services.judging import rejudge
from evaluation.services.plain_json import plain
from evaluation.services.run_control import cancel_run, pause_run, resume_run
from evaluation.services.runs import create_run, get_run
from webapp.api import parameters, shapes
from webapp.api.paging import checked_page, envelope
from webapp.api.permissions import OnlyLeadsSpend, spender
from webapp.api.requests import RejudgeRequest, ResumeRequest, RunRequest
from webapp.forms.filters import page_number
from webapp.http.embargo import without_embargoed_errors

CHANGED = {200: shapes.ChangedRun, **shapes.REFUSED_TO_CHANGE, 409: shapes.Refusal}


@extend_schema(
    methods=["GET"],
    operation_id="runs",
    summary="Runs, newest first",
    parameters=[parameters.PAGE],
    responses={200: shapes.Runs, 400: shapes.Refusal},
)
@extend_schema(
    methods=["POST"],
    operation_id="start_run",
    summary="Start a run",
    request=RunRequest,
    responses={201: RunPage, **shapes.REFUSED_TO_CHANGE},
)
@api_view(["GET", "POST"])
@permission_classes([OnlyLeadsSpend])
def runs(request: Request) -> Response:
    """GET lists them. POST freezes the protocol and hands the work to the workers; it needs the
    role lead."""
    if request.method == "POST":
        return _started(request)
    asked = page_number(request.query_params)
    page = runs_page(page=asked)
    checked_page(asked, page.n_pages)
    return Response(
        envelope(
            request,
            results=[plain(row) for row in page.rows],
            count=page.n_runs,
            page=asked,
            n_pages=page.n_pages,
        )
    )


def _started(request: Request) -> Response:
    asked = RunRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    made = create_run(options=asked.options(), by=spender(request))
    page = without_embargoed_errors(run_page(made.public_id, now=timezone.now()))
    return Response(plain(page), status=status.HTTP_201_CREATED)


@extend_schema(
    operation_id="run",
    summary="One run and its progress",
    parameters=[parameters.RUN],
    responses={200: RunPage, 404: shapes.Refusal},
)
@api_view(["GET"])
def run(request: Request, public_id: str) -> Response:
    """Stages with done, total, rate and seconds left; errors; cost so far; the doctor's checks."""
    del request
    return Response(plain(without_embargoed_errors(run_page(public_id, now=timezone.now()))))


@extend_schema(
    operation_id="resume",
    summary="Go on with a run",
    parameters=[parameters.RUN],
    request=ResumeRequest,
    responses=CHANGED,
)
@api_view(["POST"])
@permission_classes([OnlyLeadsSpend])
def resume(request: Request, public_id: str) -> Response:
    """After a pause, to try errored cells again, or to go on despite what the doctor found."""
    asked = ResumeRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    n_works = resume_run(
        run=get_run(public_id),
        retry_errored=asked.validated_data["retry_errored"],
        force=asked.validated_data["force"],
    )
    return _changed(public_id, n_works)


@extend_schema(
    operation_id="pause",
    summary="Pause a run",
    parameters=[parameters.RUN],
    request=None,
    responses=CHANGED,
)
@api_view(["POST"])
@permission_classes([OnlyLeadsSpend])
def pause(request: Request, public_id: str) -> Response:
    """Works in progress stop after their current cell; everything done is kept."""
    del request
    pause_run(run=get_run(public_id))
    return _changed(public_id, 0)


@extend_schema(
    operation_id="cancel",
    summary="Cancel a run",
    parameters=[parameters.RUN],
    request=None,
    responses=CHANGED,
)
@api_view(["POST"])
@permission_classes([OnlyLeadsSpend])
def cancel(request: Request, public_id: str) -> Response:
    """For good: nothing more is asked. What is done stays readable."""
    del request
    cancel_run(run=get_run(public_id))
    return _changed(public_id, 0)


@extend_schema(
    operation_id="rejudge",
    summary="One more judge for stored answers",
    parameters=[parameters.RUN],
    request=RejudgeRequest,
    responses=CHANGED,
)
@api_view(["POST"])
@permission_classes([OnlyLeadsSpend])
def judge_again(request: Request, public_id: str) -> Response:
    """Judgments are added under the judge's own key and replace none."""
    asked = RejudgeRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    ids = asked.validated_data["question_ids"]
    works = rejudge(
        run=get_run(public_id),
        judge_name=asked.validated_data["judge"],
        question_ids=frozenset(ids) if ids is not None else None,
    )
    return _changed(public_id, len(works))


def _changed(public_id: str, n_works: int) -> Response:
    page = run_page(public_id, now=timezone.now())
    return Response(plain(shapes.ChangedRun(page.run, n_works)))
