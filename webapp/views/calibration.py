"""How far judges can be trusted: the list of calibrations, one campaign's, adopting it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.queries.calibration_page import Reader, calibration_page
from annotation.queries.calibrations_page import calibrations_page
from annotation.services.calibration import adopt_resolution, kept_report, withdraw_resolution
from annotation.services.campaigns import get_campaign
from annotation.services.exclusion_rules import apply_rules_of_all_closed
from evaluation.queries.choices import choose
from evaluation.queries.published_calibration import published_calibrations
from webapp.forms.calibration import calibration_choice
from webapp.forms.filters import page_number
from webapp.http.deeds import do
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import (
    campaign_reader_required,
    lead_required,
    may_read_campaigns,
    may_spend,
    voter,
)
from webapp.http.shown_text import report_with_controls_shown
from webapp.views.calibration_report import is_old_news, report_context

ADOPTED = "The resolution is adopted: boards of this judge mark pairs that are closer."
WITHDRAWN = "It is withdrawn: boards no longer read the votes of this campaign."


@require_safe
@answers_in_words
def calibrations(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    apply_rules_of_all_closed(now=now)
    context = {
        "page": calibrations_page(now=now, page=page_number(request.GET))
        if may_read_campaigns(request.user)
        else None,
        "published": published_calibrations(),
        "section": "calibration",
    }
    return render_page(request, "pages/calibrations.html", context, partial="calibrations")


@require_safe
@campaign_reader_required
@answers_in_words
def calibration(request: HttpRequest, slug: str) -> HttpResponse:
    now, is_lead = timezone.now(), may_spend(request.user)
    choice = calibration_choice(request.GET)
    page = calibration_page(slug, reader=Reader(is_lead=is_lead, **voter(request.user)), now=now)
    if page.kept_back:
        context = {"page": page, "section": "calibration"}
        return render_page(request, "pages/calibration_kept_back.html", context)
    report = kept_report(
        campaign=get_campaign(slug), settings=choice.settings, judge=choice.judge, now=now
    )
    if is_old_news(request, page, report):
        return HttpResponse(status=204)
    shown = report_with_controls_shown(report)
    context = report_context(page, shown, choice, is_lead=is_lead, now=now)
    return render_page(request, "pages/calibration.html", context, partial="results")


@require_POST
@lead_required
@answers_in_words
def calibration_deed(request: HttpRequest, slug: str, deed: str) -> HttpResponse:
    choice = calibration_choice(request.GET)
    adopt = partial(adopt_resolution, settings=choice.settings, judge=choice.judge)
    deeds: dict[str, tuple[Callable[..., object], str]] = {
        "adopt": (adopt, ADOPTED),
        "withdraw": (withdraw_resolution, WITHDRAWN),
    }
    act, sentence = deeds[choose("deed", deed, list(deeds))]
    do(request, act, sentence, campaign=get_campaign(slug))
    query = request.GET.urlencode()
    return redirect(f"{reverse('calibration', args=[slug])}{'?' * bool(query)}{query}#adoption")
