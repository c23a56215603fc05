"""Campaigns for their leads: the list, one campaign's progress, its log, opening and closing."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.queries.audit_entries import audit_page
from annotation.queries.campaign_page import campaign_page
from annotation.queries.campaigns_page import campaigns_page
from annotation.services.campaign_control import (
    close_campaign,
    delete_draft,
    open_campaign,
    reopen_campaign,
    set_times,
)
from annotation.services.campaigns import get_campaign
from annotation.services.exclusion_rules import apply_rules_of_all_closed, apply_rules_of_closed
from evaluation.queries.choices import choose
from webapp.forms.campaigns import TimesForm
from webapp.forms.filters import page_number
from webapp.http.deeds import do
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import campaign_reader_required, lead_required, may_spend, voter

ACTIONS: dict[str, tuple[Callable[..., object], str]] = {
    "open": (open_campaign, "It is open: share the link."),
    "close": (close_campaign, "It is closed. Every vote is kept."),
    "reopen": (reopen_campaign, "It is open again."),
    "delete": (delete_draft, "The draft is deleted."),
}


@require_safe
@campaign_reader_required
@answers_in_words
def campaigns(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    apply_rules_of_all_closed(now=now)
    page = campaigns_page(
        now=now,
        page=page_number(request.GET),
        with_drafts=may_spend(request.user),
        **voter(request.user),
    )
    context = {"page": page, "section": "campaigns"}
    return render_page(request, "pages/campaigns.html", context, partial="campaigns")


@require_safe
@lead_required
@answers_in_words
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    now = timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    page = campaign_page(slug, now=now)
    link = request.build_absolute_uri(page.head.vote_path)
    times = TimesForm(initial={"opens_at": page.head.opens_at, "closes_at": page.head.closes_at})
    context = {"page": page, "link": link, "times": times, "section": "campaigns"}
    return render_page(request, "pages/campaign.html", context, partial="counts")


@require_safe
@lead_required
@answers_in_words
def campaign_audit(request: HttpRequest, slug: str) -> HttpResponse:
    now = timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    page = audit_page(slug, now=now, page=page_number(request.GET))
    context = {"page": page, "section": "campaigns"}
    return render_page(request, "pages/campaign_audit.html", context, partial="audit")


@require_POST
@lead_required
@answers_in_words
def campaign_action(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    deed, sentence = ACTIONS[choose("action", action, list(ACTIONS))]
    is_done = do(request, deed, sentence, campaign=get_campaign(slug))
    return redirect("campaigns") if is_done and action == "delete" else redirect("campaign", slug)


@require_POST
@lead_required
@answers_in_words
def campaign_times(request: HttpRequest, slug: str) -> HttpResponse:
    form = TimesForm(request.POST)
    if form.is_valid():
        do(
            request,
            set_times,
            "The times are set.",
            campaign=get_campaign(slug),
            **form.cleaned_data,
        )
    else:
        messages.error(request, "The times were not set: a time looks like 2026-03-31 18:00.")
    return redirect("campaign", slug)
