"""A rater's page as HTML: the whole of it, or the stage alone for the script that asks for it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from annotation.blinding.voting_page import BlindCampaign, VotingPage
from annotation.views.form_fields import CONFIDENCES, Draft

PARTIAL_HEADER: Final = "X-Partial"
CONFIDENCE_WORDS: Final = ("a guess", "unsure", "fairly sure", "sure", "certain")


@dataclass(frozen=True, slots=True)
class Choice:
    """``meaning`` is said above the answers where the label alone could be misread."""

    value: str
    key: str
    letter: str
    label: str
    meaning: str = ""


CHOICES: Final = {
    "a": Choice("a", "a", "A", "A is better"),
    "b": Choice("b", "b", "B", "B is better"),
    "tie": Choice("tie", "t", "T", "Tie", "both are equally good"),
    "both_bad": Choice("both_bad", "x", "X", "Both bad", "neither is of use"),
}


def wants_partial(request: HttpRequest) -> bool:
    """Whether our script asks, which shows the stage alone."""
    return request.headers.get(PARTIAL_HEADER) == "stage"


def seat_of(request: HttpRequest) -> str:
    """The invitation in the address, or in a form that is shown again."""
    return request.GET.get("seat", "")[:64] or request.POST.get("seat", "")[:64]


def show_page(
    request: HttpRequest,
    page: VotingPage,
    *,
    sentence: str = "",
    draft: Draft | None = None,
    status: int = 200,
) -> HttpResponse:
    """``sentence`` says what was refused; ``draft`` refills the form of its pair, and what was
    written for another is shown to be copied."""
    is_drafted = (
        draft is not None
        and page.pair is not None
        and (draft.assignment_id == page.pair.assignment_id)
    )
    context: dict[str, Any] = {
        "page": page,
        "campaign": page.campaign,
        "stage_template": f"vote/stages/{page.stage}.html",
        "address": reverse("vote", args=[page.campaign.token]),
        "sentence": sentence,
        "kept_comment": draft.comment if draft and not is_drafted else "",
        "seat": seat_of(request),
    }
    if page.pair is not None:
        context["pair"] = pair = page.pair
        context["reference"] = _kept_reference(
            question_html=pair.question_html,
            gold_html=pair.gold_html,
            facts=pair.facts,
            source_spans=pair.source_spans,
        )
        context["client_token"] = secrets.token_urlsafe(16)
        context["task"] = _kept_part("task", page.campaign)
        context["bar"] = _kept_part("bar", page.campaign, can_undo=page.can_undo)
        context["why"] = (
            _part("why", page.campaign, draft=draft)
            if is_drafted
            else _kept_part("why", page.campaign)
        )
    if not wants_partial(request):
        return render(request, "vote/page.html", context, status=status)
    # The script votes: nothing that the rest of the page needs is looked up for it, and the form's
    # token, which was checked, serves again.
    context["csrf_token"] = request.POST.get("csrfmiddlewaretoken") or get_token(request)
    return HttpResponse(render_to_string("vote/stage.html", context), status=status)


def _part(
    name: str, campaign: BlindCampaign, *, can_undo: bool = False, draft: Draft | None = None
) -> SafeString:
    """What is the same on all pages of a campaign but for what was typed into one."""
    context = {
        "campaign": campaign,
        "address": reverse("vote", args=[campaign.token]),
        "choices": [CHOICES[choice] for choice in campaign.choices],
        "confidences": list(zip(CONFIDENCES, CONFIDENCE_WORDS, strict=True)),
        "can_undo": can_undo,
        "draft": draft,
    }
    return render_to_string(f"vote/parts/{name}.html", context)


_kept_part = lru_cache(maxsize=256)(_part)


@lru_cache(maxsize=256)
def _kept_reference(**question: Any) -> SafeString:
    """What is the same on all pages of a question."""
    return render_to_string("vote/parts/reference.html", question)


def show_refusal(
    request: HttpRequest, sentence: str, *, campaign_token: str = "", status: int
) -> HttpResponse:
    """A refusal without a page to stand on; the script shows it beside what is being written."""
    address = reverse("vote", args=[campaign_token]) if campaign_token else ""
    context = {"sentence": sentence, "address": address}
    if wants_partial(request):
        return HttpResponse(render_to_string("vote/refusal.html", context), status=status)
    return render(request, "vote/refused.html", context, status=status)
