"""The pairs of a campaign, and the queue of those to be reviewed. Nothing here says who wrote
what; but who reviews reads answers, and the names in them, that people are voting on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.queries.pairs import WAITING
from annotation.queries.pairs_page import pairs_page
from annotation.services.campaigns import get_campaign
from annotation.services.exclusion_rules import apply_rules_of_closed
from annotation.services.review import accept_pair, reject_pair
from evaluation.queries.choices import choose
from webapp.forms.campaign_filters import name
from webapp.forms.filters import flag, text
from webapp.http.deeds import do
from webapp.http.embargo import asked_before_unblinding
from webapp.http.pages import answers_in_words, render_page
from webapp.http.roles import lead_required

DECISIONS = {
    "accept": (accept_pair, "The pair is on vote."),
    "reject": (reject_pair, "The pair is left out; nobody is asked about it."),
}
ANSWERS = "answers"


def _shows_answers(request: HttpRequest) -> bool:
    return text(request.GET, "state") == WAITING or text(request.GET, ANSWERS) not in ("", "0")


@lead_required
@asked_before_unblinding(when=_shows_answers)
@require_safe
@answers_in_words
def campaign_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    after, now = text(request.GET, "after"), timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    page = pairs_page(
        slug,
        now=now,
        state=text(request.GET, "state"),
        question=name(request.GET, "question"),
        after=after,
        with_texts=flag(request.GET, ANSWERS),
    )
    context = {"page": page, "after": after, "section": "campaigns"}
    return render_page(request, "pages/campaign_pairs.html", context, partial="pairs")


@require_POST
@lead_required
@answers_in_words
def campaign_pair(request: HttpRequest, slug: str, pair_id: int, decision: str) -> HttpResponse:
    deed, sentence = DECISIONS[choose("decision", decision, list(DECISIONS))]
    do(request, deed, sentence, campaign=get_campaign(slug), pair_id=pair_id)
    query = request.GET.urlencode() or "state=waiting"
    return redirect(f"{reverse('campaign_pairs', args=[slug])}?{query}")
