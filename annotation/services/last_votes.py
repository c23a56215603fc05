"""A rater's last vote, and whether it can still be taken back.

One vote back and no further: once a vote was taken back, the votes before it stand, whatever the
rater does with the pair that returned. The next vote they cast can be taken back again.
"""

from __future__ import annotations

from typing import Final

from django.db.models import F, Subquery

from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Rater, Reveal, Vote, VoteEvent
from annotation.services.tallying import UNDONE

# A sum, so that PostgreSQL takes the rater's few rows and sorts them: the other way, back from the
# newest row until one is the rater's, it reads every vote for somebody who has none.
NEWEST: Final = (F("pk") + 0).desc()


def last_vote(rater: Rater) -> Vote | None:
    """The one stored last, whatever the clock said."""
    newest = Vote.objects.filter(rater=rater).order_by(NEWEST).values("pk")[:1]
    votes = Vote.objects.filter(pk=Subquery(newest))
    return votes.select_related("pair", "assignment").first()


def is_revealed(vote: Vote) -> bool:
    return Reveal.objects.filter(rater=vote.rater_id, pair=vote.pair_id).exists()


def last_undone(rater: Rater) -> VoteEvent | None:
    """The vote that the rater took back last, as its history keeps it."""
    undone = VoteEvent.objects.filter(rater=rater, action=UNDONE)
    return undone.order_by(NEWEST).first()


def is_before(vote: Vote, undone: VoteEvent | None) -> bool:
    """Whether the vote was stored before one that was taken back since."""
    return undone is not None and undone.vote.get("id", 0) > vote.pk


def can_undo(rater: Rater, options: CampaignOptions, current: Assignment | None) -> bool:
    """One vote back, while nothing was revealed of it. Where each vote is revealed, going on to
    the next pair closes undo, for checks as well: they must not show."""
    if rater.frozen_at is not None or rater.finished_at is not None:
        return False
    if options.reveal == "each" and current is not None:
        return False
    vote = last_vote(rater)
    if vote is None or is_revealed(vote):
        return False
    return not is_before(vote, last_undone(rater))
