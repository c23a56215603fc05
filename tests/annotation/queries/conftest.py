"""Campaigns with votes, as voting leaves them."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from annotation.queries.campaign_counts import kept_totals
from annotation.queries.campaign_distribution import kept_distributions
from tests.annotation.toy_campaigns import make_campaign


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    """Rows of another test may have the same ids and times."""
    kept_totals.clear()
    kept_distributions.clear()


@pytest.fixture
def toy(db: None) -> Campaign:
    """Six pairs of three systems, two votes wanted on each, open since NOW."""
    return make_campaign(overlap=2)
