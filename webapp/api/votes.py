"""Voting over the API: what the rater's pages do, by the same services, and as blind."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.blinding.voting_page import VotingPage
from annotation.services import voting
from annotation.services.api_places import Place, find_place, place_of_assignment
from annotation.services.voting_refusals import RaterUnknown
from evaluation.services.plain_json import plain
from webapp.api import parameters, shapes
from webapp.api.rater_keys import RaterThrottle, person, read_key, signed_key
from webapp.api.vote_requests import (
    NextPairRequest,
    RaterRequest,
    VoteRequest,
    WithdrawRequest,
)
from webapp.api.vote_shapes import RaterState
from webapp.http.roles import may_join_by_name

View = Callable[..., Response]
ANSWERS = {
    200: RaterState, 400: shapes.Refusal, 403: shapes.Refusal, 404: shapes.Refusal,
    409: shapes.Refusal, 429: shapes.Refusal,
}  # fmt: skip


def rater_endpoint(view: View) -> View:
    """A POST of a rater: with a key, an account, or neither yet. Nothing of it is kept by
    caches."""

    @api_view(["POST"])
    @permission_classes([AllowAny])
    @throttle_classes([RaterThrottle])
    @wraps(view)
    def endpoint(request: Request, **names: str) -> Response:
        response = view(request, **names)
        response["Cache-Control"] = "no-store"
        return response

    return endpoint


@extend_schema(
    operation_id="next_pair",
    summary="Join a vote, and get the next pair",
    parameters=[parameters.CAMPAIGN],
    request=NextPairRequest,
    responses=ANSWERS,
)
@rater_endpoint
def assignments(request: Request, slug: str) -> Response:
    """First without consent: the answer says what is asked and what is agreed to. Then with
    consent true, which joins and answers with the rater's key and the first pair. From then on
    the key alone: the pair that is due, the same until it is decided. Signed-in people need no
    key; others join with the link."""
    asked = NextPairRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    sent, user, now = asked.validated_data, person(request), timezone.now()
    place = find_place(
        slug=slug,
        link=sent["link"],
        rater_key=read_key(sent["rater_key"]),
        user=user,
        may_join=may_join_by_name(request.user),
        now=now,
    )
    joined, key = "", place.rater_key
    if key is None and sent["consent"]:
        key = voting.admit_rater(
            campaign_token=place.campaign_token,
            user=user,
            invitation=sent["seat"] or None,
            now=now,
        )
        joined = signed_key(key)
    page = voting.voting_page(
        campaign_token=place.campaign_token, rater_key=key, user=user, now=now
    )
    return Response(plain(RaterState.of(page, rater_key=joined)))


@extend_schema(
    operation_id="vote",
    summary="Decide a pair, and get the next",
    parameters=[parameters.ASSIGNMENT],
    request=VoteRequest,
    responses=ANSWERS,
)
@rater_endpoint
def vote(request: Request, assignment_id: str) -> Response:
    """The vote is stored once, however often it is sent; another choice for the same pair is
    refused. A vote that came too late for its place is kept and not counted."""
    asked = VoteRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    page = voting.cast_vote(
        **_names(_of_assignment(request, asked, assignment_id)),
        assignment_id=assignment_id,
        now=timezone.now(),
        **asked.ballot(),
    )
    return Response(plain(RaterState.of(page, stored=True)))


@extend_schema(
    operation_id="skip",
    summary="Skip a pair, and get the next",
    parameters=[parameters.ASSIGNMENT],
    request=RaterRequest,
    responses=ANSWERS,
)
@rater_endpoint
def skip(request: Request, assignment_id: str) -> Response:
    """It comes back to this rater only when nothing else is left."""
    asked = RaterRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    page = voting.skip_pair(
        **_names(_of_assignment(request, asked, assignment_id)),
        assignment_id=assignment_id,
        now=timezone.now(),
    )
    return Response(plain(RaterState.of(page)))


@extend_schema(
    operation_id="undo",
    summary="Take the last vote back",
    parameters=[parameters.CAMPAIGN],
    request=RaterRequest,
    responses=ANSWERS,
)
@rater_endpoint
def undo(request: Request, slug: str) -> Response:
    """Its pair returns under a new id, on the same sides. Sent twice it takes back one vote."""
    return _act(request, slug, RaterRequest, voting.undo_vote)


@extend_schema(
    operation_id="continue_voting",
    summary="Go on after a vote that is revealed",
    parameters=[parameters.CAMPAIGN],
    request=RaterRequest,
    responses=ANSWERS,
)
@rater_endpoint
def go_on(request: Request, slug: str) -> Response:
    """Only where each vote is revealed: first who wrote the pair, which closes undo, then the next
    pair."""
    return _act(request, slug, RaterRequest, voting.continue_voting)


@extend_schema(
    operation_id="finish_voting",
    summary="End one's part",
    parameters=[parameters.CAMPAIGN],
    request=RaterRequest,
    responses=ANSWERS,
)
@rater_endpoint
def finish(request: Request, slug: str) -> Response:
    """The votes are final. The answer holds the completion code, if it was earned, and who wrote
    what, where the vote reveals it."""
    return _act(request, slug, RaterRequest, voting.finish_voting)


@extend_schema(
    operation_id="withdraw",
    summary="Withdraw, and erase one's votes",
    parameters=[parameters.CAMPAIGN],
    request=WithdrawRequest,
    responses=ANSWERS,
)
@rater_endpoint
def withdraw(request: Request, slug: str) -> Response:
    """For good. What is left on record is that somebody withdrew."""
    return _act(request, slug, WithdrawRequest, voting.withdraw)


def _act(
    request: Request,
    slug: str,
    asking: type[RaterRequest],
    service: Callable[..., VotingPage],
) -> Response:
    asked = asking(data=request.data)
    asked.is_valid(raise_exception=True)
    rater_key, user = read_key(asked.validated_data["rater_key"]), person(request)
    if rater_key is None and user is None:
        raise RaterUnknown
    now = timezone.now()
    place = find_place(slug=slug, link="", rater_key=rater_key, user=user, may_join=True, now=now)
    return Response(plain(RaterState.of(service(**_names(place), now=now))))


def _of_assignment(request: Request, asked: RaterRequest, assignment_id: str) -> Place:
    return place_of_assignment(
        assignment_id=assignment_id,
        rater_key=read_key(asked.validated_data["rater_key"]),
        user=person(request),
        now=timezone.now(),
    )


def _names(place: Place) -> dict[str, Any]:
    """The arguments by which a service knows a rater. Raises RaterUnknown where nobody joined."""
    if place.rater_key is None:
        raise RaterUnknown
    return {"campaign_token": place.campaign_token, "rater_key": place.rater_key}
