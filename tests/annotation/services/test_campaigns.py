"""Making a campaign from measured runs."""

from __future__ import annotations

import datetime as dt

import pytest

from annotation.campaign_options import CampaignOptions
from annotation.services.campaigns import create_campaign
from tests.evaluation.toy_runs import measured_run

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 5, 4, 9, 0, tzinfo=dt.UTC)
SYSTEMS = ("bm25", "simple-rag", "simple-rag+bm25", "base-model")


def test_a_campaign_is_made_of_a_run() -> None:
    run = measured_run(systems=SYSTEMS)
    campaign = create_campaign(
        name="First vote", run_ids=[run.public_id], options=CampaignOptions(n_pairs=6), now=NOW
    )
    assert campaign.pairs.on_vote().count() == 6
    assert campaign.track == "1k"
