"""The database's side of a crowd, in a process of the site's own environment.

``python -m tests.annotation.concurrency.crowd_books make SLUG '{options of make_campaign}'``, or
``look SLUG``: checks the books and prints what stands in them as JSON.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import django


def make(slug: str, options: dict[str, Any]) -> None:
    from django.utils import timezone

    from tests.annotation.toy_campaigns import make_campaign

    make_campaign(slug=slug, now=timezone.now(), **options)


def look(slug: str) -> dict[str, Any]:
    from django.utils import timezone

    from annotation.models import Campaign, Vote
    from annotation.services import voting
    from tests.annotation.bookkeeping import balance_of, check_books

    campaign = Campaign.objects.get(slug=slug)
    check_books(campaign)
    votes = list(Vote.objects.filter(campaign=campaign).select_related("pair", "assignment"))
    counted = [vote for vote in votes if vote.slot is not None]
    now = timezone.now()
    key = voting.admit_rater(
        campaign_token=campaign.link_token, user=None, invitation=None, now=now
    )
    newcomer = voting.voting_page(
        campaign_token=campaign.link_token, rater_key=key, user=None, now=now
    )
    rows = sorted(votes, key=lambda vote: (vote.rater_id, vote.pk))
    return {
        "choices": {vote.assignment.public_id: vote.choice for vote in votes if vote.assignment},
        "n_counted": len(counted),
        "n_surplus": sum(vote.not_counted == Vote.SURPLUS for vote in votes),
        "most_on_a_pair": max(Counter(vote.pair_id for vote in counted).values(), default=0),
        "balance": balance_of(counted),
        "sides": [(vote.rater_id, vote.left_is_first) for vote in rows],
        "newcomer": newcomer.stage,
    }


if __name__ == "__main__":
    django.setup()
    if sys.argv[1] == "make":
        make(sys.argv[2], json.loads(sys.argv[3]))
    else:
        print(json.dumps(look(sys.argv[2])))
