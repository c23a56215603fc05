"""A rater withdraws: every vote of theirs is erased."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from annotation.blinding.voting_page import VotingPage
from annotation.models import Pair, Vote, VoteEvent
from annotation.services.places import release, uncount
from annotation.services.showing import page_of
from annotation.services.standing import get_rater
from annotation.services.tallying import change_rater
from annotation.services.turns import campaign_turn

COUNTS = (
    "n_votes",
    "n_counted",
    "n_left",
    "n_right",
    "n_tie",
    "n_both_bad",
    "n_skips",
    "n_too_fast",
    "n_checks",
    "n_checks_right",
    "seconds_total",
)


def withdraw(*, campaign_token: str, rater_key: str, now: datetime) -> VotingPage:
    """Erase the rater's votes, their history and what they were given; the places reopen. At any
    time, also after closing or a reveal; withdrawing twice changes nothing. That pairs were
    revealed stays on record. Raises CampaignNotFound, RaterUnknown."""
    with campaign_turn(campaign_token=campaign_token, now=now) as turn:
        rater = get_rater(turn.campaign, rater_key)
        if rater.withdrawn_at is None:
            votes = Vote.objects.filter(rater=rater)
            uncount(turn, votes.counted().select_related("pair"))
            turn.n_votes -= votes.filter(pair__kind=Pair.VOTE).count()
            turn.has_news = True
            release(turn, Q(rater=rater))
            votes.delete()
            VoteEvent.objects.filter(rater=rater).delete()
            rater.assignments.all().delete()
            erased = dict.fromkeys(COUNTS, 0)
            change_rater(rater, {}, by=1, **erased, withdrawn_at=now, completion_code="")
        return page_of(turn, rater)
