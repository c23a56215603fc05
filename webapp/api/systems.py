"""Memory systems: what each is and promises, and what was measured of it."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation.queries.system_pages import system_page, system_rows
from evaluation.queries.systems import SystemPage
from evaluation.services.plain_json import plain
from webapp.api import parameters, shapes
from webapp.api.paging import envelope


@extend_schema(
    operation_id="systems", summary="Every memory system", responses={200: shapes.Systems}
)
@api_view(["GET"])
def systems(request: Request) -> Response:
    """Those registered here; missing says what must be installed before one can run."""
    rows = [plain(row) for row in system_rows()]
    return Response(envelope(request, results=rows, count=len(rows), page=1, n_pages=1))


@extend_schema(
    operation_id="system",
    summary="One memory system",
    parameters=[parameters.SYSTEM],
    responses={200: SystemPage, 404: shapes.Refusal},
)
@api_view(["GET"])
def system(request: Request, slug: str) -> Response:
    """Its granularity, knob, parameters and declared departures, its latest measurement on each
    benchmark, and the doctor's last report."""
    del request
    return Response(plain(system_page(slug)))
