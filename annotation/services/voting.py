"""The rater's door: one service for each thing a rater does, and the page where they stand."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from django.contrib.auth.models import User

from annotation.blinding.voting_page import VotingPage
from annotation.campaign_options import CampaignOptions
from annotation.models import Assignment, Campaign, Rater
from annotation.services.casting import cast_vote
from annotation.services.last_votes import can_undo
from annotation.services.raters import admit_rater, admit_simulated_rater, is_place_of_another
from annotation.services.reveals import continue_voting, finish_voting
from annotation.services.serving import blind_pair, current_assignment
from annotation.services.showing import closed_page, consent_page, page_of, pair_page
from annotation.services.standing import (
    UNBLINDED,
    barred_sentence,
    closed_sentence,
    is_anothers,
    is_unblinded,
    kind_sentence,
)
from annotation.services.turns import campaign_turn
from annotation.services.unblinding import refuse_unblinded
from annotation.services.undoing import skip_pair, undo_vote
from annotation.services.voting_refusals import CampaignNotFound, VotingRefused
from annotation.services.withdrawal import withdraw

__all__ = [
    "CampaignNotFound",
    "VotingRefused",
    "admit_rater",
    "admit_simulated_rater",
    "cast_vote",
    "continue_voting",
    "finish_voting",
    "is_place_of_another",
    "refuse_unblinded",
    "skip_pair",
    "undo_vote",
    "voting_page",
    "withdraw",
]


def voting_page(
    *,
    campaign_token: str,
    rater_key: str | None,
    user: User | None,
    now: datetime,
    rng: random.Random | None = None,
) -> VotingPage:
    """Where the rater stands, with their pair; a rater without one is given the next. Loading the
    page again shows the same pair on the same sides. Raises CampaignNotFound.

    A signed-in person who comes without a key, or with another person's, joins once more and gets
    the rater they are.
    """
    campaign = Campaign.objects.filter(link_token=campaign_token).first()
    if campaign is None:
        raise CampaignNotFound
    options = CampaignOptions.from_json(campaign.options)
    user_id = user.pk if user is not None else None
    if is_unblinded(campaign, user_id):
        return closed_page(campaign, options, UNBLINDED)
    raters = Rater.objects.filter(campaign=campaign)
    rater = raters.filter(key=rater_key).first() if rater_key else None
    if rater is None or is_anothers(rater, user_id):
        return _page_without_key(campaign, options, user_id, now)
    current = _open_assignment(campaign, options, rater, now)
    if current is not None:
        undo = can_undo(rater, options, current)
        shown = blind_pair(current, current.pair, options)
        return pair_page(campaign, options, rater, shown, undo=undo)
    with campaign_turn(campaign_token=campaign_token, now=now, rng=rng) as turn:
        return page_of(turn, raters.get(pk=rater.pk))


def _page_without_key(
    campaign: Campaign, options: CampaignOptions, user_id: int | None, now: datetime
) -> VotingPage:
    known = Rater.objects.filter(campaign=campaign, user=user_id).first() if user_id else None
    sentence = barred_sentence(known) if known is not None else ""
    sentence = sentence or closed_sentence(campaign, now)
    sentence = sentence or kind_sentence(campaign, Rater.ANONYMOUS)
    return closed_page(campaign, options, sentence) if sentence else consent_page(campaign, options)


def _open_assignment(
    campaign: Campaign, options: CampaignOptions, rater: Rater, now: datetime
) -> Assignment | None:
    """The pair that can be shown without taking a turn: open, and its lock not half over."""
    if barred_sentence(rater) or rater.finished_at or closed_sentence(campaign, now):
        return None
    current = current_assignment(rater, options)
    half = timedelta(minutes=options.lock_minutes / 2)
    return current if current is not None and current.lock_until - now >= half else None
