"""The raters of a campaign: how they vote, excluding them, inviting them. Nothing here says which
system they voted for."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.queries.raters_page import rater_page, raters_page
from annotation.services.campaigns import get_campaign
from annotation.services.exclusion import exclude_rater, restore_rater
from annotation.services.exclusion_rules import apply_exclusion_rules, apply_rules_of_closed
from annotation.services.invitations import make_invitations, revoke_invitation
from webapp.forms.filters import page_number, text
from webapp.forms.raters import SORTS, ExclusionForm, InvitationsForm
from webapp.http.deeds import do
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import lead_required, signed_in


@require_safe
@lead_required
@answers_in_words
def campaign_raters(request: HttpRequest, slug: str) -> HttpResponse:
    now = timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    page = raters_page(
        slug,
        now=now,
        page=page_number(request.GET),
        standing=text(request.GET, "standing"),
        sort=text(request.GET, "sort"),
    )
    address = request.build_absolute_uri("/").rstrip("/")
    context = {"page": page, "sorts": SORTS, "address": address, "section": "campaigns"}
    return render_page(request, "pages/campaign_raters.html", context, partial="raters")


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
@answers_in_words
def campaign_rater(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponse:
    form = ExclusionForm(request.POST or None)
    if form.is_valid():
        whom = {"campaign": get_campaign(slug), "pseudonym": pseudonym}
        if form.is_restoring:
            do(request, restore_rater, f"{pseudonym} is counted again.", **whom)
        else:
            sentence = f"{pseudonym} is excluded; the votes are kept."
            do(request, exclude_rater, sentence, **whom, reason=form.reason_given)
        return redirect("campaign_rater", slug, pseudonym)
    now = timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    page = rater_page(slug, pseudonym, now=now)
    context = {"page": page, "form": form, "section": "campaigns"}
    status = 400 if form.errors else 200
    return render_page(request, "pages/campaign_rater.html", context, status=status)


@require_POST
@lead_required
@answers_in_words
def campaign_rules(request: HttpRequest, slug: str) -> HttpResponse:
    excluded = apply_exclusion_rules(
        campaign=get_campaign(slug), by=signed_in(request), now=timezone.now()
    )
    named = ", ".join(excluded) if excluded else "nobody who was not excluded before"
    messages.success(request, f"By the rules fixed before opening, excluded: {named}.")
    return redirect("campaign_raters", slug)


@require_POST
@lead_required
@answers_in_words
def campaign_invitations(request: HttpRequest, slug: str) -> HttpResponse:
    form = InvitationsForm(request.POST)
    if form.is_valid():
        n, note = form.cleaned_data["n"], form.cleaned_data["note"]
        sentence = f"{n} invitation{'' if n == 1 else 's'} made."
        do(request, make_invitations, sentence, campaign=get_campaign(slug), n=n, note=note)
    else:
        messages.error(request, form.sentence)
    return redirect(f"{reverse('campaign_raters', args=[slug])}#invitations")


@require_POST
@lead_required
@answers_in_words
def campaign_invitation(request: HttpRequest, slug: str, invitation_id: int) -> HttpResponse:
    sentence = "The invitation is revoked; votes that came through it stay."
    whose = {"campaign": get_campaign(slug), "invitation_id": invitation_id}
    do(request, revoke_invitation, sentence, **whose)
    return redirect(f"{reverse('campaign_raters', args=[slug])}#invitations")
