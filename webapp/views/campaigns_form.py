"""Making a campaign, and changing a draft."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotation.queries.campaign_choices import (
    CampaignChoices,
    campaign_choices,
    draft_choices,
    runs_to_vote_on,
)
from annotation.services.campaign_control import edit_campaign
from annotation.services.campaigns import create_campaign, get_campaign
from annotation.services.refusals import REFUSALS
from evaluation.services.refusals import REFUSALS as RUN_REFUSALS
from webapp.forms.campaigns import CampaignForm, DraftForm
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import lead_required, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
@answers_in_words
def campaign_new(request: HttpRequest) -> HttpResponse:
    run_ids = list(dict.fromkeys(request.GET.getlist("run")))
    choices = campaign_choices(run_ids)
    if not run_ids or choices.refusal:
        return _choose_runs(request, run_ids, choices.refusal)
    form = CampaignForm(request.POST or None, choices=choices)
    if form.is_valid():
        try:
            made = create_campaign(
                run_ids=run_ids, by=signed_in(request), now=timezone.now(), **form.arguments()
            )
        except (*REFUSALS, *RUN_REFUSALS) as refusal:
            form.refuse(refusal)
        else:
            if form.left_out:
                messages.warning(request, _left_out(form.left_out, made.track))
            return redirect("campaign", made.slug)
    return _show_form(request, form, choices)


def _left_out(labels: Sequence[str], track: str) -> str:
    why = "it has no answers" if len(labels) == 1 else "they have no answers"
    return f"Left out, because {why} at {track}: {', '.join(labels)}."


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
@answers_in_words
def campaign_edit(request: HttpRequest, slug: str) -> HttpResponse:
    draft = draft_choices(slug, now=timezone.now())
    form = DraftForm(request.POST or None, draft=draft)
    if form.is_valid():
        try:
            edit_campaign(
                campaign=get_campaign(slug), by=signed_in(request), now=timezone.now(),
                **form.arguments(),
            )  # fmt: skip
        except (*REFUSALS, *RUN_REFUSALS) as refusal:
            form.refuse(refusal)
        else:
            return redirect("campaign", slug)
    return _show_form(request, form, draft.choices)


def _choose_runs(request: HttpRequest, run_ids: list[str], refusal: str) -> HttpResponse:
    context = {"groups": runs_to_vote_on(), "chosen": run_ids, "refusal": refusal}
    status = 400 if refusal else 200
    return render_page(request, "pages/campaign_runs.html", {**context, **_SECTION}, status=status)


def _show_form(request: HttpRequest, form: CampaignForm, choices: CampaignChoices) -> HttpResponse:
    context = {"form": form, "choices": choices, "head": form.head, **_SECTION}
    status = 400 if form.errors else 200
    return render_page(request, "pages/campaign_form.html", context, status=status)


_SECTION = {"section": "campaigns"}
