"""The first page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.queries.campaigns import CampaignRow
from annotation.queries.campaigns_page import open_campaigns
from evaluation.queries.home_page import home_page
from webapp.http.pages import render_page
from webapp.http.roles import may_read_campaigns, voter


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    open_now: tuple[CampaignRow, ...] = ()
    if may_read_campaigns(request.user):
        open_now = open_campaigns(now=timezone.now(), **voter(request.user))
    context = {"page": home_page(), "open_campaigns": open_now, "section": "benchmarks"}
    return render_page(request, "pages/home.html", context)
