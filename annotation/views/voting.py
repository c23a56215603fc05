"""The rater's pages. They know what annotation.blinding.voting_page says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.blinding.voting_page import VotingPage
from annotation.services import voting
from annotation.views.door import blind_place, own_place, place_or_none, rater_page, signed_in
from annotation.views.form_fields import check_confirmed, read_token, read_vote
from annotation.views.places import PlaceUnreadable, forget_place, keep_place, read_place
from annotation.views.screens import show_page, wants_partial

PLACE_LOST = (
    "This browser's place in the vote could not be read, so it was put aside. Votes stored before "
    "are safe; joining again starts anew."
)
Act = Callable[[HttpRequest, str, str], VotingPage]
View = Callable[..., HttpResponse]


@rater_page
@require_safe
def vote(request: HttpRequest, campaign_token: str) -> HttpResponse:
    """Wherever the rater stands: closed, consent, voting, revealed, waiting or done."""
    try:
        rater_key, sentence = read_place(request, campaign_token), ""
    except PlaceUnreadable:
        rater_key, sentence = None, PLACE_LOST
    page = voting.voting_page(
        campaign_token=campaign_token,
        rater_key=rater_key,
        user=signed_in(request),
        now=timezone.now(),
    )
    response = show_page(request, page, sentence=sentence)
    if sentence:
        forget_place(response, campaign_token)
    return response


@rater_page
def consent(request: HttpRequest, campaign_token: str) -> HttpResponse:
    if request.method != "POST":
        return _to_the_page(campaign_token)
    seat = request.POST.get("seat")
    rater_key = voting.admit_rater(
        campaign_token=campaign_token,
        user=signed_in(request),
        invitation=read_token(request.POST, "seat") if seat else None,
        rater_key=place_or_none(request, campaign_token),
        now=timezone.now(),
    )
    response = _to_the_page(campaign_token)
    keep_place(response, campaign_token, rater_key)
    return response


def rater_act(said: str, *, place_of: Callable[..., str] = blind_place) -> Callable[[Act], View]:
    """A form of a rater with a place: POST acts and shows what is next; GET leads to the page.

    ``said`` confirms the act on the page that follows; the script says it itself. ``place_of``
    says who may act.
    """

    def decorate(act: Act) -> View:
        @rater_page
        @wraps(act)
        def door(request: HttpRequest, campaign_token: str) -> HttpResponse:
            if request.method != "POST":
                return _to_the_page(campaign_token)
            page = act(request, campaign_token, place_of(request, campaign_token))
            if wants_partial(request):
                return show_page(request, page)
            if said:
                messages.success(request, said)
            return _to_the_page(campaign_token)

        return door

    return decorate


@rater_act("Your vote is stored.")
def cast(request: HttpRequest, campaign_token: str, rater_key: str) -> VotingPage:
    sent = read_vote(request.POST)
    return voting.cast_vote(
        campaign_token=campaign_token,
        rater_key=rater_key,
        assignment_id=sent.draft.assignment_id,
        choice=sent.draft.choice,
        reasons=sent.draft.reasons,
        comment=sent.draft.comment,
        confidence=sent.draft.confidence,
        client_token=sent.client_token,
        now=timezone.now(),
    )


@rater_act("Skipped. This pair comes back only when nothing else is left.")
def skip(request: HttpRequest, campaign_token: str, rater_key: str) -> VotingPage:
    return voting.skip_pair(
        campaign_token=campaign_token,
        rater_key=rater_key,
        assignment_id=read_token(request.POST, "assignment"),
        now=timezone.now(),
    )


@rater_act("Your last vote is taken back; decide it again.")
def undo(_: HttpRequest, campaign_token: str, rater_key: str) -> VotingPage:
    return voting.undo_vote(campaign_token=campaign_token, rater_key=rater_key, now=timezone.now())


@rater_act("")
def go_on(_: HttpRequest, campaign_token: str, rater_key: str) -> VotingPage:
    return voting.continue_voting(
        campaign_token=campaign_token, rater_key=rater_key, now=timezone.now()
    )


@rater_act("")
def finish(_: HttpRequest, campaign_token: str, rater_key: str) -> VotingPage:
    return voting.finish_voting(
        campaign_token=campaign_token, rater_key=rater_key, now=timezone.now()
    )


@rater_act("", place_of=own_place)
def withdraw(request: HttpRequest, campaign_token: str, rater_key: str) -> VotingPage:
    """The page says from then on that the votes are erased."""
    check_confirmed(request.POST)
    return voting.withdraw(campaign_token=campaign_token, rater_key=rater_key, now=timezone.now())


def _to_the_page(campaign_token: str) -> HttpResponse:
    # 303: whatever was sent, the page is asked for with GET, and reloading it sends nothing again.
    return HttpResponseRedirect(reverse("vote", args=[campaign_token]), status=303)
