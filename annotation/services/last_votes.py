"""A rater's last vote, and whether it can still be taken back."""

from __future__ import annotations

from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Rater, Reveal, Vote, VoteEvent
from annotation.services.tallying import UNDONE


def last_vote(rater: Rater) -> Vote | None:
    """The one stored last, whatever the clock said."""
    votes = Vote.objects.filter(rater=rater).select_related("pair", "assignment")
    return votes.order_by("-pk").first()


def is_revealed(vote: Vote) -> bool:
    return Reveal.objects.filter(rater=vote.rater_id, pair=vote.pair_id).exists()


def is_taken_back(current: Assignment | None) -> bool:
    """Whether the pair on the rater's page is one that they have undone."""
    return (
        current is not None
        and VoteEvent.objects.filter(
            rater=current.rater_id, pair=current.pair_id, action=UNDONE
        ).exists()
    )


def can_undo(rater: Rater, options: CampaignOptions, current: Assignment | None) -> bool:
    """One vote back, while nothing was revealed of it. Where each vote is revealed, going on to
    the next pair closes undo, for checks as well: they must not show."""
    if rater.frozen_at is not None or rater.finished_at is not None:
        return False
    if options.reveal == "each" and current is not None:
        return False
    vote = last_vote(rater)
    return vote is not None and not is_revealed(vote) and not is_taken_back(current)
