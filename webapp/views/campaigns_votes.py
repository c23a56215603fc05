"""The votes of a campaign with the systems that wrote the answers: the one page of a lead that
says so while people vote, and that therefore asks before it opens."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.queries.votes_page import votes_page
from annotation.services.exclusion_rules import apply_rules_of_closed
from webapp.forms.campaign_filters import vote_filters
from webapp.http.embargo import asked_before_unblinding
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import lead_required


@lead_required
@asked_before_unblinding()
@require_safe
@answers_in_words
def campaign_votes(request: HttpRequest, slug: str) -> HttpResponse:
    now = timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    page = votes_page(slug, vote_filters(request.GET), now=now)
    context = {"page": page, "section": "campaigns"}
    return render_page(request, "pages/campaign_votes.html", context, partial="votes")
