"""The list of calibrations: every campaign that was opened or imported, by whose votes it has."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from annotation.models import Campaign, CampaignTally, RatingStudy
from annotation.queries.campaign_heads import RELATED, head_of
from annotation.queries.campaigns import CampaignHead
from evaluation.models import AdoptedResolution
from evaluation.queries.resolutions import adopted_later

ROWS_A_PAGE = 50
PEOPLE, IMPORTED, SIMULATED = "people", "imported", "simulated"


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """``resolution``: the adopted one in points, None where none stands; ``is_superseded``: boards
    read a report that was adopted later."""

    head: CampaignHead
    group: str
    n_counted: int
    resolution: float | None
    is_superseded: bool


@dataclass(frozen=True, slots=True)
class CalibrationsPage:
    """``rows`` come group by group. ``n_studies``: imported studies of ratings."""

    rows: tuple[CalibrationRow, ...]
    page: int
    n_pages: int
    n_studies: int


def calibrations_page(*, now: dt.datetime, page: int = 1) -> CalibrationsPage:
    """Votes of people measured here, then imported ones, then simulated ones; newest first."""
    listed = Campaign.objects.exclude(opened_at=None, origin=Campaign.MEASURED)
    n_pages = max(1, math.ceil(listed.count() / ROWS_A_PAGE))
    shown = min(page, n_pages)
    ordered = listed.order_by("is_simulated", "-origin", "-created_at", "-pk")
    campaigns = list(
        ordered.select_related(*RELATED)[(shown - 1) * ROWS_A_PAGE : shown * ROWS_A_PAGE]
    )
    tallies = CampaignTally.objects.in_bulk([campaign.pk for campaign in campaigns])
    adopted = _adopted([campaign.slug for campaign in campaigns])
    return CalibrationsPage(
        rows=tuple(
            CalibrationRow(
                head=head_of(campaign, now=now),
                group=_group(campaign),
                n_counted=tallies[campaign.pk].n_counted if campaign.pk in tallies else 0,
                resolution=value,
                is_superseded=is_superseded,
            )
            for campaign in campaigns
            for value, is_superseded in [adopted.get(campaign.slug, (None, False))]
        ),
        page=shown,
        n_pages=n_pages,
        n_studies=RatingStudy.objects.count(),
    )


def _group(campaign: Campaign) -> str:
    if campaign.is_simulated:
        return SIMULATED
    return IMPORTED if campaign.origin == Campaign.IMPORTED else PEOPLE


def _adopted(slugs: Sequence[str]) -> dict[str, tuple[float, bool]]:
    """Slug → the value that stands, and whether another campaign's report was adopted later."""
    standing = AdoptedResolution.objects.filter(withdrawn_at=None)
    later = standing.filter(
        adopted_later(OuterRef("adopted_at"), OuterRef("pk")),
        benchmark=OuterRef("benchmark"),
        judge=OuterRef("judge"),
    ).exclude(report_name=OuterRef("report_name"))
    rows = (
        standing.filter(report_name__in=slugs)
        .annotate(is_superseded=Exists(later))
        .order_by("adopted_at", "pk")
        .values_list("report_name", "value", "is_superseded")
    )
    return {slug: (value, is_superseded) for slug, value, is_superseded in rows}
