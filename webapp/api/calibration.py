"""A campaign's calibration report as JSON."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.services.calibration import KeptReport
from evaluation.services.plain_json import plain
from webapp.api import parameters, shapes
from webapp.api.permissions import OnlyLeadsMakeCampaigns
from webapp.forms.calibration import calibration_choice
from webapp.http.calibration_access import readable_report


@extend_schema(
    operation_id="calibration",
    summary="How far the judge agrees with the voters",
    parameters=parameters.CALIBRATION,
    responses={
        200: KeptReport,
        400: shapes.Refusal,
        403: shapes.Refusal,
        404: shapes.Refusal,
    },
)
@api_view(["GET"])
@permission_classes([OnlyLeadsMakeCampaigns])
def calibration(request: Request, slug: str) -> Response:
    """The sections of the report with every number in full. A section without a value says why
    under ``undefined``. While a campaign is open, is_current says whether votes came in since."""
    choice = calibration_choice(request.query_params)
    report = readable_report(request.user, slug, choice, now=timezone.now())
    return Response(plain(report))
