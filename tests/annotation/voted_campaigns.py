"""A campaign whose votes have a resolution."""

from __future__ import annotations

from typing import Any

from annotation.models import Campaign, PairScore
from tests.annotation.toy_campaigns import make_campaign
from tests.annotation.toy_votes import add_rater, add_vote


def voted_campaign(**options: Any) -> Campaign:
    """60 pairs: below a gap of one point people side with the judge half of the time, above it
    always."""
    campaign = make_campaign(n_pairs=60, n_questions=20, **options)
    for place, pair in enumerate(campaign.pairs.order_by("pk")):
        gap = 50 if place < 24 else 300
        agrees = place >= 24 or place % 2 == 0
        PairScore.objects.filter(pair=pair).update(
            first_hundredths=600 + gap, second_hundredths=600
        )
        rater = add_rater(campaign, f"r{place}")
        add_vote(rater, pair, "a" if agrees else "b")
    return campaign
