"""Reading one campaign for its lead."""

from __future__ import annotations

import datetime as dt

from django.db.models import Count, Q

from annotation.models import CampaignQuestion, CampaignSystem, Invitation
from annotation.queries.audit_entries import newest_entries
from annotation.queries.campaign import CampaignPage
from annotation.queries.campaign_counts import live_counts, pair_totals
from annotation.queries.campaign_distribution import distribution_of
from annotation.queries.campaign_heads import head_of, read_campaign
from annotation.queries.campaign_warnings import campaign_warnings
from annotation.queries.exclusion_rules import rules_in_words

SHOWN_ENTRIES = 8


def campaign_page(slug: str, *, now: dt.datetime) -> CampaignPage:
    """Raises NotFound."""
    campaign = read_campaign(slug)
    head = head_of(campaign, now=now)
    totals = pair_totals(campaign, now=now)
    counts = live_counts(campaign, totals, now=now)
    distribution = distribution_of(campaign, now=now)
    invitations = Invitation.objects.filter(campaign=campaign, revoked_at=None).aggregate(
        n=Count("pk"), n_used=Count("pk", filter=Q(rater__isnull=False))
    )
    systems = CampaignSystem.objects.filter(campaign=campaign).order_by("label")
    return CampaignPage(
        head=head,
        counts=counts,
        pairs=totals,
        distribution=distribution,
        runs=tuple(campaign.runs.order_by("created_at", "pk").values_list("public_id", flat=True)),
        systems=tuple(systems.values_list("label", flat=True)),
        n_questions=CampaignQuestion.objects.filter(campaign=campaign).count(),
        n_invitations=invitations["n"],
        n_invitations_used=invitations["n_used"],
        rules=rules_in_words(head.options),
        warnings=campaign_warnings(
            campaign, head=head, totals=totals, counts=counts, n_invitations=invitations["n"]
        ),
        audit=newest_entries(campaign, n=SHOWN_ENTRIES),
        source={str(name): str(value) for name, value in campaign.source.items()},
    )
