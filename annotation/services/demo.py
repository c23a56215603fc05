"""What a first start shows of voting: a simulated campaign over the demo's measured answers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from annotation.blinding.instructions import DEFAULT_CONSENT
from annotation.campaign_options import CampaignOptions
from annotation.models import Campaign
from annotation.services.campaign_control import close_campaign, open_campaign
from annotation.services.campaign_drawing import TooFewPairs
from annotation.services.campaigns import create_campaign
from annotation.services.simulated_votes import simulate_votes
from evaluation.models import Run
from evaluation.services.demo import BENCHMARK

NAME: Final = "Demonstration (simulated raters)"
PAIRS: Final = (120, 60, 30)
"""As many as there are: without a language model, systems often answer alike."""
OVERLAP: Final = 3
RATERS: Final = 12
TOOK: Final = timedelta(hours=2)


def prepare_demo_campaign(*, now: datetime) -> bool:
    """Make the campaign once the demo's first run has ended; whether nothing is left to do.

    It is closed when its votes are there, so that it keeps no answers back. Where there are other
    campaigns already, none is made. Done again after a kill, it goes on.
    """
    campaign = Campaign.objects.filter(name=NAME, is_simulated=True).first()
    if campaign is None:
        if Campaign.objects.exists():
            return True
        runs = Run.objects.filter(benchmark__slug=BENCHMARK).order_by("created_at", "pk")
        run = runs.first()
        if run is None or run.finished_at is None:
            return run is not None and run.cancelled_at is not None
        campaign = _opened(run, now - TOOK)
        if campaign is None:
            return True
    if campaign.closed_at is None:
        simulate_votes(campaign=campaign, n_raters=RATERS, now=now)
        close_campaign(campaign=campaign, by=None, now=now)
    return True


def _opened(run: Run, at: datetime) -> Campaign | None:
    """None where there are too few pairs for any of PAIRS."""
    for n_pairs in PAIRS:
        options = CampaignOptions(n_pairs=n_pairs, overlap=OVERLAP, consent=DEFAULT_CONSENT)
        try:
            with transaction.atomic():
                campaign = create_campaign(
                    name=NAME,
                    run_ids=[run.public_id],
                    options=options,
                    is_simulated=True,
                    now=at,
                )
                return open_campaign(campaign=campaign, by=None, now=at)
        except TooFewPairs:
            continue
    return None
