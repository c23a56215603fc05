"""Reading the list of campaigns, and those that are open."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable

from django.db.models import Count

from annotation.models import Campaign, CampaignTally, Rater
from annotation.queries.campaign_heads import RELATED, head_of
from annotation.queries.campaigns import CampaignRow, CampaignsPage

ROWS_A_PAGE = 30
SHOWN_OPEN = 6


def campaigns_page(
    *, now: dt.datetime, page: int = 1, user_id: int | None = None, is_rater: bool = False,
    with_drafts: bool = False,
) -> CampaignsPage:  # fmt: skip
    """Newest first, 30 a page; drafts are for leads. ``is_rater``: the reader may vote wherever
    there is an open link; else only where they are a rater already."""
    listed = Campaign.objects.newest_first()
    if not with_drafts:
        listed = listed.exclude(opened_at=None, origin=Campaign.MEASURED)
    n_campaigns = listed.count()
    n_pages = max(1, math.ceil(n_campaigns / ROWS_A_PAGE))
    shown = min(page, n_pages)
    rows = listed.select_related(*RELATED)[(shown - 1) * ROWS_A_PAGE : shown * ROWS_A_PAGE]
    return CampaignsPage(
        rows=_rows(rows, now=now, user_id=user_id, is_rater=is_rater),
        page=shown,
        n_pages=n_pages,
        n_campaigns=n_campaigns,
    )


def open_campaigns(
    *, now: dt.datetime, user_id: int | None = None, is_rater: bool = False
) -> tuple[CampaignRow, ...]:
    """The newest that people are voting in; simulated and imported ones are not among them."""
    rows = Campaign.objects.open(now).filter(is_simulated=False, origin=Campaign.MEASURED)
    newest = rows.newest_first().select_related(*RELATED)[:SHOWN_OPEN]
    return _rows(newest, now=now, user_id=user_id, is_rater=is_rater)


def _rows(
    campaigns: Iterable[Campaign], *, now: dt.datetime, user_id: int | None, is_rater: bool
) -> tuple[CampaignRow, ...]:
    """In three queries more, however many there are."""
    listed = list(campaigns)
    if not listed:
        return ()
    ids = [campaign.pk for campaign in listed]
    tallies = CampaignTally.objects.in_bulk(ids)
    raters = dict(
        Rater.objects.filter(campaign__in=ids).values_list("campaign").annotate(n=Count("pk"))
    )
    mine: set[int] = set()
    if user_id is not None:
        own = Rater.objects.counted().filter(user=user_id, campaign__in=ids)
        mine = set(own.values_list("campaign", flat=True))
    rows = []
    for campaign in listed:
        head = head_of(campaign, now=now)
        tally = tallies.get(campaign.pk)
        may_vote = campaign.pk in mine or (is_rater and not head.options.invite_only)
        may_vote = may_vote and head.state == "open" and not head.is_simulated
        rows.append(
            CampaignRow(
                head=head,
                n_votes=tally.n_votes if tally else 0,
                n_counted=tally.n_counted if tally else 0,
                n_raters=raters.get(campaign.pk, 0),
                own_vote_path=head.vote_path if may_vote else "",
            )
        )
    return tuple(rows)
