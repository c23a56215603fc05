"""Campaigns: the list for everyone who may read it; making, opening, closing and reading votes is
a lead's."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from annotation.queries.campaign import CampaignPage
from annotation.queries.campaign_page import campaign_page
from annotation.queries.campaigns_page import campaigns_page
from annotation.services.campaign_control import close_campaign, open_campaign
from annotation.services.campaigns import create_campaign, get_campaign
from annotation.services.exclusion_rules import apply_rules_of_all_closed, apply_rules_of_closed
from annotation.services.reading_votes import read_votes
from evaluation.services.plain_json import plain
from webapp.api import campaign_shapes, parameters, shapes
from webapp.api.campaign_requests import CampaignRequest
from webapp.api.paging import checked_page, cursor, envelope, page_size
from webapp.api.permissions import OnlyLeads, OnlyLeadsMakeCampaigns, spender
from webapp.forms.filters import page_number
from webapp.http.roles import may_spend, voter

CHANGED = {200: CampaignPage, **shapes.REFUSED_TO_CHANGE, 409: shapes.Refusal}


@extend_schema(
    methods=["GET"],
    operation_id="campaigns",
    summary="Campaigns, newest first",
    parameters=[parameters.PAGE],
    responses={200: campaign_shapes.Campaigns, 400: shapes.Refusal, 401: shapes.Refusal},
)
@extend_schema(
    methods=["POST"],
    operation_id="create_campaign",
    summary="Make a campaign",
    request=CampaignRequest,
    responses={201: CampaignPage, **shapes.REFUSED_TO_CHANGE, 409: shapes.Refusal},
)
@api_view(["GET", "POST"])
@permission_classes([OnlyLeadsMakeCampaigns])
def campaigns(request: Request) -> Response:
    """GET is for signed-in people, and for everyone where the site is set so; drafts are for
    leads. POST draws the pairs and makes a draft, or opens it at once; it needs the role lead."""
    if request.method == "POST":
        return _made(request)
    asked, now = page_number(request.query_params), timezone.now()
    apply_rules_of_all_closed(now=now)
    page = campaigns_page(
        now=now,
        page=asked,
        with_drafts=may_spend(request.user),
        **voter(request.user),
    )
    checked_page(asked, page.n_pages)
    rows = [plain(campaign_shapes.CampaignEntry.of(row)) for row in page.rows]
    return Response(
        envelope(request, results=rows, count=page.n_campaigns, page=asked, n_pages=page.n_pages)
    )


def _made(request: Request) -> Response:
    asked = CampaignRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    made = create_campaign(**asked.arguments(), by=spender(request), now=timezone.now())
    if asked.validated_data["open"]:
        open_campaign(campaign=made, by=spender(request), now=timezone.now())
    page = campaign_page(made.slug, now=timezone.now())
    return Response(plain(page), status=status.HTTP_201_CREATED)


@extend_schema(
    operation_id="campaign",
    summary="One campaign",
    parameters=[parameters.CAMPAIGN],
    responses={200: CampaignPage, **shapes.REFUSED_TO_CHANGE},
)
@api_view(["GET"])
@permission_classes([OnlyLeads])
def campaign(request: Request, slug: str) -> Response:
    """How far it is, what was drawn, its warnings; for leads. It does not say who wrote what."""
    del request
    now = timezone.now()
    apply_rules_of_closed(slug=slug, now=now)
    return Response(plain(campaign_page(slug, now=now)))


@extend_schema(
    operation_id="open_campaign",
    summary="Open a campaign",
    parameters=[parameters.CAMPAIGN],
    request=None,
    responses=CHANGED,
)
@api_view(["POST"])
@permission_classes([OnlyLeads])
def open_one(request: Request, slug: str) -> Response:
    """Its options are frozen from then on, and the answers of its questions are embargoed."""
    open_campaign(campaign=get_campaign(slug), by=spender(request), now=timezone.now())
    return Response(plain(campaign_page(slug, now=timezone.now())))


@extend_schema(
    operation_id="close_campaign",
    summary="Close a campaign",
    parameters=[parameters.CAMPAIGN],
    request=None,
    responses=CHANGED,
)
@api_view(["POST"])
@permission_classes([OnlyLeads])
def close_one(request: Request, slug: str) -> Response:
    """Every vote is kept; the answers can be read by everyone again."""
    close_campaign(campaign=get_campaign(slug), by=spender(request), now=timezone.now())
    return Response(plain(campaign_page(slug, now=timezone.now())))


@extend_schema(
    operation_id="votes",
    summary="The votes of a campaign",
    parameters=[parameters.CAMPAIGN, parameters.AFTER, parameters.PAGE_SIZE],
    responses={200: campaign_shapes.Votes, **shapes.REFUSED_TO_CHANGE},
)
@api_view(["GET"])
@permission_classes([OnlyLeads])
def votes(request: Request, slug: str) -> Response:
    """In the order they were stored, with the systems, the sides and what was not counted and why;
    votes on checks are not among them. Reading them is an export: it stands in the audit log, and
    who reads while the campaign is open may not vote in it any more."""
    page = read_votes(
        slug=slug,
        after=cursor(request, "after"),
        n=page_size(request),
        by=spender(request),
        now=timezone.now(),
    )
    follows = page.next_after
    here = request.build_absolute_uri()
    given = campaign_shapes.Votes(
        count=page.n_votes,
        next=replace_query_param(here, "after", follows) if follows is not None else None,
        results=page.rows,
    )
    return Response(plain(given))
