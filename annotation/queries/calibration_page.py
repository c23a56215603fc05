"""What stands around a campaign's calibration report: its head, who may read it, what was drawn
and what is adopted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotation.models import Campaign, Rater
from annotation.queries.campaign import Distribution
from annotation.queries.campaign_distribution import distribution_of
from annotation.queries.campaign_heads import head_of, read_campaign
from annotation.queries.campaigns import CampaignHead
from evaluation.models import AdoptedResolution
from evaluation.queries.choices import NotFound
from evaluation.queries.resolutions import adopted_later


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks. ``is_rater``: may vote wherever a campaign is open."""

    user_id: int | None
    is_lead: bool
    is_rater: bool


@dataclass(frozen=True, slots=True)
class AdoptedRow:
    """What boards read of this campaign: points, with the agreement (0–1) it stands for.
    ``superseded_by``: the campaign whose report was adopted later, so that boards read that one.
    ``falls_back_to``: the one that boards read once this campaign's is withdrawn. Both may be
    empty."""

    judge: str
    judge_key: str
    superseded_by: str
    falls_back_to: str
    value: float
    low: float | None
    high: float | None
    level: float
    n_pairs: int
    report_hash: str
    adopted_by: str
    adopted_at: dt.datetime


@dataclass(frozen=True, slots=True)
class CalibrationPage:
    """``kept_back``: why the reader may not see the results yet, or empty; then nothing else is
    read. ``is_live``: results may still change without anybody's doing."""

    head: CampaignHead
    kept_back: str
    is_live: bool
    adopted: tuple[AdoptedRow, ...]
    distribution: Distribution | None


def calibration_page(slug: str, *, reader: Reader, now: dt.datetime) -> CalibrationPage:
    """Raises NotFound; a draft is there for leads alone."""
    campaign = read_campaign(slug)
    head = head_of(campaign, now=now)
    if head.state == "draft" and not head.is_imported and not reader.is_lead:
        raise NotFound("campaign", slug)
    reason = _kept_back(campaign, head, reader)
    return CalibrationPage(
        head=head,
        kept_back=reason,
        is_live=head.state in ("open", "scheduled") and not head.is_imported and not reason,
        adopted=() if reason else _adopted(slug),
        distribution=None if reason else distribution_of(campaign, now=now),
    )


def pseudonyms(slug: str, places: Iterable[int]) -> Mapping[int, str]:
    """The names of raters by their place in a report: the campaign's raters in the order of their
    rows, from 0."""
    wanted = set(places)
    if not wanted:
        return {}
    rows = Rater.objects.filter(campaign__slug=slug).order_by("pk")
    names = rows.values_list("pseudonym", flat=True)[: max(wanted) + 1]
    return {place: name for place, name in enumerate(names) if place in wanted}


def _kept_back(campaign: Campaign, head: CampaignHead, reader: Reader) -> str:
    """Results could sway whoever still votes: those with a seat, raters who may take one, and
    visitors, of whom nobody knows whether they vote."""
    if head.is_imported or head.is_simulated or head.state not in ("open", "scheduled"):
        return ""
    if reader.user_id is None:
        return "While people vote, only readers who are signed in see how the votes fall."
    seats = Rater.objects.counted().filter(campaign=campaign, user=reader.user_id)
    if seats.exists():
        return "You vote in this campaign, and how the others vote must not sway you."
    if reader.is_rater and not reader.is_lead:
        return "You may vote in this campaign, and how the others vote must not sway you."
    return ""


def _adopted(slug: str) -> tuple[AdoptedRow, ...]:
    """The newest of each judge that was not withdrawn."""
    rows = (
        AdoptedResolution.objects.filter(report_name=slug, withdrawn_at=None)
        .select_related("judge", "adopted_by")
        .order_by("-adopted_at", "-pk")
    )
    newest = {row.judge_id: row for row in reversed(rows)}
    return tuple(
        AdoptedRow(
            judge=row.judge.name,
            judge_key=row.judge.key,
            superseded_by=_other_campaign(row, is_later=True),
            falls_back_to=_other_campaign(row, is_later=False),
            value=row.value,
            low=row.low,
            high=row.high,
            level=row.level,
            n_pairs=row.n_pairs,
            report_hash=row.report_hash,
            adopted_by=row.adopted_by.get_username() if row.adopted_by else "",
            adopted_at=row.adopted_at,
        )
        for row in newest.values()
    )


def _other_campaign(row: AdoptedResolution, *, is_later: bool) -> str:
    """The campaign of the newest report on the same board that was adopted later, or before; of
    all that stand the newest holds. Empty where there is none."""
    others = (
        AdoptedResolution.objects.filter(
            benchmark=row.benchmark_id, judge=row.judge_id, withdrawn_at=None
        )
        .exclude(report_name=row.report_name)
        .order_by("-adopted_at", "-pk")
    )
    later = adopted_later(row.adopted_at, row.pk)
    found = others.filter(later if is_later else ~later)
    return found.values_list("report_name", flat=True).first() or ""
