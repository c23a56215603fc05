"""Which questions' answers are kept from people while votes on them are open."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q
from django.db.models.functions import Coalesce

from annotation.models import Campaign, CampaignQuestion, Transfer, Unblinding


@dataclass(frozen=True, slots=True)
class Embargo:
    """``campaign_ids`` are the open campaigns whose pairs are about the question; ``names`` are
    theirs. ``until``: the latest closing time; None where a lead closes one by hand."""

    campaign_ids: tuple[int, ...]
    names: tuple[str, ...]
    until: dt.datetime | None

    @property
    def sentence(self) -> str:
        names = " and ".join(self.names)
        closes = "closes" if len(self.names) == 1 else "close"
        return f"embargoed until {names} {closes}"


def embargoed_questions(benchmark: str, *, now: dt.datetime) -> Mapping[str, Embargo]:
    """Question id → its embargo, over every revision and run of the benchmark's slug: another run
    of the same system may hold the same answer. A campaign that still draws pairs embargoes all
    questions that its runs were asked."""
    found: dict[str, list[Campaign]] = {}
    campaigns = (
        Campaign.objects.embargoing(now)
        .filter(benchmark__slug=benchmark)
        .prefetch_related("runs")
        .order_by("name", "pk")
    )
    named = {campaign.pk: campaign for campaign in campaigns}
    asked = CampaignQuestion.objects.filter(campaign__in=named).annotate(
        # Where a question is asked at several phases, the key names the phase as well.
        asked=Coalesce("question__question_id", "key")
    )
    ids = asked.order_by("campaign__name", "campaign").values_list("campaign", "asked").distinct()
    for campaign_id, question_id in ids:
        found.setdefault(question_id, []).append(named[campaign_id])
    for campaign in named.values():
        if campaign.options.get("policy") == "active":
            for key in {key for run in campaign.runs.all() for key in run.question_ids}:
                if campaign not in found.setdefault(key, []):
                    found[key].append(campaign)
    return {key: _embargo(campaigns) for key, campaigns in found.items()}


def embargo_of(benchmark: str, question_id: str, *, now: dt.datetime) -> Embargo | None:
    """The embargo of one question, None where its answers may be read."""
    return embargoed_questions(benchmark, now=now).get(question_id)


def embargo_of_campaign(slug: str, *, now: dt.datetime) -> Embargo | None:
    """The embargo of a campaign's answers; None while nobody votes on them, in this campaign or
    in another that asks one of its questions."""
    campaign = Campaign.objects.select_related("benchmark").filter(slug=slug).first()
    if campaign is None:
        return None
    same = Q(pk=campaign.pk)
    if campaign.benchmark is not None:
        asked = CampaignQuestion.objects.filter(campaign=campaign)
        same |= Q(
            benchmark__slug=campaign.benchmark.slug,
            questions__question__question_id__in=asked.values("question__question_id"),
        )
    found = Campaign.objects.embargoing(now).filter(same).distinct()
    campaigns = list(found.order_by("name", "pk"))
    return _embargo(campaigns) if campaigns else None


def embargo_of_export(public_id: str, *, now: dt.datetime) -> Embargo | None:
    """The embargo of the campaign that was exported."""
    exported = Transfer.objects.filter(public_id=public_id, kind=Transfer.EXPORT)
    campaign = Campaign.objects.embargoing(now).filter(transfers__in=exported).first()
    return None if campaign is None else _embargo([campaign])


def is_unblinded(*, user_id: int, campaign_ids: Iterable[int]) -> bool:
    """Whether the person is marked as unblinded in all of these campaigns."""
    wanted = set(campaign_ids)
    marked = Unblinding.objects.filter(user=user_id, campaign__in=wanted)
    return set(marked.values_list("campaign_id", flat=True)) == wanted


def _embargo(campaigns: list[Campaign]) -> Embargo:
    times = [campaign.closes_at for campaign in campaigns]
    known = [time for time in times if time is not None]
    return Embargo(
        campaign_ids=tuple(campaign.pk for campaign in campaigns),
        names=tuple(campaign.name for campaign in campaigns),
        until=max(known) if len(known) == len(times) else None,
    )
