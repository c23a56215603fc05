"""Whether a campaign takes votes, and whether a rater may still give them."""

from __future__ import annotations

from datetime import datetime

from annotation.models import Campaign, Rater, Unblinding
from annotation.services.voting_refusals import (
    CampaignClosed,
    RaterBarred,
    RaterUnknown,
    VoteFrozen,
)

EXCLUDED = "Your part in this vote has ended. Thank you for your time."
WITHDRAWN = "You have withdrawn from this vote, and your votes are erased."
NOT_QUALIFIED = "Thank you for trying. After the first pairs, this vote goes on with other raters."
UNBLINDED = (
    "You have opened answers of this vote while it is open, so you know who wrote them and cannot "
    "vote on them."
)
SIMULATED = "This vote is a simulation and takes no votes of people."
PEOPLE_ONLY = "This vote takes votes of people only."
FINISHED = "You have finished this vote, so nothing was stored. Thank you."


def is_over(campaign: Campaign, now: datetime) -> bool:
    """Closed by a lead, or by its closing time."""
    return campaign.closed_at is not None or (
        campaign.closes_at is not None and campaign.closes_at <= now
    )


def closed_sentence(campaign: Campaign, now: datetime) -> str:
    """Why the campaign takes no votes now; empty while it does."""
    if is_over(campaign, now):
        return "This vote has closed. Thank you to everyone who took part."
    if campaign.origin == Campaign.IMPORTED:
        return "This vote took place elsewhere; nothing can be added to it."
    if campaign.opened_at is None:
        return "This vote is not open yet."
    if campaign.opens_at and campaign.opens_at > now:
        return f"This vote opens on {campaign.opens_at:%-d %B %Y at %H:%M} UTC."
    return ""


def barred_sentence(rater: Rater) -> str:
    """Why the rater's part is over; empty while it is not."""
    if rater.withdrawn_at is not None:
        return WITHDRAWN
    if rater.excluded_at is not None:
        return EXCLUDED
    if rater.unblinded_at is not None:
        return UNBLINDED
    if rater.disqualified_at is not None:
        return NOT_QUALIFIED
    return ""


def kind_sentence(campaign: Campaign, kind: str) -> str:
    """Why raters of this kind have no part in the campaign; empty where they have."""
    if campaign.is_simulated == (kind == Rater.SIMULATED):
        return ""
    return SIMULATED if campaign.is_simulated else PEOPLE_ONLY


def is_unblinded(campaign: Campaign, user_id: int | None) -> bool:
    if user_id is None:
        return False
    return Unblinding.objects.filter(campaign=campaign, user=user_id).exists()


def is_anothers(rater: Rater, user_id: int | None) -> bool:
    """Whether a signed-in person came with the place of somebody else who is signed in here at
    other times."""
    return user_id is not None and rater.user_id not in (None, user_id)


def get_rater(campaign: Campaign, rater_key: str) -> Rater:
    """Raises RaterUnknown."""
    rater = Rater.objects.filter(campaign=campaign, key=rater_key).first()
    if rater is None:
        raise RaterUnknown
    return rater


def refuse_unless_voting(campaign: Campaign, rater: Rater, now: datetime) -> None:
    """Raises CampaignClosed, RaterBarred or VoteFrozen."""
    refuse_if_barred(rater)
    if rater.frozen_at is not None or rater.finished_at is not None:
        raise VoteFrozen(FINISHED)
    sentence = closed_sentence(campaign, now)
    if sentence:
        raise CampaignClosed(sentence)


def refuse_if_barred(rater: Rater) -> None:
    """Raises RaterBarred."""
    sentence = barred_sentence(rater)
    if sentence:
        raise RaterBarred(sentence)
