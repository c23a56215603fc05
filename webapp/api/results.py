"""Answers out of a run, and results made elsewhere into one."""

from __future__ import annotations

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation.services.importing import import_results
from evaluation.services.plain_json import plain
from evaluation.services.results import result_page
from evaluation.services.runs import get_run
from evaluation.services.uploads import uploaded_file
from webapp.api import parameters, shapes
from webapp.api.paging import checked_page, envelope, page_size
from webapp.api.permissions import OnlyLeadsSpend, spender
from webapp.api.requests import ImportRequest
from webapp.forms.filters import flag, page_number, text
from webapp.http.embargo import AnswersEmbargoed, kept_from_reader, sentence_of


@extend_schema(
    operation_id="answers",
    summary="The answers of a run",
    parameters=parameters.ANSWERS,
    responses={200: shapes.Answers, 400: shapes.Refusal, 404: shapes.Refusal},
)
@api_view(["GET"])
def answers(request: Request, public_id: str) -> Response:
    """Every answer with its judgments, in the order of the exports. Scores are 0–10; a judgment
    without one says why it is unscored. ``embargoed`` says which answers are kept back while
    people vote on them."""
    params = request.query_params
    page, size = page_number(params), page_size(request)
    run, question_id = get_run(public_id), text(params, "question")
    asked = [question_id] if question_id else run.question_ids
    kept_back = kept_from_reader(request.user, run.benchmark.slug, asked, what=request.path)
    if question_id in kept_back:
        raise AnswersEmbargoed(question_id, kept_back[question_id])
    found = result_page(
        run=run,
        variant=text(params, "variant"),
        track=text(params, "track"),
        question_id=question_id,
        without_questions=kept_back,
        with_contexts=flag(params, "contexts"),
        start=(page - 1) * size,
        n=size,
    )
    n_pages = -(-found.n_rows // size)
    checked_page(page, n_pages)
    results = [plain(row) for row in found.rows]
    listed = envelope(request, results=results, count=found.n_rows, page=page, n_pages=n_pages)
    return Response({**listed, "embargoed": sentence_of(kept_back)})


@extend_schema(
    operation_id="import_results",
    summary="Import results",
    request={"multipart/form-data": ImportRequest},
    responses={
        201: shapes.ImportedResults,
        **shapes.REFUSED_TO_CHANGE,
        409: shapes.Refusal,
    },
)
@api_view(["POST"])
@permission_classes([OnlyLeadsSpend])
@parser_classes([MultiPartParser])
def import_file(request: Request) -> Response:
    """A file of results becomes one finished run under a comparison key of its own. Rows that
    cannot be taken are named in problems."""
    asked = ImportRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    upload: UploadedFile = asked.validated_data["file"]
    name = upload.name or ""
    with uploaded_file(chunks=upload.chunks(), original_name=name) as path:
        imported = import_results(
            path=path,
            format=asked.validated_data["format"],
            benchmark=asked.validated_data["benchmark"] or None,
            original_name=name,
            holdout=asked.validated_data["holdout"],
            by=spender(request),
        )
    given = shapes.ImportedResults(
        run=imported.run.public_id,
        benchmark=imported.run.benchmark.slug,
        n_answers=imported.n_answers,
        n_missing=imported.n_missing,
        problems=imported.problems,
    )
    return Response(plain(given), status=status.HTTP_201_CREATED)
