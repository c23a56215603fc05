"""The exclusion rules that were fixed before opening, applied: when a lead asks, and at closing."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef

from annotation.campaign_options import CampaignOptions
from annotation.models import AuditEntry, Campaign, Rater
from annotation.queries.exclusion_rules import met_rules, rules_in_words
from annotation.services.audit import SITE, record
from annotation.services.exclusion import exclude
from annotation.services.turns import campaign_turn

RULES_APPLIED = "exclusion rules applied"


def apply_exclusion_rules(*, campaign: Campaign, by: User | None, now: datetime) -> tuple[str, ...]:
    """Exclude every rater who meets a rule that was fixed before opening; their pseudonyms. Each
    exclusion and the applying itself are logged as the deed of ``by`` (None: the site's)."""
    with campaign_turn(campaign_id=campaign.pk, now=now) as turn:
        excluded = []
        for rater in Rater.objects.filter(campaign=campaign).counted().order_by("pk"):
            met = _met_rules(turn.options, rater)
            if met:
                exclude(turn, rater, "; ".join(met), by)
                excluded.append(rater.pseudonym)
        record(
            action=RULES_APPLIED,
            by=by,
            campaign=campaign,
            detail={"rules": list(rules_in_words(turn.options)), "excluded": excluded},
            now=now,
            actor_name=SITE,
        )
    return tuple(excluded)


def apply_rules_after_closing(*, campaign: Campaign, now: datetime) -> tuple[str, ...]:
    """The rules of a campaign that its closing time has closed. Nobody acts at that moment, so
    whoever asks for its results or its raters first sets the rules off. Once a closing: a rater
    who is counted again afterwards stays counted."""
    ended = campaign.closes_at
    is_closed_by_time = ended is not None and ended <= now and campaign.closed_at is None
    if not is_closed_by_time or campaign.opened_at is None or not has_rules(campaign):
        return ()
    applied = AuditEntry.objects.filter(campaign=campaign, action=RULES_APPLIED, at__gte=ended)
    if applied.exists():
        return ()
    with campaign_turn(campaign_id=campaign.pk, now=now):
        # Whoever looked at the same moment may have had the turn before.
        if applied.exists():
            return ()
        return apply_exclusion_rules(campaign=campaign, by=None, now=now)


def apply_rules_of_closed(*, slug: str, now: datetime) -> None:
    """The same by the name of a campaign, for a page; nothing where there is none."""
    closed = Campaign.objects.filter(slug=slug, closed_at=None, closes_at__lte=now).first()
    if closed is not None:
        apply_rules_after_closing(campaign=closed, now=now)


def apply_rules_of_all_closed(*, now: datetime) -> None:
    """The same for a page that counts votes of many campaigns; one query where nothing is due."""
    applied = AuditEntry.objects.filter(
        campaign=OuterRef("pk"), action=RULES_APPLIED, at__gte=OuterRef("closes_at")
    )
    over = Campaign.objects.filter(closed_at=None, closes_at__lte=now, opened_at__isnull=False)
    for campaign in over.filter(~Exists(applied)).defer("sampling", "source").order_by("pk"):
        apply_rules_after_closing(campaign=campaign, now=now)


def has_rules(campaign: Campaign) -> bool:
    return bool(rules_in_words(CampaignOptions.from_json(campaign.options)))


def _met_rules(options: CampaignOptions, rater: Rater) -> tuple[str, ...]:
    return met_rules(
        options,
        n_checks=rater.n_checks,
        n_checks_right=rater.n_checks_right,
        n_votes=rater.n_votes,
        n_too_fast=rater.n_too_fast,
    )
