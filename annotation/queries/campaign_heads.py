"""A campaign's head from its row, with its state derived from its times."""

from __future__ import annotations

import datetime as dt

from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign
from annotation.queries.campaigns import CampaignHead, CampaignState
from evaluation.queries.choices import NotFound

RELATED = ("benchmark", "judge", "created_by")


def read_campaign(slug: str) -> Campaign:
    """The row with what its head needs, in one query. Raises NotFound."""
    campaign = Campaign.objects.select_related(*RELATED, "tally").filter(slug=slug).first()
    if campaign is None:
        raise NotFound("campaign", slug)
    return campaign


def state_of(campaign: Campaign, *, now: dt.datetime) -> CampaignState:
    """``scheduled``: opened by a lead, but its time has not come."""
    if campaign.closed_at is not None:
        return "closed"
    if campaign.opened_at is None:
        return "draft"
    if campaign.closes_at is not None and campaign.closes_at <= now:
        return "closed"
    if campaign.opens_at is not None and campaign.opens_at > now:
        return "scheduled"
    return "open"


def head_of(campaign: Campaign, *, now: dt.datetime) -> CampaignHead:
    """``campaign`` was read with RELATED."""
    benchmark, judge = campaign.benchmark, campaign.judge
    return CampaignHead(
        slug=campaign.slug,
        name=campaign.name,
        state=state_of(campaign, now=now),
        is_simulated=campaign.is_simulated,
        is_imported=campaign.origin == Campaign.IMPORTED,
        benchmark=benchmark.slug if benchmark else "",
        benchmark_title=benchmark.title if benchmark else "",
        track=campaign.track,
        judge=judge.name if judge else "",
        judge_is_proxy=bool(judge and judge.is_proxy),
        options=CampaignOptions.from_json(campaign.options),
        vote_path=vote_path(campaign.link_token),
        opens_at=campaign.opens_at,
        closes_at=campaign.closes_at,
        opened_at=campaign.opened_at,
        closed_at=campaign.closed_at,
        created_at=campaign.created_at,
        created_by=campaign.created_by.get_username() if campaign.created_by else "",
    )


def vote_path(token: str) -> str:
    """Where raters vote, below the site's address."""
    return f"/vote/{token}/"
